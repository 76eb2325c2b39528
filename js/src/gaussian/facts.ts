/** The chosen adversary: what they learn at most, from which release on, and what hides it. */
import { triangle } from "../explorer/facts";
import { createStale } from "../explorer/late";
import { about, gap, isOver, plural, type Naming } from "../explorer/words";
import { niceCeiling } from "../ui/axes";
import { h, renew, setAttr, setText, type Component } from "../ui/dom";
import { count, leakage } from "../ui/format";
import { inlineMark } from "../ui/marks";
import { createNumline, type LineMark, type NumlineProps } from "../ui/numline";
import { enoughScale, entryText } from "../ui/scale";
import { STEPS } from "./frame";
import type { GaussianChosen } from "./protocol";
import type { Sufficient } from "./rescale";
import { amount, briefNames, named, shortUnit, withUnit } from "./words";

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
    h("div", {}, h("div", { class: "px-big-row" }, h("span", { class: "px-big" }, number, " ", h("small", {}, "nats")), status), line.el, stale.el),
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
  const base = { width, height: 32, tickCount: 5, unit: "nats" };
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
