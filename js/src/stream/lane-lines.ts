/** Lines of mechanisms: a mechanism keeps its colour and dashes as long as it is shown. */
import { s } from "../ui/dom";

const LINES = [
  { colour: "b", dash: [] },
  { colour: "a", dash: [5, 2.5] },
  { colour: "c", dash: [8, 2, 2, 2] },
  { colour: "d", dash: [2, 2] },
] as const;

export type LaneLine = (typeof LINES)[number];
export type LinesByLane = Readonly<Record<string, number>>;

export function laneLine(line: number): LaneLine {
  return LINES[line % LINES.length] as LaneLine;
}

/** Lines of the lanes of a view; those of an older one are in their order. */
export function linesOf(lanes: readonly { key: string; line?: number }[]): LinesByLane {
  return Object.fromEntries(lanes.map(({ key, line }, k) => [key, line ?? k]));
}

/** A line for each lane: its own, or the first that is free. */
export function keptLines(before: LinesByLane, lanes: readonly string[]): LinesByLane {
  const taken = new Set(lanes.map((key) => before[key]));
  const free = LINES.map((_, k) => k).filter((k) => !taken.has(k));
  return Object.fromEntries(lanes.map((key) => [key, before[key] ?? free.shift() ?? 0]));
}

/** The line as it is drawn in the sum. */
export function laneSample(line: number): SVGSVGElement {
  const { colour, dash } = laneLine(line);
  return s(
    "svg",
    { width: 16, height: 8, class: "sx-sample", "aria-hidden": "true" },
    s("path", { d: "M0 4h16", fill: "none", stroke: `var(--${colour})`, "stroke-width": 2.5, "stroke-dasharray": dash.join(" ") || null }),
  );
}
