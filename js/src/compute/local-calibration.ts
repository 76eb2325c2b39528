/** The largest budget for every attribute that keeps all reports together within a goal, by three ways. */
import { brent } from "./brent";
import { guessOf, hasBudget, namesSymbol, type Mechanism } from "./local-mechanisms";
import { localMatrix, localTotals, othersBound, othersExact, type LocalRelease } from "./local-totals";
import { completeTables, type LocalTables } from "./local-tables";

export interface CalibratedBudget {
  key: "spl" | "pairwise" | "joint";
  epsilon: number;
  leak: number;
  exact: boolean;
  safe: boolean;
  error: number | null;
}

export interface Calibration {
  methods: CalibratedBudget[];
  why: string | null;
}

/** Why there is no budget to look for; the same words as in Python. */
function refusal({ key, parameters }: Mechanism, output: string): string | null {
  const delta = key === "generic" ? (parameters.delta ?? 0) : 0;
  if (delta > 0) {
    return `The mechanism generic has a delta of ${Number(delta.toPrecision(6))}, and a calibration finds budgets ` +
      "without one. Calibrate AnyMechanism(1.0) without it.";
  }
  const guessed = output === "inferred";
  if (key !== "SS" && !(guessed && key === "OLH")) return null;
  const other = key === "SS" ? ", or 'generic' (AnyMechanism), which bounds what is released" : ", or OLH";
  return `What ${key} leaks does not grow evenly with the budget. Calibrate GRR, EXP, OUE, SUE, BLH or SHE${other}${guessed ? ", with output='raw'" : ""}.`;
}

/** The mean chance that a guess is wrong; null where none is defined. */
export function guessError(sizes: readonly number[], mechanism: Mechanism): number | null {
  const errors = sizes.map((k) => {
    const guess = guessOf(mechanism, k);
    return guess ? (k - 1) * guess.other : NaN;
  });
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return Number.isNaN(mean) ? null : mean;
}

export function calibrate(tables: LocalTables, release: LocalRelease, goal: number): Calibration {
  const { names, mechanism, output } = release;
  const n = names.length;
  const sizes = names.map((name) => tables.sizes[name] as number);
  // All reports together are about the records that have every attribute.
  const whole = tables.missing ? completeTables(tables, names) : null;
  const all = whole ?? tables;
  const allNames = whole ? names.map((_, k) => k) : names;
  const together = (made: LocalRelease): LocalRelease => ({ ...made, names: allNames });
  if (!hasBudget(mechanism.key)) return { methods: [], why: `The budget of ${mechanism.key} follows from f, p and q; there is none to find.` };
  const at = (epsilon: number): LocalRelease => ({ ...release, mechanism: { ...mechanism, epsilon } });
  const found = (key: CalibratedBudget["key"], epsilon: number, safe: boolean): CalibratedBudget => {
    const made = together(at(epsilon));
    const { exact, bound } = localTotals(all, made, localMatrix(all, made));
    const leaks = exact.map((value, k) => (Number.isNaN(value) ? (bound[k] as number) : value));
    const leak = Math.max(...leaks);
    return { key, epsilon, leak, exact: exact.includes(leak), safe, error: guessError(sizes, made.mechanism) };
  };
  const methods = [found("spl", goal / n, true)];
  const why = refusal(mechanism, output);
  if (why !== null) return { methods, why };
  const columns = (e: number): number => {
    const matrix = localMatrix(all, together(at(e)));
    return e + Math.max(...names.map((_, s) => names.reduce((sum, _name, j) => sum + (matrix[j * n + s] as number), 0)));
  };
  methods.push(found("pairwise", largestBudget(columns, goal, n), false));
  if (all.joint === null) return { methods, why: "All reports together need a kernel: this page has no joint table." };
  const exact = (e: number): number => e + Math.max(...allNames.map((name) => othersExact(all, together(at(e)), name)));
  const bounded = (e: number): number => e + Math.max(...allNames.map((name) => othersBound(all, together(release), name, (n - 1) * e)));
  const counted = !Number.isNaN(exact(1));
  // Reports say more than the guesses that are drawn from them, unless they are the guesses.
  const safe = !counted || output === "raw" || namesSymbol(mechanism.key);
  methods.push(found("joint", largestBudget(counted ? exact : bounded, goal, n), safe));
  return { methods, why: null };
}

/** The largest e up to the goal with loss(e) <= goal, for a loss of slope 1 or more. */
function largestBudget(loss: (e: number) => number, goal: number, n: number): number {
  if (goal === 0 || n === 1 || goal === Infinity || loss(goal) <= goal) return goal;
  let low = goal / n;
  if (loss(low) < goal) low = brent((e) => loss(e) - goal, low, goal, { absolute: 1e-13 * goal, relative: 4 * 2 ** -52, steps: 100 });
  // Going down by what is too much is enough, but for rounding.
  for (let round = 0; round < 50; round++) {
    const over = loss(low) - goal;
    if (!(over > 0)) break;
    low -= Math.max(over, low * 2 ** -52);
  }
  return low;
}
