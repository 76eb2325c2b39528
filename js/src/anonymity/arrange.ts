/** Where the parts of the explorer of k-anonymity stand. */
import { results } from "../explorer/top";
import { h } from "../ui/dom";

type Part = { el: HTMLElement };
type Name =
  | "header"
  | "lead"
  | "line"
  | "running"
  | "table"
  | "map"
  | "release"
  | "adversary"
  | "more"
  | "curves"
  | "terms"
  | "facts"
  | "removals"
  | "known"
  | "meaning"
  | "audit";

export function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, table, map, release, adversary, more, curves, terms, facts, removals, known, meaning, audit } = parts;
  table.el.append(map.el, more.el);
  curves.el.append(terms.el);
  const upper = h("div", { class: "px-columns" }, table.el, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(curves.el));
  const lower = h("div", { class: "px-columns px-lower kx-lower" }, ...results(facts.el, removals.el, known.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, upper, lower, ...results(meaning.el), audit.el);
  const frame = h("div", { class: "px px-fits kx", role: "group", "aria-label": "Anonymity explorer" }, header.el, lead.el, slot, body);
  return h("div", { class: "px-scroll" }, frame);
}

const GAP = 24;
const [TABLE, MIDDLE, LAST] = [264, 192, 300];
/** The table grows with the whole until labels of two columns have room. */
const WIDEST = 312;

export interface Widths {
  map: number;
  curve: number;
  removals: number;
  known: number;
}

/** Room of the parts at a width of the whole; as anonymity.css lays them out. */
export function widthsAt(width: number): Widths {
  const table = Math.round(Math.min(WIDEST, Math.max(TABLE, TABLE + (width - 1000) / 4)));
  if (width > 860) return { map: table, curve: width - table - MIDDLE - 2 * GAP, removals: width - TABLE - LAST - 2 * GAP, known: LAST };
  const half = Math.floor((width - GAP) / 2);
  if (width > 520) return { map: TABLE, curve: width, removals: half, known: half };
  return { map: width, curve: width, removals: width, known: width };
}
