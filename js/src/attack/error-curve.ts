/** Inference error against the budget: kilometres between the guess and the truth, a mean over all users. */
import { placeLabels, written, type Place, type Wanted } from "../curves/labels";
import { niceCeiling, polyline } from "../ui/axes";
import { apart } from "../ui/apart";
import type { Component } from "../ui/component";
import { h, s } from "../ui/dom";
import type { Change } from "../ui/slider";
import { createCurvePanel, near, pointsOf, type CurveKind, type CurveProps } from "./curve-panel";
import { dot, LINES, lineSample } from "./series";
import { km } from "./words";

const NAMES = ["attack 1: all other users alike", "attack 2: friends weighted"] as const;
const SERIES = ["one", "two"] as const;

/** The numbers at the handle, beside their dots and apart from each other. */
function values(error: readonly [number, number], epsilon: number, { x, y, axis }: { x(value: number): number; y(value: number): number; axis: { left: number; right: number; bottom: number } }, before = ""): { place: Place; text: string }[] {
  const at = x(epsilon);
  const right = at + 64 > axis.right;
  const heights = apart(error.map((value) => y(value) - 4), 14, 10, axis.bottom - 2);
  return error.map((value, k) => ({ place: { x: right ? at - 9 : at + 9, y: heights[k] as number, anchor: right ? "end" : "start" }, text: `${before}${km(value)}` }));
}

function heightAt(line: readonly [number, number][], px: number): number {
  const k = Math.max(0, line.findIndex(([x]) => x >= px) - 1);
  const [a, b] = [line[k], line[k + 1] ?? line[k]] as [[number, number], [number, number]];
  return b[0] === a[0] ? a[1] : a[1] + ((px - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
}

export function createErrorCurve(initial: CurveProps, onEpsilon: (epsilon: number, how: Change) => void): Component<CurveProps> {
  /** Names without a place in the picture: they stand below it. */
  let unplaced: number[] = [];
  const kind: CurveKind = {
    name: "Inference error",
    unit: "km",
    handle: "inference error",
    top: (curves) => niceCeiling(Math.max(1e-3, ...curves.error[0], ...curves.error[1]), [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]),
    drawn({ epsilon, mean }, curves, plot) {
      const { x, axis } = plot;
      const lines = curves.error.map((values) => pointsOf(curves, values, plot)) as [[number, number][], [number, number][]];
      const out: SVGElement[] = [...lines].reverse().map((points, k) => s("path", { d: polyline(points), ...LINES[SERIES[1 - k] as "one" | "two"] }));
      const at = x(Math.min(axis.high, Math.max(axis.low, epsilon)));
      const higher = (lines[0][0]?.[1] ?? 0) <= (lines[1][0]?.[1] ?? 0) ? 0 : 1;
      // Each name on its own side of both lines, or right below its line.
      const wanted: Wanted[] = NAMES.map((name, k) => {
        const places: Place[] = [];
        for (const share of [0.03, 0.1, 0.2, 0.3]) {
          const px = axis.left + share * (axis.right - axis.left);
          const py = heightAt(lines[k] as [number, number][], px);
          places.push({ x: px, y: py + 16, anchor: "start" }, { x: px, y: py - 7, anchor: "start" });
        }
        return { key: String(k), text: name, bold: true, places: k === higher ? places : places.filter(({ y: py }) => py > 0) };
      });
      const boxes = mean ? values(mean.error, epsilon, plot).map(({ place, text }) => ({ x0: place.x, y0: place.y - 9, x1: place.x + 7 * text.length, y1: place.y + 3 })) : [];
      const { places } = placeLabels(wanted, { curves: lines, verticals: [at], boxes, frame: { x0: axis.left, y0: 0, x1: axis.right + 4, y1: axis.bottom } });
      unplaced = NAMES.flatMap((_, k) => (places.get(String(k)) ? [] : [k]));
      // One in the picture and one below would look like two kinds.
      if (unplaced.length > 0) unplaced = [0, 1];
      else out.push(...written(wanted, places, {}));
      return out;
    },
    over({ mean, epsilon }, _curves, plot) {
      const { x, y, axis } = plot;
      if (!mean || epsilon < axis.low || epsilon > axis.high) return [];
      const dots = mean.error.map((value, k) => dot(x(epsilon), y(value), SERIES[k] as "one" | "two"));
      const labels = values(mean.error, epsilon, plot, near(mean));
      const wanted = labels.map(({ text }, k): Wanted => ({ key: String(k), text, bold: true, places: [] }));
      return [...dots, ...written(wanted, new Map(labels.map(({ place }, k) => [String(k), place])), {})];
    },
    words: ({ curves }) => (curves ? unplaced.map((k) => h("span", { class: "nowrap" }, lineSample(SERIES[k] as "one" | "two"), ` ${NAMES[k]}`)) : []),
    spoken: ({ mean }) => (mean ? mean.error.map((value, k) => `attack ${k + 1} ${near(mean)}${km(value)}`).join(", ") : "no numbers at this budget"),
    columns: ["attack 1", "attack 2"],
    values: (curves, k) => curves.error.map((line) => km(line[k] as number)),
  };
  return createCurvePanel(kind, initial, onEpsilon);
}
