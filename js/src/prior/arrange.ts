/** Where the parts of the explorer stand, and how much room the table takes, or its summary in its place. */
import { results } from "../explorer/top";
import { wantedWidth } from "../table/grid-view";
import { createJointTable, type JointTableCallbacks, type JointTableProps } from "../table/joint-table";
import type { Pivot } from "../table/pivot";
import { createTableSummary, type SummaryProps, type TableSummary } from "../table/table-summary";
import { h, setText, type Component } from "../ui/dom";
import type { TableSpec } from "../ui/protocol";

// How much of the width the table takes: more where it needs it and others can spare it: columns that scroll are
// columns out of view.

const LEAST = 264;
const MOST = 440;
/** What controls and gaps take beside the table, and what the graph keeps where it stands there too, px. */
const CONTROLS = 192 + 48;
const GRAPH = 460;
/** The same where the controls alone stand beside it. */
const NARROW_CONTROLS = 24 + 230;

/** Width of the table in an explorer of this width; without cells to show the least. */
export function tableRoom(spec: TableSpec | null, pivot: Pivot, width: number): number {
  if (spec === null) return LEAST;
  const free = width > 860 ? width - CONTROLS - GRAPH : width - NARROW_CONTROLS;
  return Math.max(LEAST, Math.min(wantedWidth(spec, pivot), free, MOST));
}

// The joint distribution in the explorer: its cells, or of a table with too many of them a summary.

export interface TablePanelProps extends JointTableProps {
  /** null when the cells are there. */
  summary: TableSummary | null;
}

export function createTablePanel(on: JointTableCallbacks): { el: HTMLElement; update(props: TablePanelProps): void; destroy(): void } {
  const el = h("div");
  let table: Component<JointTableProps> | null = null;
  let summary: Component<SummaryProps> | null = null;
  return {
    el,
    update({ summary: numbers, ...props }) {
      if (numbers) {
        table?.destroy();
        table = null;
        const now = { spec: props.spec, summary: numbers, fit: props.fit ?? { known: [], instance: [] } };
        if (summary) return summary.update(now);
        summary = createTableSummary(now);
        el.append(summary.el);
        return;
      }
      summary?.destroy();
      summary = null;
      if (table) return table.update(props);
      table = createJointTable(props, on);
      el.append(table.el);
    },
    destroy() {
      table?.destroy();
      summary?.destroy();
      el.remove();
    },
  };
}

// Where the parts of the explorer stand, and what stands there before there is a table.

type Part = { el: HTMLElement };
type Name = "header" | "lead" | "line" | "running" | "release" | "adversary" | "facts" | "densities" | "posterior" | "meaning" | "audit";

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
  const { header, lead, line, running, release, adversary, facts, densities, posterior, meaning, audit } = parts;
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
  const main = h("div", { class: "px-main" }, upper, lower, ...results(meaning.el));
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
