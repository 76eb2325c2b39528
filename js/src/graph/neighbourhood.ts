/** The chosen adversary between those who know one tuple less (above) and one more (below). */
import { h, s, text } from "../ui/dom";
import { createCard, type Card } from "./card";
import { incrementOf, type Scene } from "./data";
import { between, createStressedEdges, type Stress } from "./edges";
import { attachHand, type Hand } from "./hand";
import { fit } from "../ui/lettering";
import { knownLabel } from "./names";
import { columnOfFlat, flatOf, stronger, targetOf, weaker } from "./nodes";
import { set, show } from "./svg";

const HEIGHT = 48;
const GAP_X = 6;
const GAP_Y = 42;
const TOP = 18;
const GUTTER = 62;

export interface Neighbourhood {
  readonly el: HTMLElement;
  update(scene: Scene): void;
  destroy(): void;
}

export function createNeighbourhood(n: number, hand: Hand): Neighbourhood {
  const centre = createCard();
  const around = Array.from({ length: n - 1 }, createCard);
  const cards = [centre, ...around];
  const edges = createStressedEdges("chosen");
  const labels = s("g", { "aria-hidden": "true" });
  const height = TOP + 3 * HEIGHT + 2 * GAP_Y + 8;
  ["weaker", "chosen", "stronger"].forEach((word, row) => {
    const y = TOP + row * (HEIGHT + GAP_Y) + HEIGHT / 2;
    const note = ["one less", "", "one more"][row] as string;
    labels.append(text(0, note ? y - 2 : y + 4, word, { "font-weight": 600 }), text(0, y + 11, note, { class: "lg-muted" }));
  });
  const noWeaker = text(0, TOP + HEIGHT / 2 + 4, "knows nothing: none is weaker", { class: "lg-muted lg-middle" });
  const noStronger = text(0, TOP + 2 * (HEIGHT + GAP_Y) + HEIGHT / 2 + 4, "knows all others: none is stronger", { class: "lg-muted lg-middle" });
  labels.append(noWeaker, noStronger);
  const svg = s("svg", { role: "group", height }, labels, edges.lines, ...cards.map((card) => card.el), edges.labels);
  const el = h("div", {}, h("h4", { class: "lg-subhead" }, "The chosen adversary and its neighbours"), h("div", { class: "lg-scroll" }, svg));

  let rows: Card[][] = [[], [centre], []];
  let previous = -1;

  const detach = attachHand(svg, hand, { step, focus });

  function step(flat: number, key: string): number | null {
    const row = rows.findIndex((cells) => cells.some((card) => card.flat === flat));
    const cells = rows[row] as Card[] | undefined;
    if (!cells) return null;
    const k = cells.findIndex((card) => card.flat === flat);
    if (key === "ArrowLeft" || key === "ArrowRight") return cells[k + (key === "ArrowRight" ? 1 : -1)]?.flat ?? null;
    if (key === "Home") return cells[0]?.flat ?? null;
    if (key === "End") return cells[cells.length - 1]?.flat ?? null;
    if (key !== "ArrowUp" && key !== "ArrowDown") return null;
    const next = rows[row + (key === "ArrowDown" ? 1 : -1)];
    if (!next?.length) return null;
    const x = (cells[k] as Card).place.x;
    return next.reduce((a, b) => (Math.abs(b.place.x - x) < Math.abs(a.place.x - x) ? b : a)).flat;
  }

  function stopAt(flat: number): void {
    for (const card of cards) set(card.el, { tabindex: card.flat === flat ? 0 : -1 });
  }

  function focus(flat: number): void {
    stopAt(flat);
    cards.find((card) => card.flat === flat)?.el.focus();
  }

  return {
    el,
    update(scene) {
      const { chosen, names } = scene;
      const target = targetOf(n, chosen);
      const column = columnOfFlat(n, chosen);
      const above = weaker(n, target, column);
      const below = stronger(n, target, column);
      const widest = Math.max(above.length, below.length, 1);
      const room = Math.max(440, scene.width) - GUTTER - 6;
      const width = Math.min(names.numbered ? 64 : 84, (room - (widest - 1) * GAP_X) / widest);
      const middle = GUTTER + room / 2;
      const centreWidth = Math.max(64, Math.min(112, room / 4));
      const put = (card: Card, row: number, k: number, of: number, wide: number): void => {
        const x = middle + (k - (of - 1) / 2) * (wide + GAP_X) - wide / 2;
        const y = TOP + row * (HEIGHT + GAP_Y);
        const at = card.place;
        if (at.x === x && at.y === y && at.width === wide) return;
        card.move({ x, y, width: wide, height: HEIGHT, kind: "card", wordy: row === 1 });
      };
      const hadFocus = previous !== chosen && cards.some((card) => card.el.matches(":focus"));
      put(centre, 1, 0, 1, centreWidth);
      centre.caption = knownLabel(above.map((other) => other.tuple), names, centreWidth - 6, 11);
      centre.draw(scene, chosen);
      rows = [[], [centre], []];
      const stress = [...above, ...below].map((other, k): Stress => {
        const isAbove = k < above.length;
        const row = isAbove ? 0 : 2;
        const card = around[k] as Card;
        const flat = flatOf(n, target, other.column);
        if (isAbove) put(card, row, k, above.length, width);
        else put(card, row, k - above.length, below.length, width);
        const name = names.numbered ? (names.short[other.tuple] as string) : fit(names.full[other.tuple] as string, width - 16, 10.5);
        card.caption = `${isAbove ? "−" : "+"} ${name}`;
        card.draw(scene, flat);
        (rows[row] as Card[]).push(card);
        const { x1, y1, x2, y2 } = isAbove ? between(card.place, centre.place) : between(centre.place, card.place);
        return {
          segment: isAbove ? { x1: x2, y1: y2, x2: x1, y2: y1 } : { x1, y1, x2, y2 },
          increment: incrementOf(scene, isAbove ? flat : chosen, other.tuple),
        };
      });
      set(noWeaker, { x: middle });
      set(noStronger, { x: middle });
      show(noWeaker, !above.length);
      show(noStronger, !below.length);
      edges.draw(stress, "end", scene.busy);
      set(svg, {
        width: room + GUTTER + 6,
        viewBox: `0 0 ${room + GUTTER + 6} ${height}`,
        "aria-label": "Neighbours of the chosen adversary: weaker ones above, stronger ones below",
      });
      if (previous !== chosen) stopAt(chosen);
      if (hadFocus) centre.el.focus();
      previous = chosen;
    },
    destroy: detach,
  };
}
