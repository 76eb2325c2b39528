/** What a hand sets in the explorer of dependent tuples, checked; what is wrong is said in the words of Python. */
import type { DependentTable } from "./dependence-table";
import { general, InputFault, pythonFloat } from "./faults";

const SUM_TOLERANCE = 1e-9;
/** Smaller scales of noise have no digits left to divide by; as in pdp_widgets/widgets/dependence_solved.py. */
const LEAST_SCALE = 1e-290;

/** What one tuple changes at most over the promise is a scale of noise that numbers can hold. */
export function checkNoise(changes: Float64Array, epsilon: number): void {
  const most = Math.max(...changes);
  if (most === 0 || most / epsilon > LEAST_SCALE) return;
  const text =
    `One tuple changes the query by ${general(most, 3)} at most, and epsilon is ${general(epsilon, 3)}: the ` +
    "noise is too small for the numbers of a computer. Multiply the weights.";
  throw new InputFault(text, { kind: "parameter", name: "epsilon" });
}

function same(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((x, k) => x === b[k]);
}

/** The entries, if they are probabilities: those that stood, or as given, where they are the same numbers. */
export function checkedProbabilities(table: DependentTable, entries: Float64Array, stood: Float64Array): Float64Array {
  if (same(entries, stood)) return stood;
  if (same(entries, table.given)) return table.given;
  entries.forEach((entry, row) => {
    if (entry >= 0 && Number.isFinite(entry)) return;
    const n = table.sizes.length;
    const index = [...table.codes.subarray(row * n, (row + 1) * n)];
    throw new InputFault(`The probability of ${rowWords(table, row, index)} is ${pythonFloat(entry)}; give 0 or more.`, { kind: "cell", index });
  });
  const total = exactSum(entries);
  if (Math.abs(total - 1) > SUM_TOLERANCE)
    throw new InputFault(`The probabilities sum to ${general(total, 9)}, not 1; change a cell, or keep the sum.`, {
      kind: "table",
    });
  return entries;
}

function rowWords({ tuples, said }: DependentTable, row: number, index: readonly number[]): string {
  if (said === null) return `row ${row + 1}`;
  return tuples.map(({ name }, j) => `${name} ${said[j]?.[index[j] as number] as string}`).join(", ");
}

/** A sum with what rounding takes carried along. */
function exactSum(values: Float64Array): number {
  let [sum, lost] = [0, 0];
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}
