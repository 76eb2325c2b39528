/**
 * Where the cards of the dependence graph stand: blocks in frames of their own, or one tuple and its neighbours.
 */

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
  /** One tuple and its neighbours, in a frame that has room for words at the edges. */
  near: boolean;
  roomy: boolean;
}

/** More tuples than this: only the neighbours of the chosen one. */
export const MOST_CARDS = 12;
const GAP = 8;
const TALL = 288;
/** A block of four is tall enough that the numbers of one diagonal stand clear of the other. */
const TALL_OF_FOUR = 330;
/** Width of a block of three or four: the least, and the most where there is room. */
const WIDE = 270;
const WIDEST = 320;
const ALONE = { width: 80, height: 106 };
/** Neighbours with a card when there are many, and the distance of their centres. */
const NEIGHBOURS = 8;
const PITCH = 68;
const NEAR = 470;

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

function shapeFor(count: number, room: number, wanted = WIDE): Shape {
  const wide = Math.min(wanted, room);
  if (count === 1) return { ...ALONE, places: [[40, 64]] };
  if (count === 2) return { width: 96, height: TALL, places: [[48, 62], [48, 234]] };
  if (count === 3) return { width: wide, height: TALL, places: [[46, 148], [wide - 52, 62], [wide - 52, 234]] };
  if (count === 4) return { width: wide, height: TALL_OF_FOUR, places: [[46, 62], [wide - 46, 62], [wide - 46, TALL_OF_FOUR - 54], [46, TALL_OF_FOUR - 54]] };
  // Words of three lines stand at the edges of five, one number at those of more.
  const radius = count > 8 ? 180 : 150;
  const across = Math.min(count === 5 ? 190 : 165, (room - CARD.width - 24) / 2);
  const width = 2 * across + CARD.width + 24;
  const places = Array.from({ length: count }, (_, k): [number, number] => {
    const angle = -Math.PI / 2 + (2 * Math.PI * k) / count;
    return [width / 2 + across * Math.cos(angle), 58 + radius + radius * Math.sin(angle)];
  });
  const found = places.some(([x, y], k) =>
    places.slice(k + 1).some(([u, v]) => Math.abs(x - u) < CARD.width + 6 && Math.abs(y - v) < CARD.height + 6),
  )
    ? columns(count, width)
    : places;
  return { width, height: Math.max(...found.map(([, y]) => y)) + CARD.height / 2 + 14, places: found };
}

/** Two columns, where a ring has no room: down on the right, up on the left. */
function columns(count: number, width: number): [number, number][] {
  const right = Math.ceil(count / 2);
  return Array.from({ length: count }, (_, k): [number, number] => (k < right ? [width - 46, 58 + k * PITCH] : [46, 58 + (count - 1 - k) * PITCH]));
}

function frameLabel(count: number): string {
  return count === 1 ? "alone" : count === 2 ? "pair" : `block of ${count}`;
}

/** What frames in one line leave free goes to the blocks of three and four: their edges carry words. */
function widthOfBlocks(groups: readonly number[][], width: number): number {
  const sizes = groups.map(({ length }) => length);
  const alone = Math.ceil(sizes.filter((size) => size === 1).length / 2);
  const widths = sizes.filter((size) => size > 1).map((size) => shapeFor(size, width).width);
  const used = [...widths, ...new Array<number>(alone).fill(ALONE.width)].reduce((sum, one) => sum + one + GAP, -GAP);
  const wide = sizes.filter((size) => size === 3 || size === 4).length;
  // Beside which nothing fits, it has the line for itself.
  if (width < WIDE + GAP + ALONE.width) return Math.min(WIDEST, width);
  return used > width || wide === 0 ? WIDE : Math.min(WIDEST, Math.floor(WIDE + (width - used) / wide));
}

/** Frames from left to right, in as many lines as the width asks for; single tuples above each other. */
export function layOutBlocks(blocks: readonly number[], width: number): GraphLayout {
  const cards: Card[] = [];
  const frames: Frame[] = [];
  let [x, y, high, widest] = [0, 0, 0, 0];
  const stand = (tuples: readonly number[], shape: Shape, at: { x: number; y: number }): void => {
    frames.push({ ...at, width: shape.width, height: shape.height, label: frameLabel(tuples.length) });
    tuples.forEach((tuple, k) => {
      const [cx, cy] = shape.places[k] as [number, number];
      cards.push({ tuple, x: at.x + cx, y: at.y + cy });
    });
  };
  const groups = blocksOf(blocks);
  const singles = groups.filter((tuples) => tuples.length === 1);
  /** Takes a column of this size; a new line begins where it does not fit. */
  const column = (across: number, down: number): { x: number; y: number } => {
    if (x > 0 && x + across > width) [x, y, high] = [0, y + high + GAP, 0];
    const at = { x, y };
    x += across + GAP;
    high = Math.max(high, down);
    widest = Math.max(widest, x - GAP);
    return at;
  };
  const wide = widthOfBlocks(groups, width);
  for (const tuples of groups.slice(0, groups.length - singles.length)) {
    const shape = shapeFor(tuples.length, width, wide);
    stand(tuples, shape, column(shape.width, shape.height));
  }
  while (singles.length > 0) {
    const shape = shapeFor(1, width);
    // Beside a block they stand above each other, in the middle of its height; among themselves in a line.
    const beside = x > 0 && x + shape.width <= width && high > shape.height;
    const most = beside ? Math.floor((high + GAP) / (shape.height + GAP)) : 1;
    const these = singles.splice(0, most).flat();
    const used = these.length * (shape.height + GAP) - GAP;
    const at = column(shape.width, shape.height);
    const first = at.y + (beside ? Math.floor((high - used) / 2) : 0);
    these.forEach((tuple, k) => stand([tuple], shape, { x: at.x, y: first + k * (shape.height + GAP) }));
  }
  return centred({ cards, frames, width, height: y + high, left: 0, near: false, roomy: false }, widest);
}

/** One tuple at the left, its neighbours in a column, in the order given. */
export function layOutNeighbours(tuple: number, neighbours: readonly number[], width: number, size: number): GraphLayout {
  const shown = neighbours.slice(0, NEIGHBOURS);
  const height = Math.max(TALL, 30 + shown.length * PITCH);
  const wide = Math.min(width, NEAR);
  const middle = 24 + (height - 30) / 2;
  const top = middle - ((shown.length - 1) * PITCH) / 2;
  const cards = [{ tuple, x: 52, y: middle }, ...shown.map((one, k) => ({ tuple: one, x: wide - 56, y: top + k * PITCH }))];
  const frame = { x: 0, y: 0, width: wide, height, label: frameLabel(size) };
  return centred({ cards, frames: [frame], width, height, left: neighbours.length - shown.length, near: true, roomy: wide === NEAR }, wide);
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
