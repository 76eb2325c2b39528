/** The lattice of one attacked tuple: a row for each number of unknown tuples, weakest on top. */
import { s, setAttr } from "../ui/dom";
import { Card, type CardKind, type Place } from "./card";
import { incrementOf, type Scene } from "./data";
import { between, hairlines, StressedEdges, type LabelPlace, type Segment, type Stress } from "./edges";
import { columnCount, columnOfFlat, flatOf, layerOf, layers, stronger, targetOf, weaker } from "./nodes";

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

export class Lattice {
  readonly el: SVGGElement;
  target = 0;
  private readonly cards: Card[] = [];
  private readonly hairline = s("path", { class: "pdpg-hairlines", "aria-hidden": "true" });
  private readonly chosenEdges = new StressedEdges("chosen");
  private readonly passingEdges = new StressedEdges("passing");
  private labels: LabelPlace = "middle";
  private passing: number | null = null;
  private tabStop = 0;

  constructor(private readonly n: number) {
    const nodes = s("g");
    for (let column = 0; column < columnCount(n); column++) this.cards.push(new Card());
    // Read in the order of the layers, weakest first, as the eye does.
    for (const row of layers(n).slice().reverse()) for (const column of row) nodes.append(this.card(column).el);
    this.el = s("g", { role: "group" }, this.hairline, this.passingEdges.lines, this.chosenEdges.lines, nodes);
    this.el.append(this.passingEdges.labels, this.chosenEdges.labels);
  }

  card(column: number): Card {
    return this.cards[column] as Card;
  }

  /** Places all cards and the hairlines; `update` must follow. */
  shape(shape: LatticeShape): void {
    this.labels = shape.labels;
    layers(this.n).forEach((row, unknown) => {
      row.forEach((column, k) => {
        const middle = shape.middle + (k - (row.length - 1) / 2) * (shape.width + shape.gapX);
        this.card(column).move({
          x: middle - shape.width / 2,
          y: shape.top + (this.n - unknown) * (shape.height + shape.gapY),
          width: shape.width,
          height: shape.height,
          kind: shape.kind,
          wordy: shape.wordy,
        });
      });
    });
    const all: Segment[] = [];
    for (let column = 0; column < columnCount(this.n); column++) {
      for (const above of weaker(this.n, 0, column)) all.push(between(this.place(above.column), this.place(column)));
    }
    setAttr(this.hairline, "d", hairlines(all));
  }

  update(scene: Scene, target: number, about: string): void {
    this.target = target;
    setAttr(this.el, "aria-label", about);
    const base = flatOf(this.n, target, 0);
    this.cards.forEach((card, column) => card.draw(scene, base + column));
    const chosen = targetOf(this.n, scene.chosen) === target ? columnOfFlat(this.n, scene.chosen) : null;
    this.chosenEdges.draw(chosen === null ? [] : this.edgesOf(scene, chosen), this.labels, scene.busy);
    this.drawPassing(scene);
  }

  /** Stresses the edges of an adversary under the pointer or focus; null for none. */
  pass(scene: Scene, column: number | null): void {
    this.passing = column;
    this.drawPassing(scene);
  }

  private drawPassing(scene: Scene): void {
    const { passing } = this;
    const known = passing !== null && flatOf(this.n, this.target, passing) !== scene.chosen;
    this.passingEdges.draw(known ? this.edgesOf(scene, passing) : [], this.labels, scene.busy);
    // A number of another adversary must not be read as one of the chosen one.
    setAttr(this.chosenEdges.labels, "display", known ? "none" : null);
  }

  private edgesOf(scene: Scene, column: number): Stress[] {
    const here = this.place(column);
    const up = weaker(this.n, this.target, column).map(({ column: other, tuple }) => {
      const { x1, y1, x2, y2 } = between(this.place(other), here);
      const increment = incrementOf(scene, flatOf(this.n, this.target, other), tuple);
      return { segment: { x1: x2, y1: y2, x2: x1, y2: y1 }, increment };
    });
    const down = stronger(this.n, this.target, column).map(({ column: other, tuple }) => ({
      segment: between(here, this.place(other)),
      increment: incrementOf(scene, flatOf(this.n, this.target, column), tuple),
      crowned: [scene.data.largest, scene.chosen].includes(flatOf(this.n, this.target, other)),
    }));
    return [...up, ...down];
  }

  /** The one card of this lattice that Tab reaches; null for none. */
  setTabStop(column: number | null): void {
    setAttr(this.card(this.tabStop).el, "tabindex", -1);
    if (column === null) return;
    this.tabStop = column;
    setAttr(this.card(column).el, "tabindex", 0);
  }

  /** Up = weaker, down = stronger, left and right within the layer; null at a border. */
  step(column: number, key: string): number | null {
    if (key === "ArrowUp") return this.nearest(column, weaker(this.n, 0, column).map((w) => w.column));
    if (key === "ArrowDown") return this.nearest(column, stronger(this.n, 0, column).map((w) => w.column));
    const row = layers(this.n)[layerOf(this.n, column)] as number[];
    const k = row.indexOf(column);
    if (key === "ArrowLeft") return row[k - 1] ?? null;
    if (key === "ArrowRight") return row[k + 1] ?? null;
    if (key === "Home") return row[0] as number;
    if (key === "End") return row[row.length - 1] as number;
    return null;
  }

  private nearest(column: number, others: number[]): number | null {
    const x = this.place(column).x;
    let best: number | null = null;
    let distance = Infinity;
    for (const other of others) {
      const d = Math.abs(this.place(other).x - x);
      if (d < distance) {
        distance = d;
        best = other;
      }
    }
    return best;
  }

  private place(column: number): Place {
    return this.card(column).place;
  }
}
