/** Marginals of the table and the dependence of its tuples, each with a bar. */
import { h, setAttr, setText, type Component } from "../ui/dom";
import { probability, probabilityDecimals } from "../ui/format";
import { textWidth } from "../ui/lettering";
import type { TableSpec } from "../ui/protocol";
import { BAR, createBars } from "./bars";
import { dependences, scores, strongest } from "./dependence";
import { marginals, total } from "./editing";
import { createPairList } from "./pair-list";

export interface SummariesProps {
  spec: TableSpec;
  /** Entries that are probabilities; their sum need not be 1. */
  entries: Float64Array;
  /** They belong to the last valid table, not to what stands in the grid. */
  stale: boolean;
}

/** Pairs shown at once; the strongest come first when there are more. */
const PAIRS = 5;

/** Bars in view, as the sheet has it. */
const SEEN = 12;

/** "P(1), 12 of 17 shown": what the bars are, and how many of them are in view without scrolling. */
export function marginalHeading(label: string | undefined, lines: number): string {
  return `${label ? `P(${label})` : "Marginals"}${lines > SEEN ? `, ${SEEN} of ${lines} shown` : ""}`;
}

export function createSummaries(first: SummariesProps): Component<SummariesProps> {
  const marginalHead = h("div", { class: "label" });
  const marginalBars = createBars(false);
  const pairList = createPairList();
  const scroll = h("div", { class: "jt-list" }, marginalBars.el);
  const el = h("div", { class: "jt-summaries" }, h("section", {}, marginalHead, scroll), pairList.el);

  function draw({ spec, entries, stale }: SummariesProps): void {
    const shape = spec.labels.map((domain) => domain.length);
    const sum = total(entries);
    const weights = sum > 0 ? entries.map((p) => p / sum) : entries;
    const parts = marginals(weights, shape);
    const decimals = Math.min(4, probabilityDecimals(Float64Array.from(parts.flatMap((m) => [...m]))));
    // Two labels each, and the same second label everywhere: one number per tuple says it all.
    const second = spec.labels[0]?.[1];
    const shared = second !== undefined && spec.labels.every((domain) => domain.length === 2 && domain[1] === second);
    setAttr(marginalHead, "title", shared ? `Probability that a tuple is ${second}` : null);
    const lines = parts.flatMap((marginal, j) =>
        Array.from(marginal, (value, k) => ({ value, k, j })).filter(({ k }) => (shared ? k === 1 : true)),
      ).map(({ value, k, j }) => {
        const label = spec.labels[j]?.[k] ?? "";
        const name = shared ? [spec.names[j] as string] : [spec.names[j] as string, label];
        return { name, joint: " ", title: name.join(" "), value, text: probability(value, decimals) };
      });
    setText(marginalHead, `${marginalHeading(shared ? second : undefined, lines.length)}${stale ? ", last valid table" : ""}`);
    marginalBars.update(lines, 1);
    const all = dependences(weights, shape, scores(spec.labels));
    const pairs = pairList.update(spec.names, all.length <= PAIRS ? all : strongest(all, PAIRS), all.length);
    // Beside each other where the longest name has the room there, else one under the other.
    const longest = Math.max(...[...lines, ...pairs].map(({ name, joint }) => textWidth(name.join(joint).slice(0, 80), 12)));
    el.style.gridTemplateColumns = `repeat(auto-fit,minmax(min(100%,${Math.ceil(longest) + BAR}px),1fr))`;
  }
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}
