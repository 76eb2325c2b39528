/** The two rows of the worst pair, symbol by symbol, with the report that tells them apart best. */
import type { Mechanism, Output } from "../compute/local-mechanisms";
import { labelOf, nameOf, told, toldLabel, type Naming } from "../explorer/words";
import { axisText, linear, niceCeiling, rule, ticks } from "../ui/axes";
import { h, renew, s, setText, text, type Component } from "../ui/dom";
import { capital, fixed, probability, tick } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { spread } from "../ui/numline";
import type { ShownPair } from "./results";
import { seen, symbolsInWords } from "./words";

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
  const { secret, symbols, probability: chances } = facts.worst;
  const labels = secret.map((x) => toldLabel(naming, pair.secret, x, 24)) as [string, string];
  // A bare number says nothing of whose value it is.
  const about = isWord(labels) ? "" : told(naming, pair.secret, 24);
  const [more, less] = about ? [`${about} is ${labels[0]}`, `it is ${labels[1]}`] : labels;
  const what = symbolsInWords(naming, pair.source, symbols, 24);
  const value = facts.leakage;
  if (value === Infinity) return { text: `A ${seen(output)} of ${what} rules ${about && `${about} = `}${labels[1]} out: the ratio is infinite.`, power: "" };
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
  return { text: `A ${seen(output)} that favours ${what} is ${ratio} times as likely if ${more} as if ${less}: e`, power };
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
