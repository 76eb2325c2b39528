/** One adversary: what they learn at most, and how every published number stands to it. */
import { createStale } from "../explorer/top";
import { about, gap, isOver, knownValues, labelOf, nameOf, together, type Naming } from "../explorer/words";
import { h, renew, setAttr, setText, type Component } from "../ui/dom";
import { change, count, fixed, leakage, tick } from "../ui/format";
import { inlineMark, triangle } from "../ui/marks";
import { createNumline, type LineMark, type NumlineProps } from "../ui/numline";
import { leakageUnit, perNat } from "../ui/preferences";
import type { Chosen, Sample } from "../ui/protocol";
import type { Bin, DrawnChosen, Link } from "./protocol";

// The edges of the chosen adversary as a table: IC and IR as the paper has them, and the exact correlation.

export interface EdgesProps {
  links: readonly Link[];
  naming: Naming;
  /** What the adversary knows. */
  known: readonly number[];
  /** Numbers are awaited. */
  busy: boolean;
  /** All known values that can occur count, not those of one row. */
  worst: boolean;
}

/** "without item 2": to the one who no longer knows it. "with item 3 too": from the one who knows it as well. */
export function edgeName(link: Link, { naming, known }: Pick<EdgesProps, "naming" | "known">, limit = 24): string {
  const name = nameOf(naming, link.removed, limit);
  return known.includes(link.removed) ? `without ${name}` : `with ${name} too`;
}

/** One number, or the smallest and the largest. */
export function span(ends: readonly [number, number] | null): string {
  if (!ends) return "–";
  const [low, high] = [change(ends[0]), change(ends[1])];
  return low === high ? low : `${low} to ${high}`;
}

export function createEdges(initial: EdgesProps): Component<EdgesProps> {
  const body = h("tbody");
  const note = h("p", { class: "small muted" });
  const head = (text: string, title: string): HTMLElement => h("th", { scope: "col", title }, text);
  const table = h(
    "table",
    { class: "px-edges-table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Edge"),
        head(`IC, ${leakageUnit()}`, "Increment, as printed in the paper (Eq. 9)"),
        head("IR", "Increment ratio, as printed in the paper (Eq. 12)"),
        head("ρ", "Correlation of the two contributions given the known values (Eq. 13), exact"),
      ),
    ),
    body,
  );
  const el = h("details", { class: "px-edges" }, h("summary", {}, "Edges: IC, IR and correlation"), table, note);

  function draw(props: EdgesProps): void {
    el.hidden = props.links.length === 0;
    const number = (text: string): HTMLElement => h("td", {}, props.busy ? "…" : text);
    renew(
      body,
      ...props.links.map((link) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", title: edgeName(link, props, 300) }, edgeName(link, props)),
          number(span(link.ic)),
          number(span(link.ir)),
          number(link.rho === null ? "–" : fixed(link.rho, 3)),
        ),
      ),
    );
    renew(
      note,
      "IC and IR as printed in the paper: what knowing that tuple no longer adds to its estimate. ρ exact: " +
        "correlation of the two contributions, " +
        `${props.worst ? "over all known values the one farthest from 0" : "given what stays known"}.`,
    );
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

export interface FactsProps {
  chosen: (Chosen & Pick<DrawnChosen, "links" | "bins">) | null;
  naming: Naming;
  /** What the heading is about; may be ahead of `chosen` while an answer is awaited. */
  target: number;
  known: number[];
  /** null while the worst values are awaited. */
  instance: number[] | null;
  /** The known values are the worst of all. */
  worst: boolean;
  showPaper: boolean;
  /** Nats up to which estimate and exact value are the same, as in the graph. */
  rounding: number;
  /** Records behind the table when it came from counts. */
  records: number | null;
  /** Interval of the leakage when the table is a sample; undefined while it is awaited, null when it is none. */
  sample: Sample | null | undefined;
  busy: boolean;
  /** What the results belong to instead of what stands in the controls, as in "the last valid table"; or empty. */
  stale: string;
  width: number;
}

export interface Fact {
  term: string;
  value: string;
  note: string;
  direction?: "low" | "high";
}

