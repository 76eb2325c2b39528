/** What makes an array of entries a table of probabilities, and the faults it can have. */
import type { TableSpec } from "../ui/protocol";
import { general, InputFault, placeOf } from "./faults";
import { indexOf, total } from "./table";

const SUM_TOLERANCE = 1e-9;

/** The first fault of some entries, or null. */
export function tableFault(entries: Float64Array, spec: TableSpec): InputFault | null {
  return (
    firstEntry(entries, spec, (p) => !Number.isFinite(p), "must be a finite number") ??
    firstEntry(entries, spec, (p) => p < 0, "must not be negative") ??
    sumFault(entries, total(entries))
  );
}

function firstEntry(entries: Float64Array, spec: TableSpec, bad: (p: number) => boolean, demand: string): InputFault | null {
  const cell = entries.findIndex(bad);
  if (cell < 0) return null;
  const index = indexOf(spec.labels.map((labels) => labels.length), cell);
  return new InputFault(
    `The probability of (${placeOf(spec, index)}) is ${general(entries[cell] as number)}; it ${demand}.`,
    { kind: "cell", index },
  );
}

function sumFault(entries: Float64Array, sum: number): InputFault | null {
  if (Math.abs(sum - 1) <= SUM_TOLERANCE) return null;
  const counted = sum > 1 && entries.every(Number.isInteger);
  const instead = counted ? "from_counts takes counts of records" : "normalised divides weights by their sum";
  return new InputFault(`The probabilities sum to ${general(sum)}; they must sum to 1 within 1e-09. JointDistribution.${instead}.`, { kind: "table" });
}

export function impossibleRow(spec: TableSpec, row: readonly number[]): InputFault {
  return new InputFault(`The row ${placeOf(spec, row)} has probability 0; choose other known values.`, { kind: "row", index: [...row] });
}
