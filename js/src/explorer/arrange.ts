/** Where the parts of the explorer stand, and what stands there before there is a table. */
import { h, setText } from "../ui/dom";
import { results } from "./stale";

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "release" | "adversary" | "facts" | "densities" | "posterior" | "audit";

export interface Places {
  el: HTMLElement;
  /** The table and the graph come here once there is something to show. */
  table: HTMLElement;
  graph: HTMLElement;
  /** The parts, or two ways to begin. */
  showBody(has: boolean): void;
  /** What the table's panel shows: cells or a summary. */
  nameTable(what: string): void;
  /** Width of the table's panel where others stand beside it, px. */
  giveTable(width: number): void;
  /** The graph is so long that the chosen adversary fits beside it. */
  beside(long: boolean): void;
}

export function arrange(parts: Record<Name, Part>): Places {
  const { header, lead, line, running, release, adversary, facts, densities, posterior, audit } = parts;
  const kind = h("span", { class: "muted" }, "probabilities");
  const table = h(
    "section",
    { class: "panel", "aria-label": "Joint distribution" },
    h("h3", { class: "panel-head" }, h("span", {}, "Joint distribution"), kind),
  );
  const graph = h("div", { class: "px-leak" });
  const empty = h(
    "div",
    { class: "px-empty" },
    h("p", {}, "No table yet. Set one in Python, from counts or with independent tuples:"),
    h("p", {}, h("code", {}, "explorer.value = pdp_widgets.read_counts(\"counts.csv\")")),
    h("p", {}, h("code", {}, "explorer.value = pdp_widgets.JointDistribution.independent([[0.5, 0.5]] * 3)")),
  );
  table.classList.add("px-table");
  densities.el.classList.add("px-densities");
  posterior.el.classList.add("px-posterior");
  const upper = h("div", { class: "px-columns" }, table, h("div", { class: "px-middle" }, release.el, adversary.el), ...results(graph));
  const lower = h("div", { class: "px-columns px-lower" }, ...results(facts.el, densities.el, posterior.el));
  const main = h("div", { class: "px-main" }, upper, lower);
  const slot = h("div", { class: "px-slot" }, line.el, running.el);
  const body = h("div", { class: "px-body" }, lead.el, slot, main, audit.el);
  const frame = h("div", { class: "px px-fits", role: "group", "aria-label": "Prior knowledge explorer" }, header.el, empty, body);
  return {
    el: h("div", { class: "px-scroll" }, frame),
    table,
    graph,
    showBody(has) {
      empty.hidden = has;
      body.hidden = !has;
    },
    nameTable: (what) => setText(kind, what),
    giveTable: (width) => upper.style.setProperty("--px-table", `${width}px`),
    beside: (long) => main.classList.toggle("px-long", long),
  };
}
