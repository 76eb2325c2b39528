/**
 * Graphs of up to seven tuples. Up to three: all lattices side by side. Four to seven: that of the
 * attacked tuple enlarged, the others as small multiples above it.
 */
import { h, layered, s, setText, text } from "../ui/dom";
import { fit, textWidth } from "../ui/lettering";
import {
  between,
  createCard,
  createStressedEdges,
  hairlines,
  maxTag,
  type Card,
  type CardKind,
  type LabelPlace,
  type Segment,
  type Stress,
} from "./card";
import { fillOf, incrementOf, isDetermined, largestAbout, standsBack, type Scene } from "./data";
import { attachHand, type Hand } from "./hand";
import { wordsOf } from "./measure";
import { columnCount, columnOfFlat, flatOf, layerOf, layers, stronger, targetOf, weaker, widestLayer } from "./nodes";
import { rect, round, set, show, yes } from "./svg";
import { describe, sentence } from "./words";

// Small multiples: every lattice as squares, to choose which one is enlarged.

/** Height of the strip of small multiples, px. */
const MULTIPLES_HEIGHT = 72;

interface Multiple {
  el: SVGGElement;
  frame: SVGRectElement;
  heading: SVGTextElement;
  value: SVGTextElement;
  full: SVGTitleElement;
  squares: SVGRectElement[];
  tag: SVGGElement;
}

class Multiples {
  readonly el = s("g", { role: "radiogroup", "aria-label": "Attacked tuple" });
  private readonly items: Multiple[] = [];
  private width = 0;
  private twoLines = false;

  constructor(private readonly n: number) {
    for (let target = 0; target < n; target++) {
      const frame = s("rect", { class: "lg-pick", rx: 3, height: MULTIPLES_HEIGHT });
      const heading = text(0, 13, "", { class: "lg-middle" });
      const value = text(0, 25, "", { class: "lg-middle" });
      const full = s("title");
      const squares = Array.from({ length: columnCount(n) }, (_, column) =>
        s("rect", { class: "lg-mini", "data-mini": flatOf(n, target, column) }),
      );
      const tag = maxTag();
      const el = s("g", { class: "lg-small", role: "radio", tabindex: -1 }, full, frame, heading, value, ...squares, tag);
      this.items.push({ el, frame, heading, value, full, squares, tag });
      this.el.append(el);
    }
  }

  /** Lays the strip out from `left` over `width` px; `update` must follow. */
  shape(left: number, width: number): void {
    const { n } = this;
    this.width = width / n;
    const pitch = Math.min(10, (this.width - 10) / widestLayer(n));
    // Name and largest value side by side where there is room, else one above the other.
    this.twoLines = this.width < 84;
    const top = this.twoLines ? 30 : 20;
    const rise = Math.min(10, (MULTIPLES_HEIGHT - top - 2) / n);
    const gap = pitch > 5 ? 2 : 0.7;
    this.items.forEach((item, target) => {
      const middle = left + this.width * (target + 0.5);
      rect(item.frame, middle - this.width / 2 + 2, 0, this.width - 4, MULTIPLES_HEIGHT);
      set(item.heading, { x: middle });
      set(item.value, { x: middle });
      set(item.tag, { transform: `translate(${round(middle - this.width / 2 + 5)} -7)` });
      layers(n).forEach((row, unknown) => {
        row.forEach((column, k) => {
          const x = middle + (k - (row.length - 1) / 2) * pitch - (pitch - gap) / 2;
          rect(item.squares[column] as SVGRectElement, x, top + (n - unknown) * rise, pitch - gap, rise - Math.max(gap, 1.2));
        });
      });
    });
  }

