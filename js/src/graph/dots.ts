/** Dots stacked over an axis: one for each adversary, drawn as one path. */

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
