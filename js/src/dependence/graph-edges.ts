/**
 * Edges of the dependence graph: as thick as the exact coefficient, with arrows and numbers where they are clear of
 * the rest.
 */
import { rule } from "../ui/axes";
import { s, text } from "../ui/dom";
import { textWidth } from "../ui/lettering";
import { CARD, type Card, type GraphLayout } from "./graph-layout";
import type { Coefficient } from "./protocol";
import { coefficientOf, type Shown } from "./results";
import { coefficient as write, KIND_NAMES } from "./words";

// Where the numbers of an edge stand: on it, clear of cards, of other numbers, and of other edges.

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

type Segment = readonly [Point, Point];

/** Where along an edge numbers may stand, the best first; beside neighbours in a column they have their own. */
const ALONG: readonly number[] = [0.5, 0.56, 0.44, 0.62, 0.38, 0.68, 0.32, 0.75, 0.25];
const COLUMN: readonly number[] = [0.76];
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

// Edges of the dependence graph: as thick as the exact coefficient, with arrows and numbers at the chosen tuple.

export interface EdgesProps {
  layout: GraphLayout;
  blocks: readonly number[];
  shown: Shown | null;
  tuple: number;
  other: number | null;
  /** The coefficient in use. */
  kind: Coefficient;
  /** A name for an edge, to be spoken. */
  named(first: number, second: number): string;
  busy: boolean;
  disabled: boolean;
}

const KINDS: readonly Coefficient[] = ["exact", "mean", "eq18"];
const HEIGHT = 50;
const SHORT = { width: 50, height: 18 };
/** Blocks up to this size have room for three numbers at an edge, and for one at every other edge. */
const ROOMY = 5;
const PLAIN = 4;
/** Blocks above this size have more edges than can be told apart: those of others stand back. */
const CLEAR = 6;

export function drawEdges(props: EdgesProps): { lines: SVGElement[]; labels: SVGElement[] } {
  const { layout, blocks, tuple, shown, busy } = props;
  const { cards } = layout;
  const lines: SVGElement[] = [];
  const labels: SVGElement[] = [];
  const taken: Box[] = cards.map(({ x, y }) => ({ x: x - CARD.width / 2 - 4, y: y - CARD.height / 2 - 4, width: CARD.width + 8, height: CARD.height + 8 }));
  const size = cards.filter((card) => blocks[card.tuple] === blocks[tuple]).length;
  const plain: [Card, Card][] = [];
  const mine: [Card, Card][] = [];
  cards.forEach((a, k) => {
    for (const b of cards.slice(k + 1)) {
      if (blocks[a.tuple] !== blocks[b.tuple]) continue;
      if (a.tuple === tuple) mine.push([a, b]);
      else if (b.tuple === tuple) mine.push([b, a]);
      else if (!layout.near) plain.push([a, b]);
    }
  });
  if (!shown) return { lines: [...plain, ...mine].map(([a, b]) => rule(a.x, a.y, b.x, b.y)), labels };
  for (const [a, b] of plain) {
    const z = strength(shown, a.tuple, b.tuple);
    const edge = line(a, b, z, "var(--ink2)");
    if (cards.filter((card) => blocks[card.tuple] === blocks[a.tuple]).length > CLEAR) edge.setAttribute("opacity", "0.3");
    lines.push(edge);
  }
  for (const [a, b] of mine) {
    lines.push(...arrowed(a, b, strength(shown, a.tuple, b.tuple)));
  }
  const edges: Segment[] = [...mine, ...plain];
  const place = (edge: Segment, room: { width: number; height: number }, along: readonly number[]): Box => {
    const box = placeLabel(edge, room, along, taken, edges.filter((other) => other !== edge));
    taken.push(box);
    return box;
  };
  const roomy =
    size <= ROOMY || layout.roomy
      ? {
          width: Math.max(76, Math.ceil(textWidth("exact", 11, true) + textWidth("0.000", 11, true)) + 20),
          height: HEIGHT,
        }
      : null;
  const first = mine.some(([, b]) => b.tuple === props.other) ? props.other : mine[0]?.[1].tuple;
  for (const edge of mine)
    labels.push(
      chosenLabel(
        props,
        shown,
        edge[1].tuple,
        edge[1].tuple === first,
        roomy !== null,
        place(edge, roomy ?? SHORT, layout.near ? COLUMN : ALONG),
      ),
    );
  for (const edge of plain) {
    const [a, b] = edge;
    const members = cards.filter((card) => blocks[card.tuple] === blocks[a.tuple]).length;
    if (members > PLAIN) continue;
    const words = busy ? "…" : write(strength(shown, a.tuple, b.tuple));
    const box = place(edge, { width: textWidth(words) + 6, height: 16 }, ALONG);
    labels.push(
      s(
        "g",
        {},
        s("rect", { ...box, fill: "var(--bg)" }),
        text(box.x + box.width / 2, box.y + 12, words, { "text-anchor": "middle", class: "dx-muted" }),
      ),
    );
  }
  return { lines, labels };
}

