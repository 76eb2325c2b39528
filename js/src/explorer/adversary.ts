/** The adversary: which tuple is attacked, which others are known, and their values. */
import { createChips, type Chip } from "../ui/chips";
import type { Component } from "../ui/component";
import { h } from "../ui/dom";
import { nameOf, type Naming } from "./words";

export interface AdversaryProps {
  naming: Naming;
  target: number;
  known: number[];
  /** Label position of every tuple. */
  instance: number[];
  disabled: boolean;
}

export interface AdversaryEvents {
  onChoose(target: number, known: number[]): void;
  onInstance(instance: number[]): void;
}

/** Known tuples after another one became the target: the new target is never known, nor becomes the old one. */
export function retarget(known: readonly number[], target: number): number[] {
  return known.filter((t) => t !== target);
}

export function createAdversary(initial: AdversaryProps, events: AdversaryEvents): Component<AdversaryProps> {
  let props = initial;
  const chips = createChips(chipsProps(), {
    onToggle(tuple, known) {
      const rest = props.known.filter((t) => t !== tuple);
      events.onChoose(props.target, known ? [...rest, tuple].sort((a, b) => a - b) : rest);
    },
    onTarget: (tuple) => events.onChoose(tuple, retarget(props.known, tuple)),
    onValue: (tuple, value) => events.onInstance(props.instance.map((v, t) => (t === tuple ? value : v))),
  });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    chips.el,
    h("p", { class: "px-convention small" }, h("span", { class: "muted" }, "Known values"), " are the ones chosen above"),
  );

  function chipsProps() {
    const { naming, target, known, instance } = props;
    const list = naming.names.map((_, t): Chip => ({
      name: nameOf(naming, t),
      state: t === target ? "attacked" : known.includes(t) ? "known" : "unknown",
      values: [...(naming.labels[t] ?? [])],
      value: instance[t] ?? 0,
    }));
    return {
      chips: list,
      label: "What the adversary knows",
      targetCaption: "used when others are attacked",
      disabled: props.disabled,
    };
  }

  return {
    el,
    update(next) {
      props = next;
      chips.update(chipsProps());
    },
    destroy() {
      chips.destroy();
      el.remove();
    },
  };
}
