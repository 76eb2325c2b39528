/** How the table of a pair or of a block stands in the grid: in rows and columns, or as a list of the rows that occur. */
import { nameOf, labelOf, type Naming } from "../explorer/words";
import type { Pivot } from "../table/pivot";
import type { TableSpec } from "../ui/protocol";
import type { Margin } from "./margin";

export interface GridSpec {
  spec: TableSpec;
  pivot: Pivot;
  /** One column, one row for each combination of values that occurs. */
  listed: boolean;
}

/** More tuples than this have no room for a heading each. */
const HEADINGS = 4;

const made = new WeakMap<Margin, { naming: Naming; whole: boolean; spec: GridSpec }>();

export function tableSpec(naming: Naming, margin: Margin, whole: boolean): GridSpec {
  const old = made.get(margin);
  if (old && old.naming === naming && old.whole === whole) return old.spec;
  const spec = build(naming, margin, whole);
  made.set(margin, { naming, whole, spec });
  return spec;
}

function build(naming: Naming, { tuples, cells, dense }: Margin, whole: boolean): GridSpec {
  const names = tuples.map((tuple) => naming.names[tuple] ?? "");
  const title = names.map((name) => name || "(no name)").join(", ");
  if (whole && (!dense || tuples.length > HEADINGS)) {
    const head = tuples.map((tuple) => nameOf(naming, tuple, 16)).join(" ");
    const labels = cells.map((at) => at.map((position, k) => labelOf(naming, tuples[k] as number, position, 16)).join(" "));
    return { spec: { title, names: [head], labels: [labels], records: null }, pivot: { rows: [0], columns: [] }, listed: true };
  }
  const places = tuples.map((_, k) => k);
  const last = places.length - 1;
  const pivot = last === 0 ? { rows: [0], columns: [] } : { rows: places.slice(0, last), columns: [last] };
  return { spec: { title, names, labels: tuples.map((tuple) => [...(naming.labels[tuple] ?? [])]), records: null }, pivot, listed: last === 0 };
}
