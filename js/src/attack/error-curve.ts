/** Inference error against the budget: kilometres between the guess and the truth, a mean over all users. */
import { boxOf, placeLabels, written, type Box, type Place, type Wanted } from "../curves/labels";
import { niceCeiling, polyline } from "../ui/axes";
import { h, s, type Component } from "../ui/dom";
import { textWidth } from "../ui/lettering";
import type { Change } from "../ui/slider";
import { createCurvePanel, near, pointsOf, type CurveKind, type CurveProps, type Plot } from "./curve-panel";
import type { Curves, Mean } from "./results";
import { dot, LINES, lineSample } from "./series";
import { km } from "./words";

const NAMES = ["attack 1: all other users alike", "attack 2: friends weighted"] as const;
const SERIES = ["one", "two"] as const;

type Points = [number, number][];

interface Labels {
  wanted: Wanted[];
  places: Map<string, Place | null>;
}

function frameOf({ axis }: Plot): Box {
  return { x0: axis.left, y0: 0, x1: axis.right + 4, y1: axis.bottom };
}

/** The numbers at the handle, each beside its dot where no curve passes. */
function numbersAt(mean: Mean, epsilon: number, lines: Points[], plot: Plot): Labels {
  const at = plot.x(epsilon);
  const wanted = mean.error.map((value, k): Wanted => {
    const y = plot.y(value);
    const places = [-4, -11, 13, -20, 22].flatMap((shift): Place[] => [
      { x: at + 9, y: y + shift, anchor: "start" },
      { x: at - 9, y: y + shift, anchor: "end" },
    ]);
    return { key: String(k), text: `${near(mean)}${km(value)}`, bold: true, mark: [at, y], places };
  });
  return { wanted, ...placeLabels(wanted, { curves: lines, verticals: [at], boxes: [], frame: frameOf(plot) }) };
}

/** Names near the beginnings of their lines. */
function namesOf(lines: Points[], handle: number, numbers: Labels | null, plot: Plot): Labels {
  const { left, right } = plot.axis;
  const wanted = NAMES.map((name, k): Wanted => {
    const places = [0.03, 0.1, 0.2, 0.3].flatMap((share): Place[] => {
      const x = left + share * (right - left);
      const y = heightAt(lines[k] as Points, x);
      return [{ x, y: y + 16, anchor: "start" }, { x, y: y - 7, anchor: "start" }];
    });
    return { key: String(k), text: name, bold: true, places };
  });
  const boxes = (numbers?.wanted ?? []).flatMap(({ key, text, bold }) => {
    const place = numbers?.places.get(key);
    return place ? [boxOf(place, textWidth(text, 11, bold))] : [];
  });
  return { wanted, ...placeLabels(wanted, { curves: lines, verticals: [handle], boxes, frame: frameOf(plot) }) };
}

function heightAt(line: Points, px: number): number {
  const k = Math.max(0, line.findIndex(([x]) => x >= px) - 1);
  const [a, b] = [line[k], line[k + 1] ?? line[k]] as [[number, number], [number, number]];
  return b[0] === a[0] ? a[1] : a[1] + ((px - a[0]) / (b[0] - a[0])) * (b[1] - a[1]);
}

export function createErrorCurve(initial: CurveProps, onEpsilon: (epsilon: number, how: Change) => void): Component<CurveProps> {
  let numbers: Labels | null = null;
  /** The names have places in the picture; else they stand below it. */
  let named = true;

  function lines(curves: Curves, plot: Plot): [Points, Points] {
    return [pointsOf(curves, curves.error[0], plot), pointsOf(curves, curves.error[1], plot)];
  }

  const kind: CurveKind = {
    name: "Inference error",
    unit: "km",
    handle: "inference error",
    top: (curves) => niceCeiling(Math.max(1e-3, ...curves.error[0], ...curves.error[1]), [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10]),
    drawn({ epsilon, mean }, curves, plot) {
      const { low, high } = plot.axis;
      const both = lines(curves, plot);
      numbers = mean && epsilon >= low && epsilon <= high ? numbersAt(mean, epsilon, both, plot) : null;
      const names = namesOf(both, plot.x(epsilon), numbers, plot);
      // One in the picture and one below would look like two kinds.
      named = NAMES.every((_, k) => names.places.get(String(k)));
      const paths = ([1, 0] as const).map((k) => s("path", { d: polyline(both[k]), ...LINES[SERIES[k]] }));
      return [...paths, ...(named ? written(names.wanted, names.places, {}) : [])];
    },
    over({ mean, epsilon }, _curves, { x, y }) {
      if (!mean || !numbers) return [];
      return [...mean.error.map((value, k) => dot(x(epsilon), y(value), SERIES[k] as "one" | "two")), ...written(numbers.wanted, numbers.places, {})];
    },
    words() {
      const lost = (numbers?.wanted ?? []).filter(({ key }) => !numbers?.places.get(key));
      if (named)
        return lost.map(({ key, text }) => h("span", { class: "nowrap" }, `attack ${Number(key) + 1}: ${text} km`));
      return NAMES.map((name, k) =>
        h(
          "span",
          { class: "nowrap" },
          lineSample(SERIES[k] as "one" | "two"),
          ` ${name}${lost.some(({ key }) => key === String(k)) ? `: ${numbers?.wanted[k]?.text} km` : ""}`,
        ),
      );
    },
    spoken: ({ mean }) => (mean ? mean.error.map((value, k) => `attack ${k + 1} ${near(mean)}${km(value)}`).join(", ") : "no numbers at this budget"),
    columns: ["attack 1", "attack 2"],
    values: (curves, k) => curves.error.map((line) => km(line[k] as number)),
  };
  return createCurvePanel(kind, initial, onEpsilon);
}
