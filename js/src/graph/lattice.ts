/** The lattice of one attacked tuple: a row for each number of unknown tuples, weakest on top. */
import { s } from "../ui/dom";
import { createCard, type Card, type CardKind } from "./card";
import { incrementOf, type Scene } from "./data";
import { between, createStressedEdges, hairlines, type LabelPlace, type Segment, type Stress } from "./edges";
import { columnCount, columnOfFlat, flatOf, layerOf, layers, stronger, targetOf, weaker } from "./nodes";
import { set, show } from "./svg";

export interface LatticeShape {
  kind: CardKind;
  wordy: boolean;
  /** Middle of the lattice and its upper edge, px. */
  middle: number;
  top: number;
  width: number;
  height: number;
  gapX: number;
  gapY: number;
  /** Where increments stand. */
  labels: LabelPlace;
}

export interface Lattice {
  readonly el: SVGGElement;
  target: number;
  card(column: number): Card;
  /** Places all cards and the hairlines; `update` must follow. */
  shape(shape: LatticeShape): void;
  update(scene: Scene, target: number, about: string): void;
  /** Stresses the edges of an adversary under the pointer or focus; null for none. */
  pass(scene: Scene, column: number | null): void;
  /** The one card of this lattice that Tab reaches; null for none. */
  setTabStop(column: number | null): void;
  /** Up = weaker, down = stronger, left and right within the layer; null at a border. */
  step(column: number, key: string): number | null;
}

export function createLattice(n: number): Lattice {
  const cards = Array.from({ length: columnCount(n) }, createCard);
  const card = (column: number): Card => cards[column] as Card;
  const hairline = s("path", { class: "lg-hairlines", "aria-hidden": "true" });
  const chosenEdges = createStressedEdges("chosen");
  const passingEdges = createStressedEdges("passing");
  const nodes = s("g");
  // Read in the order of the layers, weakest first, as the eye does.
  for (const row of layers(n).slice().reverse()) for (const column of row) nodes.append(card(column).el);
  const el = s("g", { role: "group" }, hairline, passingEdges.lines, chosenEdges.lines, nodes, passingEdges.labels, chosenEdges.labels);
  let labels: LabelPlace = "middle";
  let passing: number | null = null;
  let tabStop = 0;

  function segment(above: number, below: number): Segment {
    return between(card(above).place, card(below).place);
  }

  function edgesOf(scene: Scene, column: number): Stress[] {
    const flat = (other: number): number => flatOf(n, lattice.target, other);
    const up = weaker(n, lattice.target, column).map(({ column: other, tuple }) => {
      const { x1, y1, x2, y2 } = segment(other, column);
      return { segment: { x1: x2, y1: y2, x2: x1, y2: y1 }, increment: incrementOf(scene, flat(other), tuple) };
    });
    const down = stronger(n, lattice.target, column).map(({ column: other, tuple }) => ({
      segment: segment(column, other),
      increment: incrementOf(scene, flat(column), tuple),
      crowned: [scene.data.largest, scene.chosen].includes(flat(other)),
    }));
    return [...up, ...down];
  }

  function drawPassing(scene: Scene): void {
    const other = passing !== null && flatOf(n, lattice.target, passing) !== scene.chosen;
    passingEdges.draw(other ? edgesOf(scene, passing as number) : [], labels, scene.busy);
    // A number of another adversary must not be read as one of the chosen one.
    show(chosenEdges.labels, !other);
  }

  function nearest(column: number, others: readonly { column: number }[]): number | null {
    const { x } = card(column).place;
    let best: number | null = null;
    let distance = Infinity;
    for (const other of others) {
      const d = Math.abs(card(other.column).place.x - x);
      if (d < distance) [best, distance] = [other.column, d];
    }
    return best;
  }

  const lattice: Lattice = {
    el,
    target: 0,
    card,
    shape({ middle, top, width, height, gapX, gapY, kind, wordy, labels: where }) {
      labels = where;
      layers(n).forEach((row, unknown) => {
        row.forEach((column, k) => {
          const x = middle + (k - (row.length - 1) / 2) * (width + gapX) - width / 2;
          card(column).move({ x, y: top + (n - unknown) * (height + gapY), width, height, kind, wordy });
        });
      });
      const all = cards.flatMap((_, column) => weaker(n, 0, column).map((above) => segment(above.column, column)));
      set(hairline, { d: hairlines(all) });
    },
    update(scene, target, about) {
      lattice.target = target;
      set(el, { "aria-label": about });
      cards.forEach((one, column) => one.draw(scene, flatOf(n, target, column)));
      const mine = targetOf(n, scene.chosen) === target;
      const chosen = columnOfFlat(n, scene.chosen);
      chosenEdges.draw(mine ? edgesOf(scene, chosen) : [], labels, scene.busy, card(chosen).crown());
      drawPassing(scene);
    },
    pass(scene, column) {
      passing = column;
      drawPassing(scene);
    },
    setTabStop(column) {
      set(card(tabStop).el, { tabindex: -1 });
      if (column === null) return;
      tabStop = column;
      set(card(column).el, { tabindex: 0 });
    },
    step(column, key) {
      if (key === "ArrowUp") return nearest(column, weaker(n, 0, column));
      if (key === "ArrowDown") return nearest(column, stronger(n, 0, column));
      const row = layers(n)[layerOf(n, column)] as number[];
      const to = { ArrowLeft: row.indexOf(column) - 1, ArrowRight: row.indexOf(column) + 1, Home: 0, End: row.length - 1 }[key];
      return to === undefined ? null : (row[to] ?? null);
    },
  };
  return lattice;
}
