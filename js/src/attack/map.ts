/** One map: what one attack believes before or after the release, with the truth, the guess, friends and noisy centres. */
import { placeLabels, written, type Box, type Place } from "../curves/labels";
import { axisText, polyline } from "../ui/axes";
import { css, magnitude } from "../ui/colours";
import { h, layered, listen, renew, s, setAttr, setAttrs, setText } from "../ui/dom";
import { fixed } from "../ui/format";
import { isModified, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import type { CityState } from "./protocol";
import type { Shown } from "./results";
import { cellName, km } from "./words";

// Where things stand on a map: places of the unit square in px, cells, and the bar of kilometres.

/** A map of one city; x grows to the east, y to the south, px. */
interface MapFrame {
  width: number;
  height: number;
  grid: number;
  /** px of a place in the unit square. */
  x(east: number): number;
  y(north: number): number;
  /** Left and top of a cell, and its size. */
  cell(cell: number): { x: number; y: number };
  cellWidth: number;
  cellHeight: number;
}

/** A map is drawn true to scale between these shapes, height by width. */
const FLATTEST = 0.4;
const TALLEST = 1.3;

export function mapFrame(room: number, [east, north]: readonly [number, number], grid: number): MapFrame {
  const shape = east > 0 && north > 0 ? north / east : 1;
  const ratio = Math.max(FLATTEST, shape);
  const height = Math.round(room * Math.min(TALLEST, ratio));
  const width = Math.round(Math.min(room, Math.max(height / ratio, room * FLATTEST)));
  const cellWidth = width / grid;
  const cellHeight = height / grid;
  return {
    width,
    height,
    grid,
    cellWidth,
    cellHeight,
    x: (place) => place * width,
    y: (place) => (1 - place) * height,
    cell: (cell) => ({ x: (cell % grid) * cellWidth, y: (grid - 1 - Math.floor(cell / grid)) * cellHeight }),
  };
}

/** The cell under a point of the map, or null outside. */
export function cellAt(frame: MapFrame, px: number, py: number): number | null {
  const column = Math.floor(px / frame.cellWidth);
  const row = Math.floor(py / frame.cellHeight);
  const { grid } = frame;
  return column < 0 || row < 0 || column >= grid || row >= grid ? null : (grid - 1 - row) * grid + column;
}

/** The middle of a cell, px. */
function middle(frame: MapFrame, cell: number): { x: number; y: number } {
  const { x, y } = frame.cell(cell);
  return { x: x + frame.cellWidth / 2, y: y + frame.cellHeight / 2 };
}

/** A round length in kilometres that takes about a quarter of a side. */
export function scaleBar(side: number, room: number): { length: number; text: string } {
  // Where all are at one place there is no length to show.
  if (!(side > 0)) return { length: 0, text: "0 m" };
  const wanted = side * 0.3;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const kilometres = ([5, 2, 1].find((step) => step * power <= wanted * (1 + 1e-9)) ?? 1) * power;
  const text = kilometres >= 1 ? `${kilometres.toLocaleString("en")} km` : `${Math.round(kilometres * 1000)} m`;
  return { length: (kilometres / side) * room, text };
}

/** The key a cursor is walked by: the next cell, or null. */
export function walk(cell: number, key: string, grid: number): number | null {
  const [column, row] = [cell % grid, Math.floor(cell / grid)];
  if (key === "ArrowRight") return row * grid + Math.min(grid - 1, column + 1);
  if (key === "ArrowLeft") return row * grid + Math.max(0, column - 1);
  if (key === "ArrowUp") return Math.min(grid - 1, row + 1) * grid + column;
  if (key === "ArrowDown") return Math.max(0, row - 1) * grid + column;
  if (key === "Home") return row * grid;
  if (key === "End") return row * grid + grid - 1;
  if (key === "PageUp") return (grid - 1) * grid + column;
  if (key === "PageDown") return column;
  return null;
}

/** A straight piece as a path. */
const straight = (x1: number, y1: number, x2: number, y2: number): string => polyline([[x1, y1], [x2, y2]]);

// The cells of a map as few paths: those of one shade are one path, so that a drag redraws some dozens of elements.

/** Shades of the scale; finer ones are not told apart. */
const SHADES = 40;

/** Ends of the scale. */
const TOPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** Where the colours of all maps end: the least round end that is not below the largest probability. */
export function scaleEnd(beliefs: readonly ArrayLike<number>[]): number {
  let most = 0;
  for (const belief of beliefs) for (let k = 0; k < belief.length; k++) if ((belief[k] as number) > most) most = belief[k] as number;
  return TOPS.find((end) => most <= end * (1 + 1e-9)) ?? 1;
}

/** The place of a probability on the square-root scale, 0 to 1. */
export function onScale(probability: number, end: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, probability / end)));
}

