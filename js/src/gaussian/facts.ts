/**
 * The chosen adversary: what they learn at most, from which release on, what hides it, and which tuple it comes from.
 */
import { inlineMark, triangle } from "../ui/marks";
import { createStale } from "../explorer/top";
import { about, gap, isOver, plural, told, type Naming } from "../explorer/words";
import { HALO, linear, niceCeiling, rule, ticks } from "../ui/axes";
import { h, renew, s, setAttr, setText, text, type Component } from "../ui/dom";
import { count, leakage } from "../ui/format";
import { clip, fit } from "../ui/lettering";
import { createNumline, type LineMark, type NumlineProps } from "../ui/numline";
import { leakageUnit, perNat } from "../ui/preferences";
import { enoughScale, entryText } from "../ui/scale";
import { STEPS } from "./densities";
import type { GaussianChosen } from "./protocol";
import type { Sufficient } from "./rescale";
import { amount, briefNames, coefficient, named, part, shortUnit, withUnit } from "./words";

// Where the chosen leakage comes from: what one unit more of the attacked tuple adds to r, tuple by tuple.

export interface WaterfallProps {
  chosen: GaussianChosen | null;
  naming: Naming;
  unit: string;
  /** The largest weight: the coefficient that the promise allows. */
  allowed: number;
  /** What knowing one more tuple changes most, in nats; null where nothing more can be known. */
  next: { tuple: number; change: number } | null;
  width: number;
  busy: boolean;
}

/** Bars of unknown tuples; the rest are one bar. */
const BARS = 4;
const ROW = 34;

interface Step {
  name: string;
  value: number;
}

/** The bars from top to bottom, without their sum: the own weight, then the largest first. */
export function stepsOf(chosen: GaussianChosen, naming: Naming): Step[] {
  const through = [...chosen.through].sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.tuple - b.tuple);
  const shown = through.length > BARS + 1 ? through.slice(0, BARS) : through;
  const rest = through.slice(shown.length);
  const steps = shown.map(({ tuple, value }) => ({ name: `through ${told(naming, tuple, 40)}`, value }));
  if (rest.length > 0) steps.push({ name: `through ${rest.length} others`, value: rest.reduce((sum, { value }) => sum + value, 0) });
  return [{ name: "own weight", value: chosen.own }, ...steps];
}

/** What the bars say. */
export function reading({ chosen, naming, unit, next }: WaterfallProps): string {
  if (!chosen) return "";
  const name = told(naming, chosen.target, 40);
  const one = unit ? `1 ${clip(unit, 24)} more` : "1 more";
  if (chosen.determined) return `What is known leaves ${name} no room to move.`;
  const gained = Math.abs(chosen.coefficient) - Math.abs(chosen.own);
  const moves = chosen.through.some(({ value }) => value !== 0);
  const shows = `${one} in ${name} shows as ${coefficient(chosen.coefficient)}${unit ? ` ${clip(unit, 24)}` : ""} in r.`;
  let text = moves ? `Unknown ${plural(naming.noun)} move along, so ${shows}` : `Nothing unknown moves along: ${shows}`;
  if (moves && gained < 0) text = `Unknown ${plural(naming.noun)} move against it, so ${shows}`;
  if (!next || Math.abs(next.change) < 5e-4) return text;
  const too = chosen.known.length > 0 ? " too" : "";
  return `${text} Knowing ${told(naming, next.tuple, 40)}${too} would ` +
    `${next.change < 0 ? `take ${leakage(-next.change)} ${leakageUnit()} off` : `add ${leakage(next.change)} ${leakageUnit()}`}.`;
}

