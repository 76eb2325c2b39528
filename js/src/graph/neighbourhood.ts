/** The chosen adversary between those who know one tuple less (above) and one more (below). */
import { h, layered, renew, s, text } from "../ui/dom";
import { fit } from "../ui/lettering";
import { between, createCard, createStressedEdges, type Card, type Stress } from "./card";
import { incrementOf, isDetermined, knownLabel, type Scene } from "./data";
import { attachHand, type Hand } from "./hand";
import { wordsOf } from "./measure";
import { perNat } from "../ui/preferences";
import { columnOfFlat, flatOf, stronger, targetOf, weaker, type Neighbour } from "./nodes";
import { round, set } from "./svg";

const HEIGHT = 48;
const GAP_X = 6;
const GAP_Y = 42;
const TOP = 18;
const GUTTER = 62;
/** Narrower cards hold no number, or no name: the row is broken then. */
const LEAST = 44;
const LEAST_NAMED = 58;
/** Room above a card of a broken row for its number, px. */
const LABEL = 16;

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
  const [svg, labels] = layered({ role: "group" }, { "aria-hidden": "true" });
  svg.append(edges.lines, ...cards.map((card) => card.el), edges.labels);
  const el = h("div", {}, h("h4", { class: "lg-subhead" }, "The chosen adversary and its neighbours"), h("div", { class: "lg-scroll" }, svg));

  /** Rows as they are seen, from the weakest down; a side that is broken has several. */
  let rows: Card[][] = [[centre]];
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
    if (!next) return null;
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

  /** What stands on an edge: the paper's increment, else what forgetting the tuple adds to the exact value. */
  function addedOn(scene: Scene, weakerFlat: number, strongerFlat: number, tuple: number): number | null {
    const { data } = scene;
    if (scene.paper) return incrementOf(scene, weakerFlat, tuple);
    if (isDetermined(data, weakerFlat) || isDetermined(data, strongerFlat)) return null;
    const added = (data.exact[weakerFlat] as number) - (data.exact[strongerFlat] as number);
    // Differences are written as those of leakages are, which are shown in the unit that is preferred.
    return Number.isFinite(added) ? (added * wordsOf(data.measure).per) / perNat() : null;
  }

  return {
    el,
    update(scene) {
      const { chosen, names } = scene;
      const target = targetOf(n, chosen);
      const column = columnOfFlat(n, chosen);
      const above = weaker(n, target, column);
      const below = stronger(n, target, column);
      const room = Math.max(scene.width, 320) - GUTTER - 6;
      const middle = GUTTER + room / 2;
      const widest = names.numbered ? 64 : 84;
      const fitting = Math.max(1, Math.floor((room + GAP_X) / ((names.numbered ? LEAST : LEAST_NAMED) + GAP_X)));
      const broken = Math.max(above.length, below.length) > fitting;
      const perRow = broken ? Math.max(1, Math.floor((room + GAP_X) / (Math.min(widest, 60) + GAP_X))) : Math.max(above.length, below.length, 1);
      const width = Math.min(widest, (room - (perRow - 1) * GAP_X) / perRow);
      const centreWidth = Math.max(64, Math.min(112, room / 4));
      const put = (card: Card, x: number, y: number, wide: number, wordy: boolean): void => {
        const at = card.place;
        if (at.x === x && at.y === y && at.width === wide && at.wordy === wordy) return;
        card.move({ x, y, width: wide, height: HEIGHT, kind: "card", wordy });
      };
      const hadFocus = previous !== chosen && cards.some((card) => card.el.matches(":focus"));
      rows = [];
      let y = TOP;
      const stress: Stress[] = [];
      const marks: Mark[] = [];
      /** Of the weaker, the chosen and the stronger ones, px. */
      const middles: number[] = [];
      const side = (others: readonly Neighbour[], first: number, isAbove: boolean): void => {
        const from = y;
        for (let start = 0; start < others.length; start += perRow) {
          const part = others.slice(start, start + perRow);
          if (broken) y += LABEL;
          rows.push(
            part.map((other, k) => {
              const card = around[first + start + k] as Card;
              const flat = flatOf(n, target, other.column);
              put(card, middle + (k - (part.length - 1) / 2) * (width + GAP_X) - width / 2, y, width, false);
              const name = names.numbered ? (names.short[other.tuple] as string) : fit(names.full[other.tuple] as string, width - 16, 10.5, false, names.full);
              card.caption = `${isAbove ? "−" : "+"} ${name}`;
              card.draw(scene, flat);
              marks.push({ card, isAbove, added: addedOn(scene, isAbove ? flat : chosen, isAbove ? chosen : flat, other.tuple) });
              return card;
            }),
          );
          y += HEIGHT + (broken && start + perRow < others.length ? GAP_X : 0);
        }
        if (!others.length) y += HEIGHT;
        const middleOf = (from + (broken && others.length ? LABEL : 0) + y) / 2;
        middles.push(round(middleOf));
      };
      side(above, 0, true);
      y += broken ? GAP_Y / 2 : GAP_Y;
      put(centre, middle - centreWidth / 2, y, centreWidth, true);
      middles.push(y + HEIGHT / 2);
      centre.caption = knownLabel(above.map((other) => other.tuple), names, centreWidth - 6, 11);
      centre.draw(scene, chosen);
      rows.push([centre]);
      y += HEIGHT + (broken ? GAP_Y / 2 - 6 : GAP_Y);
      side(below, above.length, false);
      for (const { card, isAbove, added } of marks) {
        const { x1, y1, x2, y2 } = isAbove ? between(card.place, centre.place) : between(centre.place, card.place);
        // Lines through cards would be a tangle: in a broken row each card carries its number above it.
        const top = { x: card.place.x + card.place.width / 2, y: card.place.y };
        stress.push({
          segment: broken ? { x1: top.x, y1: top.y + 4, x2: top.x, y2: top.y } : isAbove ? { x1: x2, y1: y2, x2: x1, y2: y1 } : { x1, y1, x2, y2 },
          increment: added,
        });
      }
      renew(labels, ...drawLabels(middles, round(middle), above.length === 0, below.length === 0));
      edges.draw(stress, broken ? "above" : "end", scene.busy);
      const height = y + 8;
      set(svg, {
        width: room + GUTTER + 6,
        height,
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

/** What stands at the left, and where there is no other. */
function drawLabels(middles: readonly number[], x: number, noWeaker: boolean, noStronger: boolean): SVGElement[] {
  const sides = ["weaker", "chosen", "stronger"].map((word, row) => {
    const note = ["one less", "", "one more"][row] as string;
    const transform = `translate(0 ${middles[row]})`;
    return s("g", { transform }, text(0, note ? -2 : 4, word, { "font-weight": 600 }), text(0, 11, note, { class: "lg-muted" }));
  });
  const none = (row: number, words: string, seen: boolean): SVGElement =>
    text(x, round((middles[row] as number) + 4), words, { class: "lg-muted lg-middle", display: seen ? null : "none" });
  return [...sides, none(0, "knows nothing: none is weaker", noWeaker), none(2, "knows all others: none is stronger", noStronger)];
}

interface Mark {
  card: Card;
  isAbove: boolean;
  added: number | null;
}
