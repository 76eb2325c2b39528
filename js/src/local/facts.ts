/**
 * The chosen pair: what one report says about the other attribute, which report says most, and its rows symbol by
 * symbol.
 */
import type { Mechanism, Output } from "../compute/local-mechanisms";
import { createStale } from "../explorer/top";
import { labelOf, nameOf, plural, told, toldLabel, type Naming } from "../explorer/words";
import { axisText, linear, niceCeiling, rule, ticks } from "../ui/axes";
import { h, renew, s, setAttr, setText, text, type Component } from "../ui/dom";
import { bound, capital, fixed, nats, probability, tick } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { spread } from "../ui/numline";
import type { ShownPair } from "./results";
import { allSymbols, seen, symbolsInWords } from "./words";
import { leakageUnit } from "../ui/preferences";

// The two rows of the worst pair, symbol by symbol, with the report that tells them apart best.

export interface DumbbellsProps {
  naming: Naming;
  pair: { source: number; secret: number } | null;
  facts: ShownPair | null;
  mechanism: Mechanism;
  output: Output;
  width: number;
  busy: boolean;
}

/** Symbols with a row; of more, those that part most. */
const ROWS = 10;
const ROW = 30;
const TOP = 26;

/** Which symbols have a row, in their order: the favoured ones first of all, then those that part most. */
export function symbolsShown(upper: ArrayLike<number>, lower: ArrayLike<number>, favoured: readonly number[]): number[] {
  const all = Array.from(upper, (_, u) => u);
  if (all.length <= ROWS) return all;
  const gap = (u: number): number => Math.abs((upper[u] as number) - (lower[u] as number)) + (favoured.includes(u) ? 1 : 0);
  return all.sort((u, v) => gap(v) - gap(u) || u - v).slice(0, ROWS).sort((u, v) => u - v);
}

/** Labels that can stand in a sentence by themselves. */
function isWord(labels: readonly string[]): boolean {
  return /\p{L}/u.test(labels.join(""));
}

/** What the worst report is worth, in words and with the exponent apart. */
export function sentence({ naming, pair, facts, output }: DumbbellsProps): { text: string; power: string } | null {
  if (!pair || !facts?.worst) return null;
  const { secret, symbols, probability: chances, output: place } = facts.worst;
  const labels = secret.map((x) => toldLabel(naming, pair.secret, x, 24)) as [string, string];
  // A bare number says nothing of whose value it is.
  const about = isWord(labels) ? "" : told(naming, pair.secret, 24);
  const [more, less] = about ? [`${about} is ${labels[0]}`, `it is ${labels[1]}`] : labels;
  const what = symbolsInWords(naming, pair.source, symbols, 24);
  const value = facts.leakage;
  // An output of a channel favours no labels, and has a number alone.
  const own = place == null ? null : `Output ${place + 1}`;
  if (value === Infinity)
    return { text: `${own ?? `A ${seen(output)} of ${what}`} rules ${about && `${about} = `}${labels[1]} out: the ratio is infinite.`, power: "" };
  const ratio = fixed(Math.exp(value), Math.exp(value) < 100 ? 3 : 0);
  const verb = output === "raw" ? "reported" : "guessed";
  const power = value.toFixed(3);
  if (chances && symbols.length === 1) {
    const [first, second] = chances.map((chance) => probability(chance, chance < 0.01 ? 5 : 3)) as [string, string];
    return {
      text:
        `${what.startsWith("“") ? what : `“${what}”`} is ${verb} with chance ${first} if ${more} and ${second} ` +
        `if ${less}. Their ratio is ${ratio}\u00a0=\u00a0e`,
      power,
    };
  }
  return { text: `${own ?? `A ${seen(output)} that favours ${what}`} is ${ratio} times as likely if ${more} as if ${less}: e`, power };
}

