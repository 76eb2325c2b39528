/** The marks of a declared series: its look, and its lines, bands, dots, intervals and boxes in the px of a plot. */
import { polyline, type Scale } from "../ui/axes";
import { s, type Attrs } from "../ui/dom";
import { type Colour, type Points, type Series, type Shape } from "./declared";

export type Point = readonly [x: number, y: number];

/** How a series is told from others: in grey too. */
export interface Look {
  colour: string;
  dashes: string | null;
  shape: Shape;
}

const COLOURS: readonly Colour[] = ["a", "b", "c", "d"];
const SHAPES: readonly Shape[] = ["disc", "ring", "diamond", "triangle", "cross"];
const PATTERNS: readonly (string | null)[] = [null, "8 3", "2 2.5", "9 2.5 2 2.5", "14 4", "5 2 1.5 2 1.5 2"];
const SAID = { solid: null, dashed: "6 3", dotted: "1.5 2.5" };
/** A promise is dashed wherever it is drawn. */
export const PROMISED = "4 3";

/** The looks of all series: what is not declared is the next of its kind that nobody has. */
export function looksOf(series: readonly Series[]): Look[] {
  const free = COLOURS.filter((colour) => !series.some((one) => one.colour === colour));
  const colours = free.length > 0 ? free : COLOURS;
  const patterns = PATTERNS.filter((pattern) => pattern !== null || !series.some((one) => one.dashes === "solid"));
  const shapes = SHAPES.filter((shape) => !series.some((one) => one.shape === shape));
  const next = { colour: 0, pattern: 0, shape: 0 };
  return series.map(({ mark, colour, dashes, shape }) => ({
    colour: `var(--${colour ?? colours[next.colour++ % colours.length]})`,
    dashes:
      mark === "dots" ? null : dashes ? SAID[dashes] : colour === "promise" ? PROMISED : (patterns[next.pattern++ % patterns.length] ?? null),
    shape: shape ?? (mark === "dots" ? (shapes[next.shape++ % shapes.length] ?? "disc") : "disc"),
  }));
}

/** How much areas hide of what lies below. */
const PALE = 0.16;

/** A plot: its scales and its size, px; its own corner is at 0, 0. */
export interface Plot {
  x: Scale;
  y: Scale;
  width: number;
  height: number;
  /** Names stand down the side: what dots lie between is along x. */
  rows: boolean;
}

/** What a series draws: areas lie below all lines, and lines below all dots. */
export interface Drawn {
  areas: SVGElement[];
  lines: SVGElement[];
  dots: SVGElement[];
  /** Where no text may stand. */
  taken: Point[][];
}

/** How far from a plot a place is kept, px: renderers round larger ones. */
const FAR = 1e6;
const near = (place: number): number => Math.max(-FAR, Math.min(FAR, place));
const within = (place: number, length: number): number => Math.max(0, Math.min(length, place));
const isIn = ([x, y]: Point, { width, height }: Plot): boolean => x >= -0.5 && x <= width + 0.5 && y >= -0.5 && y <= height + 0.5;

export function drawn(series: Points, look: Look, plot: Plot): Drawn {
  const out: Drawn = { areas: [], lines: [], dots: [], taken: [] };
  if (series.mark === "boxes") boxes(series, look, plot, out);
  else if (series.mark === "line") line(series, look, plot, out);
  else dots(series, look, plot, out);
  return out;
}

/** The places of points; NaN where one has no place, infinite beyond an end. */
export function placesOf(x: readonly number[], y: readonly number[], plot: Plot): Point[] {
  return x.map((value, k) => [plot.x(value), plot.y(y[k] ?? NaN)]);
}

const isNone = (value: number | undefined): boolean => value === undefined || Number.isNaN(value);
const isFinitePoint = ([x, y]: Point): boolean => Number.isFinite(x) && Number.isFinite(y);

/** What px show of a line: the first, lowest, highest and last of the points in a column of px; gaps stay. */
export function thinned(points: readonly Point[]): Point[] {
  const out: Point[] = [];
  let column = NaN;
  let [first, low, high, last] = [0, 0, 0, 0];
  const close = (): void => {
    if (Number.isNaN(column)) return;
    let before = -1;
    for (const at of [first, Math.min(low, high), Math.max(low, high), last]) {
      if (at > before) out.push(points[at] as Point);
      before = at;
    }
    column = NaN;
  };
  points.forEach((point, k) => {
    if (!isFinitePoint(point)) {
      close();
      if (out.length > 0 && isFinitePoint(out[out.length - 1] as Point)) out.push([NaN, NaN]);
      return;
    }
    const at = Math.floor(point[0]);
    if (at !== column) {
      close();
      column = at;
      first = low = high = k;
    }
    last = k;
    if (point[1] > (points[low] as Point)[1]) low = k;
    if (point[1] < (points[high] as Point)[1]) high = k;
  });
  close();
  return out;
}