function strength(shown: Shown, first: number, second: number): number {
  return Math.max(coefficientOf(shown, "exact", first, second), coefficientOf(shown, "exact", second, first));
}

const widthOf = (z: number): number => (z === 0 ? 1.5 : 1 + 8 * Math.min(1, z));

function line(a: Pick<Card, "x" | "y">, b: Pick<Card, "x" | "y">, z: number, stroke: string): SVGElement {
  return rule(a.x, a.y, b.x, b.y, { stroke, "stroke-width": widthOf(z), "stroke-dasharray": z === 0 ? "5 4" : null });
}

/** A line with its head at the frame of the far card; a thick one has a large head. */
function arrowed(a: Card, b: Card, z: number): [SVGElement, SVGElement] {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const reach = Math.min(Math.abs((CARD.width / 2 + 3) / (dx || 1e-9)), Math.abs((CARD.height / 2 + 3) / (dy || 1e-9)));
  const [x, y] = [b.x - dx * reach, b.y - dy * reach];
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  const half = Math.max(4.5, widthOf(z) / 2 + 3);
  const long = 1.7 * half;
  const length = Math.hypot(dx, dy) || 1;
  // The line ends within the head, or it would blunt the tip.
  const end = { x: x - (dx / length) * (long - 1), y: y - (dy / length) * (long - 1) };
  const head = s("path", {
    d: `M0 0l${-long} ${-half}v${2 * half}z`,
    fill: "var(--ink)",
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${angle.toFixed(1)})`,
  });
  return [line(a, end, z, "var(--ink)"), head];
}

/** All coefficients at an edge of the chosen tuple; where many meet only the one in use. */
function chosenLabel(
  { tuple, other, kind, named, busy, disabled }: EdgesProps,
  shown: Shown,
  far: number,
  stop: boolean,
  roomy: boolean,
  box: Box,
): SVGElement {
  const on = far === other;
  const value = (one: Coefficient): string => (busy ? "…" : write(coefficientOf(shown, one, tuple, far)));
  const rows = roomy ? KINDS : [kind];
  const words = rows.flatMap((one, k) => {
    const y = box.y + (roomy ? 14 + 15 * k : 13);
    const weight = one === kind ? 600 : 400;
    const number = text(roomy ? box.x + box.width - 6 : box.x + box.width / 2, y, value(one), {
      "text-anchor": roomy ? "end" : "middle",
      "font-weight": weight,
    });
    return roomy
      ? [
          text(box.x + 6, y, KIND_NAMES[one], { "font-weight": weight, class: one === kind ? null : "dx-muted" }),
          number,
        ]
      : [number];
  });
  const spoken = KINDS.map((one) => `${KIND_NAMES[one]} ${value(one)}`).join(", ");
  return s(
    "g",
    {
      class: "dx-coefficient",
      role: "button",
      "data-far": far,
      tabindex: disabled || !stop ? -1 : 0,
      "aria-pressed": String(on),
      "aria-disabled": disabled ? "true" : null,
      "aria-label": `${named(tuple, far)}: ${spoken}`,
    },
    s("rect", {
      ...box,
      rx: 3,
      fill: "var(--bg)",
      stroke: on ? "var(--brand)" : "var(--line2)",
      "stroke-width": on ? 2 : 1,
    }),
    ...words,
  );
}
