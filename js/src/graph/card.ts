/** One adversary as a card: built once, then only its texts, fills and place change. */
import { s, setAttr, setText, text } from "../ui/dom";
import { mark } from "../ui/marks";
import { css, inkOn } from "../ui/palette";
import { colourOf, isDetermined, paperError, share, type Scene } from "./data";
import { adversaryOf } from "./nodes";
import { knownLabel, textWidth } from "./names";
import { describe, sentence, shown, shownPaper } from "./words";

/** "card" carries three lines of text, "square" one number and only when it is chosen or the largest. */
export type CardKind = "card" | "square";

export interface Place {
  /** Left and upper edge, px. */
  x: number;
  y: number;
  width: number;
  height: number;
  kind: CardKind;
  /** Says "knows 1" rather than "1" where there is room. */
  wordy: boolean;
}

/** Narrower squares cannot hold a number: it then stands above them. */
const HOLDS_NUMBER = 36;

export class Card {
  readonly el: SVGGElement;
  /** Flat number of the adversary shown. */
  flat = -1;
  place: Place = { x: 0, y: 0, width: 0, height: 0, kind: "card", wordy: true };
  /** Replaces the list of known items, such as "+ 3" in the neighbourhood. */
  caption: string | null = null;
  private readonly ring = s("rect", { class: "pdpg-ring", rx: 6 });
  private readonly face = s("rect", { class: "pdpg-face", rx: 3 });
  private readonly bar = s("rect", { class: "pdpg-bar", height: 3 });
  private readonly plate = s("rect", { class: "pdpg-plate", height: 15 });
  private readonly label = text(0, 0, "", { "text-anchor": "middle", class: "pdpg-on" });
  private readonly value = text(0, 0, "", { "text-anchor": "middle", class: "pdpg-on pdpg-value" });
  private readonly second = text(0, 0, "", { "text-anchor": "middle", class: "pdpg-on" });
  private badge: SVGElement | null = null;
  private badgeKind = "";
  private tag: SVGGElement | null = null;
  private labelKey = "";

  constructor() {
    this.el = s("g", { class: "pdpg-node", role: "button", tabindex: -1 }, this.ring, this.face, this.bar, this.plate, this.label, this.value, this.second);
  }

  /** Moves and sizes the card; `draw` must follow. */
  move(place: Place): void {
    this.place = place;
    const { x, y, width, height, kind } = place;
    setAttr(this.el, "transform", `translate(${round(x)} ${round(y)})`);
    const grow = kind === "card" ? 4 : 2.5;
    rect(this.ring, -grow, -grow, width + 2 * grow, height + 2 * grow);
    setAttr(this.ring, "rx", kind === "card" ? 6 : 4);
    setAttr(this.face, "rx", kind === "card" ? 3 : 2);
    rect(this.face, 0, 0, width, height);
    this.labelKey = "";
    this.badgeKind = "";
    this.badge?.remove();
    this.badge = null;
  }

  draw(scene: Scene, flat: number): void {
    const { data } = scene;
    const { width, height, kind } = this.place;
    const determined = isDetermined(data, flat);
    const isChosen = flat === scene.chosen;
    const isLargest = flat === data.largest && !scene.busy;
    const exact = data.exact[flat] as number;
    if (flat !== this.flat) {
      this.flat = flat;
      this.labelKey = "";
      setAttr(this.el, "data-node", flat);
    }
    const colour = colourOf(scene, exact);
    const ground = determined ? "var(--bg)" : css(colour);
    this.paint("--face", ground);
    this.paint("--on", determined ? "var(--ink2)" : inkOn(colour));
    this.el.classList.toggle("pdpg-determined", determined);
    this.el.classList.toggle("pdpg-chosen", isChosen);
    this.el.classList.toggle("pdpg-waiting", scene.busy);
    const words = describe(scene, flat);
    setAttr(this.el, "aria-label", sentence(words));
    setAttr(this.el, "aria-pressed", isChosen ? "true" : "false");
    setAttr(this.el, "aria-disabled", scene.disabled ? "true" : null);
    rect(this.bar, 0, height - 3, Math.max(1, width * share(exact, scene.domain)), 3);
    if (kind === "card") this.drawCard(scene, determined);
    else this.drawSquare(scene, isChosen || isLargest);
    this.drawBadge(scene);
    this.drawTag(isLargest);
  }