export function shade(share: number, dark: boolean): string {
  return css(magnitude(share, dark));
}

/** A cell without prior stays blank. */
function drawCells(belief: ArrayLike<number>, prior: ArrayLike<number>, frame: MapFrame, end: number, dark: boolean): SVGElement[] {
  const [w, h] = [frame.cellWidth - 1, frame.cellHeight - 1];
  const paths = new Map<number, string>();
  let bars = "";
  for (let cell = 0; cell < prior.length; cell++) {
    if (!((prior[cell] as number) > 0)) continue;
    const { x, y } = frame.cell(cell);
    const share = onScale(belief[cell] as number, end);
    const step = Math.round(share * SHADES);
    const at = `M${(x + 0.5).toFixed(1)} ${(y + 0.5).toFixed(1)}`;
    paths.set(step, `${paths.get(step) ?? ""}${at}h${w.toFixed(1)}v${h.toFixed(1)}h-${w.toFixed(1)}z`);
    if (share > 0.02) bars += `M${(x + 1.5).toFixed(1)} ${(y + frame.cellHeight - 2.5).toFixed(1)}h${(share * (w - 2)).toFixed(1)}`;
  }
  const cells = [...paths].sort(([a], [b]) => a - b).map(([step, d]) => s("path", { class: "ax-cells", d, fill: shade(step / SHADES, dark) }));
  // Where colours are the reader's own, amount is the length of a bar.
  return [...cells, s("path", { class: "ax-cell-bars", d: bars, fill: "none" })];
}

// The marks on a map: truth, guess, friend and noisy centre, each with a rim of background.

/** A cross-hair ring. */
export function truthMark(x: number, y: number, size = 1): SVGElement {
  const r = 9 * size;
  const [out, arm] = [r + 4 * size, 8 * size];
  const d = `M${x - out} ${y}h${arm}M${x + out - arm} ${y}h${arm}M${x} ${y - out}v${arm}M${x} ${y + out - arm}v${arm}`;
  return s(
    "g",
    { class: "ax-truth" },
    s("circle", { cx: x, cy: y, r, fill: "none", stroke: "var(--bg)", "stroke-width": 4 * size }),
    s("circle", { cx: x, cy: y, r, fill: "none", stroke: "var(--ink)", "stroke-width": 2 }),
    s("path", { d, fill: "none", stroke: "var(--ink)", "stroke-width": 2 }),
  );
}

/** A square in the colour of the host. */
export function guessMark(x: number, y: number, side = 16): SVGElement {
  const at = { x: x - side / 2, y: y - side / 2, width: side, height: side, fill: "none" };
  return s(
    "g",
    { class: "ax-guess" },
    s("rect", { ...at, stroke: "var(--bg)", "stroke-width": 5 }),
    s("rect", { ...at, stroke: "var(--brand)", "stroke-width": 2.5 }),
  );
}

/** A triangle. */
export function friendMark(x: number, y: number, size = 1): SVGElement {
  return s("path", {
    class: "ax-friend",
    d: `M${x.toFixed(1)} ${(y - 5 * size).toFixed(1)}l${4.8 * size} ${8.4 * size}h${-9.6 * size}z`,
    fill: "var(--bg)",
    stroke: "var(--ink)",
    "stroke-width": 1.5,
    "stroke-linejoin": "round",
  });
}

