/** A town of 240 people: district, vote and age, which are correlated; and the view that Python would send of it. */
import { localAnswer } from "../../src/compute/local-answer";
import type { LocalTables } from "../../src/compute/local-tables";
import type { LocalView } from "../../src/local/protocol";
import { toBytes } from "../../src/ui/wire";

const SHAPE = [3, 2, 2];
const CELLS = Float64Array.of(40, 10, 8, 12, 20, 22, 18, 20, 6, 14, 10, 60);

function blocks(): Float64Array {
  const starts = [0, 3, 5];
  const made = new Float64Array(49);
  for (let k = 0; k < CELLS.length; k++) {
    const at = [Math.floor(k / 4), Math.floor(k / 2) % 2, k % 2];
    for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) made[(starts[a]! + at[a]!) * 7 + starts[b]! + at[b]!]! += CELLS[k]!;
  }
  return made;
}

export function townTables(): LocalTables {
  return { sizes: SHAPE, blocks: blocks(), joint: { shape: SHAPE, cells: CELLS }, counted: true, missing: false, read: new Map() };
}

export const NAMING = { names: ["district", "vote", "age"], labels: [["north", "mid", "south"], ["left", "right"], ["young", "old"]], noun: "person" };

/** What a page embeds of it. */
export function townEmbedded(): Record<string, unknown> {
  return { blocks: toBytes(blocks()), joint: { shape: SHAPE, cells: toBytes(CELLS) }, counted: true };
}

export function townView(more: Partial<LocalView> = {}): LocalView {
  const counts = [[70, 80, 90], [146, 94], [102, 138]];
  const bare: LocalView = {
    revision: 1,
    since: 1,
    ack: null,
    title: "Town",
    noun: "person",
    records: 240,
    attributes: NAMING.names.map((name, k) => ({ name, labels: NAMING.labels[k]!, counts: toBytes(Float64Array.from(counts[k]!)), chosen: true })),
    min_count: 0,
    missing: { rule: "none", count: 0 },
    mechanisms: [
      { key: "GRR", label: "Randomised (GRR)", inferred: true, epsilon: true },
      { key: "OUE", label: "Unary (OUE)", inferred: true, epsilon: true },
      { key: "RAPPOR", label: "RAPPOR", inferred: true, epsilon: false },
      { key: "SS", label: "Subset selection (SS)", inferred: true, epsilon: true },
      { key: "generic", label: "Any mechanism", inferred: false, epsilon: true },
    ],
    mechanism: "GRR",
    parameters: {},
    epsilon: 1,
    output: "raw",
    source: 0,
    secret: 1,
    budget: null,
    example: "",
    fault: null,
    running: null,
    stopped: null,
    current: true,
    results: null,
    disabled: false,
  };
  return { ...localAnswer(bare, {}, townTables()), ...more };
}
