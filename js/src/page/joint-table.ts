/** The joint table in a page: the browser sets the cells, the page tells whether they are a distribution. */
import { tableFault } from "../compute/table";
import type { Fault, TableState } from "../ui/protocol";
import type { AnyRequest, AnyView } from "../ui/session";
import { floats, sameBytes } from "../ui/wire";
import widget from "../widgets/joint_table";
import { join, type Joined } from "./page-model";

interface TableView extends AnyView {
  table: TableState | null;
  fault: Fault | null;
  current: boolean;
}

type TableRequest = AnyRequest & Pick<TableState, "entries" | "locks" | "keep_sum" | "rows" | "columns">;

/** How many records stood behind the table that was loaded, kept with the bytes that all its views share. */
const records = new WeakMap<object, number | null>();

function recordsOf(table: TableState): number | null {
  const { loaded } = table;
  if (!records.has(loaded)) records.set(loaded, table.spec.records);
  return records.get(loaded) ?? null;
}

function pivoted(table: TableState, rows: number[], columns: number[]): Pick<TableState, "rows" | "columns"> {
  const all = [...rows, ...columns].sort((a, b) => a - b);
  return all.join() === table.spec.names.map((_, j) => j).join() ? { rows, columns } : { rows: table.rows, columns: table.columns };
}

const joined: Joined<TableView, TableRequest> = {
  render: widget.render,
  needsKernel: ({ table }) => (table ? null : "There is no table."),
  answer(view, request) {
    const { table } = view;
    if (!table) return view;
    const loadedRecords = recordsOf(table);
    const { entries = table.entries, locks = table.locks, keep_sum = table.keep_sum, rows = table.rows, columns = table.columns } = request;
    const fault = tableFault(floats(entries), table.spec)?.fault ?? null;
    // Only the table that was loaded has records behind it.
    const spec = fault ? table.spec : { ...table.spec, records: sameBytes(entries, table.loaded) ? loadedRecords : null };
    return { ...view, table: { ...table, spec, entries, locks, keep_sum, ...pivoted(table, rows, columns) }, fault, current: fault === null };
  },
};

export default join("joint_table", joined);
