/** Places labels near curves so that they avoid each other, the curves and the handle. */
import { HALO } from "../ui/axes";
import { text } from "../ui/dom";
import { textWidth } from "../ui/lettering";

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface Place {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

export interface Wanted {
  key: string;
  text: string;
  bold: boolean;
  /** In the order in which they would be liked. */
  places: Place[];
  /** The mark whose number this is, px: it never stands nearer to the mark of another. */
  mark?: readonly [number, number];
}

export interface Obstacles {
  /** Curves in pixels. */
  curves: readonly (readonly (readonly [number, number])[])[];
  /** x of vertical lines, such as the handle. */
  verticals: readonly number[];
  boxes: readonly Box[];
  frame: Box;
}

const ASCENT = 9;
const DESCENT = 3;

export function boxOf(place: Place, width: number): Box {
  const x0 = place.anchor === "start" ? place.x : place.anchor === "end" ? place.x - width : place.x - width / 2;
  return { x0, x1: x0 + width, y0: place.y - ASCENT, y1: place.y + DESCENT };
}

/** Two labels in one line are read as one unless there is room between them. */
const BESIDE = 12;
const BELOW = 2;

const meet = (a: Box, b: Box): boolean => a.x0 < b.x1 + BESIDE && b.x0 < a.x1 + BESIDE && a.y0 < b.y1 + BELOW && b.y0 < a.y1 + BELOW;

/** Length in px of a curve inside the box: how much of the text would be struck through. */
function crossing(box: Box, curve: readonly (readonly [number, number])[]): number {
  let inside = 0;
  for (let k = 1; k < curve.length; k++) {
    const [ax, ay] = curve[k - 1] as readonly [number, number];
    const [bx, by] = curve[k] as readonly [number, number];
    if (Math.max(ax, bx) < box.x0 || Math.min(ax, bx) > box.x1) continue;
    if (Math.max(ay, by) < box.y0 || Math.min(ay, by) > box.y1) continue;
    const length = Math.hypot(bx - ax, by - ay);
    const steps = Math.max(1, Math.ceil(length / 2));
    for (let i = 0; i < steps; i++) {
      const x = ax + ((bx - ax) * (i + 0.5)) / steps;
      const y = ay + ((by - ay) * (i + 0.5)) / steps;
      if (x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1) inside += length / steps;
    }
  }
  return inside;
}

/** How far a mark is from a text, px. */
export function away([x, y]: readonly [number, number], { x0, y0, x1, y1 }: Box): number {
  return Math.hypot(Math.max(x0 - x, 0, x - x1), Math.max(y0 - y, 0, y - y1));
}

/** Nearer than this, px, two marks are one for the eye. */
const SAME = 0.5;

/** Whether a reader would take the text for that of another mark. */
function astray({ mark }: Wanted, box: Box, marks: readonly (readonly [number, number])[]): boolean {
  if (!mark) return false;
  const own = away(mark, box);
  return marks.some((other) => Math.hypot(other[0] - mark[0], other[1] - mark[1]) > SAME && away(other, box) <= own);
}

export interface Placed {
  /** key -> place; null when no place was free: then the label belongs into the caption. */
  places: Map<string, Place | null>;
}

/** A short brush with a curve is readable thanks to the rim; more is not. */
const TOLERATED = 14;

export function placeLabels(wanted: readonly Wanted[], obstacles: Obstacles): Placed {
  const taken: Box[] = [...obstacles.boxes];
  const places = new Map<string, Place | null>();
  const marks = wanted.flatMap(({ mark }) => (mark ? [mark] : []));
  for (const label of wanted) {
    const width = textWidth(label.text, 11, label.bold);
    let best: { place: Place; box: Box; cost: number } | null = null;
    for (const place of label.places) {
      const box = boxOf(place, width);
      const { frame } = obstacles;
      if (box.x0 < frame.x0 || box.x1 > frame.x1 || box.y0 < frame.y0 || box.y1 > frame.y1) continue;
      if (taken.some((b) => meet(box, b))) continue;
      if (obstacles.verticals.some((x) => x > box.x0 - 3 && x < box.x1 + 3)) continue;
      if (astray(label, box, marks)) continue;
      const cost = obstacles.curves.reduce((sum, c) => sum + crossing(box, c), 0);
      if (best === null || cost < best.cost - 1e-9) best = { place, box, cost };
      if (cost === 0) break;
    }
    if (best && best.cost > TOLERATED) best = null;
    if (best) taken.push(best.box);
    places.set(label.key, best?.place ?? null);
  }
  return { places };
}

/** Places around a point, nearest first: the usual wish list of a label. */
export function around(x: number, y: number, gap = 10): Place[] {
  const out: Place[] = [];
  for (const lift of [0, 12, 24]) {
    out.push(
      { x: x - gap, y: y + 4 - lift, anchor: "end" },
      { x: x + gap, y: y + 4 - lift, anchor: "start" },
      { x, y: y - 8 - lift, anchor: "middle" },
      { x: x + gap, y: y - 8 - lift, anchor: "start" },
      { x: x - gap, y: y - 8 - lift, anchor: "end" },
    );
  }
  return out;
}

/** The labels that found a place; in ink where no other colour is given for their key. */
export function written(wanted: readonly Wanted[], places: ReadonlyMap<string, Place | null>, colours: Readonly<Record<string, string>>): SVGTextElement[] {
  return wanted.flatMap(({ key, text: content, bold }) => {
    const place = places.get(key);
    if (!place) return [];
    const look = { ...HALO, "text-anchor": place.anchor, "font-weight": bold ? 600 : 400, style: `fill:${colours[key] ?? "var(--ink)"}` };
    return [text(place.x, place.y, content, look)];
  });
}