/** The part of a line inside a plot, or null. */
function segment([ax, ay]: Point, [bx, by]: Point, { width, height }: Plot): [Point, Point] | null {
  let [from, to] = [0, 1];
  for (const [start, step, end] of [[ax, bx - ax, width], [ay, by - ay, height]] as const) {
    if (step === 0) {
      if (start < 0 || start > end) return null;
      continue;
    }
    const [one, other] = [-start / step, (end - start) / step];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  if (from > to) return null;
  const at = (share: number): Point => [ax + share * (bx - ax), ay + share * (by - ay)];
  return [from === 0 ? [ax, ay] : at(from), to === 1 ? [bx, by] : at(to)];
}

/** A line cut at the ends of a plot: pieces, each of which is a point alone or more. */
export function pieces(points: readonly Point[], plot: Plot): Point[][] {
  const out: Point[][] = [];
  let open = false;
  points.forEach((given, k) => {
    const point: Point = [near(given[0]), near(given[1])];
    const last = points[k - 1];
    if (!isFinitePoint(given)) return void (open = false);
    if (!last || !isFinitePoint(last)) {
      open = isIn(point, plot);
      if (open) out.push([point]);
      return;
    }
    const part = segment([near(last[0]), near(last[1])], point, plot);
    if (!part) return void (open = false);
    if (open) out[out.length - 1]?.push(part[1]);
    else out.push(part);
    open = isIn(point, plot);
  });
  return out;
}

/** An area cut at the ends of a plot. */
export function cutArea(corners: readonly Point[], { width, height }: Plot): Point[] {
  let left = corners.map(([x, y]): Point => [near(x), near(y)]);
  for (const [axis, end, sign] of [[0, 0, 1], [0, width, -1], [1, 0, 1], [1, height, -1]] as const) {
    const room = (point: Point): number => sign * (point[axis] - end);
    left = left.flatMap((point, k, all) => {
      const before = all[(k + all.length - 1) % all.length] as Point;
      const [now, then] = [room(point), room(before)];
      const kept = now >= 0 ? [point] : [];
      if (now >= 0 === then >= 0) return kept;
      const share = then / (then - now);
      const crossing: Point = [before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])];
      return [crossing, ...kept];
    });
  }
  return left;
}

function line(series: Points, look: Look, plot: Plot, out: Drawn): void {
  const { x, y } = series;
  if (series.low || series.high) band(series, look, plot, out);
  const places = placesOf(x, y, plot);
  const cut = pieces(thinned(places), plot);
  const lines = cut.filter((piece) => piece.length > 1);
  if (lines.length > 0) out.lines.push(s("path", { d: lines.map(polyline).join(""), ...strokeOf(look) }));
  for (const [point] of cut.filter((piece) => piece.length === 1)) out.dots.push(shaped("disc", point as Point, 2.5, look));
  // Of what is infinite from one place on, the first and the last.
  const beyond = (k: number): boolean => Number.isFinite(x[k]) && Math.abs(y[k] ?? 0) === Infinity;
  beyondEnds(places.filter((_, k) => beyond(k) && !(beyond(k - 1) && beyond(k + 1))), look, plot, out);
  out.taken.push(...lines);
}

function strokeOf({ colour, dashes }: Look): Attrs {
  return { fill: "none", stroke: colour, "stroke-width": 2, "stroke-linejoin": "round", "stroke-dasharray": dashes };
}

/** The band between low and high, broken where one of them is no number. */
function band(series: Points, look: Look, plot: Plot, out: Drawn): void {
  const { x, low, high } = { ...series, low: series.low ?? series.y, high: series.high ?? series.y };
  const side = (edge: readonly number[]): Point[] =>
    placesOf(x, edge, plot).map(([across, up], k) => (isNone(low[k]) || isNone(high[k]) ? [NaN, NaN] : [across, near(up)]));
  const [under, over] = [low, high].map((edge) => runs(side(edge)));
  const whole = (under ?? []).map((run, k) => [...thinned(over?.[k] ?? []), ...thinned(run).reverse()]);
  const areas = whole.map((area) => cutArea(area, plot)).filter((area) => area.length > 2);
  if (areas.length > 0) out.areas.push(s("path", { d: areas.map((area) => `${polyline(area)}z`).join(""), fill: look.colour, "fill-opacity": PALE }));
}

