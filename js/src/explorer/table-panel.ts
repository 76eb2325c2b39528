/** The joint distribution in the explorer: its cells, or of a table with too many of them a summary. */
import { createJointTable, type JointTableCallbacks, type JointTableProps } from "../table/joint-table";
import { createTableSummary, type SummaryProps, type TableSummary } from "../table/table-summary";
import { h, type Component } from "../ui/dom";

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
