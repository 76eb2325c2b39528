/** The look of the labels of one tuple: colour and dash, so that colour is never the only cue. */
import { s, type Attrs } from "../ui/dom";

const COLOURS = ["var(--a)", "var(--b)", "var(--c)", "var(--d)"];
const DASHES: (string | null)[] = ["5 2.5", null, "2 2", "9 2.5 2 2.5"];

/** Line attributes of the label at position k; sixteen labels before a look repeats. */
export function series(k: number): Attrs {
  return {
    stroke: COLOURS[k % 4] as string,
    "stroke-width": 2,
    "stroke-dasharray": DASHES[(k + Math.floor(k / 4)) % 4] ?? null,
    fill: "none",
  };
}

export function seriesColour(k: number): string {
  return COLOURS[k % 4] as string;
}

/** A short piece of the line, to stand in text. */
export function lineSample(k: number): SVGSVGElement {
  const svg = s("svg", { viewBox: "0 0 22 8", width: 22, height: 8, class: "line-sample", "aria-hidden": "true" });
  svg.append(s("path", { d: "M1 4H21", ...series(k) }));
  return svg;
}
