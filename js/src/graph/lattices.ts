/**
 * Graphs of up to seven tuples. Up to three: all lattices side by side. Four to seven: that of the
 * attacked tuple enlarged, the others as small multiples above it.
 */
import { h, layered, s, setText, text } from "../ui/dom";
import { fit, textWidth } from "../ui/lettering";
import type { Scene } from "./data";
import { attachHand, type Hand } from "./hand";
import { createLattice, type Lattice, type LatticeShape } from "./lattice";
import { Multiples, MULTIPLES_HEIGHT } from "./multiples";
import { columnOfFlat, flatOf, layerOf, targetOf, widestLayer } from "./nodes";
import { set } from "./svg";

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