/** A plus. */
export function centreMark(x: number, y: number): SVGElement {
  const d = `M${(x - 4).toFixed(1)} ${y.toFixed(1)}h8M${x.toFixed(1)} ${(y - 4).toFixed(1)}v8`;
  return s("g", { class: "ax-centre" }, s("path", { d, stroke: "var(--bg)", "stroke-width": 4 }), s("path", { d, stroke: "var(--est)", "stroke-width": 2 }));
}

export interface MapProps {
  city: CityState;
  shown: Shown | null;
  /** Largest probability of the scale. */
  end: number;
  dark: boolean;
  /** The beliefs are those of something else. */
  busy: boolean;
  width: number;
  /** The cell whose numbers are read out, on all maps. */
  cursor: number | null;
}

export interface BeliefMap {
  readonly el: HTMLElement;
  update(props: MapProps): void;
}

/** Nearer than this the guess needs no line to the truth, px. */
const NEAR = 18;
/** Of more friends than this each is drawn smaller and its reach paler: the cells below are to be seen. */
const CROWD = 24;

/** Of a mark at the rim, px. */
const RIM = 6;

let maps = 0;

/** Which of the maps. */
interface Which {
  attack: 0 | 1;
  after: boolean;
  /** Name of what the picture is cut by. */
  clip: string;
}

/** `attack` 0 or 1; `after` the release, or before it. `onCursor` hears the cell that is pointed at or walked to. */
export function createMap(attack: 0 | 1, after: boolean, initial: MapProps, onCursor: (cell: number | null) => void): BeliefMap {
  maps += 1;
  const which = { attack, after, clip: `ax-map-${maps}-${Math.random().toString(36).slice(2, 8)}` };
  let props = initial;
  let frame = mapFrame(initial.width, initial.city.size, initial.city.grid);
  const words = h("span");
  const [bar] = layered({ class: "ax-bar", height: 18, "aria-hidden": "true" });
  // The bar of kilometres stands beside the words: on the map it would lie on cells.
  const caption = h("div", { class: "small ax-map-caption" }, words, bar);
  const map = { class: "ax-map", role: "group", tabindex: 0, "aria-roledescription": "map" };
  const [svg, cells, marks, cursor] = layered(map, {}, {}, { class: "ax-cursor" });
  const el = h("div", { class: "ax-map-frame", "data-after": after }, caption, svg);

  const at = (event: PointerEvent): number | null => cellAt(frame, ...placeIn(svg, event, frame.width));
  listen(svg, "pointermove", (event) => onCursor(at(event)));
  listen(svg, "pointerdown", (event) => onCursor(at(event)));
  listen(svg, "pointerleave", (event) => event.pointerType === "mouse" && onCursor(null));
  listen(svg, "keydown", (event) => {
    if (isModified(event) || !props.shown) return;
    if (event.key === "Escape" && props.cursor !== null) {
      event.preventDefault();
      return onCursor(null);
    }
    const next = walk(props.cursor ?? guessOf(which, props.shown), event.key, frame.grid);
    if (next === null) return;
    event.preventDefault();
    onCursor(next);
  });

  function draw(): void {
    const { city, shown, busy, width } = props;
    frame = mapFrame(width, city.size, city.grid);
    setAttrs(svg, { width: frame.width, height: frame.height, viewBox: `0 0 ${frame.width} ${frame.height}` });
    setAttr(svg, "data-old", busy);
    const state = shown?.attacks[attack];
    const entropy = state ? fixed(state.entropy[after ? 1 : 0], 2) : "…";
    const { length, text } = scaleBar(city.size[0], frame.width);
    setAttrs(bar, { width: barLeft(text) + length + 1 });
    renew(bar, ...drawBar(text, length));
    setText(words, `${after ? "after the release" : "before: prior"}, H = ${busy ? "…" : entropy} bits`);
    setAttr(svg, "aria-label", said(which, props));
    renew(cells, ...drawGround(which, props, frame));
    renew(marks, ...drawMarks(which, props, frame));
    renew(cursor, ...drawCursor(shown && props.cursor, frame));
  }

  draw();
  return {
    el,
    update(next) {
      const before = props;
      props = next;
      const moved = next.cursor !== before.cursor;
      const same = (Object.keys(next) as (keyof MapProps)[]).every((name) => name === "cursor" || Object.is(next[name], before[name]));
      if (!same) draw();
      else if (moved && next.shown) renew(cursor, ...drawCursor(next.cursor, frame));
    },
  };
}

