/** Where the numbers of an edge stand: on it, clear of cards, of other numbers, and of other edges. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

export type Segment = readonly [Point, Point];

/** Where along an edge numbers may stand, the best first; beside neighbours in a column they have their own. */
export const ALONG: readonly number[] = [0.5, 0.56, 0.44, 0.62, 0.38, 0.68, 0.32, 0.75, 0.25];
export const COLUMN: readonly number[] = [0.76];
/** How far beside the edge, px. */
const BESIDE = [0, 14, -14, 26, -26, 38, -38, 52, -52];
/** What a px of another edge, of the way beside the own one, and 1 px² of a card or other numbers count. */
const [OVER, ASIDE, COVERED] = [1, 2, 100];

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

/** The length of an edge within a rectangle. */
export function inside(box: Box, [from, to]: Segment): number {
  if (
    Math.max(from.x, to.x) < box.x ||
    Math.min(from.x, to.x) > box.x + box.width ||
    Math.max(from.y, to.y) < box.y ||
    Math.min(from.y, to.y) > box.y + box.height
  )
    return 0;
  let [first, last] = [0, 1];
  const sides = [
    [from.x, to.x - from.x, box.x, box.x + box.width],
    [from.y, to.y - from.y, box.y, box.y + box.height],
  ] as const;
  for (const [start, step, low, high] of sides) {
    if (step === 0) {
      if (start < low || start > high) return 0;
      continue;
    }
    const ends = [(low - start) / step, (high - start) / step];
    first = Math.max(first, Math.min(...ends));
    last = Math.min(last, Math.max(...ends));
  }
  return Math.max(0, last - first) * Math.hypot(to.x - from.x, to.y - from.y);
}

/** A rectangle along an edge that covers nothing, or the least. */
export function placeLabel(
  [from, to]: Segment,
  { width, height }: { width: number; height: number },
  along: readonly number[],
  taken: readonly Box[],
  others: readonly Segment[],
): Box {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  let best: { box: Box; cost: number } | null = null;
  for (const beside of BESIDE) {
    // Farther away nothing can be better.
    if (best && best.cost <= ASIDE * Math.abs(beside)) break;
    for (const share of along) {
      const x = from.x + dx * share - (dy / length) * beside;
      const y = from.y + dy * share + (dx / length) * beside;
      const box = { x: Math.floor(x - width / 2 + 0.5), y: Math.floor(y - height / 2 + 0.5), width, height };
      let cost = ASIDE * Math.abs(beside) + COVERED * taken.reduce((sum, other) => sum + overlap(box, other), 0);
      if (best && cost >= best.cost) continue;
      cost += OVER * others.reduce((sum, other) => sum + inside(box, other), 0);
      if (!best || cost < best.cost) best = { box, cost };
      if (cost === 0) return box;
    }
  }
  return (best as { box: Box }).box;
}
