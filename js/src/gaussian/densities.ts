/** The densities of r given two values of the attacked tuple, and below them their log ratio with its limits. */
import { lineSample, ratioPanel, samplePoints, series } from "../curves/frame";
import { boxOf, placeLabels, written, type Obstacles, type Place, type Wanted } from "../curves/labels";
import { createRHandle, rAxis, rDecimals } from "../curves/r-handle";
import { createStale } from "../explorer/top";
import { nameOf, told, type Naming } from "../explorer/words";
import { leakageTicks, linear, niceCeiling, polyline, rule, type Scale, ticks, valueAxis } from "../ui/axes";
import { component, h, renew, s, setAttrs, setText, text, type Component } from "../ui/dom";
import { fixed, leakage, tick } from "../ui/format";
import { clip, fit, inQuotes, textWidth } from "../ui/lettering";
import { mark } from "../ui/marks";
import { density, logRatio, type LaplaceNormal } from "./laplace-normal";
import type { GaussianChosen } from "./protocol";
import { decimalsApart, withUnit } from "./words";
import { leakageUnit } from "../ui/preferences";

// The two densities that the chosen adversary compares: their range of r, the points to sample, the ends of their axes.

export interface Frame {
  noise: LaplaceNormal;
  /** Means of r for the two values, and halfway between. */
  centres: [number, number];
  middle: number;
  /** What the log ratio of the second over the first tends to at the right. */
  limit: number;
  low: number;
  high: number;
  points: number[];
  rTicks: number[];
  densityTop: number;
  densityTicks: number[];
  /** The log ratio axis is symmetric about 0. */
  ratioTop: number;
  ratioTicks: number[];
}

/** Deviations of the release that the picture shows at each side of the centres. */
const SHOWN = 4;
/** Where 99 % of the limit lies further out than this many times that, the picture ends before. */
const FARTHEST = 1.8;

/** A narrower axis, relative to what lies in its middle, would have no length: its ends would be one number. */
const NARROWEST = 1e-9;

/** Where axes may end, times a power of ten. */
export const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** null where there are no two values to compare. */
export function frameOf(chosen: GaussianChosen, scale: number, change: number, promise: number): Frame | null {
  const { coefficient, centre, sigma, nearly } = chosen;
  if (chosen.pair === null) return null;
  const shift = coefficient * change;
  const middle = centre + shift / 2;
  const noise = { deviation: sigma, scale };
  const plain = SHOWN * Math.hypot(sigma, Math.SQRT2 * scale) + Math.abs(shift) / 2;
  const wished = nearly ? (nearly[1] - nearly[0]) * 0.6 : 0;
  const half = Math.max(wished <= FARTHEST * plain ? Math.max(plain, wished) : plain, NARROWEST * Math.abs(middle));
  const [low, high] = [middle - half, middle + half];
  const centres: [number, number] = [centre, centre + shift];
  const densityTop = niceCeiling(density(noise, 0) * 1.1, STEPS);
  const limit = shift / scale;
  const ratioTop = niceCeiling(Math.max(promise, Math.abs(limit)) * 1.2, STEPS);
  return {
    noise,
    centres,
    middle,
    limit,
    low,
    high,
    points: samplePoints(low, high, centres, scale),
    rTicks: ticks(low, high, 9),
    densityTop,
    densityTicks: ticks(0, densityTop, 3),
    ratioTop,
    ratioTicks: leakageTicks(-ratioTop, ratioTop, 6),
  };
}

/** Of the second value over the first. */
export function ratioAt({ noise, limit, middle }: Frame, r: number): number {
  // From the midpoint, so that a large mean does not take digits from the distance of the two centres.
  const half = (limit * noise.scale) / 2;
  return logRatio(noise, r - middle, half, -half);
}

/** Where r stands before anyone has moved it: one noise scale beyond the larger value's centre. */
export function startingR({ noise, centres, low, high }: Frame): number {
  return Math.min(high, Math.max(low, Math.max(...centres) + noise.scale));
}

export interface DensitiesProps {
  /** null while there is none. */
  chosen: GaussianChosen | null;
  /** null also where there are no two values to compare. */
  frame: Frame | null;
  naming: Naming;
  unit: string;
  promise: number;
  change: number;
  r: number;
  width: number;
  note: string;
  busy: boolean;
  /** What the results belong to instead of what stands in the controls, as in "the last valid matrix"; or empty. */
  stale: string;
}

