/** Spread of every tuple and correlation of every pair, each with a bar. */
import { createBars } from "../table/bars";
import { niceCeiling } from "../ui/axes";
import { h, setAttr, setText, type Component } from "../ui/dom";
import { fixed, signed } from "../ui/format";
import { clip, textWidth } from "../ui/lettering";
import { correlationAt, deviations } from "./editing";
import { decimalsFor, entry, shortNames } from "./words";

export interface SummariesProps {
  names: string[];
  /** The last valid matrix, n x n; null when there was none. */
  cov: Float64Array | null;
  unit: string;
  /** It is not what stands in the cells. */
  stale: boolean;
}

/** Pairs shown at once: the strongest, when there are more. */
const LEAST_PAIRS = 6;
/** Characters of a name in a pair. */
const LONGEST = 24;
/** What a bar and its number take beside a name, px. */
const BAR = 84;
const AXES = [0.1, 0.25, 0.5, 1];

export function createSummaries(first: SummariesProps): Component<SummariesProps> {
  const spreadHead = h("div", { class: "label" });
  const pairHead = h("div", { class: "label" });
  const spreads = createBars(false);
  const pairs = createBars(true);
  const more = h("div", { class: "small muted" });
  const right = h("section", {}, pairHead, pairs.el, more);
  const el = h("div", { class: "jt-summaries" }, h("section", {}, spreadHead, spreads.el), right);

  function draw({ names, cov, unit, stale }: SummariesProps): void {
    // A grid is displayed in spite of the attribute.
    el.hidden = cov === null;
    el.style.display = cov ? "" : "none";
    if (!cov) {
      // What is left belongs to other tuples.
      spreads.update([], 1);
      pairs.update([], 1);
      for (const words of [spreadHead, pairHead, more]) setText(words, "");
      return;
    }
    const n = names.length;
    const short = shortNames(names);
    const sd = deviations(cov, n);
    const most = niceCeiling(Math.max(...sd), [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]);
    const decimals = decimalsFor(Math.max(...sd));
    const old = stale ? ", last valid" : "";
    setText(spreadHead, `Spread${unit ? `, ${unit}` : ""}${old}`);
    setAttr(spreadHead, "title", `Standard deviation; the bar ends at ${most}${stale ? ". These belong to the last valid matrix" : ""}`);
    const lines = names.map((name, j) => ({ name: [name], joint: "", title: name, value: sd[j] as number, text: entry(sd[j] as number, decimals) }));
    spreads.update(lines, most);
    const all: { pair: [number, number]; value: number }[] = [];
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) all.push({ pair: [i, j], value: correlationAt(cov, n, i, j) });
    const size = (value: number): number => (Number.isNaN(value) ? -1 : Math.abs(value));
    const room = Math.max(LEAST_PAIRS, n);
    const chosen = all.length <= room ? all : [...all].sort((a, b) => size(b.value) - size(a.value)).slice(0, room);
    const limit = AXES.find((axis) => all.every(({ value }) => !(Math.abs(value) > axis))) ?? 1;
    setText(pairHead, stale ? `Correlation${old}` : `Correlation, axis ±${limit}`);
    setAttr(pairHead, "title", `The axis ends at ±${limit}`);
    const rows = chosen.map(({ pair, value }) => ({
      name: pair.map((j) => clip(short[j] as string, LONGEST, short)),
      joint: ", ",
      title: pair.map((j) => names[j] as string).join(", "),
      value,
      text: Number.isNaN(value) ? "undefined" : signed(value, 2),
    }));
    pairs.update(rows, limit);
    // Beside each other where the longest name has the room there, else one under the other.
    const longest = Math.max(...[...lines, ...rows].map(({ name, joint }) => textWidth(name.join(joint).slice(0, 80), 12)));
    el.style.gridTemplateColumns = `repeat(auto-fit,minmax(min(100%,${Math.ceil(longest) + BAR}px),1fr))`;
    setText(more, all.length > chosen.length ? `${chosen.length} largest of ${fixed(all.length, 0)} pairs` : "");
    right.hidden = all.length === 0;
  }
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}