export function createWaterfall(initial: WaterfallProps): Component<WaterfallProps> {
  const heading = h("span", { class: "px-wrap" });
  const note = h("span", { class: "muted nowrap" });
  const place = h("div", { class: "gx-fall" });
  const words = h("p", { class: "gx-fall-words" });
  const el = h("section", { class: "panel gx-why", "aria-label": "Where it comes from" }, h("h3", { class: "panel-head" }, heading, note), place, words);

  function draw(props: WaterfallProps): void {
    const { chosen, naming, unit, busy } = props;
    const target = chosen ? told(naming, chosen.target, 24) : "the tuple";
    setText(heading, unit ? `1 ${clip(unit, 24)} more in ${target}` : `1 more in ${target}`);
    setText(note, chosen?.determined ? "" : "in r");
    setText(words, busy ? "" : reading(props));
    const shown = chosen !== null && !chosen.determined;
    place.hidden = !shown;
    if (chosen && shown) renew(place, picture(props, chosen));
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function picture({ naming, allowed, width, busy }: WaterfallProps, chosen: GaussianChosen): SVGSVGElement {
  const steps = stepsOf(chosen, naming);
  const sums = steps.reduce<number[]>((all, { value }) => [...all, (all[all.length - 1] as number) + value], [0]);
  const low = Math.min(0, ...sums);
  const high = Math.max(0, allowed, ...sums);
  const x = linear(low, high, 1, width - 6);
  const height = (steps.length + 1) * ROW - 2;
  const said = steps.map(({ name, value }, k) => `${name} ${k === 0 ? coefficient(value) : part(value)}`);
  const svg = s("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `${said.join(", ")}, together ${coefficient(chosen.coefficient)}`,
  });
  const bottom = height - 6;
  for (const t of ticks(low, high, 3)) svg.append(rule(x(t), 0, x(t), bottom, { stroke: t === 0 ? "var(--line2)" : "var(--line)" }));
  // What a unit may show: beyond it the promise is broken.
  const side = chosen.coefficient < 0 && -allowed >= low ? -1 : 1;
  if (allowed > 0) svg.append(rule(x(side * allowed), 0, x(side * allowed), bottom, { stroke: "var(--promise)", "stroke-dasharray": "4 3" }));
  const bar = (top: number, from: number, to: number, fill: string): SVGElement =>
    s("rect", { x: Math.min(x(from), x(to)), y: top + 15, width: Math.max(1, Math.abs(x(to) - x(from))), height: 10, fill, class: "gx-bar" });
  const row = (top: number, name: string, value: string, bold: boolean): SVGElement[] => {
    const look = { ...HALO, "font-weight": bold ? 600 : 400 };
    return [text(0, top + 10, fit(name, width - 64, 11, bold), look), text(width, top + 10, busy ? "…" : value, { ...look, "text-anchor": "end" })];
  };
  steps.forEach(({ name, value }, k) => {
    const top = k * ROW + 2;
    const [from, to] = [sums[k] as number, sums[k + 1] as number];
    svg.append(...row(top, name, k === 0 ? coefficient(value) : part(value), false));
    if (!busy) svg.append(bar(top, from, to, k === 0 ? "var(--ink2)" : value < 0 ? "var(--a)" : "var(--b)"));
    if (!busy && k < steps.length - 1) svg.append(rule(x(to), top + 25, x(to), top + ROW + 15, { stroke: "var(--ink2)" }));
  });
  const top = steps.length * ROW + 2;
  svg.append(...row(top, "together a + μ", coefficient(chosen.coefficient), true));
  if (!busy) svg.append(bar(top, 0, chosen.coefficient, "var(--ink)"));
  return svg;
}

// The chosen adversary: what they learn at most, from which release on, and what hides it.

export interface FactsProps {
  chosen: GaussianChosen | null;
  naming: Naming;
  unit: string;
  promise: number;
  subject: { target: number; known: number[] };
  busy: boolean;
  /** What this adversary may learn at most, nats, and the least scale that is enough for that. */
  goal: number;
  enough: Sufficient;
  /** What the results belong to instead of what stands in the controls, as in "the last valid matrix"; or empty. */
  stale: string;
  width: number;
}

export interface Fact {
  term: string;
  value: string;
  note: string;
}

/** Characters of names that the notes have room for. */
const LONGEST = 28;

/** The rows below the number. */
export function factsOf({ chosen, naming, unit: whole, promise, goal, enough }: FactsProps): Fact[] {
  if (!chosen) return [];
  const unit = shortUnit(whole);
  const { expected, spread, determined } = chosen;
  const rows: Fact[] = [
    { term: "Promise", value: leakage(promise), note: "" },
    { term: "Theorem 6", value: leakage(chosen.value, promise), note: "it is exact" },
  ];
  if (determined) return [...rows, { term: "Expected", value: amount(expected), note: "without doubt" }];
  if (chosen.over && isOver(chosen.value, promise)) rows.push({ term: "Over from", ...outside(chosen.over) });
  if (chosen.limit && chosen.nearly) rows.push({ term: "99 % reached", ...outside(chosen.nearly) });
  const hiders = chosen.through.map(({ tuple }) => tuple).sort((a, b) => a - b);
  const from = `from ${named({ ...naming, names: briefNames(naming.names) }, hiders)}`;
  const hidden = from.length <= LONGEST ? from : `from ${count(hiders.length, naming.noun, plural(naming.noun))}`;
  if (chosen.sigma > 0) rows.push({ term: "Hidden by others", value: `σ ${amount(chosen.sigma)}`, note: [unit, hidden].filter(Boolean).join(", ") });
  else rows.push({ term: "Hidden by others", value: "0", note: "only the noise hides it" });
  rows.push({ term: "Expected", value: amount(expected), note: withUnit(`± ${amount(spread)}`, unit) });
  const least = enough.scale === null ? null : entryText(enoughScale(enough.scale));
  rows.push({ term: `λ for ${entryText(goal)} nats`, value: least ?? (enough.why === null ? "any" : "–"), note: least === null ? "" : unit });
  return rows;
}

function outside([low, high]: [number, number]): { value: string; note: string } {
  return { value: `r ≥ ${amount(high)}`, note: `or r ≤ ${amount(low)}` };
}

/** Where the value stands against the promise, in words. */
export function verdict({ value, determined }: GaussianChosen, promise: number): { text: string; over: boolean } {
  if (determined) return { text: "what is known leaves nothing to learn", over: false };
  if (isOver(value, promise)) return { text: `${gap(value - promise)} over the promise`, over: true };
  if (isOver(promise, value)) return { text: `${gap(promise - value)} under the promise`, over: false };
  return { text: "exactly the promise", over: false };
}

export function createFacts(initial: FactsProps): Component<FactsProps> {
  const heading = h("span", { class: "px-wrap" });
  const number = h("span");
  const status = h("span", { class: "px-status" });
  const line = createNumline(lineProps(initial));
  const list = h("dl", { class: "px-facts" });
  const stale = createStale();
  const el = h(
    "section",
    { class: "panel px-fact", "aria-label": "Chosen adversary" },
    h("h3", { class: "panel-head" }, heading),
    h("div", {}, h("div", { class: "px-big-row" }, h("span", { class: "px-big" }, number, " ", h("small", {}, leakageUnit())), status), line.el, stale.el),
    list,
  );

  function draw(props: FactsProps): void {
    const { chosen, naming, subject, promise, busy } = props;
    setText(heading, about(naming, subject.target, subject.known, null));
    stale.say(props.stale);
    setAttr(el, "data-stale", props.stale !== "");
    if (!chosen || busy) {
      setText(number, "…");
      renew(status, h("span", { class: "muted" }, busy ? "being computed" : "no results yet"));
    } else {
      setText(number, chosen.determined ? "0" : leakage(chosen.value, promise));
      renew(status, ...words(chosen, promise));
    }
    line.el.style.visibility = chosen && !busy ? "" : "hidden";
    line.update(lineProps(props));
    renew(list, ...factsOf(props).flatMap(({ term, value, note }) => [h("dt", {}, term), h("dd", {}, busy ? "…" : value), h("dd", {}, busy ? "" : note)]));
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      line.destroy();
      el.remove();
    },
  };
}

function words(chosen: GaussianChosen, promise: number): Node[] {
  const { text, over } = verdict(chosen, promise);
  const kind = chosen.determined ? " exact, determined" : chosen.limit ? " exact, a limit" : " exact";
  const first = h("span", {}, inlineMark(chosen.limit ? "limit" : "exact"), kind);
  const second = h("span", { class: over ? "over" : "muted" }, over ? triangle("high") : null, over ? ` ${text}` : text);
  return [first, h("br"), second];
}

function lineProps({ chosen, promise, width }: FactsProps): NumlineProps {
  const base = { width, height: 32, tickCount: 5, unit: leakageUnit(), per: perNat() };
  if (!chosen) return { ...base, max: 1, marks: [], over: null };
  const marks: LineMark[] = [
    { mark: "promise", value: promise, label: `promise ${leakage(promise)}` },
    { mark: chosen.limit ? "limit" : "exact", value: chosen.value, label: `exact ${leakage(chosen.value)}${chosen.limit ? ", a limit" : ""}` },
  ];
  return {
    ...base,
    max: niceCeiling(Math.max(promise, chosen.value) * 1.1, STEPS),
    marks,
    over: isOver(chosen.value, promise) ? [promise, chosen.value] : null,
  };
}
