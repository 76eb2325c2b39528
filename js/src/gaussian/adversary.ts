/** The adversary: which tuple is attacked and which others are known. The values known do not matter. */
import { retarget } from "../explorer/adversary";
import { nameOf, type Naming } from "../explorer/words";
import { createChips, type Chip, type ChipsProps } from "../ui/chips";
import { h, type Component } from "../ui/dom";

export interface AdversaryProps {
  naming: Naming;
  target: number;
  known: number[];
  disabled: boolean;
}

/** More chips than this stand beside each other. */
const LISTED = 6;

export function createAdversary(initial: AdversaryProps, onChoose: (target: number, known: number[]) => void): Component<AdversaryProps> {
  let props = initial;
  const chips = createChips(chipsProps(), {
    onToggle(tuple, known) {
      const rest = props.known.filter((t) => t !== tuple);
      onChoose(props.target, known ? [...rest, tuple].sort((a, b) => a - b) : rest);
    },
    onTarget: (tuple) => onChoose(tuple, retarget(props.known, tuple)),
    onValue: () => undefined,
  });
  const note = h("p", { class: "small muted gx-note" }, "Which values it knows matters, what they are does not.");
  const el = h(
    "section",
    { class: "panel gx-adversary", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    chips.el,
    note,
  );

  function chipsProps(): ChipsProps {
    const { naming, target, known, disabled } = props;
    const list = naming.names.map((_, t): Chip => ({
      name: nameOf(naming, t),
      state: t === target ? "attacked" : known.includes(t) ? "known" : "unknown",
      values: [],
      value: 0,
    }));
    return { chips: list, label: "What the adversary knows", targetCaption: "", disabled };
  }

  function draw(): void {
    el.classList.toggle("gx-many", props.naming.names.length > LISTED);
    chips.update(chipsProps());
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      chips.destroy();
      el.remove();
    },
  };
}