function guessOf({ attack, after }: Which, shown: Shown): number {
  const state = shown.attacks[attack];
  return after ? state.after : state.before;
}

function said(which: Which, { shown, city, busy }: MapProps): string {
  const name = `Attack ${which.attack + 1}, ${which.after ? "after the release" : "before it"}`;
  const state = shown?.attacks[which.attack];
  if (!shown || !state) return `${name}: nothing to show yet`;
  if (busy) return `${name}: being computed`;
  return `${name}: the guess is cell ${cellName(guessOf(which, shown), city.grid)}, ${km(state.error[which.after ? 1 : 0])} km ` +
    "from the truth. Walk the cells with the arrow keys.";
}

function drawGround({ attack, after }: Which, { shown, end, dark }: MapProps, frame: MapFrame): SVGElement[] {
  const outline = s("rect", { x: 0.5, y: 0.5, width: frame.width - 1, height: frame.height - 1, fill: "none", stroke: "var(--line2)" });
  const state = shown?.attacks[attack];
  return state ? [outline, ...drawCells(after ? state.posterior : state.prior, state.prior, frame, end, dark)] : [outline];
}

function drawMarks(which: Which, { city, shown, busy }: MapProps, frame: MapFrame): SVGElement[] {
  const { attack, after, clip } = which;
  const state = shown?.attacks[attack];
  if (!shown || !state) return [axisText(frame.width / 2, frame.height / 2, "nothing to show yet", { "text-anchor": "middle" })];
  const out: SVGElement[] = [];
  const boxes: Box[] = [];
  const around = (x: number, y: number, r: number): number => boxes.push({ x0: x - r, y0: y - r, x1: x + r, y1: y + r });
  const place = ([east, north]: readonly [number, number]): [number, number] => [frame.x(east), frame.y(north)];
  const friends = attack === 1 ? shown.friends.map(place) : [];
  const crowd = friends.length > CROWD;
  if (!after && friends.length > 0) {
    const reach = s("g", { "clip-path": `url(#${clip})`, class: "ax-reach", opacity: crowd ? 0.35 : null });
    for (const [cx, cy] of friends)
      reach.append(
        s("ellipse", {
          cx,
          cy,
          rx: city.radius * frame.width,
          ry: city.radius * frame.height,
          fill: "none",
          stroke: "var(--ink2)",
          "stroke-dasharray": "1 3",
          "stroke-linecap": "round",
        }),
      );
    out.push(s("clipPath", { id: clip }, s("rect", { width: frame.width, height: frame.height })), reach);
  }
  for (const [x, y] of friends) {
    out.push(friendMark(x, y, crowd ? 0.7 : 1));
    around(x, y, crowd ? 3.5 : 5);
  }
  if (after) {
    for (const [east, north] of shown.centres) {
      // Noise may carry a centre off the map: it stands at the rim.
      const [x, y] = [inside(frame.x(east), frame.width), inside(frame.y(north), frame.height)];
      out.push(centreMark(x, y));
      around(x, y, 4);
    }
  }
  const [tx, ty] = place(shown.truth);
  const { x: gx, y: gy } = middle(frame, guessOf(which, shown));
  const far = Math.hypot(tx - gx, ty - gy) > NEAR;
  if (far) {
    const d = straight(gx, gy, tx, ty);
    out.push(
      s("path", { d, stroke: "var(--bg)", "stroke-width": 4, fill: "none" }),
      s("path", { d, stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "5 3", fill: "none" }),
    );
  }
  out.push(guessMark(gx, gy), truthMark(tx, ty));
  boxes.push({ x0: tx - 12, y0: ty - 12, x1: tx + 12, y1: ty + 12 }, { x0: gx - 9, y0: gy - 9, x1: gx + 9, y1: gy + 9 });
  const wanted = [{ key: "error", text: `${busy ? "…" : km(state.error[after ? 1 : 0])} km`, bold: true, places: labelPlaces(tx, ty, gx, gy, far) }];
  const within = { x0: 2, y0: 2, x1: frame.width - 2, y1: frame.height - 2 };
  const lines = far ? [[[gx, gy], [tx, ty]] as [number, number][]] : [];
  const filled = Array.from(state.prior, (p, cell) => ({ p, ...frame.cell(cell) })).filter(({ p }) => p > 0);
  const cells = filled.map(({ x, y }) => ({ x0: x, y0: y, x1: x + frame.cellWidth, y1: y + frame.cellHeight }));
  const free = placeLabels(wanted, { curves: lines, verticals: [], boxes: [...boxes, ...cells], frame: within }).places;
  // Where everything is full it may lie on cells, then on marks, but not on the truth and the guess.
  const tries = [boxes, boxes.slice(-2), []].map(
    (kept, k) => () =>
      placeLabels(wanted, { curves: k === 0 ? lines : [], verticals: [], boxes: kept, frame: within }).places,
  );
  const places = tries.reduce((found, next) => (found.get("error") ? found : next()), free);
  out.push(...written(wanted, places, {}));
  return out;
}