const SIDE = { "<=": "≤", ">=": "≥", "=": "=" } as const;

/** The rows below the number. */
export function factsOf(props: FactsProps): Fact[] {
  const { chosen, naming } = props;
  if (!chosen) return [];
  const { promise } = chosen;
  const rows: Fact[] = [{ term: "Promise", value: leakage(promise), note: "" }];
  if (props.showPaper && chosen.paper !== null) rows.push(paperFact(chosen.paper, chosen, props.rounding));
  const unknown = naming.names.length - chosen.known.length;
  rows.push({ term: "Group bound", value: leakage(chosen.group_bound), note: `for ${unknown} unknown` });
  if (chosen.attained) {
    const { r, side, pair } = chosen.attained;
    const [more, less] = pair.map((k) => labelOf(naming, chosen.target, k, 14)) as [string, string];
    rows.push({ term: "Attained", value: `r ${SIDE[side]} ${tick(r)}`, note: `${more} against ${less}` });
  }
  if (chosen.bins) rows.push(...binFacts(chosen.bins));
  if (props.worst && props.instance && chosen.known.length > 0) {
    rows.push({ term: "Worst values", value: "", note: knownValues(naming, chosen.known, props.instance) });
  }
  if (props.records !== null && props.sample !== null) rows.push(sampleFact(chosen, props.records, props.sample));
  return rows;
}

/** Several numbers: what one leaks alone, and at which values all together leak most. */
function binFacts(bins: readonly Bin[]): Fact[] {
  const alone = bins.map((bin) => bin.alone);
  const sum = alone.reduce((total, value) => total + value, 0);
  const rows = [{ term: "One number alone", value: leakage(Math.max(...alone)), note: `at most; all added up ${leakage(sum)}, no bound` }];
  if (bins.some(({ r }) => r === null)) return rows;
  return [...rows, { term: "Attained", value: "", note: `r = ${together(bins.map(({ r }) => tick(r as number)))}` }];
}

/** The interval rounded outwards, and how many records fit what is known. */
function sampleFact(chosen: Chosen, records: number, sample: FactsProps["sample"]): Fact {
  const people = count(chosen.known.length > 0 ? Math.round(chosen.support * records) : records, "record");
  if (!sample) return { term: "As a sample, 95 %", value: "…", note: people };
  const { low, high, level } = sample;
  const term = `As a sample, ${fixed(level * 100, 0)} %`;
  if (low === null || high === null) return { term, value: "–", note: sample.why ?? people };
  return { term, value: downwards(low), note: `to ${upwards(high)}, ${people}` };
}

function downwards(nats: number): string {
  return fixed(Math.floor(nats * perNat() * 100 + 1e-9) / 100, 2);
}

function upwards(nats: number): string {
  return fixed(Math.ceil(nats * perNat() * 100 - 1e-9) / 100, 2);
}

function paperFact(paper: number, { value, promise }: Chosen, rounding: number): Fact {
  const difference = paper - value;
  const same = Math.abs(difference) <= rounding;
  return {
    term: "Paper’s estimate",
    value: leakage(paper, same ? undefined : value, promise),
    note: same ? "the same" : `${gap(difference)} too ${difference < 0 ? "low" : "high"}`,
    ...(same ? {} : { direction: difference < 0 ? ("low" as const) : ("high" as const) }),
  };
}

/** Where the exact value stands against the promise, in words. */
export function verdict(chosen: Chosen): { text: string; over: boolean } {
  if (chosen.determined) return { text: "the known values leave nothing to learn", over: false };
  if (isOver(chosen.value, chosen.promise)) return { text: `${gap(chosen.value - chosen.promise)} over the promise`, over: true };
  if (isOver(chosen.promise, chosen.value)) return { text: `${gap(chosen.promise - chosen.value)} under the promise`, over: false };
  return { text: "at the promise", over: false };
}

