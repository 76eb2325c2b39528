/** The marks of a number's status: shape first, colour second. */
import { s } from "./dom";

export type Mark = "exact" | "limit" | "promise" | "bound" | "paper" | "estimate" | "low" | "high" | "over";

/** One mark centred at (x, y), to be put into an SVG. */
export function mark(kind: Mark, x: number, y: number, r = 5): SVGElement {
  switch (kind) {
    case "exact":
      return s("circle", { cx: x, cy: y, r, fill: "var(--ink)" });
    case "limit":
      return s("circle", { cx: x, cy: y, r, fill: "var(--bg)", stroke: "var(--ink)", "stroke-width": 2 });
    case "estimate":
      return s("circle", { cx: x, cy: y, r, fill: "var(--bg)", stroke: "var(--est)", "stroke-width": 2 });
    case "promise":
      return s("path", {
        d: `M${x} ${y - r - 1}V${y + r + 1}`,
        fill: "none",
        stroke: "var(--promise)",
        "stroke-width": 2,
        "stroke-dasharray": "2.8 1.8",
      });
    case "bound":
      return s("path", {
        d: `M${x - r} ${y}H${x}M${x} ${y - r - 1}V${y + r + 1}`,
        fill: "none",
        stroke: "var(--promise)",
        "stroke-width": 2,
      });
    case "paper":
      return s("path", {
        d: `M${x} ${y - r - 1}L${x + r + 1} ${y}L${x} ${y + r + 1}L${x - r - 1} ${y}Z`,
        fill: "var(--bg)",
        stroke: "var(--paper)",
        "stroke-width": 2,
      });
    case "over":
      return s("path", { d: `M${x} ${y - r}L${x + r} ${y + r}H${x - r}Z`, fill: "var(--over)" });
    case "low":
    case "high":
      return badge(kind, x, y, r);
  }
}

/** Round badge: the paper's number is too low (triangle down) or too high (triangle up). */
export function badge(kind: "low" | "high", x: number, y: number, r: number): SVGElement {
  const tip = (r * 5) / 7;
  const sign = kind === "low" ? 1 : -1;
  return s(
    "g",
    {},
    s("circle", {
      cx: x,
      cy: y,
      r,
      fill: kind === "low" ? "var(--over)" : "var(--promise)",
      stroke: "var(--bg)",
      "stroke-width": 1.5,
    }),
    s("path", {
      d: `M${x - tip / 1.4} ${y - sign * tip * 0.4}h${(2 * tip) / 1.4}l${-tip / 1.4} ${sign * tip}z`,
      fill: "var(--bg)",
    }),
  );
}

/** A mark as a small inline picture beside text; decoration only, the words say the same. */
export function inlineMark(kind: Mark): SVGSVGElement {
  const picture = inline(mark(kind, 6, 6, kind === "low" || kind === "high" ? 5.5 : 4));
  picture.setAttribute("data-mark", kind);
  return picture;
}

export function inlineBadge(kind: "low" | "high"): SVGSVGElement {
  return inline(badge(kind, 6, 6, 5.5));
}

function inline(drawn: SVGElement): SVGSVGElement {
  return s("svg", { viewBox: "0 0 12 12", width: 11, height: 11, class: "pdp-mark", "aria-hidden": "true" }, drawn);
}

/** Up: over, or too high. Down: too low. */
export function triangle(direction: "low" | "high"): SVGSVGElement {
  return s(
    "svg",
    { class: "px-triangle", viewBox: "0 0 10 9", width: 9, height: 8, "aria-hidden": "true" },
    s("path", { d: direction === "high" ? "M5 0.5L9.5 8.5H0.5Z" : "M5 8.5L0.5 0.5H9.5Z", fill: "currentColor" }),
  );
}