function runs(points: readonly Point[]): Point[][] {
  const out: Point[][] = [[]];
  for (const point of points) {
    if (isFinitePoint(point)) out[out.length - 1]?.push(point);
    else out.push([]);
  }
  return out;
}

/** Arrowheads at the edge where something lies at infinity. */
function beyondEnds(places: readonly Point[], { colour }: Look, { width, height }: Plot, out: Drawn): void {
  const d = places
    .filter(([x, y]) => Number.isFinite(x) !== Number.isFinite(y) && !Number.isNaN(x + y))
    .map(([x, y]) => {
      const [px, py, sign] = [within(x, width), within(y, height), x + y > 0 ? 1 : -1];
      if (Number.isFinite(x)) return `M${px - 4} ${py - sign * 6}L${px} ${py}L${px + 4} ${py - sign * 6}`;
      return `M${px - sign * 6} ${py - 4}L${px} ${py}L${px - sign * 6} ${py + 4}`;
    });
  if (d.length > 0) out.dots.push(s("path", { d: d.join(""), fill: "none", stroke: colour, "stroke-width": 2 }));
}

/** More dots than this are small marks of one path. */
const MANY = 4000;
const SMALL: Record<Shape, string> = { disc: "h0", ring: "h3", diamond: "v3", triangle: "h2v2", cross: "l2 2" };
const RADIUS = 3.5;

/** The radius of a dot, px: areas are compared by eye, so the smallest are as small as they are. */
export function radiusOf({ sizes }: Series, k: number): number {
  const size = Number(sizes?.[k] ?? RADIUS);
  return Number.isFinite(size) ? Math.max(0, Math.min(40, size)) : RADIUS;
}

function dots(series: Points, look: Look, plot: Plot, out: Drawn): void {
  const places = placesOf(series.x, series.y, plot);
  if (series.low || series.high) intervals(series, look, plot, out);
  beyondEnds(places, look, plot, out);
  const all = places.map((point, k) => ({ point, r: radiusOf(series, k) }));
  const shown = all.filter(({ point, r }) => r > 0 && isFinitePoint(point) && isIn(point, plot));
  if (shown.length > MANY) {
    const seen = new Set(shown.map(({ point: [x, y] }) => `M${Math.round(x)} ${Math.round(y)}${SMALL[look.shape]}`));
    const stroke = { stroke: look.colour, "stroke-width": look.shape === "disc" ? 3 : 1.2, "stroke-linecap": "round" };
    out.dots.push(s("path", { d: [...seen].join(""), fill: "none", ...stroke }));
    return;
  }
  for (const { point, r } of shown) {
    const [x, y] = point;
    out.dots.push(shaped(look.shape, point, r, look));
    // Back and forth, as long as what a text may not cross.
    out.taken.push([[x - r, y], [x + r, y], [x, y - r], [x, y + r], [x - r, y], [x + r, y], [x - r, y]]);
  }
}

function intervals(series: Points, { colour }: Look, plot: Plot, out: Drawn): void {
  const [along, across, length, breadth] = plot.rows
    ? ([plot.x, plot.y, plot.width, plot.height] as const)
    : ([plot.y, plot.x, plot.height, plot.width] as const);
  const [values, places] = plot.rows ? [series.x, series.y] : [series.y, series.x];
  const at = (along: number, across: number): string => (plot.rows ? [along, across] : [across, along]).map((one) => one.toFixed(1)).join(" ");
  const [stroke, cap] = plot.rows ? ["H", "v"] : ["V", "h"];
  let d = "";
  places.forEach((given, k) => {
    const place = across(given);
    const [bottom, top] = [series.low ?? values, series.high ?? values].map((edge) => along(edge[k] ?? NaN)) as [number, number];
    if (isNone(bottom) || isNone(top) || !(place >= -0.5 && place <= breadth + 0.5)) return;
    const [from, to] = [within(bottom, length), within(top, length)];
    if (from === to && (bottom < 0 || bottom > length)) return;
    d += `M${at(from, place)}${stroke}${to.toFixed(1)}`;
    // No cap where the interval goes on beyond the edge.
    for (const [end, shown] of [[bottom, from], [top, to]] as const) if (end === shown) d += `M${at(shown, place - 3)}${cap}6`;
    out.taken.push(plot.rows ? [[from, place], [to, place]] : [[place, from], [place, to]]);
  });
  if (d) out.lines.push(s("path", { d, fill: "none", stroke: colour, "stroke-width": 1.5 }));
}

