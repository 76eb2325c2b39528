/** Where the parts of the explorer of dependent tuples stand. */
import { results } from "../explorer/late";
import { h } from "../ui/dom";

type Part = { el: HTMLElement };
type Name =
  | "header"
  | "lead"
  | "line"
  | "running"
  | "table"
  | "coefficients"
  | "release"
  | "adversary"
  | "graphHead"
  | "graph"
  | "key"
  | "facts"
  | "rows"
  | "accuracy"
  | "audit";

export function arrange(parts: Record<Name, Part>): HTMLElement {
  const { header, lead, line, running, table, coefficients, release, adversary, graphHead, graph, key, facts, rows, accuracy, audit } = parts;
  const leak = h("section", { class: "panel px-leak", "aria-label": "Dependence graph" }, graphHead.el, graph.el, key.el);
  table.el.append(coefficients.el);
  const upper = h("div", { class: "px-columns dx-upper" }, table.el, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(leak));
  const lower = h("div", { class: "px-columns px-lower dx-lower" }, ...results(facts.el, rows.el, accuracy.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, upper, lower, audit.el);
  const frame = h("div", { class: "px px-fits dx", role: "group", "aria-label": "Dependence explorer" }, header.el, lead.el, slot, body);
  return h("div", { class: "px-scroll" }, frame);
}