const LEFT = 40;
const RIGHT = 10;
const UPPER = 92;
const LOWER = 142;
/** Between the lowest value and the axis, px: there is room for a line of words. */
const FOOT = 8;
const GAP = 28;
const HEIGHT = UPPER + GAP + LOWER + 22;
const NARROW = 420;
/** How far a label that is in the way steps aside, px. */
const STEP = 24;
const COLOURS: Record<string, string> = { promise: "var(--promise)", other: "var(--ink2)" };

export function createDensities(initial: DensitiesProps, onR: (r: number) => void): Component<DensitiesProps> {
  let props = initial;
  let drawing: Drawing | null = null;
  let drawnFor: unknown[] = [];
  const note = h("span", { class: "muted" });
  const stale = createStale();
  const curves = s("g");
  const words = s("g", { "aria-hidden": "true" });
  const dot = s("circle", { r: 4, fill: "var(--brand)", stroke: "var(--bg)" });
  const picture = s("svg", { class: "density-svg", height: HEIGHT, role: "group" }, curves, words);
  const handle = createRHandle(picture, onR);
  picture.append(handle.el, dot);
  const caption = h("p", { class: "small muted density-caption" });
  const empty = h("p", { class: "muted density-empty" });
  const numbers = h("div", { class: "sr-only" });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Densities" },
    h("h3", { class: "panel-head" }, h("span", {}, "Density of the published value r"), note),
    stale.el,
    empty,
    picture,
    caption,
    numbers,
  );

  function draw(): void {
    const { chosen, frame, width, naming } = props;
    const shown = chosen !== null && frame !== null;
    picture.style.display = caption.style.display = shown ? "" : "none";
    empty.hidden = shown;
    setText(empty, shown ? "" : nothing(props));
    setText(note, shown ? props.note : "");
    stale.say(props.stale);
    picture.classList.toggle("density-busy", props.busy);
    if (!chosen || !frame) {
      numbers.replaceChildren();
      return handle.update(null);
    }
    const key = [chosen, frame, width, naming, props.unit];
    if (!drawing || key.some((part, k) => part !== drawnFor[k])) {
      drawnFor = key;
      drawing = drawCurves(props, chosen, frame);
      const name = `Densities of r for two values of ${told(naming, chosen.target)}, and their log ratio`;
      setAttrs(picture, { width, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-label": name });
      renew(curves, ...drawing.elements);
      renew(numbers, numberTable(props, chosen, frame));
    }
    const { low, high } = frame;
    handle.update({ r: props.r, low, high, left: LEFT, right: width - RIGHT, width, bottom: drawing.bottom, disabled: false });
    drawWords(drawing, frame);
  }

  function drawWords(d: Drawing, frame: Frame): void {
    const { r, busy, unit } = props;
    const ratio = ratioAt(frame, r);
    const at: [number, number] = [d.x(r), d.z(ratio)];
    setAttrs(dot, { cx: at[0], cy: at[1] });
    dot.style.display = busy ? "none" : "";
    const here: Wanted = {
      key: "here",
      text: leakage(ratio, props.promise),
      bold: false,
      places: [14, -8, 26, -20].flatMap((dy) => [
        { x: at[0] + 8, y: at[1] + dy, anchor: "start" as const },
        { x: at[0] - 8, y: at[1] + dy, anchor: "end" as const },
      ]),
    };
    const wanted = busy ? d.wanted.filter(({ key }) => key.startsWith("label")) : [here, ...d.wanted];
    const { places } = placeLabels(wanted, { ...d.obstacles, verticals: [at[0]] });
    const axis = rAxis(frame.rTicks, d.x, r, d.bottom, unit && textWidth(unit) < 60 ? unit : "");
    renew(words, ...written(wanted, places, COLOURS), ...axis);
    // What found no room near its curve is said below.
    const left = wanted.filter(({ key }) => places.get(key) === null);
    const parts = left.flatMap(({ key, text: content }, k): (Node | string)[] => [
      ...(k > 0 ? ["; "] : []),
      ...(key.startsWith("label") ? [lineSample(Number(key.slice(5)))] : []),
      ` ${content}`,
    ]);
    renew(caption, ...parts, parts.length > 0 ? "." : "");
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

function nothing({ chosen, naming }: DensitiesProps): string {
  if (!chosen) return "Nothing to draw yet.";
  return `${told(naming, chosen.target)} follows from what is known: it has no two values to compare, and r says nothing more about it.`;
}

interface Drawing {
  elements: SVGElement[];
  wanted: Wanted[];
  obstacles: Obstacles;
  x: Scale;
  z: Scale;
  bottom: number;
}

/** The two values as they are written: "4.0" and "5.0". */
export function valueTexts({ pair }: GaussianChosen, change: number): [string, string] {
  const decimals = decimalsApart(change);
  return (pair ?? [0, 0]).map((value) => fixed(value, decimals)) as [string, string];
}

function drawCurves(props: DensitiesProps, chosen: GaussianChosen, frame: Frame): Drawing {
  const { width, naming, promise } = props;
  const right = width - RIGHT;
  const x = linear(frame.low, frame.high, LEFT, right);
  const y = linear(0, frame.densityTop, UPPER, 8);
  const top = UPPER + GAP;
  const bottom = top + LOWER - 8;
  const z = linear(-frame.ratioTop, frame.ratioTop, bottom - FOOT, top);
  const values = valueTexts(chosen, props.change);
  const axis = rule(LEFT, bottom, right, bottom);
  const elements: SVGElement[] = [valueAxis(frame.densityTicks, y, LEFT, right), axis];
  const lines: (readonly [number, number])[][] = [];
  const named: Wanted[] = [];
  frame.centres.forEach((centre, k) => {
    const points = frame.points.map((r) => [x(r), y(density(frame.noise, r - centre))] as const);
    elements.push(s("path", { d: polyline(points), ...series(k) }));
    lines.push(points);
    const name = inQuotes(naming.names[chosen.target] ?? "", fit(nameOf(naming, chosen.target), 110, 11, true));
    const long = k === 0 ? `if ${name} is ${values[0]}` : `if it is ${values[1]}`;
    const side = frame.centres[k] === Math.min(...frame.centres) ? -1 : 1;
    const places = [0.7, 0.55, 0.85, 0.4].flatMap((share) => beside(points, share, side));
    named.push({ key: `label${k}`, text: width < NARROW ? `if ${values[k]}` : long, bold: true, places });
  });
  const heading = `log ratio, ${values[1]} over ${values[0]}, ${leakageUnit()}`;
  elements.push(text(LEFT, top - 9, heading, { "font-weight": 600 }));
  const ratio = (r: number): number => ratioAt(frame, r);
  const curve = frame.points.map((r) => [x(r), z(ratio(r))] as const);
  elements.push(...ratioPanel(frame, promise, z, x, LEFT, right, ratio));
  if (chosen.limit) elements.push(...limits(frame, z, right));
  elements.push(s("path", { d: polyline(curve), fill: "none", stroke: "var(--ink)", "stroke-width": 2 }));
  lines.push(curve);
  const wanted = [...ratioWords(props, chosen, frame, x, z, elements), ...named];
  for (const sign of [1, -1]) lines.push([LEFT, right].map((end) => [end, z(sign * promise)] as const));
  const boxes = [boxOf({ x: LEFT, y: top - 9, anchor: "start" }, textWidth(heading, 11, true))];
  return { elements, wanted, obstacles: { curves: lines, verticals: [], boxes, frame: { x0: LEFT - 4, x1: width, y0: 0, y1: bottom } }, x, z, bottom };
}

/** Places on the outer side of a curve where it has a share of its peak. */
function beside(points: readonly (readonly [number, number])[], share: number, side: -1 | 1): Wanted["places"] {
  const peak = points.reduce((best, point) => (point[1] < best[1] ? point : best));
  const level = UPPER - (UPPER - peak[1]) * share;
  const outer = points.filter(([px, py]) => (px - peak[0]) * side >= 0 && py <= level);
  const at = outer.reduce((best, point) => ((point[0] - best[0]) * side > 0 ? point : best), peak);
  return [{ x: at[0] + side * 9, y: at[1] + 4, anchor: side < 0 ? "end" : "start" }];
}

/** Dotted lines at the limits, with an arrow at the end where r leads to each. */
function limits(frame: Frame, z: Scale, right: number): SVGElement[] {
  return [1, -1].flatMap((side) => {
    const y = z(side * frame.limit);
    const tip = side > 0 ? `M${right - 7} ${y - 4}l6 4l-6 4` : `M${LEFT + 7} ${y - 4}l-6 4l6 4`;
    return [
      s("path", {
        class: "gx-limit",
        d: `M${LEFT} ${y}H${right}`,
        stroke: "var(--ink)",
        "stroke-width": 1.5,
        "stroke-dasharray": "1 4",
        "stroke-linecap": "round",
      }),
      s("path", { d: tip, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }),
    ];
  });
}

function ratioWords({ promise, unit }: DensitiesProps, chosen: GaussianChosen, frame: Frame, x: Scale, z: Scale, elements: SVGElement[]): Wanted[] {
  const { limit } = frame;
  const up = limit >= 0 ? 1 : -1;
  const size = Math.abs(limit);
  const wanted: Wanted[] = [];
  const right = x(frame.high);
  /** Beyond a level at one end of the picture; `outer` stands away from 0. */
  const atEnd = (end: "start" | "end", level: number, outer: boolean): Wanted["places"] => {
    const lift = (level > 0) === outer ? -7 : 15;
    const px = end === "end" ? right - 12 : LEFT + 12;
    return Array.from({ length: Math.ceil((right - LEFT) / STEP) }, (_, k) => k * STEP).map((far) => ({
      x: end === "end" ? px - far : px + far,
      y: z(level) + lift,
      anchor: end,
    }));
  };
  if (chosen.limit) {
    wanted.push({
      key: "limit",
      text: `limit ${leakage(limit)}, never attained`,
      bold: true,
      places: [...atEnd("end", limit, true), ...atEnd("end", limit, false)],
    });
    wanted.push({
      key: "other",
      text: `limit ${leakage(-limit)}`,
      bold: false,
      places: [...atEnd("start", -limit, true), ...atEnd("start", -limit, false)],
    });
    const nearly = chosen.nearly?.[1] ?? Infinity;
    if (nearly < frame.high) {
      const at: [number, number] = [x(nearly), z(ratioAt(frame, nearly))];
      elements.push(s("path", { d: `M${at[0]} ${at[1] - 2}v8`, stroke: "var(--ink)", "stroke-width": 2 }));
      const places = [20, 32].flatMap((dy) =>
        (["middle", "end", "start"] as const).map((anchor) => ({
          x: at[0],
          y: at[1] + up * dy + (up < 0 ? 8 : 0),
          anchor,
        })),
      );
      wanted.push({ key: "nearly", text: "99 % of the limit", bold: false, mark: at, places });
    }
  } else if (size > 0) {
    const from = Math.max(...frame.centres);
    const at: [number, number] = [x(from), z(limit)];
    elements.push(mark("exact", at[0], at[1]));
    // Beside the disc the label would lie on the line of the promise.
    const places: Place[] = [-9, 18].flatMap((dy) =>
      (["end", "start", "middle"] as const).map((anchor) => ({
        x: at[0],
        y: at[1] + up * dy + (up < 0 ? 4 : 0),
        anchor,
      })),
    );
    places.push(...atEnd("end", limit, true));
    wanted.push({
      key: "limit",
      text: `${leakage(size, promise)} attained, r ≥ ${withUnit(tick(Number(from.toFixed(rDecimals(frame)))), clip(unit, 12))}`,
      bold: true,
      places,
    });
  }
  if (promise > 0) {
    const places = [-1, 1].flatMap((sign) =>
      [0, 90, 180].flatMap((far) =>
        [-6, 14].map((dy) => ({ x: right - 12 - far, y: z(sign * promise * up) + dy, anchor: "end" as const })),
      ),
    );
    wanted.push({ key: "promise", text: `promise ±${leakage(promise)}`, bold: false, places });
  }
  return wanted;
}

/** The same numbers for screen readers, over the range drawn. */
function numberTable({ naming, change }: DensitiesProps, chosen: GaussianChosen, frame: Frame): HTMLTableElement {
  const values = valueTexts(chosen, change);
  const name = told(naming, chosen.target, 200);
  const heads = ["r", ...values.map((value) => `density if ${name} is ${value}`), `log ratio, ${leakageUnit()}`];
  const rows = frame.rTicks.map((r) => {
    const cells = [...frame.centres.map((centre) => fixed(density(frame.noise, r - centre), 4)), fixed(ratioAt(frame, r), 3)];
    return h("tr", {}, h("th", { scope: "row" }, tick(r)), ...cells.map((cell) => h("td", {}, cell)));
  });
  return h(
    "table",
    {},
    h("caption", {}, "Densities and log ratio"),
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...rows),
  );
}