  private drawCard(scene: Scene, determined: boolean): void {
    const { width, height, wordy } = this.place;
    const size = width < 58 ? 10.5 : 11;
    const middle = width / 2;
    const key = this.caption ?? "";
    if (this.labelKey !== `${this.flat}|${key}`) {
      this.labelKey = `${this.flat}|${key}`;
      const { known } = adversaryOf(scene.data.n, this.flat);
      const room = width - 4;
      setText(this.label, this.caption ?? knownLabel(known, scene.names, room, size, wordy ? "knows " : ""));
    }
    const value = shown(scene, this.flat);
    const second = determined && !scene.busy ? "determined" : shownPaper(scene, this.flat);
    const top = (height - 50) / 2;
    at(this.label, middle, top + 14, size);
    at(this.value, middle, top + 29.5, shrink(value, width - 4, width < 58 ? 13 : 14));
    at(this.second, middle, top + 43.5, determined ? shrink(second, width - 4, 10.5) : 11);
    setText(this.value, value);
    setText(this.second, second);
    setAttr(this.plate, "display", "none");
  }

  private drawSquare(scene: Scene, withText: boolean): void {
    const { width, height } = this.place;
    setText(this.label, "");
    setText(this.second, "");
    const value = withText ? shown(scene, this.flat) : "";
    setText(this.value, value);
    const outside = width < HOLDS_NUMBER;
    this.el.classList.toggle("pdpg-outside", outside);
    setAttr(this.plate, "display", value && outside ? null : "none");
    if (!value) return;
    if (outside) {
      const plate = textWidth(value, 12) * 1.06 + 6;
      rect(this.plate, width / 2 - plate / 2, -17.5, plate, 14);
      at(this.value, width / 2, -6.5, 12);
    } else at(this.value, width / 2, height / 2 + 4.5, shrink(value, width - 4, 12));
  }

  private drawBadge(scene: Scene): void {
    const error = scene.busy ? null : paperError(scene, this.flat);
    const kind = error === null ? "" : error < 0 ? "low" : "high";
    if (kind === this.badgeKind) return;
    this.badge?.remove();
    this.badge = null;
    this.badgeKind = kind;
    if (kind !== "low" && kind !== "high") return;
    const { width, kind: card } = this.place;
    const r = card === "square" ? (width < HOLDS_NUMBER ? 3.6 : 5) : width < 58 ? 6 : 7;
    this.badge = mark(kind, width - 1, 1, r);
    this.badge.setAttribute("class", "pdpg-badge");
    this.el.append(this.badge);
  }

  private drawTag(show: boolean): void {
    if (!show) {
      this.tag?.remove();
      this.tag = null;
      return;
    }
    this.tag ??= maxTag();
    const { width, kind } = this.place;
    const above = kind === "square" && width < HOLDS_NUMBER;
    setAttr(this.tag, "transform", above ? `translate(${round(width / 2 - 14)} -31)` : kind === "square" ? "translate(-3 -14)" : "translate(-5 -15)");
    if (!this.tag.parentNode) this.el.append(this.tag);
  }

  private paint(property: string, colour: string): void {
    if (this.el.style.getPropertyValue(property) !== colour) this.el.style.setProperty(property, colour);
  }
}

/** The tag of the largest leakage, 28 by 13 px from its upper left corner. */
export function maxTag(): SVGGElement {
  return s(
    "g",
    { class: "pdpg-max", "aria-hidden": "true" },
    s("rect", { width: 28, height: 13, rx: 2 }),
    text(14, 10, "max", { "text-anchor": "middle", "font-size": 10, "font-weight": 600 }),
  );
}

export function rect(el: SVGElement, x: number, y: number, width: number, height: number): void {
  setAttr(el, "x", round(x));
  setAttr(el, "y", round(y));
  setAttr(el, "width", round(width));
  setAttr(el, "height", round(height));
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function at(el: SVGTextElement, x: number, y: number, size: number): void {
  setAttr(el, "x", round(x));
  setAttr(el, "y", round(y));
  setAttr(el, "font-size", size);
}

/** A font size at which the text fits. */
function shrink(content: string, width: number, size: number): number {
  const wide = textWidth(content, size) * 1.08;
  return wide <= width ? size : Math.max(8, round((size * width) / wide));
}
