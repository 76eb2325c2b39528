/** The adversary: which tuple is attacked, which others are known, and whether their values are set or the worst. */
import { createChips, type Chip } from "../ui/chips";
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { component, h, setText, type Component } from "../ui/dom";
import type { Convention } from "../ui/protocol";
import { nameOf, type Naming } from "./words";

export interface AdversaryProps {
  naming: Naming;
  target: number;
  known: number[];
  /** Label position of every tuple. */
  instance: number[];
  convention: Convention;
  /** In the worst case the values that attain it; null while they are awaited. */
  worst: number[] | null;
  disabled: boolean;
}

export interface AdversaryEvents {
  onChoose(target: number, known: number[]): void;
  onInstance(instance: number[]): void;
  onConvention(convention: Convention): void;
}

const WORST = "worst case over all values";

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
  const segments = createSegments(segmentsProps(), events.onConvention);
  const caption = h("p", { class: "small muted" });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    chips.el,
    h("div", { class: "px-convention" }, h("span", { class: "label", "aria-hidden": "true" }, "Known values"), segments.el, caption),
  );

  function segmentsProps(): SegmentsProps<Convention> {
    return {
      label: "Known values",
      options: [
        { value: "instance", text: "as set above" },
        { value: "sup", text: "worst case" },
      ],
      value: props.convention,
      disabled: props.disabled,
    };
  }

  function draw(): void {
    chips.update(chipsProps());
    segments.update(segmentsProps());
    setText(caption, props.convention === "sup" ? WORST : "");
  }

  function chipsProps() {
    const { naming, target, known, instance, convention, worst } = props;
    // Nothing that is not used stands there: the values that leak most, or only the word for them.
    const instead = (t: number): Pick<Chip, "instead"> => {
      if (convention !== "sup") return {};
      const attaining = known.includes(t) ? worst?.[t] : undefined;
      return { instead: attaining === undefined ? "worst" : (naming.labels[t]?.[attaining] ?? "worst") };
    };
    const list = naming.names.map((_, t): Chip => ({
      name: nameOf(naming, t),
      state: t === target ? "attacked" : known.includes(t) ? "known" : "unknown",
      values: [...(naming.labels[t] ?? [])],
      value: instance[t] ?? 0,
      ...instead(t),
    }));
    return {
      chips: list,
      label: "What the adversary knows",
      targetCaption: `its value when another ${naming.noun} is attacked`,
      valuesOff: props.convention === "sup" ? WORST : null,
      disabled: props.disabled,
    };
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, chips, segments);
}
