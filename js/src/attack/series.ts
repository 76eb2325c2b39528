/** How the lines of both attacks look, everywhere: colour and dashes. */
import { s, type Attrs } from "../ui/dom";

export type Series = "one" | "two" | "printed" | "bound";

export const LINES: Record<Series, Attrs> = {
  one: { stroke: "var(--a)", "stroke-width": 2, "stroke-dasharray": "5 2.5", fill: "none" },
  two: { stroke: "var(--b)", "stroke-width": 2, fill: "none" },
  printed: { stroke: "var(--paper)", "stroke-width": 1.5, "stroke-dasharray": "2 2", fill: "none" },
  bound: { stroke: "var(--promise)", "stroke-width": 1.5, "stroke-dasharray": "4 3", fill: "none" },
};

/** A short piece of a line, to stand in text. */
export function lineSample(series: Series): SVGSVGElement {
  return s("svg", { viewBox: "0 0 24 8", width: 24, height: 8, class: "line-sample", "aria-hidden": "true" }, s("path", { d: "M1 4H23", ...LINES[series] }));
}

/** The value of a line at the budget. */
export function dot(x: number, y: number, series: "one" | "two"): SVGElement {
  return s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 4, fill: series === "one" ? "var(--a)" : "var(--b)", stroke: "var(--bg)" });
}
