/** What a joint table says in few numbers: marginals and the dependence of its tuples, each as a row with a bar. */
import { h, setAttr, setText, type Component } from "../ui/dom";
import { fixed, probability, probabilityDecimals, signed } from "../ui/format";
import { textWidth } from "../ui/lettering";
import type { TableSpec } from "../ui/protocol";
import { BAR, createBars, type Line } from "./bars";
import { forEachPosition, marginals, total } from "./editing";
import { commonStem, numberOf } from "./pivot";

// Pairwise dependence of the tuples of a joint table; the same in `dependence.py`.

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
/** Pairs that differ by less are as strong as one another: rounding must not sort them. */
const APART = 1e-9;

/** The numbers that the labels of each tuple are; null where one of them is none. */
export function scores(labels: readonly (readonly string[])[]): (Float64Array | null)[] {
  return labels.map((domain) => {
    const numbers = domain.map((label) => (NUMBER.test(label) ? Number(label) : NaN));
    return numbers.every(Number.isFinite) ? Float64Array.from(numbers) : null;
  });
}

interface Dependence {
  pair: [number, number];
  /**
   * Pearson's correlation where the labels of both are numbers, else Cramér's V, which no order of labels changes.
   * NaN where one of the two has a single value only.
   */
  value: number;
  /** Whether it is a correlation. */
  signed: boolean;
}

/** Dependence of every pair of tuples, for entries that sum to 1. */
export function dependences(
  entries: Float64Array,
  shape: readonly number[],
  numbers: readonly (Float64Array | null)[],
): Dependence[] {
  const n = shape.length;
  const single = marginals(entries, shape);
  const pairs: { pair: [number, number]; joint: Float64Array }[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) pairs.push({ pair: [i, j], joint: new Float64Array((shape[i] as number) * (shape[j] as number)) });
  }
  forEachPosition(shape, (k, at) => {
    const p = entries[k] as number;
    if (p === 0) return;
    for (const { pair: [i, j], joint } of pairs) {
      const cell = (at[i] as number) * (shape[j] as number) + (at[j] as number);
      joint[cell] = (joint[cell] as number) + p;
    }
  });
  return pairs.map(({ pair, joint }) => {
    const [px, py] = pair.map((j) => single[j]) as [Float64Array, Float64Array];
    const [x, y] = pair.map((j) => numbers[j] ?? null) as [Float64Array | null, Float64Array | null];
    const signed = x !== null && y !== null;
    const constant = occurring(px) < 2 || occurring(py) < 2;
    const value = constant ? NaN : signed ? correlation(joint, centred(x, px), centred(y, py), px, py) : cramersV(joint, px, py);
    return { pair, value, signed };
  });
}

/** The strongest pairs, among equals the first ones first and undefined ones last. */
export function strongest(pairs: readonly Dependence[], most: number): Dependence[] {
  const size = ({ value }: Dependence): number => (Number.isNaN(value) ? -Infinity : Math.round(Math.abs(value) / APART));
  return [...pairs].sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)) || a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1]).slice(0, most);
}

function occurring(marginal: Float64Array): number {
  return marginal.reduce((count, p) => count + (p > 0 ? 1 : 0), 0);
}

function centred(given: Float64Array, marginal: Float64Array): Float64Array {
  // A correlation has no unit: squares of huge numbers, or of tiny ones, would be no numbers.
  const size = given.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const x = size > 0 ? given.map((value) => value / size) : given;
  const mean = marginal.reduce((sum, p, k) => sum + p * (x[k] as number), 0);
  return x.map((value) => value - mean);
}

function correlation(joint: Float64Array, dx: Float64Array, dy: Float64Array, px: Float64Array, py: Float64Array): number {
  const spread = (d: Float64Array, p: Float64Array): number => Math.sqrt(d.reduce((sum, value, k) => sum + (p[k] as number) * value * value, 0));
  const both = spread(dx, px) * spread(dy, py);
  const moment = joint.reduce((sum, p, cell) => sum + p * (dx[Math.floor(cell / dy.length)] as number) * (dy[cell % dy.length] as number), 0);
  return both > 0 ? Math.max(-1, Math.min(1, moment / both)) : NaN;
}

function cramersV(joint: Float64Array, px: Float64Array, py: Float64Array): number {
  const chi2 = joint.reduce((sum, p, cell) => {
    const [left, right] = [px[Math.floor(cell / py.length)] as number, py[cell % py.length] as number];
    const apart = p - left * right;
    // Divided one after the other: a product of two tiny probabilities would be no number.
    return left > 0 && right > 0 ? sum + (apart / left) * (apart / right) : sum;
  }, 0);
  return Math.min(1, Math.sqrt(Math.max(0, chi2) / (Math.min(occurring(px), occurring(py)) - 1)));
}

// The strongest pairs of tuples: correlations where labels are numbers, associations where they are words.

const AXES = [0.1, 0.25, 0.5, 1];

export interface PairList {
  el: HTMLElement;
  /** Draws some of `count` pairs and returns the lines as written. */
  update(names: readonly string[], pairs: readonly Dependence[], count: number): Line[];
}

export function createPairList(): PairList {
  const correlationHead = h("div", { class: "label", title: "Pearson’s correlation; the axis ends as in brackets." });
  const associationHead = h(
    "div",
    { class: "label", title: "Cramér’s V: 0 where the two are independent, 1 where one determines the other. Words have no order, so it has no sign." },
    "Association, 0 to 1",
  );
  const correlations = { part: h("div"), bars: createBars(true) };
  const associations = { part: h("div"), bars: createBars(false) };
  correlations.part.append(correlationHead, correlations.bars.el);
  associations.part.append(associationHead, associations.bars.el);
  const more = h("div", { class: "small muted" });
  const el = h("section", { class: "jt-pairs" }, correlations.part, associations.part, more);
  return {
    el,
    update(names, pairs, count) {
      const stem = commonStem(names);
      const line = ({ pair, value, signed: correlation }: Dependence): Line => {
        const both = pair.map((j) => names[j] as string);
        const text = Number.isNaN(value) ? "undefined" : correlation ? signed(value) : probability(value, 3);
        return { name: stem === null ? both : both.map(numberOf), joint: ", ", title: both.join(", "), value, text };
      };
      const [numeric, worded] = [pairs.filter((one) => one.signed), pairs.filter((one) => !one.signed)];
      const limit = AXES.find((axis) => numeric.every(({ value }) => !(Math.abs(value) > axis))) ?? 1;
      const lines = [numeric.map(line), worded.map(line)] as [Line[], Line[]];
      setText(correlationHead, `Correlation (±${limit})`);
      correlations.bars.update(lines[0], limit);
      associations.bars.update(lines[1], 1);
      correlations.part.hidden = numeric.length === 0;
      associations.part.hidden = worded.length === 0;
      setText(more, count > pairs.length ? `${pairs.length} largest of ${fixed(count, 0)} pairs` : "");
      el.hidden = count === 0;
      return lines.flat();
    },
  };
}

// Marginals of the table and the dependence of its tuples, each with a bar.

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