  update(scene: Scene, tabStop: number): void {
    const { data } = scene;
    const chosenTarget = targetOf(data.n, scene.chosen);
    this.items.forEach((item, target) => {
      const best = largestAbout(data, target);
      const checked = target === chosenTarget;
      const value = scene.busy ? "…" : wordsOf(data.measure).write(data.exact[best] as number, data.promise);
      const room = this.width - 6;
      const name = scene.names.full[target] as string;
      // The name gives way to the number, never the other way round.
      const title = fit(name, this.twoLines ? room : room - textWidth(` ${value}`, 11, checked), 11, checked, scene.names.full);
      setText(item.heading, this.twoLines ? title : `${title} ${value}`);
      setText(item.value, this.twoLines ? value : "");
      const whole = title === name ? "" : name;
      setText(item.full, whole);
      set(item.el, {
        "data-node": best,
        tabindex: target === tabStop ? 0 : -1,
        "aria-checked": yes(checked),
        "aria-disabled": scene.disabled ? "true" : null,
        "aria-label": `${whole} ${title} ${value}. Largest ${sentence(describe(scene, best))}`.trim(),
      });
      show(item.tag, best === data.largest && !checked && !scene.busy);
      item.squares.forEach((square, column) => {
        const flat = flatOf(data.n, target, column);
        const fill = isDetermined(data, flat) || standsBack(scene, flat) ? "var(--bg)" : fillOf(scene, data.exact[flat] as number);
        if (square.style.getPropertyValue("--face") !== fill) square.style.setProperty("--face", fill);
        square.classList.toggle("lg-chosen", flat === scene.chosen);
      });
      item.el.classList.toggle("lg-waiting", scene.busy);
    });
  }

  focus(target: number): void {
    this.items[target]?.el.focus();
  }
}

// The lattice of one attacked tuple: a row for each number of unknown tuples, weakest on top.

