/** The adversary: knows the joint table, and which of the tuples. */
import { told, type Naming } from "../explorer/words";
import { createChips, type ChipsProps } from "../ui/chips";
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { component, h, setText, type Component } from "../ui/dom";
import type { Knowing } from "./protocol";
import { inShort, knownNames } from "./words";

export interface AdversaryProps {
  naming: Naming;
  knowing: Knowing;
  known: readonly number[];
  tuple: number;
  disabled: boolean;
}

export interface AdversaryEvents {
  onKnowing(knowing: Knowing): void;
  onKnown(known: number[]): void;
  onTuple(tuple: number): void;
}

const OPTIONS: SegmentsProps<Knowing>["options"] = (["nobody", "chosen", "worst"] as const).map((value) => ({ value, text: value }));

/** Who attacks, in a sentence. */
export function adversarySentence({ naming, knowing, known, tuple }: Pick<AdversaryProps, "naming" | "knowing" | "known" | "tuple">): string {
  const whom = told(naming, tuple, 24);
  const others = known.filter((one) => one !== tuple);
  if (knowing === "worst") return `Whoever learns most about ${whom}: someone who knows the joint table and the most telling others.`;
  const what = knowing === "nobody" || others.length === 0 ? `no other ${naming.noun}` : knownNames(naming, others);
  return `Someone who knows the joint table and ${what} attacks ${whom}.`;
}

export function createAdversary(initial: AdversaryProps, events: AdversaryEvents): Component<AdversaryProps> {
  let props = initial;
  const segments = createSegments(segmentsProps(), events.onKnowing);
  const chips = createChips(chipsProps(), {
    onToggle(tuple, known) {
      const next = known ? [...props.known, tuple].sort((a, b) => a - b) : props.known.filter((one) => one !== tuple);
      events.onKnown([...new Set(next)]);
    },
    onTarget: events.onTuple,
    onValue: () => {},
  });
  const note = h("p", { class: "small muted dx-adversary-note" });
  const el = h(
    "section",
    { class: "panel dx-adversary", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    h("span", { class: "label", "aria-hidden": "true" }, "Knows the joint table and"),
    segments.el,
    note,
    chips.el,
  );

  function segmentsProps(): SegmentsProps<Knowing> {
    return { label: "Knows the joint table and", options: OPTIONS, value: props.knowing, disabled: props.disabled };
  }

  function chipsProps(): ChipsProps {
    const { naming, knowing, known, tuple, disabled } = props;
    const chips = inShort(naming).names.map((name, k) => ({
      name,
      state: k === tuple ? ("attacked" as const) : knowing === "chosen" && known.includes(k) ? ("known" as const) : ("unknown" as const),
      values: [],
      value: 0,
    }));
    return { chips, label: "Tuples that are known", targetCaption: "", disabled: disabled || knowing === "worst" };
  }

  function draw(): void {
    segments.update(segmentsProps());
    chips.update(chipsProps());
    setText(note, adversarySentence(props));
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, segments, chips);
}
