/**
 * Both curves against the budget: leaked information, as printed and as the release adds it, and the error in
 * kilometres.
 */
import { boxOf, placeLabels, written, type Box, type Place, type Wanted } from "../curves/labels";
import { niceCeiling, polyline } from "../ui/axes";
import { h, s, text, type Component } from "../ui/dom";
import { textWidth } from "../ui/lettering";
import { mark } from "../ui/marks";
import type { Change } from "../ui/slider";
import {
  createCurvePanel,
  dot,
  LINES,
  lineSample,
  near,
  pointsOf,
  type CurveKind,
  type CurveProps,
  type Plot,
  type Series,
} from "./curve-panel";
import type { Curves, Mean } from "./results";
import { bits, bitsOf, km, limitName } from "./words";

// Leaked information against the budget: as printed, what the release adds, and what the budget allows.

const KEY: readonly (readonly [Series, string])[] = [
  ["printed", "attack 2, printed"],
  ["one", "attack 1, adds"],
  ["two", "attack 2, adds"],
];
/** Room of the key in the corner of the picture, px. */
const LINE = 16;
const SAMPLE = 24;

interface Corner {
  x: number;
  y: number;
  width: number;
}

function cornerOf({ axis }: Plot): Corner {
  return { x: axis.left + 10, y: 12, width: SAMPLE + 6 + Math.max(...KEY.map(([, words]) => textWidth(words))) };
}

/** Whether the key meets no curve in the corner; else it stands below. */
function keyFits(curves: Curves, plot: Plot): boolean {
  const { x, y, width } = cornerOf(plot);
  const foot = y + KEY.length * LINE + 4;
  const clear = (values: ArrayLike<number>): boolean => pointsOf(curves, values, plot).every(([px, py]) => px > x + width + 14 || py > foot + 6);
  const [ex] = boundPoints(plot)[0] ?? [Infinity];
  return (
    ex !== undefined &&
    x + width + 14 < plot.axis.right &&
    [curves.printed, curves.adds[0], curves.adds[1]].every(clear) &&
    boundPoints(plot).every(([px, py]) => px > x + width + 6 || py > foot + 6)
  );
}

/** The bound until it leaves the picture. */
function boundPoints({ x, y, axis, top }: Plot): [number, number][] {
  const end = Math.min(axis.high, top * Math.LN2);
  if (end <= axis.low) return [];
  return Array.from({ length: 61 }, (_, k): [number, number] => {
    const epsilon = axis.low * (end / axis.low) ** (k / 60);
    return [x(epsilon), y(bitsOf(epsilon))];
  });
}

/** From the axis up to the printed score where the release adds next to nothing: the prior gap. */
function gapBand(curves: Curves, plot: Plot): SVGElement {
  const upper = pointsOf(curves, curves.printed, plot);
  const lower = pointsOf(curves, curves.adds[1], plot).reverse();
  return s("path", { class: "ax-gap", d: `${polyline([...upper, ...lower])}Z`, fill: "var(--b)", "fill-opacity": 0.16 });
}

export function createLeakedCurve(initial: CurveProps, onEpsilon: (epsilon: number, how: Change) => void): Component<CurveProps> {
  /** The key has a place in the picture. */
  let fits = true;
  const kind: CurveKind = {
    name: "Leaked information",
    unit: "bits",
    handle: "leaked information",
    top: (curves) => niceCeiling(Math.max(0.1, ...curves.printed, ...curves.adds[0], ...curves.adds[1]), [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10]),
    drawn(props, curves, plot) {
      const { x, y, axis } = plot;
      const bound = boundPoints(plot);
      const lines = {
        printed: pointsOf(curves, curves.printed, plot),
        one: pointsOf(curves, curves.adds[0], plot),
        two: pointsOf(curves, curves.adds[1], plot),
      };
      const out: SVGElement[] = [gapBand(curves, plot), s("path", { d: polyline(bound), ...LINES.bound })];
      for (const series of ["two", "one", "printed"] as const) out.push(s("path", { d: polyline(lines[series]), ...LINES[series] }));
      fits = keyFits(curves, plot);
      const corner = cornerOf(plot);
      if (fits) {
        KEY.forEach(([series, words], k) => {
          const at = corner.y + 8 + k * LINE;
          out.push(s("path", { d: `M${corner.x} ${at}h${SAMPLE}`, ...LINES[series] }), text(corner.x + SAMPLE + 6, at + 4, words));
        });
      }
      const [bx, by] = bound[bound.length - 1] ?? [0, 0];
      const box = fits ? [{ x0: corner.x, y0: corner.y - 4, x1: corner.x + corner.width, y1: corner.y + KEY.length * LINE }] : [];
      const middle = y(curves.gap / 2) + 4;
      const words = `prior gap ${props.busy ? "…" : bits(curves.gap)}`;
      const wanted: Wanted[] =
        bound.length > 0
          ? [
              {
                key: "bound",
                text: `${limitName(props.holds)} ε/ln 2`,
                bold: false,
                places: [
                  { x: bx + 8, y: by + 10, anchor: "start" },
                  { x: bx + 2, y: by + 24, anchor: "start" },
                  { x: bx - 14, y: by + 12, anchor: "end" },
                  { x: bx - 24, y: by + 40, anchor: "end" },
                ],
              },
            ]
          : [];
      if (curves.gap > 0)
        wanted.push({
          key: "gap",
          text: words,
          bold: false,
          places: [x(1), x(1.5), x(2.5), x(4), x(0.4), x(10)].flatMap((at) => [
            { x: at, y: middle, anchor: "start" as const },
            { x: at, y: y(curves.gap) - 5, anchor: "start" as const },
          ]),
        });
      const handle = x(Math.min(axis.high, Math.max(axis.low, props.epsilon)));
      const { places } = placeLabels(wanted, {
        curves: [bound, ...Object.values(lines)],
        verticals: [handle],
        boxes: box,
        frame: { x0: axis.left, y0: 0, x1: axis.right + 4, y1: axis.bottom },
      });
      out.push(
        ...written(
          wanted.filter(({ key }) => key === "bound"),
          places,
          { bound: "var(--promise)" },
        ),
      );
      // On the tint of its band it needs no rim.
      const place = places.get("gap");
      if (place) out.push(text(place.x, place.y, words, { "text-anchor": place.anchor, style: "fill:var(--ink2)" }));
      return out;
    },
    over({ mean, epsilon }, _curves, { x, y, axis }) {
      if (!mean || epsilon < axis.low || epsilon > axis.high) return [];
      return [dot(x(epsilon), y(mean.adds_1), "one"), dot(x(epsilon), y(mean.adds), "two"), mark("paper", x(epsilon), y(mean.printed), 4)];
    },
    words: ({ curves }) =>
      curves && !fits
        ? KEY.map(([series, words]) => h("span", { class: "nowrap" }, lineSample(series), ` ${words}`))
        : [],
    spoken: ({ mean }) =>
      mean
        ? `${near(mean)}${bits(mean.printed)} as printed, ${bits(mean.adds_1)} added to attack 1, ${bits(mean.adds)} to attack 2`
        : "no numbers at this budget",
    columns: ["attack 2, printed", "attack 1, adds", "attack 2, adds", "ε/ln 2"],
    values: (curves, k) =>
      [curves.printed, curves.adds[0], curves.adds[1]]
        .map((values) => bits(values[k] as number))
        .concat(bits(bitsOf(curves.epsilon[k] as number))),
  };
  return createCurvePanel(kind, initial, onEpsilon);
}

// Inference error against the budget: kilometres between the guess and the truth, a mean over all users.

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
