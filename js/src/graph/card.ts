/** One adversary as a card, and the edges between cards: one hairline path for all, ink and increments for a few. */
import { css, inkOn } from "../ui/colours";
import { s, setText, text } from "../ui/dom";
import { change } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { badge as drawnBadge } from "../ui/marks";
import { colourOf, isDetermined, knownLabel, paperError, share, standsBack, type Scene } from "./data";
import { adversaryOf } from "./nodes";
import { rect, round, set, show, yes } from "./svg";
import { describe, sentence, shown, shownPaper } from "./words";

// Edges of a lattice: all as one hairline path, those of an adversary in ink with their increments.

export interface Segment {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** One edge to stress: from the adversary in question to its neighbour. */
export interface Stress {
  segment: Segment;
  increment: number | null;
  /** A number stands above the neighbour already. */
  crowned?: boolean;
}

/** The line between a weaker card above and a stronger one below. */
export function between(weaker: Place, stronger: Place): Segment {
  return {
    x1: weaker.x + weaker.width / 2,
    y1: weaker.y + weaker.height,
    x2: stronger.x + stronger.width / 2,
    y2: stronger.y,
  };
}

export function hairlines(segments: readonly Segment[]): string {
  return segments.map((e) => `M${round(e.x1)} ${round(e.y1)}L${round(e.x2)} ${round(e.y2)}`).join("");
}

/** Numbers stand past the middle of their edge, at the neighbour's end where many edges meet, or above the neighbour. */
export type LabelPlace = "middle" | "end" | "above";

/** From one row of numbers to the next where a single row is too tight, px. */
const LINE = 13;

/** A text that stands in the way: its middle and its width. */
interface Spot {
  x: number;
  y: number;
  width: number;
}

function labelAt({ segment, crowned }: Stress, where: LabelPlace): [number, number] {
  const { x1, y1, x2, y2 } = segment;
  if (where === "middle") return [x1 + (x2 - x1) * 0.72, y1 + (y2 - y1) * 0.72];
  if (where === "above") return [x2, y2 - 9];
  return [x2, y2 - Math.sign(y2 - y1) * (crowned ? 29 : 11)];
}

interface Stressed {
  line: SVGLineElement;
  label: SVGGElement;
  plate: SVGRectElement;
  words: SVGTextElement;
}

export interface StressedEdges {
  readonly lines: SVGGElement;
  readonly labels: SVGGElement;
  /** Numbers keep off what is `taken`; one that finds no place is left out: a pointer on the neighbour tells it. */
  draw(edges: readonly Stress[], where: LabelPlace, busy: boolean, taken?: readonly Spot[]): void;
}

/** Elements are kept and reused, so that drawing while values change builds nothing. */
export function createStressedEdges(kind: "chosen" | "passing"): StressedEdges {
  const lines = s("g", { class: `lg-hot lg-${kind}`, "aria-hidden": "true" });
  const labels = s("g", { class: "lg-increments", "aria-hidden": "true" });
  const pool: Stressed[] = [];

  function build(): Stressed {
    const line = s("line");
    const plate = s("rect", { y: -7, height: 14, class: "lg-plate" });
    const words = text(0, 4, "", { class: "lg-middle" });
    const label = s("g", {}, plate, words);
    lines.append(line);
    labels.append(label);
    return { line, label, plate, words };
  }

  return {
    lines,
    labels,
    draw(edges, where, busy, taken = []) {
      while (pool.length < edges.length) pool.push(build());
      const spots = [...taken];
      pool.forEach(({ line, label, plate, words }, k) => {
        const edge = edges[k];
        show(line, edge);
        show(label, edge && edge.increment !== null);
        if (!edge) return;
        set(line, { ...edge.segment });
        if (edge.increment === null) return;
        const number = busy ? "…" : change(edge.increment);
        const width = textWidth(number) + 4;
        const [x, first] = labelAt(edge, where);
        const towards = Math.sign(edge.segment.y1 - edge.segment.y2) * LINE;
        const y = [first, first + towards].find((at) => spots.every((o) => Math.abs(o.y - at) >= LINE - 1 || Math.abs(o.x - x) >= (o.width + width) / 2));
        show(label, y !== undefined);
        if (y === undefined) return;
        spots.push({ x, y, width });
        setText(words, number);
        set(label, { transform: `translate(${round(x)} ${round(y)})` });
        set(plate, { x: -width / 2, width });
      });
    },
  };
}

// One adversary as a card: built once, then only its texts, fills and place change.

/** "card" carries three lines of text, "square" one number and only when it is chosen or the largest. */
export type CardKind = "card" | "square";

interface Place {
  /** Left and upper edge, px. */
  x: number;
  y: number;
  width: number;
  height: number;
  kind: CardKind;
  /** Says "knows 1" rather than "1" where there is room. */
  wordy: boolean;
}

export interface Card {
  readonly el: SVGGElement;
  /** Flat number of the adversary shown. */
  flat: number;
  place: Place;
  /** Replaces the list of known items, such as "+ 3" in the neighbourhood. */
  caption: string | null;
  /** Moves and sizes the card; `draw` must follow. */
  move(place: Place): void;
  draw(scene: Scene, flat: number): void;
  /** What stands above the card, for others to keep off. */
  crown(): Spot[];
}

/** Narrower squares cannot hold a number: it then stands above them. */
const HOLDS_NUMBER = 36;

export function createCard(): Card {
  const ring = s("rect", { class: "lg-ring" });
  const face = s("rect", { class: "lg-face" });
  const bar = s("rect", { class: "lg-bar" });
  const plate = s("rect", { class: "lg-plate" });
  const label = text(0, 0, "", { class: "lg-on lg-middle" });
  const value = text(0, 0, "", { class: "lg-on lg-middle lg-value" });
  const second = text(0, 0, "", { class: "lg-on lg-middle" });
  const el = s("g", { class: "lg-node", role: "button", tabindex: -1 }, ring, face, bar, plate, label, value, second);
  const tag = maxTag();
  let badge: SVGElement | null = null;
  let badgeKind: "low" | "high" | null = null;
  let labelKey = "";
  let width = 0;
  let height = 0;
  let square = false;
  /** The number does not fit into the square. */
  let outside = false;

  function drawCard(scene: Scene, determined: boolean): void {
    const narrow = width < 58;
    const key = `${card.flat}|${card.caption}`;
    if (labelKey !== key) {
      labelKey = key;
      const { known } = adversaryOf(scene.data.n, card.flat);
      const lead = card.place.wordy ? "knows " : "";
      setText(label, card.caption ?? knownLabel(known, scene.names, width - 4, narrow ? 10.5 : 11, lead));
    }
    const number = shown(scene, card.flat);
    const below = determined && !scene.busy ? "determined" : shownPaper(scene, card.flat);
    const top = (height - 50) / 2;
    put(label, top + 14, narrow ? 10.5 : 11);
    put(value, top + 29.5, shrink(number, width - 4, narrow ? 13 : 14, true));
    put(second, top + 43.5, shrink(below, width - 4, determined ? 10.5 : 11));
    setText(value, number);
    setText(second, below);
    show(plate, false);
  }

  function drawSquare(scene: Scene, withText: boolean): void {
    const number = withText ? shown(scene, card.flat) : "";
    setText(label, "");
    setText(second, "");
    setText(value, number);
    el.classList.toggle("lg-outside", outside);
    show(plate, number && outside);
    if (outside) {
      const room = textWidth(number, 12, true) + 6;
      rect(plate, (width - room) / 2, -17.5, room, 14);
      put(value, -6.5, 12);
    } else put(value, height / 2 + 4.5, shrink(number, width - 4, 12, true));
  }

  function drawBadge(scene: Scene): void {
    const error = scene.busy || standsBack(scene, card.flat) ? null : paperError(scene, card.flat);
    const kind = error === null ? null : error < 0 ? "low" : "high";
    if (kind === badgeKind) return;
    badge?.remove();
    badgeKind = kind;
    if (!kind) return;
    badge = drawnBadge(kind, width - 1, 1, square ? (outside ? 3.6 : 5) : width < 58 ? 6 : 7);
    badge.setAttribute("class", "lg-badge");
    el.append(badge);
  }

  function put(line: SVGTextElement, y: number, size: number): void {
    set(line, { x: width / 2, y, "font-size": size });
  }

  function paint(property: string, colour: string): void {
    if (el.style.getPropertyValue(property) !== colour) el.style.setProperty(property, colour);
  }

  const card: Card = {
    el,
    flat: -1,
    place: { x: 0, y: 0, width: 0, height: 0, kind: "card", wordy: true },
    caption: null,
    move(place) {
      card.place = place;
      width = place.width;
      height = place.height;
      square = place.kind === "square";
      outside = square && width < HOLDS_NUMBER;
      set(el, { transform: `translate(${round(place.x)} ${round(place.y)})` });
      const grow = square ? 2.5 : 4;
      rect(ring, -grow, -grow, width + 2 * grow, height + 2 * grow);
      set(ring, { rx: square ? 4 : 6 });
      set(face, { rx: square ? 2 : 3 });
      rect(face, 0, 0, width, height);
      const [x, y] = outside ? [width / 2 - 14, -31] : square ? [-3, -14] : [-5, -15];
      set(tag, { transform: `translate(${round(x as number)} ${y})` });
      labelKey = "";
      badgeKind = null;
      badge?.remove();
    },
    crown() {
      const x = card.place.x + width / 2;
      return outside ? [10, 25].map((up) => ({ x, y: card.place.y - up, width: 44 })) : [];
    },
    draw(scene, flat) {
      const { data, busy, chosen } = scene;
      const determined = isDetermined(data, flat);
      const isLargest = flat === data.largest && !busy;
      const exact = data.exact[flat] as number;
      const colour = colourOf(scene, exact);
      const back = standsBack(scene, flat);
      card.flat = flat;
      paint("--face", determined || back ? "var(--bg)" : css(colour));
      paint("--on", determined || back ? "var(--ink2)" : inkOn(colour));
      el.classList.toggle("lg-hollow", determined);
      el.classList.toggle("lg-back", back);
      el.classList.toggle("lg-chosen", flat === chosen);
      el.classList.toggle("lg-waiting", busy);
      set(el, {
        "data-node": flat,
        "aria-pressed": yes(flat === chosen),
        "aria-disabled": scene.disabled ? "true" : null,
      });
      rect(bar, 0, height - 3, Math.max(1, width * share(exact, scene.domain)), 3);
      if (square) drawSquare(scene, flat === chosen || isLargest);
      else drawCard(scene, determined);
      drawBadge(scene);
      if (!isLargest) tag.remove();
      else if (!tag.parentNode) el.append(tag);
      // What is read on the card comes first: who speaks to the page says that.
      const read = [label, value, second].map((line) => line.textContent).filter(Boolean).join(" ");
      set(el, { "aria-label": [read, sentence(describe(scene, flat)) + (back ? "; left out by the filter" : "")].filter(Boolean).join(". ") });
    },
  };
  return card;
}

/** The tag of the largest leakage, 28 by 13 px from its upper left corner. */
export function maxTag(): SVGGElement {
  return s(
    "g",
    { class: "lg-max", "aria-hidden": "true" },
    s("rect", { width: 28, height: 13, rx: 2 }),
    text(14, 10, "max", { class: "lg-middle", "font-size": 10, "font-weight": 600 }),
  );
}

/** A font size at which the text fits. */
function shrink(content: string, width: number, size: number, bold = false): number {
  const wide = textWidth(content, size, bold);
  return wide <= width ? size : Math.max(8, round((size * width) / wide));
}
