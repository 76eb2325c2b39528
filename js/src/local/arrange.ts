/** Where the parts of the explorer of local privacy stand. */
import { results } from "../explorer/late";
import { h } from "../ui/dom";

type Part = { el: HTMLElement };
type Name =
  | "header"
  | "lead"
  | "line"
  | "running"
  | "table"
  | "release"
  | "adversary"
  | "map"
  | "key"
  | "facts"
  | "rows"
  | "curve"
  | "more"
  | "audit"
  | "leaks";

export function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, table, release, adversary, map, key, facts, rows, curve, more, audit, leaks } = parts;
  const leak = h(
    "section",
    { class: "panel px-leak", "aria-label": "What leaks" },
    h("h3", { class: "panel-head" }, leaks.el),
    map.el,
    key.el,
  );
  const upper = h("div", { class: "px-columns lx-upper" }, table.el, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(leak));
  const lower = h("div", { class: "px-columns px-lower lx-lower" }, ...results(facts.el, rows.el, curve.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, upper, lower, more.el, audit.el);
  const frame = h("div", { class: "px px-fits lx", role: "group", "aria-label": "Local privacy explorer" }, header.el, lead.el, slot, body);
  return h("div", { class: "px-scroll" }, frame);
}