export function createDumbbells(initial: DumbbellsProps): Component<DumbbellsProps> {
  const heading = h("span", { class: "px-wrap" });
  const place = h("div", { class: "lx-dumbbells" });
  const words = h("p", { class: "lx-words" });
  const el = h(
    "section",
    { class: "panel lx-rows", "aria-label": "The two labels that are told apart best" },
    h("h3", { class: "panel-head" }, heading),
    place,
    words,
  );

  function draw(props: DumbbellsProps): void {
    const { naming, pair, facts, busy } = props;
    const worst = facts?.worst ?? null;
    const [more, less] = (worst?.secret ?? []).map((x) => (pair ? toldLabel(naming, pair.secret, x, 24) : ""));
    setText(
      heading,
      pair && worst
        ? `${capital(told(naming, pair.source))}, ${isWord([more ?? "", less ?? ""]) ? "" : `${told(naming, pair.secret, 24)} = `}${more} against ${less}`
        : pair
          ? capital(nameOf(naming, pair.source))
          : "Rows",
    );
    const rows = facts?.rows ?? null;
    place.hidden = busy || !pair || !worst || !rows;
    if (pair && worst && rows && !busy) renew(place, picture(props, worst, rows, pair));
    const said = busy ? null : sentence(props);
    if (said) renew(words, said.text, ...(said.power ? [h("sup", {}, said.power), "."] : []));
    else
      renew(
        words,
        !pair
          ? "Two attributes make a pair."
          : busy || !facts || (worst && !rows)
            ? "…"
            : facts.leakage > 0
              ? "Which report says most needs the table of this pair, which is too large here."
              : "All labels of the secret lead to the same reports: nothing leaks.",
      );
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function picture(
  { naming, output, width }: DumbbellsProps,
  worst: NonNullable<ShownPair["worst"]>,
  [upper, lower]: [Float64Array, Float64Array],
  pair: { source: number; secret: number },
): SVGSVGElement {
  const shown = symbolsShown(upper, lower, worst.symbols);
  const labels = shown.map((u) => labelOf(naming, pair.source, u, 60));
  const left = Math.round(Math.min(width * 0.3, Math.max(30, ...labels.map((label) => textWidth(label, 12, true))) + 12));
  const note = worst.symbols.length > 1 ? "worst set" : `worst ${seen(output)}`;
  const edge = width - Math.min(92, textWidth(note, 11, true) + 24);
  const most = Math.max(...shown.flatMap((u) => [upper[u] as number, lower[u] as number]));
  const end = Math.min(1, niceCeiling(most, [1, 2, 3, 4, 5, 6, 8, 10]));
  const x = linear(0, end, left + 40, edge - 36);
  const bottom = TOP + shown.length * ROW - 4;
  const height = bottom + 20 + (shown.length < upper.length ? 16 : 0);
  const [more, less] = worst.secret.map((k) => labelOf(naming, pair.secret, k, 40)) as [string, string];
  const said = shown.map(
    (u, k) => `${labels[k]} ${probability(upper[u] as number)} against ${probability(lower[u] as number)}`,
  );
  const svg = s("svg", {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `Probability if ${more} against if ${less}: ${said.join(", ")}`,
  });
  shown.forEach((u, k) => {
    if (worst.symbols.includes(u)) svg.append(s("rect", { x: 0, y: TOP + k * ROW - 2, width, height: ROW - 2, rx: 2, fill: "var(--sel)", class: "lx-band" }));
  });
  for (const t of ticks(0, end, 3))
    svg.append(
      rule(x(t), TOP - 2, x(t), bottom, { stroke: t ? "var(--line)" : "var(--line2)" }),
      axisText(x(t), bottom + 16, tick(t), { "text-anchor": "middle" }),
    );
  const first = shown.find((u) => worst.symbols.includes(u)) ?? shown[0];
  shown.forEach((u, k) => {
    const y = TOP + k * ROW + ROW / 2 - 3;
    const [p, q] = [upper[u] as number, lower[u] as number];
    const bold = worst.symbols.includes(u);
    svg.append(
      text(4, y + 4, fit(labels[k] as string, left - 8, 12, bold, labels), { "font-size": 12, "font-weight": bold ? 700 : 400 }),
      s("line", { x1: x(q), y1: y, x2: x(p), y2: y, stroke: "var(--ink2)", "stroke-width": 2 }),
      s("circle", { cx: x(q), cy: y, r: 5, fill: "var(--bg)", stroke: "var(--a)", "stroke-width": 2.5 }),
      s("circle", { cx: x(p), cy: y, r: 5.5, fill: "var(--b)" }),
      text(x(Math.max(p, q)) + 9, y + 4, probability(Math.max(p, q))),
      text(x(Math.min(p, q)) - 9, y + 4, probability(Math.min(p, q)), { "text-anchor": "end" }),
    );
    if (u === first && bold) svg.append(text(width - 6, y + 4, note, { "text-anchor": "end", "font-weight": 600 }));
  });
  // The labels of the secret above the first row that parts them.
  const names = [fit(less, 120, 11, true), fit(more, 120, 11, true)];
  const lefts = spread(
    [x(lower[first as number] as number), x(upper[first as number] as number)],
    names.map((name) => textWidth(name, 11, true) + 14),
    left,
    width,
    8,
  );
  names.forEach((name, k) => {
    const at = lefts[k] as number;
    svg.append(
      k === 0
        ? s("circle", { cx: at + 4, cy: 10, r: 3.5, fill: "var(--bg)", stroke: "var(--a)", "stroke-width": 2 })
        : s("circle", { cx: at + 4, cy: 10, r: 4, fill: "var(--b)" }),
      text(at + 12, 14, name, { "font-weight": 600 }),
    );
  });
  if (shown.length < upper.length) svg.append(axisText(0, height - 2, `${upper.length - shown.length} more labels part less`));
  return svg;
}

// The chosen pair: what one report says about the other attribute, and which report says most.

export interface FactsProps {
  naming: Naming;
  pair: { source: number; secret: number } | null;
  facts: ShownPair | null;
  /** From the table of pairs, which may be there before the rest. */
  leakage: number | null;
  mirror: number | null;
  output: Output;
  promise: number;
  minCount: number;
  busy: boolean;
  stale: string;
}

export interface Fact {
  term: string;
  /** A number, or empty where the note says all. */
  value: string;
  note: string;
  title?: string;
}

/** Fewer records than this behind a label of the secret: its share is not well known. */
const RARE = 30;
/** Longer notes of two labels stand in two rows. */
const ONE_ROW = 18;

/** The rows below the number. */
export function factsOf({ naming, pair, facts, output, promise, minCount }: FactsProps): Fact[] {
  if (!pair || !facts) return [];
  const { worst, supports, limit } = facts;
  const rows: Fact[] = [];
  const kind = seen(output);
  if (worst) {
    const [more, less] = worst.secret.map((x) => toldLabel(naming, pair.secret, x, 20)) as [string, string];
    rows.push({
      term: `Worst ${kind}`,
      value: "",
      note: worst.output == null ? symbolsInWords(naming, pair.source, worst.symbols, 30) : `output ${worst.output + 1}`,
      title: allSymbols(naming, pair.source, worst.symbols),
    });
    rows.push({ term: "Told apart", value: "", note: `${more} from ${less}` });
  } else if (facts.leakage === 0) rows.push({ term: `Worst ${kind}`, value: "", note: "none says anything" });
  if (!Number.isNaN(facts.generic)) rows.push({ term: "Any ε-LDP", value: bound(facts.generic), note: "bound" });
  if (limit !== null) rows.push({ term: "Limit, large ε", value: nats(limit, promise), note: limit === Infinity ? "grows with ε" : "saturates" });
  if (facts.delta) rows.push({ term: "With δ", value: probability(facts.delta.tight, 6), note: `paper ${probability(facts.delta.paper, 6)}` });
  if (worst && supports) {
    const [first, second] = supports;
    const rare = Math.min(first, second) < RARE;
    // A number beside a number would be taken for one of records.
    const labels = worst.secret
      .map((x) => labelOf(naming, pair.secret, x, 24))
      .map((label) => (/\p{L}/u.test(label) ? label : `with ${label}`)) as [string, string];
    const few = rare ? ": few" : "";
    const term = capital(plural(naming.noun));
    const together = `${labels[0]}, ${fixed(second, 0)} ${labels[1]}${few}`;
    if (together.length <= ONE_ROW) rows.push({ term, value: fixed(first, 0), note: together });
    else rows.push({ term, value: fixed(first, 0), note: labels[0] }, { term: "", value: fixed(second, 0), note: `${labels[1]}${few}` });
  }
  if (facts.leftOut > 0)
    rows.push({
      term: "Left out",
      value: fixed(facts.leftOut, 0),
      note: minCount > 0 ? `with fewer than ${fixed(minCount, 0)}` : "never seen",
    });
  return rows;
}

export function createFacts(initial: FactsProps): Component<FactsProps> {
  const heading = h("span", { class: "px-wrap" });
  const number = h("span");
  const status = h("span", { class: "px-status" });
  const list = h("dl", { class: "px-facts" });
  const old = createStale();
  const big = h("div", { class: "px-big-row" }, h("span", { class: "px-big" }, number, " ", h("small", {}, leakageUnit())), status);
  const none = h("p", { class: "lx-words" }, "Choose a second attribute to see what one report leaks about another.");
  const el = h(
    "section",
    { class: "panel px-fact lx-fact", "aria-label": "Chosen pair" },
    h("h3", { class: "panel-head" }, heading),
    h("div", {}, big, old.el),
    none,
    list,
  );

  function draw(props: FactsProps): void {
    const { naming, pair, output, leakage, mirror, promise, busy, stale } = props;
    setText(
      heading,
      pair
        ? `${output === "raw" ? "Report" : "Guess"} of ${told(naming, pair.source, 40)}, secret ${told(naming, pair.secret, 40)}`
        : "No pair",
    );
    big.hidden = list.hidden = !pair;
    none.hidden = pair !== null;
    setAttr(el, "data-stale", stale !== "");
    old.say(stale);
    if (!pair) return;
    setText(number, busy || leakage === null ? "…" : nats(leakage, promise));
    renew(
      status,
      output === "raw" ? h("span", {}, inlineMark("exact"), " exact") : h("span", {}, "lower bound"),
      h("br"),
      h("span", { class: "muted" }, output === "raw" ? "raw report" : "one attack"),
    );
    const times =
      mirror !== null && leakage !== null && leakage > 0 && Number.isFinite(mirror / leakage) && mirror > 0
        ? ratio(mirror / leakage)
        : "";
    const back: Fact = { term: "Mirror", value: mirror === null ? "…" : nats(mirror, promise), note: times };
    const rows = [back, ...factsOf(props)].flatMap(({ term, value, note, title }) => {
      const number = value || busy ? h("span", { class: "px-fact-value" }, busy ? "…" : value) : null;
      const words = h("span", { class: number ? "px-fact-note" : null, title: title && title !== note ? title : null }, busy ? "" : note);
      return [h("dt", {}, term), h("dd", {}, number, number ? " " : null, words)];
    });
    renew(list, ...rows);
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy: () => el.remove(),
  };
}

function ratio(value: number): string {
  return `${value >= 100 || value < 0.01 ? Number(value.toPrecision(2)) : value.toFixed(2)} times`;
}