/** Where the bar of kilometres begins beside its length, px. */
function barLeft(text: string): number {
  return textWidth(text) + 6;
}

function drawBar(text: string, length: number): SVGElement[] {
  const d = `M${barLeft(text)} 9v4h${length.toFixed(1)}v-4`;
  return [axisText(0, 13, text), s("path", { d, fill: "none", stroke: "var(--ink2)", "stroke-width": 1.5 })];
}

function drawCursor(cell: number | null, frame: MapFrame): SVGElement[] {
  if (cell === null || cell >= frame.grid * frame.grid) return [];
  const { x, y } = frame.cell(cell);
  const box = { x: x + 0.5, y: y + 0.5, width: frame.cellWidth - 1, height: frame.cellHeight - 1, fill: "none" };
  return [s("rect", { ...box, stroke: "var(--bg)", "stroke-width": 4 }), s("rect", { ...box, stroke: "var(--ink)", "stroke-width": 2 })];
}

/** The nearest place where a whole mark is seen. */
function inside(at: number, side: number): number {
  return Math.min(side - RIM, Math.max(RIM, at));
}

/** Beside the line at its middle, else beside the truth or the guess. */
function labelPlaces(tx: number, ty: number, gx: number, gy: number, far: boolean): Place[] {
  const beside = (x: number, y: number, gap: number): Place[] => [
    { x: x + gap, y: y + 4, anchor: "start" },
    { x: x - gap, y: y + 4, anchor: "end" },
    { x, y: y - gap, anchor: "middle" },
    { x, y: y + gap + 8, anchor: "middle" },
    { x: x + gap, y: y - gap, anchor: "start" },
    { x: x - gap, y: y - gap, anchor: "end" },
    { x: x + gap, y: y + gap + 4, anchor: "start" },
    { x: x - gap, y: y + gap + 4, anchor: "end" },
  ];
  if (!far) return [...beside(tx, ty, 18), ...beside(tx, ty, 30)];
  const on = (share: number, gap = 12): Place[] => beside(tx + share * (gx - tx), ty + share * (gy - ty), gap);
  const further = [22, 32, 44, 56].flatMap((gap) => [0.5, 0.35, 0.65, 0.2, 0.8].flatMap((share) => on(share, gap)));
  return [...on(0.5), ...on(0.4), ...on(0.6), ...beside(tx, ty, 18), ...beside(gx, gy, 16), ...on(0.25), ...on(0.75), ...further];
}