/** A dot: its shape says which series it is of. */
export function shaped(shape: Shape, [x, y]: Point, r: number, { colour }: Look): SVGElement {
  // Only discs are full, and others a little larger: two at one place are both seen.
  const open = { fill: "none", stroke: colour, "stroke-width": 1.8 };
  const reach = shape === "cross" ? r : r + 1.5;
  const [left, right, top, bottom] = [x - reach, x + reach, y - reach, y + reach].map((place) => Number(place.toFixed(1)));
  switch (shape) {
    case "ring":
      return s("circle", { cx: x, cy: y, r: r + 1, ...open });
    case "diamond":
      return s("path", { d: `M${x.toFixed(1)} ${top}L${right} ${y.toFixed(1)}L${x.toFixed(1)} ${bottom}L${left} ${y.toFixed(1)}Z`, ...open });
    case "triangle":
      return s("path", { d: `M${x.toFixed(1)} ${top}L${right} ${bottom}H${left}Z`, ...open });
    case "cross":
      return s("path", { d: `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`, ...open });
    default:
      return s("circle", { cx: x, cy: y, r, fill: colour });
  }
}

/** A box on a plot, px; null where it lies outside. */
export function boxesOf(series: Points, plot: Plot): ({ x0: number; x1: number; y0: number; y1: number } | null)[] {
  const { x, y, corners } = series;
  const [across, up] = corners ?? [x, y];
  return x.map((value, k) => {
    const [ax, bx] = [plot.x(value), plot.x(across[k] ?? NaN)];
    const [ay, by] = [plot.y(y[k] ?? NaN), plot.y(up[k] ?? NaN)];
    const [x0, x1, y0, y1] = [Math.min(ax, bx), Math.max(ax, bx), Math.min(ay, by), Math.max(ay, by)];
    if (!(x1 >= 0 && x0 <= plot.width && y1 >= 0 && y0 <= plot.height)) return null;
    return { x0: within(x0, plot.width), x1: within(x1, plot.width), y0: within(y0, plot.height), y1: within(y1, plot.height) };
  });
}

/** What is one value alone is seen as a bar, px. */
const THIN = 3;

function boxes(series: Points, look: Look, plot: Plot, out: Drawn): void {
  let d = "";
  for (const box of boxesOf(series, plot)) {
    if (!box) continue;
    const [wide, tall] = [Math.max(THIN, box.x1 - box.x0), Math.max(THIN, box.y1 - box.y0)];
    const [left, top] = [(box.x0 + box.x1 - wide) / 2, (box.y0 + box.y1 - tall) / 2];
    d += `M${left.toFixed(1)} ${top.toFixed(1)}h${wide.toFixed(1)}v${tall.toFixed(1)}h${(-wide).toFixed(1)}z`;
  }
  if (!d) return;
  out.areas.push(s("path", { d, fill: look.colour, "fill-opacity": PALE }));
  out.areas.push(s("path", { d, ...strokeOf(look), "stroke-width": 1.5 }));
}

/** A piece of the mark of a series, 26 px wide, to stand in a key. */
export function sample({ mark, low, high }: Series, look: Look): SVGElement {
  const ranges = Boolean(low || high);
  const stroke = strokeOf(look);
  const area = { fill: look.colour, "fill-opacity": PALE };
  if (mark === "dots") {
    const interval = s("path", { d: "M13 -6V6M10 -6h6M10 6h6", ...stroke, "stroke-width": 1.5 });
    return s("g", {}, ranges && interval, shaped(look.shape, [13, 0], RADIUS, look));
  }
  const box = "M2 -5h22v10h-22z";
  if (mark === "boxes") return s("g", {}, s("path", { d: box, ...area }), s("path", { d: box, ...stroke, "stroke-width": 1.5 }));
  return s("g", {}, ranges && s("path", { d: "M0 -5h26v10h-26z", ...area }), s("path", { d: "M0 0H26", ...stroke }));
}
