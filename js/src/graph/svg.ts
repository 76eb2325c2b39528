/**
 * What is drawn: attributes of elements, coordinates to a hundredth of a pixel, and dots over an axis as one path.
 */
import { css, magnitude } from "../ui/colours";
import { s, setAttr, type Attrs } from "../ui/dom";

// Attributes of drawn elements: several at once, coordinates to a hundredth of a pixel.

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function set(el: Element, attrs: Attrs): void {
  for (const [name, value] of Object.entries(attrs)) setAttr(el, name, typeof value === "number" ? round(value) : value);
}

export function rect(el: Element, x: number, y: number, width: number, height: number): void {
  set(el, { x, y, width, height });
}

export function show(el: Element, shown: unknown): void {
  setAttr(el, "display", shown ? null : "none");
}

/** A boolean as ARIA writes it. */
export function yes(value: boolean): string {
  return value ? "true" : "false";
}

/** Colours of the scale from `x1` to `x2`, for what is filled or stroked by this name. */
export function gradient(id: string, x1: number, x2: number, dark: boolean): SVGElement {
  const stops = Array.from({ length: 17 }, (_, k) => s("stop", { offset: k / 16, "stop-color": css(magnitude(k / 16, dark)) }));
  return s("defs", {}, s("linearGradient", { id, gradientUnits: "userSpaceOnUse", y1: 0, y2: 0, x1: round(x1), x2: round(x2) }, ...stops));
}

/** An upright line, where it is seen. */
export function upright(look: string, x: number, y1: number, y2: number, seen: boolean): SVGElement {
  return s("line", { class: look, y1, y2, display: seen ? null : "none", x1: round(x), x2: round(x) });
}

// Dots stacked over an axis: one for each adversary, drawn as one path.

export interface Dots {
  /** Flat numbers, in the order they were placed. */
  flats: Int32Array;
  x: Float64Array;
  y: Float64Array;
  count: number;
}

export interface Stack {
  /** Height of the lowest dots, and the most that a stack may rise, px. */
  base: number;
  room: number;
  /** Width of a bin and the distance of dots in a stack, px. */
  bin: number;
  pitch: number;
  /** Dots stand at the middle of their bin rather than at their value. */
  snap: boolean;
}

/** Stacks dots in the order given; the pitch shrinks until the highest stack fits. */
export function stackDots(flats: ArrayLike<number>, xOf: (flat: number) => number, stack: Stack): Dots {
  const count = flats.length;
  const dots: Dots = { flats: new Int32Array(count), x: new Float64Array(count), y: new Float64Array(count), count };
  const bins = new Map<number, number>();
  const level = new Int32Array(count);
  let highest = 1;
  for (let k = 0; k < count; k++) {
    const flat = flats[k] as number;
    const x = xOf(flat);
    const bin = Math.round(x / stack.bin);
    const height = bins.get(bin) ?? 0;
    bins.set(bin, height + 1);
    level[k] = height;
    if (height + 1 > highest) highest = height + 1;
    dots.flats[k] = flat;
    dots.x[k] = stack.snap ? bin * stack.bin : x;
  }
  const pitch = highest > 1 ? Math.min(stack.pitch, stack.room / (highest - 1)) : stack.pitch;
  for (let k = 0; k < count; k++) dots.y[k] = stack.base - (level[k] as number) * pitch;
  return dots;
}

/** Path data of the dots k for which `keep` holds; stroke it with round caps. */
export function dotPath(dots: Dots, keep: (flat: number) => boolean = () => true): string {
  const parts: string[] = [];
  for (let k = 0; k < dots.count; k++) {
    if (!keep(dots.flats[k] as number)) continue;
    parts.push(`M${(dots.x[k] as number).toFixed(1)} ${(dots.y[k] as number).toFixed(1)}h.01`);
  }
  return parts.join("");
}

/** The dot nearest to a point within `reach` px, as an index; -1 when none is that near. */
export function nearestDot(dots: Dots, x: number, y: number, reach: number): number {
  let best = -1;
  let distance = reach * reach;
  for (let k = 0; k < dots.count; k++) {
    const dx = (dots.x[k] as number) - x;
    const dy = (dots.y[k] as number) - y;
    const d = dx * dx + dy * dy;
    if (d <= distance) {
      distance = d;
      best = k;
    }
  }
  return best;
}