export function createFacts(initial: FactsProps): Component<FactsProps> {
  const heading = h("span", { class: "px-wrap" });
  const number = h("span");
  const unit = h("small", {}, leakageUnit());
  const status = h("span", { class: "px-status" });
  const line = createNumline(lineProps(initial));
  const list = h("dl", { class: "px-facts" });
  const edges = createEdges(edgesProps(initial));
  const stale = createStale();
  const el = h(
    "section",
    { class: "panel px-fact", "aria-label": "Chosen adversary" },
    h("h3", { class: "panel-head" }, heading),
    h("div", {}, h("div", { class: "px-big-row" }, h("span", { class: "px-big" }, number, " ", unit), status), line.el, stale.el),
    list,
    edges.el,
  );

  function draw(props: FactsProps): void {
    const { chosen, naming } = props;
    setText(heading, about(naming, props.target, props.known, props.instance, props.worst));
    stale.say(props.stale);
    setAttr(el, "data-stale", props.stale !== "");
    if (!chosen || props.busy) {
      setText(number, "…");
      renew(status, h("span", { class: "muted" }, props.busy ? "being computed" : "no results yet"));
    } else {
      setText(number, chosen.determined ? "0" : leakage(chosen.value, chosen.promise));
      renew(status, ...words(chosen));
    }
    line.el.style.visibility = chosen && !props.busy ? "" : "hidden";
    line.update(lineProps(props));
    renew(list, ...factsOf(props).flatMap((fact) => row(fact, props.busy)));
    edges.update(edgesProps(props));
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      line.destroy();
      edges.destroy();
      el.remove();
    },
  };
}

function edgesProps({ chosen, naming, busy, worst }: FactsProps): EdgesProps {
  return { links: chosen?.links ?? [], naming, known: chosen?.known ?? [], busy, worst };
}

function words(chosen: Chosen): Node[] {
  const { text, over } = verdict(chosen);
  const first = h("span", {}, inlineMark("exact"), chosen.determined ? " exact, determined" : " exact");
  const second = h("span", { class: over ? "over" : "muted" }, over ? triangle("high") : null, over ? ` ${text}` : text);
  return [first, h("br"), second];
}

function row(fact: Fact, busy: boolean): Node[] {
  const note = h("span", { class: "px-fact-note" });
  if (fact.direction && !busy) {
    const sign = triangle(fact.direction);
    setAttr(sign, "class", `px-triangle ${fact.direction === "low" ? "over" : "promise"}`);
    note.append(sign, " ");
  }
  note.append(busy ? "" : fact.note);
  const value = busy ? "…" : fact.value;
  return [h("dt", {}, fact.term), h("dd", {}, ...(value ? [h("span", { class: "px-fact-value" }, value), " "] : []), note)];
}

function lineProps(props: FactsProps): NumlineProps {
  const { chosen } = props;
  const base = { width: props.width, height: 32, tickCount: 5, unit: leakageUnit(), per: perNat() };
  if (!chosen) return { ...base, max: 1, marks: [], over: null };
  const marks: LineMark[] = [
    { mark: "promise", value: chosen.promise, label: `promise ${leakage(chosen.promise)}` },
    { mark: "bound", value: chosen.group_bound, label: `group bound ${leakage(chosen.group_bound)}` },
    { mark: "exact", value: chosen.value, label: `exact ${leakage(chosen.value, undefined, chosen.promise)}` },
  ];
  const paper = props.showPaper ? chosen.paper : null;
  if (paper !== null) marks.push({ mark: "paper", value: paper, label: `paper’s estimate ${leakage(paper, undefined, chosen.promise)}`, radius: 3.5 });
  const { sample } = props;
  const max = Math.max(chosen.promise, chosen.group_bound, chosen.value, paper ?? 0);
  const interval = sample && sample.low !== null && sample.high !== null ? { low: sample.low, high: sample.high, level: sample.level } : null;
  const whisker = interval && {
    label: `as a sample ${downwards(interval.low)} to ${upwards(interval.high)} with ${fixed(interval.level * 100, 0)} %`,
    range: [interval.low, interval.high] as [number, number],
  };
  const over = isOver(chosen.value, chosen.promise) ? ([chosen.promise, chosen.value] as [number, number]) : null;
  return { ...base, max, marks, over, whisker };
}
