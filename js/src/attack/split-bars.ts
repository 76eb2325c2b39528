/** The printed score of each attack as a bar: hatched is what was known before, solid is what the release adds. */
import { axisText, linear, niceCeiling, rule } from "../ui/axes";
import { h, renew, s, setAttr, text } from "../ui/dom";
import { tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { mark } from "../ui/marks";
import type { Attack } from "./results";
import { bits, bitsInTable } from "./words";

export interface SplitBarsProps {
  attacks: readonly [Attack, Attack] | null;
  busy: boolean;
  width: number;
}

const HEIGHT = 150;
const ROW = 58;
const AXIS = 124;
const EDGE = 6;

let hatches = 0;

/** Ends of the axis: round, and wide enough for both bars. */
export function barEnds(attacks: readonly [Pick<Attack, "gap" | "printed">, Pick<Attack, "gap" | "printed">]): [number, number] {
  const values = [0, ...attacks.flatMap(({ gap, printed }) => [gap, printed])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [low < -1e-6 ? -niceCeiling(-low) : 0, high > 1e-6 ? niceCeiling(high, [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10]) : 1];
}

export function createSplitBars(initial: SplitBarsProps): { el: HTMLElement; update(props: SplitBarsProps): void } {
  hatches += 1;
  const id = `ax-hatch-${hatches}-${Math.random().toString(36).slice(2, 8)}`;
  const el = h("div", { class: "ax-split" });

  function draw({ attacks, busy, width }: SplitBarsProps): void {
    setAttr(el, "data-old", busy);
    const said =
      attacks && !busy
        ? attacks
            .map(
              ({ gap, adds, printed }, k) =>
                `attack ${k + 1}: gap ${bits(gap)}, release ${bits(adds)}, as printed ${bits(printed)}`,
            )
            .join("; ")
        : "being computed";
    const svg = s("svg", {
      width,
      height: HEIGHT,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      "aria-label": `Leaked information in bits, ${said}`,
    });
    const pattern = s(
      "pattern",
      { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { class: "ax-hatch", width: 1.6, height: 6, fill: "var(--ink2)" }),
    );
    svg.append(s("defs", {}, pattern));
    const [low, high] = attacks ? barEnds(attacks) : [0, 1];
    const x = linear(low, high, low < 0 ? EDGE : 0, width - EDGE);
    attacks?.forEach((attack, k) => svg.append(...bar(attack, k, x, width, id, busy)));
    const crowded = x(0) - x(low) < 2 * textWidth(tick(low));
    const marks = low === 0 ? [0, high / 2, high] : crowded ? [0, high] : [low, 0, high];
    svg.append(rule(x(low), AXIS, x(high), AXIS));
    marks.forEach((value, k) => {
      const last = k === marks.length - 1;
      const anchor = k === 0 && value === low ? "start" : last ? "end" : "middle";
      svg.append(
        rule(x(value), AXIS, x(value), AXIS + 4),
        axisText(
          last ? x(value) + EDGE : value < 0 ? x(value) - EDGE : x(value),
          AXIS + 16,
          `${tick(value)}${last ? " bits" : ""}`,
          { "text-anchor": anchor },
        ),
      );
    });
    renew(el, svg);
  }

  draw(initial);
  return { el, update: draw };
}

function bar({ gap, adds, printed }: Attack, k: number, x: (value: number) => number, width: number, hatch: string, busy: boolean): SVGElement[] {
  const y = 4 + k * ROW;
  const number = (value: number): string => (busy ? "…" : bitsInTable(value));
  const span = (from: number, to: number) => ({ x: Math.min(x(from), x(to)), width: Math.abs(x(to) - x(from)) });
  const out: SVGElement[] = [
    text(0, y + 8, `Attack ${k + 1}`, { "font-size": 12, "font-weight": 600 }),
    text(width, y + 8, `${number(printed)} as printed`, { "text-anchor": "end", style: "fill:var(--paper)" }),
  ];
  const known = Math.abs(gap) > 5e-7;
  if (known) out.push(s("rect", { class: "ax-known", ...span(0, gap), y: y + 16, height: 16, fill: `url(#${hatch})`, stroke: "var(--ink2)" }));
  // Where the release takes away, its bar lies on what was known.
  out.push(
    s("rect", {
      class: "ax-added",
      ...span(gap, printed),
      y: adds < 0 ? y + 20 : y + 15.5,
      height: adds < 0 ? 8 : 17,
      fill: "var(--ink)",
    }),
    mark("paper", x(printed), y + 24, 4.5),
  );
  if (!known)
    return [...out, text(Math.max(0, x(0)), y + 45, `from the release ${number(adds)}`, { "font-weight": 600 })];
  const [left, right] = [`gap ${number(gap)}`, `release ${number(adds)}`];
  const at = Math.max(textWidth(left) + 10, x(gap) + 6);
  return [
    ...out,
    text(0, y + 45, left, { style: "fill:var(--ink2)" }),
    text(Math.min(at, width - textWidth(right, 11, true)), y + 45, right, { "font-weight": 600 }),
  ];
}
