/** What the numbers of a graph are: leakages in nats, or what they mean as chances; and the control that switches. */
import { h, listen, type Component } from "../ui/dom";
import { amount, leakage } from "../ui/format";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import type { GraphMeasure, MeasureName } from "../ui/protocol";
import { leakageUnit, perNat } from "../ui/preferences";
import { entryText } from "../ui/scale";

/** What can be shown, as it stands in the menu. */
const MENU: readonly [MeasureName, string][] = [
  ["leakage", "leakage"],
  ["delta", "δ beyond ε"],
  ["advantage", "advantage of the best test"],
  ["posterior_vulnerability", "chance to guess right"],
];

export interface MeasureWords {
  /** As in "exact, nats", and where there is less room. */
  short: string;
  head: string;
  /** Behind a number, and how many of them are one: leakages are shown in the unit that is preferred. */
  unit: string;
  per: number;
  /** A number of them. */
  write(value: number, beside?: number, promise?: number): string;
  /** The line that numbers are held against, at the line itself and in a sentence. */
  line: string;
  beside: string;
  /** How the graph is read; empty for leakages. */
  caption: string;
  /** Of those of whom nothing is left to learn. */
  determined: "0" | "1";
}

const CHANCE = { unit: "", per: 1, write: amount } as const;
const ALLOWED = { ...CHANCE, line: "promise allows", beside: "what the promise allows", determined: "0" } as const;

/** The words for the numbers of a graph. */
export function wordsOf(measure: GraphMeasure | undefined): MeasureWords {
  if (measure?.name === "delta") {
    const at = `δ at ε = ${amount(measure.epsilon ?? 0)}`;
    const caption = `${at}: the most by which one value makes some answers likelier than e^ε times what another value does (Balle and Wang). `;
    return { ...ALLOWED, short: at, head: "δ", caption };
  }
  if (measure?.name === "advantage") {
    const caption = "Advantage: how much more often the best test of two values is right than wrong (Dong, Roth and Su). ";
    return { ...ALLOWED, short: "advantage", head: "advantage", caption };
  }
  if (measure?.name === "posterior_vulnerability") {
    const caption = "Chance to guess right after the release (Alvim and others): what the promise allows depends on what was believed before. ";
    return { ...CHANCE, short: "chance", head: "chance", line: "certain", beside: "certainty", caption, determined: "1" };
  }
  const unit = leakageUnit();
  return { short: unit, head: unit, unit: ` ${unit}`, per: perNat(), write: leakage, line: "promise", beside: "the promise", caption: "", determined: "0" };
}

/** Where an axis of a measure ends: 1, or for delta the least of .5, .2, .1 and so on that is enough. As in graph_digest.py. */
export function measureEnd({ name }: GraphMeasure, largest: number): number {
  if (name !== "delta") return 1;
  const ends = [1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** -power));
  return ends.reduce((least, end) => (largest <= end && end < least ? end : least), 1);
}

export interface MeasureProps {
  name: MeasureName;
  /** null = at the promise. */
  epsilon: number | null;
  /** nats. */
  promise: number;
  disabled: boolean;
}

export interface MeasureEvents {
  onMeasure(measure: MeasureName, epsilon: number | null): void;
  onRefused(reason: string | null): void;
}

/** The switch of what the graph shows, with the place of delta. */
export function createMeasure(initial: MeasureProps, events: MeasureEvents): Component<MeasureProps> {
  let props = initial;
  const select = h("select", { class: "wm-choice", "aria-label": "The graph shows" }, ...MENU.map(([, text]) => h("option", {}, text)));
  const entry = createNumberEntry(entryProps(), { onCommit: (epsilon) => events.onMeasure("delta", epsilon), onRefused: events.onRefused });
  const back = h("button", { type: "button", class: "px-quiet" }, "at the promise");
  const at = h("span", { class: "gm-at" }, "ε ", entry.el, " nats ", back);
  const el = h("p", { class: "gm small" }, h("label", { class: "gm-menu" }, "shows", select), at);
  listen(select, "change", () => events.onMeasure(MENU[select.selectedIndex]?.[0] ?? "leakage", props.epsilon));
  listen(back, "click", () => events.onMeasure("delta", null));

  function entryProps(): NumberEntryProps {
    const { epsilon, promise, disabled } = props;
    const refuse = (value: number): string | null => (value >= 0 ? null : "ε is refused. Enter a number of nats, 0 or more.");
    return { label: "ε of delta, nats", value: epsilon ?? promise, format: entryText, refuse, disabled };
  }

  function draw(): void {
    select.selectedIndex = MENU.findIndex(([name]) => name === props.name);
    select.disabled = back.disabled = props.disabled;
    at.hidden = props.name !== "delta";
    back.hidden = props.epsilon === null;
    entry.update(entryProps());
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      entry.destroy();
      el.remove();
    },
  };
}
