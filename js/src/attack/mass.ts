/** The mass on the true cell before and after the release, one line for each attack. */
import { apart, axisText, linear, niceCeiling, rule } from "../ui/axes";
import { h, renew, s, setAttr, text, type Component } from "../ui/dom";
import { probability } from "../ui/format";
import type { Attack } from "./results";

export interface MassProps {
  attacks: readonly [Attack, Attack] | null;
  busy: boolean;
  width: number;
}

const HEIGHT = 142;
const [TOP, FOOT] = [24, 134];
const LEFT = 52;
const COLOURS = ["var(--a)", "var(--b)"] as const;

export function createMass(initial: MassProps): Component<MassProps> {
  const place = h("div", { class: "ax-mass-picture" });
  const impossible = h(
    "p",
    { class: "small muted", hidden: true },
    "Nobody known is there: 0 before, so 0 whatever is released.",
  );
  const el = h(
    "section",
    { class: "panel ax-mass", "aria-label": "Mass on the true cell" },
    h(
      "h3",
      { class: "panel-head" },
      h("span", {}, "Mass on the true cell"),
      h("span", { class: "muted" }, "probability"),
    ),
    place,
    impossible,
  );

  function draw({ attacks, busy, width }: MassProps): void {
    setAttr(place, "data-old", busy);
    impossible.hidden = busy || attacks?.[1].mass[0] !== 0;
    const [xa, xb] = [LEFT, Math.min(LEFT + 110, Math.max(LEFT + 60, width - 104))];
    const said =
      attacks && !busy
        ? attacks
            .map(({ mass }, k) => `attack ${k + 1} ${probability(mass[0])} before, ${probability(mass[1])} after`)
            .join("; ")
        : "being computed";
    const svg = s("svg", {
      width,
      height: HEIGHT,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      "aria-label": `Mass on the true cell: ${said}`,
    });
    svg.append(
      axisText(xa, 10, "before", { "text-anchor": "middle" }),
      axisText(xb, 10, "after", { "text-anchor": "middle" }),
      rule(xa, 18, xa, 138),
      rule(xb, 18, xb, 138),
    );
    if (attacks) {
      const most = Math.max(...attacks.flatMap(({ mass }) => mass));
      const y = linear(0, most > 0 ? Math.min(1, niceCeiling(most)) : 1, FOOT, TOP);
      const heights = ([0, 1] as const).map((when) => attacks.map(({ mass }) => y(mass[when])));
      const labels = heights.map((ys) => apart(ys.map((height) => height + 4), 13, TOP - 2, FOOT + 6));
      attacks.forEach(({ mass }, k) => {
        const [from, to] = [heights[0]?.[k] as number, heights[1]?.[k] as number];
        const number = (value: number): string => (busy ? "…" : probability(value));
        // One text, however long the number is.
        const after = text(xb + 9, labels[1]?.[k] as number, "");
        after.append(s("tspan", { "font-weight": 600 }, number(mass[1])), s("tspan", { dx: 6 }, `attack ${k + 1}`));
        svg.append(
          s("path", {
            d: `M${xa} ${from.toFixed(1)}L${xb} ${to.toFixed(1)}`,
            stroke: COLOURS[k],
            "stroke-width": 2,
            "stroke-dasharray": k === 0 ? "5 2.5" : null,
            fill: "none",
          }),
          s("circle", { cx: xa, cy: from, r: 4, fill: COLOURS[k] }),
          s("circle", { cx: xb, cy: to, r: 4, fill: COLOURS[k] }),
          text(xa - 9, labels[0]?.[k] as number, number(mass[0]), { "text-anchor": "end" }),
          after,
        );
      });
    }
    renew(place, svg);
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