interface LatticeShape {
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

interface Lattice {
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

function createLattice(n: number): Lattice {
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

/** One way to draw the graph; made for a fixed number of tuples. */
export interface Body {
  readonly el: HTMLElement;
  update(scene: Scene): void;
  destroy(): void;
}

const SIDE_BY_SIDE = 3;
/** Lattices stand no further apart, px. */
const SPREAD = 220;
/** Wider than this the picture does not grow. */
export const WIDEST = 1200;
/** From this width on the neighbourhood and the table stand side by side, px. */
export const SIDE_BY_SIDE_FROM = 920;
export const PAIR_GAP = 24;

export function createLattices(n: number, hand: Hand): Body {
  const all = n <= SIDE_BY_SIDE;
  const [svg, rowLabels] = layered({ role: "group" }, { "aria-hidden": "true" });
  const el = h("div", { class: "lg-scroll" }, svg);
  const lattices = Array.from({ length: all ? n : 1 }, () => createLattice(n));
  const headings = lattices.map(drawHeading);
  const multiples = all ? null : new Multiples(n);
  if (multiples) svg.append(multiples.el);
  if (all) svg.append(...headings);
  svg.append(...lattices.map((lattice) => lattice.el));

  let scene: Scene | null = null;
  let shapedFor = "";
  /** Flat number of the node that Tab reaches. */
  let stop = 0;
  let lastChosen = -1;

  function latticeOf(flat: number): Lattice | null {
    const target = targetOf(n, flat);
    return lattices.find((lattice) => lattice.target === target) ?? null;
  }

  function setStop(flat: number): void {
    stop = flat;
    const target = targetOf(n, flat);
    for (const lattice of lattices) lattice.setTabStop(lattice.target === target ? columnOfFlat(n, flat) : null);
  }

  function step(flat: number, key: string): number | null {
    const column = columnOfFlat(n, flat);
    const target = targetOf(n, flat);
    const next = latticeOf(flat)?.step(column, key) ?? null;
    if (next !== null) return flatOf(n, target, next);
    if (!all || (key !== "ArrowLeft" && key !== "ArrowRight")) return null;
    // Past the border of a layer the walk goes on in the next lattice.
    const other = target + (key === "ArrowRight" ? 1 : -1);
    const lattice = lattices[other];
    if (!lattice) return null;
    const edge = lattice.step(columnAtLayer(n, layerOf(n, column)), key === "ArrowRight" ? "Home" : "End");
    return edge === null ? null : flatOf(n, other, edge);
  }

  function focus(flat: number): void {
    setStop(flat);
    latticeOf(flat)?.card(columnOfFlat(n, flat)).el.focus();
  }

  function pointed(flat: number | null): void {
    if (!scene) return;
    if (flat !== null && svg.querySelector(`.lg-node[data-node="${flat}"]:focus`)) setStop(flat);
    for (const lattice of lattices) {
      const mine = flat !== null && targetOf(n, flat) === lattice.target;
      lattice.pass(scene, mine ? columnOfFlat(n, flat) : null);
    }
  }

  const detach = lattices.map((lattice) => attachHand(lattice.el, hand, { step, focus, pointed }));
  if (multiples) {
    detach.push(
      attachHand(multiples.el, hand, {
        step(flat, key) {
          const by = key === "ArrowRight" || key === "ArrowDown" ? 1 : key === "ArrowLeft" || key === "ArrowUp" ? n - 1 : 0;
          return by ? (targetOf(n, flat) + by) % n : null;
        },
        focus: (target) => multiples.focus(target),
      }),
    );
    multiples.el.addEventListener("click", chooseSquare, true);
  }

  /** A square stands for its own adversary, the rest of a multiple for its largest one. */
  function chooseSquare(event: Event): void {
    const square = event.target instanceof Element ? event.target.getAttribute("data-mini") : null;
    if (square === null) return;
    event.stopPropagation();
    hand.choose(Number(square));
  }

  function shape(now: Scene): void {
    const key = `${now.width}|${now.names.short.join()}`;
    if (key === shapedFor) return;
    shapedFor = key;
    const layout = all ? sideBySide(n, now) : enlarged(n, now, multiples as Multiples);
    lattices.forEach((lattice, k) => {
      lattice.shape(layout.shapes[k] as LatticeShape);
      set(headings[k] as SVGTextElement, { x: (layout.shapes[k] as LatticeShape).middle });
    });
    rowLabels.replaceChildren(...nameRows(n, layout.shapes[0] as LatticeShape));
    set(svg, { width: layout.width, height: layout.height, viewBox: `0 0 ${layout.width} ${layout.height}` });
    headingRoom = layout.headingRoom;
  }
  let headingRoom = 100;

  return {
    el,
    update(next) {
      scene = next;
      shape(next);
      set(svg, {
        "aria-label": `Leakage of all ${next.data.exact.length} adversaries. Arrow keys walk: up is weaker, down is stronger; Enter chooses.`,
      });
      lattices.forEach((lattice, k) => {
        const target = all ? k : targetOf(n, next.chosen);
        lattice.update(next, target, `About ${next.names.spoken[target]}`);
        const heading = headings[k] as SVGTextElement;
        const name = next.names.full[target] as string;
        const tries = [`about ${name}`, name, ...(next.names.numbered ? [next.names.short[target] as string] : [])];
        const whole = tries.find((text) => textWidth(text, 12, true) <= headingRoom);
        setText(heading, fit(whole ?? name, headingRoom, 12, true, next.names.full));
      });
      if (next.chosen !== lastChosen || latticeOf(stop) === null) setStop(next.chosen);
      lastChosen = next.chosen;
      multiples?.update(next, targetOf(n, next.chosen));
    },
    destroy() {
      for (const off of detach) off();
      multiples?.el.removeEventListener("click", chooseSquare, true);
    },
  };
}

/** Any column of a layer. */
function columnAtLayer(n: number, layer: number): number {
  return 2 ** (n - layer) - 1;
}

function drawHeading(): SVGTextElement {
  return text(0, 10, "", { "font-size": 12, class: "lg-heading lg-middle", "aria-hidden": "true" });
}

interface Layout {
  width: number;
  height: number;
  headingRoom: number;
  shapes: LatticeShape[];
}

/** How much is unknown, at the left of each row. */
function nameRows(n: number, { top, height, gapY, wordy }: LatticeShape): SVGElement[] {
  return Array.from({ length: n }, (_, row) => {
    const y = top + row * (height + gapY) + height / 2;
    const rank = n === 1 ? "" : row === 0 ? "weakest" : row === n - 1 ? "strongest" : "";
    const note = wordy ? rank : row === 0 ? "unknown" : "";
    const name = wordy ? `${n - row} unknown` : String(n - row);
    return s(
      "g",
      {},
      text(0, note ? y - 3 : y + 4, name, { "font-weight": 600, "font-size": wordy ? 11 : 14 }),
      text(0, y + 11, note, { class: "lg-muted" }),
    );
  });
}

/** All lattices in one row; where they would not fit, cards and row names go without their words. */
function sideBySide(n: number, scene: Scene): Layout {
  const most = widestLayer(n);
  const [height, gapX, gapY, top, edge] = [50, 8, 36, 32, 6];
  const roomFor = (gutter: number, gap: number): number => (scene.width - edge - gutter - (n - 1) * gap) / n;
  const cardIn = (room: number): number => (room - gapX * (most - 1)) / most;
  const roomy = textWidth(`${n} unknown`, 11, true) + 8;
  const known = scene.names.numbered ? textWidth(`knows ${scene.names.short.slice(1).join(", ")}`) + 6 : 60;
  const least = Math.max(60, known);
  const wordy = cardIn(roomFor(roomy, 16)) >= least;
  const gutter = wordy ? roomy : textWidth("unknown") + 8;
  // Names that are no numbers need room; numbers do not.
  const fair = cardIn(roomFor(gutter, wordy ? 22 : 12));
  const width = wordy ? (scene.names.numbered ? least : Math.min(n > 2 ? 112 : 200, Math.max(least, fair))) : Math.max(40, Math.min(60, fair));
  const lattice = most * width + (most - 1) * gapX;
  // Each stands in the middle of its own share of the width, so that the heading has all of it.
  const share = (scene.width - edge - gutter) / n;
  const slot = Math.max(lattice + (n > 1 ? 12 : 0), Math.min(lattice + SPREAD, share));
  const shapes = Array.from({ length: n }, (_, k) => ({
    kind: "card" as const,
    wordy,
    middle: gutter + (k + 0.5) * slot,
    top,
    width,
    height,
    gapX,
    gapY,
    labels: "middle" as const,
  }));
  return {
    width: Math.max(gutter + n * slot + edge, Math.min(scene.width, WIDEST)),
    height: top + n * height + (n - 1) * gapY + 6,
    headingRoom: slot - 8,
    shapes,
  };
}

function enlarged(n: number, scene: Scene, multiples: Multiples): Layout {
  const total = Math.max(n > 5 ? 440 : 340, Math.min(scene.width, WIDEST));
  const gutter = total >= 540 ? 76 : 44;
  const room = total - gutter - 16;
  const most = widestLayer(n);
  const asSquares = n > 5;
  const leastGap = asSquares ? Math.max(3, Math.min(8, room / most / 6)) : Math.min(11, room / most / 8);
  const widest = asSquares ? 44 : scene.names.numbered ? 64 : 100;
  const width = Math.min(widest, (room - (most - 1) * leastGap) / most);
  const gapX = Math.max(leastGap, Math.min(asSquares ? 10 : 26, (room - most * width) / (most - 1)));
  const height = asSquares ? Math.min(24, Math.max(16, width)) : 48;
  const gapY = asSquares ? (width < 36 ? 48 : 30) : 26;
  const top = MULTIPLES_HEIGHT + (asSquares && width < 36 ? 38 : 20);
  multiples.shape(gutter, total - gutter);
  const shape: LatticeShape = {
    kind: asSquares ? "square" : "card",
    wordy: false,
    middle: gutter + (total - gutter) / 2,
    top,
    width,
    height,
    gapX,
    gapY,
    labels: "end",
  };
  return { width: total, height: top + n * height + (n - 1) * gapY + 6, headingRoom: 0, shapes: [shape] };
}
