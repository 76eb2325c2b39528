/** The chosen tuple: what leaks about it, and every number beside that. */
import { triangle } from "../explorer/facts";
import { createStale } from "../explorer/late";
import { gap, isOver, told, toldLabel, type Naming } from "../explorer/words";
import { niceCeiling } from "../ui/axes";
import { h, renew, setAttr, setText, type Component } from "../ui/dom";
import { bound, fixed } from "../ui/format";
import { inlineMark } from "../ui/marks";
import { createNumline, type LineMark, type NumlineProps } from "../ui/numline";
import { createHistogram } from "./histogram";
import type { Knowing } from "./protocol";
import type { Shown, ShownTuple } from "./results";
import { knowing as knowingWords, knows, nats } from "./words";

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
      h("div", { class: "px-big-row" }, h("span", { class: "px-big" }, number, " ", h("small", {}, "nats")), status),
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
  const base = { width, height: 32, tickCount: 5, unit: "nats" };
  if (!facts) return { ...base, max: 1, marks: [], over: null };
  const { leakage, mean } = facts;
  const marks: LineMark[] = [{ mark: "promise", value: epsilon, label: `promise ${nats(epsilon)}` }];
  if (mean !== null) marks.push({ mark: "bound", value: mean, label: `mean bound ${bound(mean)}${knowing === "nobody" ? "" : " if nobody is known"}` });
  marks.push({ mark: "exact", value: leakage, label: `exact ${nats(leakage, epsilon)}` });
  if (paper) marks.push({ mark: "paper", value: facts.paper, label: `paper’s estimate ${nats(facts.paper)}`, radius: 3.5 });
  const most = Math.max(...marks.map(({ value }) => value).filter(Number.isFinite), 0);
  return { ...base, max: niceCeiling(most * 1.05, STEPS), marks, over: isOver(leakage, epsilon) ? [epsilon, leakage] : null };
}
