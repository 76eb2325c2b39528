/** Where the parts of the Gaussian explorer stand; a matrix of many tuples takes a row of its own. */
import { results } from "../explorer/late";
import { h } from "../ui/dom";

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "release" | "adversary" | "facts" | "densities" | "waterfall" | "audit";

/** From here on the matrix stands above the other columns. */
const WIDE_FROM = 6;

export interface Places {
  el: HTMLElement;
  /** The matrix and the graph come here once there is something to show; without a matrix, two ways to begin. */
  matrix: HTMLElement;
  graph: HTMLElement;
  empty: HTMLElement;
  /** How many tuples there are; 0 shows the two ways to begin. */
  show(tuples: number): void;
}

export function isWide(tuples: number): boolean {
  return tuples >= WIDE_FROM;
}

export function arrange(parts: Record<Name, Part>): Places {
  const { header, lead, line, running, release, adversary, facts, densities, waterfall, audit } = parts;
  const matrix = h("section", { class: "panel gx-matrix", "aria-label": "Matrix" });
  const graph = h("div", { class: "px-leak" });
  const upper = h("div", { class: "px-columns gx-upper" }, matrix, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(graph));
  const lower = h("div", { class: "px-columns px-lower" }, ...results(facts.el, densities.el, waterfall.el));
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const empty = h("div", { class: "gx-empty" });
  const body = h("div", { class: "px-body" }, upper, lower, audit.el);
  const frame = h(
    "div",
    { class: "px px-fits gx", role: "group", "aria-label": "Prior knowledge explorer, Gaussian data" },
    header.el,
    lead.el,
    slot,
    empty,
    body,
  );
  return {
    el: h("div", { class: "px-scroll" }, frame),
    matrix,
    graph,
    empty,
    show(tuples) {
      empty.hidden = tuples > 0;
      lead.el.hidden = body.hidden = tuples === 0;
      frame.classList.toggle("gx-wide", isWide(tuples));
    },
  };
}
