/** Where the cards of the dependence graph stand: blocks in frames of their own, or one tuple and its neighbours. */

export const CARD = { width: 64, height: 56 };

export interface Card {
  tuple: number;
  /** Centre, px. */
  x: number;
  y: number;
}

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
}

export interface GraphLayout {
  cards: Card[];
  frames: Frame[];
  width: number;
  height: number;
  /** Neighbours that found no place. */
  left: number;
}

/** More tuples than this: only the neighbours of the chosen one. */
export const MOST_CARDS = 12;
const GAP = 10;
const TALL = 288;
const ALONE = { width: 84, height: 100 };
/** Neighbours with a card when there are many, and the distance of their centres. */
const NEIGHBOURS = 8;
const PITCH = 68;

interface Shape {
  width: number;
  height: number;
  /** Centres of the cards within the frame. */
  places: [number, number][];
}

/** Tuples of every block, larger blocks first. */
export function blocksOf(blocks: readonly number[]): number[][] {
  const found = new Map<number, number[]>();
  blocks.forEach((block, tuple) => found.set(block, [...(found.get(block) ?? []), tuple]));
  return [...found.values()].sort((a, b) => b.length - a.length || (a[0] as number) - (b[0] as number));
}

function shapeFor(count: number, room: number): Shape {
  const wide = Math.min(TALL, room);
  if (count === 1) return { ...ALONE, places: [[42, 58]] };
  if (count === 2) return { width: 100, height: TALL, places: [[50, 60], [50, 232]] };
  if (count === 3) return { width: wide, height: TALL, places: [[48, 146], [wide - 56, 60], [wide - 56, 232]] };
  if (count === 4) return { width: wide, height: TALL, places: [[48, 60], [wide - 48, 60], [wide - 48, 232], [48, 232]] };
  const radius = count === 5 ? 130 : 150;
  const across = Math.min(radius + 12, (room - CARD.width - 24) / 2);
  const [width, height] = [2 * across + CARD.width + 24, 2 * radius + CARD.height + 44];
  const places = Array.from({ length: count }, (_, k): [number, number] => {
    const angle = -Math.PI / 2 + (2 * Math.PI * k) / count;
    return [width / 2 + across * Math.cos(angle), 58 + radius + radius * Math.sin(angle)];
  });
  return { width, height, places };
}

function frameLabel(count: number): string {
  return count === 1 ? "alone" : count === 2 ? "pair" : `block of ${count}`;
}

/** Frames from left to right, in as many lines as the width asks for; single tuples above each other. */
export function layOutBlocks(blocks: readonly number[], width: number): GraphLayout {
  const cards: Card[] = [];
  const frames: Frame[] = [];
  let [x, y, high, widest] = [0, 0, 0, 0];
  /** Where the next single tuple may stand below the last. */
  let below: { x: number; y: number } | null = null;
  for (const tuples of blocksOf(blocks)) {
    const shape = shapeFor(tuples.length, width);
    const single = tuples.length === 1;
    let place: { x: number; y: number };
    if (single && below && below.y + shape.height <= y + high) place = below;
    else {
      if (x > 0 && x + shape.width > width) [x, y, high] = [0, y + high + GAP, 0];
      place = { x, y };
      x += shape.width + GAP;
      high = Math.max(high, shape.height);
      widest = Math.max(widest, x - GAP);
    }
    below = single ? { x: place.x, y: place.y + shape.height + GAP } : null;
    frames.push({ ...place, width: shape.width, height: shape.height, label: frameLabel(tuples.length) });
    tuples.forEach((tuple, k) => {
      const [cx, cy] = shape.places[k] as [number, number];
      cards.push({ tuple, x: place.x + cx, y: place.y + cy });
    });
  }
  return centred({ cards, frames, width, height: y + high, left: 0 }, widest);
}

/** One tuple at the left, its neighbours in a column, in the order given. */
export function layOutNeighbours(tuple: number, neighbours: readonly number[], width: number, size: number): GraphLayout {
  const shown = neighbours.slice(0, NEIGHBOURS);
  const height = Math.max(TALL, 30 + shown.length * PITCH);
  const wide = Math.min(width, 420);
  const middle = 24 + (height - 30) / 2;
  const top = middle - ((shown.length - 1) * PITCH) / 2;
  const cards = [{ tuple, x: 52, y: middle }, ...shown.map((one, k) => ({ tuple: one, x: wide - 56, y: top + k * PITCH }))];
  const frame = { x: 0, y: 0, width: wide, height, label: frameLabel(size) };
  return centred({ cards, frames: [frame], width, height, left: neighbours.length - shown.length }, wide);
}

/** What leaves room on both sides stands in the middle. */
function centred(layout: GraphLayout, used: number): GraphLayout {
  const shift = Math.max(0, Math.floor((layout.width - used) / 2));
  return {
    ...layout,
    cards: layout.cards.map((card) => ({ ...card, x: card.x + shift })),
    frames: layout.frames.map((frame) => ({ ...frame, x: frame.x + shift })),
  };
}
