/** Where the parts of the explorer of inferred locations stand. */
import { results } from "../explorer/late";
import { h } from "../ui/dom";

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "release" | "adversary" | "maps" | "score" | "mass" | "by" | "leaked" | "error" | "audit";

export function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, release, adversary, maps, score, mass, by, leaked, error, audit } = parts;
  const left = h("div", { class: "px-middle ax-left" }, release.el, adversary.el);
  const right = h("div", { class: "ax-right" }, score.el, mass.el);
  const upper = h("div", { class: "ax-upper" }, left, ...results(maps.el, right));
  const lower = h("div", { class: "ax-lower" }, ...results(by.el, leaked.el, error.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, upper, lower, audit.el);
  const frame = h("div", { class: "px px-fits ax", role: "group", "aria-label": "Location inference explorer" }, header.el, lead.el, slot, body);
  return h("div", { class: "px-scroll" }, frame);
}

const GAP = 24;
/** The first column, and the least of the last one, px. */
const LEFT = 192;
const LAST = 216;
/** Both columns of maps at most, px: as large as the numbers beside them leave room for. */
const MAPS = 680;

export interface Widths {
  maps: number;
  right: number;
  curve: number;
  /** One attack at a time. */
  narrow: boolean;
}

/** Room of the parts at a width of the whole; as attack.css lays them out. */
export function widthsAt(width: number): Widths {
  if (width > 860) {
    const maps = Math.min(MAPS, width - LEFT - LAST - 2 * GAP);
    return { maps, right: width - LEFT - maps - 2 * GAP, curve: Math.floor((width - LEFT - 2 * GAP) / 2), narrow: false };
  }
  const curve = Math.floor((width - GAP) / 2);
  if (width >= 700) {
    const maps = Math.min(MAPS, width - LAST - GAP);
    return { maps, right: width - maps - GAP, curve, narrow: false };
  }
  if (width > 520) return { maps: width, right: curve, curve, narrow: false };
  return { maps: width, right: width, curve: width, narrow: true };
}
