/** The chosen tuple: what leaks about it, and every number beside that. */
import { inlineMark, triangle } from "../ui/marks";
import { createStale } from "../explorer/top";
import { gap, isOver, told, toldLabel, type Naming } from "../explorer/words";
import { axisText, linear, niceCeiling, rule } from "../ui/axes";
import { h, renew, s, setAttr, setText, text, type Component } from "../ui/dom";
import { bound, fixed, probability, tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { createNumline, type LineMark, type NumlineProps } from "../ui/numline";
import type { Knowing } from "./protocol";
import type { Shown, ShownTuple } from "./results";
import { knowing as knowingWords, knows, nats, valueOf } from "./words";
import { leakageUnit, perNat } from "../ui/preferences";

// What the query gives before noise, for two values of the chosen tuple side by side.

export interface HistogramProps {
  naming: Naming;
  tuple: number;
  facts: ShownTuple | null;
  width: number;
}

const HEIGHT = 116;
const BOTTOM = 96;
const TOP = 16;
/** More outputs than this have no room for numbers. */
const NUMBERED = 10;

/** The two values that are drawn: those that are told apart best, in the order of the domain. */
export function pairShown({ attained, outputs }: ShownTuple): [number, number] | null {
  if (!outputs) return null;
  const count = outputs.points.length;
  const occurs = Array.from({ length: outputs.weights.length / count }, (_, k) => k).filter((k) =>
    outputs.weights.subarray(k * count, (k + 1) * count).some((p) => p > 0),
  );
  if (attained && attained.pair.every((k) => occurs.includes(k)))
    return [Math.min(...attained.pair), Math.max(...attained.pair)];
  return occurs.length < 2 ? null : [occurs[0] as number, occurs[occurs.length - 1] as number];
}

/** A probability above a bar: three decimals, no zeros at their end. */
function short(p: number): string {
  return p === 0 || p === 1 ? String(p) : p.toFixed(3).replace(/0+$/, "");
}

function createHistogram(initial: HistogramProps): Component<HistogramProps> {
  const head = h("div", { class: "dx-histogram-head" });
  const place = h("div", { class: "dx-histogram-place" });
  const el = h("div", { class: "dx-histogram" }, head, place);

  function draw({ naming, tuple, facts, width }: HistogramProps): void {
    const pair = facts && pairShown(facts);
    if (!facts || !pair || !facts.outputs) {
      renew(head, h("b", {}, "Whole query before noise"));
      const why = !facts
        ? "…"
        : facts.outputs === null
          ? "The release has too many numbers, or too many values, for a picture."
          : `${told(naming, tuple, 30)} has one value only.`;
      const words = h("p", { class: "small muted" });
      setText(words, why);
      return renew(place, words);
    }
    const names = pair.map((k) => valueOf(naming, tuple, k, 18)) as [string, string];
    renew(head, h("b", {}, `Whole query before noise, given ${told(naming, tuple, 18)}`), sample(names[0], false), sample(names[1], true));
    renew(place, picture(names, facts.outputs, pair, width));
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function sample(name: string, filled: boolean): HTMLElement {
  const box = s("rect", {
    x: 1,
    y: 1,
    width: 9,
    height: 9,
    fill: filled ? "var(--b)" : "var(--bg)",
    stroke: filled ? "var(--b)" : "var(--a)",
    "stroke-width": 1.5,
  });
  return h(
    "span",
    { class: "dx-sample" },
    s("svg", { viewBox: "0 0 11 11", width: 11, height: 11, class: "pdp-mark", "aria-hidden": "true" }, box),
    ` ${name}`,
  );
}

function picture(names: [string, string], { points, weights }: NonNullable<ShownTuple["outputs"]>, pair: [number, number], width: number): SVGSVGElement {
  const count = points.length;
  const of = (k: number): Float64Array => weights.subarray((pair[k] as number) * count, ((pair[k] as number) + 1) * count);
  const laws = [of(0), of(1)] as const;
  // Outputs that neither value leads to are left out at both ends.
  const some = Array.from(points, (_, k) => k).filter((k) => (laws[0][k] as number) > 0 || (laws[1][k] as number) > 0);
  const shown = Array.from(points, (_, k) => k).slice(some[0] ?? 0, (some[some.length - 1] ?? 0) + 1);
  const most = Math.max(...shown.flatMap((k) => [laws[0][k] as number, laws[1][k] as number]), 1e-300);
  const y = linear(0, most, BOTTOM, TOP);
  const step = width / Math.max(1, shown.length);
  const bar = Math.max(1, Math.min(27, (step - Math.min(8, step / 4)) / 2));
  const said = shown
    .slice(0, 12)
    .map(
      (k) =>
        `${tick(points[k] as number)}: ${probability(laws[0][k] as number)} and ${probability(laws[1][k] as number)}`,
    );
  const svg = s("svg", {
    width,
    height: HEIGHT,
    viewBox: `0 0 ${width} ${HEIGHT}`,
    role: "img",
    "aria-label":
      `Chance of every output of the whole query before noise if ${names[0]} and if ${names[1]}: ` +
      `${said.join("; ")}${shown.length > 12 ? " and more" : ""}`,
  });
  // Some numbers without the others would say that the others are none.
  const numbered = shown.length <= NUMBERED && shown.every((k) => laws.every((law) => textWidth(short(law[k] as number)) <= bar + 3));
  let edge = -Infinity;
  shown.forEach((k, place) => {
    const middle = step * (place + 0.5);
    laws.forEach((law, side) => {
      const p = law[k] as number;
      const x = middle + (side === 0 ? -bar - 0.5 : 0.5);
      const top = p > 0 ? Math.min(BOTTOM - 1, y(p)) : BOTTOM - 1;
      svg.append(
        s("rect", {
          class: "dx-bar",
          x: x + 0.5,
          y: top,
          width: Math.max(0.5, bar - 1),
          height: BOTTOM - top,
          fill: side === 0 ? "var(--bg)" : "var(--b)",
          stroke: side === 0 ? "var(--a)" : "var(--b)",
          "stroke-width": Math.min(1.5, bar / 3),
        }),
      );
      if (numbered) svg.append(text(x + bar / 2, top - 4, short(p), { "text-anchor": "middle" }));
    });
    const label = tick(Number((points[k] as number).toPrecision(4)));
    const half = textWidth(label) / 2;
    if (middle - half < edge + 4) return;
    edge = middle + half;
    svg.append(axisText(middle, HEIGHT - 5, label, { "text-anchor": "middle" }));
  });
  svg.append(rule(0, BOTTOM, width, BOTTOM));
  return svg;
}

export interface FactsProps {
  naming: Naming;
  shown: Shown | null;
  tuple: number;
  facts: ShownTuple | null;
  knowing: Knowing;
  known: readonly number[];
  epsilon: number;
  /** The paper's estimates are shown. */
  paper: boolean;
  busy: boolean;
  stale: string;
  /** Widths of the number line and of the histogram, px. */
  width: number;
  histogramWidth: number;
}

export interface Fact {
  term: string;
  value: string;
  note: string;
  /** The number is over the promise, or the paper's is too low. */
  sign?: "low" | "high";
  over?: boolean;
  title?: string;
}

/** Round ends of the number line. */
const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** An output of more numbers than this is cut. */
const PARTS = 3;

/** The rows below the number. */
export function factsOf({
  naming,
  facts,
  tuple,
  epsilon,
  knowing,
  paper,
}: Pick<FactsProps, "naming" | "facts" | "tuple" | "epsilon" | "knowing" | "paper">): Fact[] {
  if (!facts) return [];
  const { leakage, mean, plain, group, worst, attained } = facts;
  const rows: Fact[] = [{ term: "Promise", value: nats(epsilon), note: "" }];
  if (paper) {
    const differs = isOver(leakage, facts.paper) || isOver(facts.paper, leakage);
    const direction = facts.paper < leakage ? "low" : "high";
    rows.push({
      term: "Paper’s estimate",
      value: nats(facts.paper, leakage),
      note: differs ? `${gap(leakage - facts.paper)} too ${direction}` : "it is exact",
      ...(differs ? { sign: direction } : {}),
    });
  }
  if (mean !== null) rows.push({ term: "Mean bound", value: bound(mean), note: knowing === "nobody" ? "block of any size" : "if nobody is known" });
  else rows.push({ term: "Group bound", value: bound(group), note: "any table" });
  rows.push({ term: "Plain DP loss", value: nats(plain), note: "knowing all others" });
  if (worst)
    rows.push({
      term: "Worst adversary",
      value: nats(worst.leakage, epsilon),
      note: knows(naming, worst.known, worst.values),
      over: isOver(worst.leakage, epsilon),
    });
  if (attained) {
    const [more, less] = attained.pair.map((x) => toldLabel(naming, tuple, x, 20)) as [string, string];
    rows.push({
      term: "Attained",
      value: attained.output.length === 1 ? outputWords(attained) : "",
      note: `${more} against ${less}`,
      ...(attained.output.length === 1 ? {} : { title: outputWords(attained) }),
    });
  } else if (leakage === 0) rows.push({ term: "Attained", value: "–", note: "no output says anything" });
  return rows;
}

function outputWords({ output, side }: NonNullable<ShownTuple["attained"]>): string {
  const sign = side === "<=" ? "≤" : side === ">=" ? "≥" : "=";
  const parts = output.slice(0, PARTS).map((value) => fixed(Number(value.toFixed(3)), Number.isInteger(Number(value.toFixed(3))) ? 0 : 2));
  const all = output.length === 1 ? (parts[0] ?? "") : `(${parts.join(", ")}${output.length > PARTS ? ", …" : ""})`;
  return `r ${output.length > 1 ? "at" : sign} ${all}`;
}

export function createFacts(initial: FactsProps): Component<FactsProps> {
  const heading = h("span", { class: "px-wrap" });
  const number = h("span");
  const status = h("span", { class: "px-status" });
  const line = createNumline(lineProps(initial));
  const list = h("dl", { class: "px-facts" });
  const old = createStale();
  const histogram = createHistogram(histogramProps(initial));
  const el = h(
    "section",
    { class: "panel px-fact dx-fact", "aria-label": "Chosen tuple" },
    h("h3", { class: "panel-head" }, heading),
    h(
      "div",
      { class: "dx-fact-numbers" },
      h("div", { class: "px-big-row" }, h("span", { class: "px-big" }, number, " ", h("small", {}, leakageUnit())), status),
      line.el,
      old.el,
      list,
    ),
    histogram.el,
  );

  function draw(props: FactsProps): void {
    const { naming, shown, tuple, facts, epsilon, busy, stale } = props;
    const value = facts?.leakage ?? shown?.exact[tuple] ?? null;
    const whom =
      props.knowing === "worst" && facts
        ? `at worst ${knows(naming, facts.known, facts.values).replace(/^knows/, "knowing")}`
        : knowingWords(
            naming,
            props.knowing,
            props.known.filter((one) => one !== tuple),
          );
    setText(heading, `About ${told(naming, tuple, 40)}, ${whom}`);
    setAttr(el, "data-stale", stale !== "");
    old.say(stale);
    setText(number, busy || value === null ? "…" : nats(value, epsilon));
    if (busy || value === null) renew(status, h("span", { class: "muted" }, busy ? "being computed" : "no results yet"), h("br"), "\u00a0");
    else renew(status, ...verdict(value, epsilon));
    line.el.style.visibility = facts && !busy ? "" : "hidden";
    line.update(lineProps(props));
    const rows = factsOf(props).flatMap(({ term, value: text, note, sign, over, title }) => {
      const mark = sign && !busy ? triangle(sign) : null;
      if (mark) setAttr(mark, "class", `px-triangle ${sign === "low" ? "over" : "promise"}`);
      const words = h("span", { class: "px-fact-note", title }, mark, mark ? ` ${note}` : busy ? "" : note);
      const number = text ? h("span", { class: `px-fact-value${over && !busy ? " over" : ""}` }, busy ? "…" : text) : null;
      return [h("dt", {}, term), h("dd", {}, number, number && " ", words)];
    });
    renew(list, ...rows);
    histogram.update(histogramProps(props));
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      line.destroy();
      histogram.destroy();
      el.remove();
    },
  };
}

function histogramProps({ naming, tuple, facts, busy, histogramWidth }: FactsProps) {
  return { naming, tuple, facts: busy ? null : facts, width: histogramWidth };
}

function verdict(value: number, epsilon: number): Node[] {
  const over = isOver(value, epsilon);
  const text = over
    ? ` ${gap(value - epsilon)} over the promise`
    : isOver(epsilon, value)
      ? `${gap(epsilon - value)} under the promise`
      : "exactly the promise";
  return [
    h("span", {}, inlineMark("exact"), " exact"),
    h("br"),
    h("span", { class: over ? "over" : "muted" }, over ? triangle("high") : null, text),
  ];
}

function lineProps({ facts, epsilon, width, paper, knowing }: FactsProps): NumlineProps {
  const base = { width, height: 32, tickCount: 5, unit: leakageUnit(), per: perNat() };
  if (!facts) return { ...base, max: 1, marks: [], over: null };
  const { leakage, mean } = facts;
  const marks: LineMark[] = [{ mark: "promise", value: epsilon, label: `promise ${nats(epsilon)}` }];
  if (mean !== null) marks.push({ mark: "bound", value: mean, label: `mean bound ${bound(mean)}${knowing === "nobody" ? "" : " if nobody is known"}` });
  marks.push({ mark: "exact", value: leakage, label: `exact ${nats(leakage, epsilon)}` });
  if (paper) marks.push({ mark: "paper", value: facts.paper, label: `paper’s estimate ${nats(facts.paper)}`, radius: 3.5 });
  const most = Math.max(...marks.map(({ value }) => value).filter(Number.isFinite), 0);
  return { ...base, max: niceCeiling(most * 1.05, STEPS), marks, over: isOver(leakage, epsilon) ? [epsilon, leakage] : null };
}
