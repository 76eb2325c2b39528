/** What the query gives before noise, for two values of the chosen tuple side by side. */
import { told, type Naming } from "../explorer/words";
import { axisText, linear, rule } from "../ui/axes";
import { h, renew, s, setText, text, type Component } from "../ui/dom";
import { probability, tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import type { ShownTuple } from "./results";
import { valueOf } from "./words";

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

export function createHistogram(initial: HistogramProps): Component<HistogramProps> {
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
