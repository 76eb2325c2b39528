/** What all reports together say about one attribute at the budgets of an axis: exact where a page can, else bounded. */
import { axisEnd } from "../local/curve-lines";
import type { ReportsState } from "../local/protocol";
import { same } from "../local/results";
import { number, toBytes } from "../ui/codec";
import { jointOutputs } from "./local-joint";
import { hasBudget } from "./local-mechanisms";
import { completeTables, type LocalTables } from "./local-tables";
import { isConstant, othersBound, othersExact, ownLeakages, readingsOf, type LocalRelease } from "./local-totals";

/** Budgets, as in Python. */
const BUDGETS = 25;
/** Combinations of outputs at each budget; with more the curve is that of the bound. */
const MOST_OUTPUTS = 4000;

/** The curve that was drawn last, of the tables of a page: a drag moves along it. */
const last = new WeakMap<LocalTables, { key: string; made: ReportsState | null }>();

export function reportsState(tables: LocalTables, release: LocalRelease, secret: number): ReportsState | null {
  const { names, mechanism, output, minCount } = release;
  if (!hasBudget(mechanism.key) || names.length < 2) return null;
  const end = axisEnd(mechanism.epsilon);
  const key = JSON.stringify([names, secret, mechanism.key, mechanism.parameters, output, minCount, end]);
  const known = last.get(tables);
  if (known?.key === key) return known.made;
  const made = published(tables, release, secret, end) ?? curveOf(tables, release, secret, end);
  last.set(tables, { key, made });
  return made;
}

/** What was saved with the page, where it is of the same release but for the budget. */
function published({ saved }: LocalTables, release: LocalRelease, secret: number, end: number): ReportsState | null {
  const before = saved?.reports;
  if (!saved || !before || before.secret !== secret || axisEnd(number(saved.epsilon)) !== end) return null;
  return same(saved, { ...release, mechanism: { ...release.mechanism, epsilon: number(saved.epsilon) } }) ? before : null;
}

function curveOf(tables: LocalTables, release: LocalRelease, secret: number, end: number): ReportsState | null {
  const whole = tables.missing ? completeTables(tables, release.names) : tables;
  if (!whole?.joint) return null;
  // Tables of complete records hold the released attributes alone.
  const names = tables.missing ? release.names.map((_, k) => k) : release.names;
  const place = release.names.indexOf(secret);
  const name = names[place] as number;
  const steps = Array.from({ length: BUDGETS }, (_, k) => ({ ...release, names, mechanism: { ...release.mechanism, epsilon: (end * k) / (BUDGETS - 1) } }));
  const others = names.map((each) => whole.sizes[each] as number);
  const exact = steps.every(
    (step) =>
      jointOutputs(
        others.filter((_, j) => j !== place),
        readingsOf(whole, step).filter((_, j) => j !== place),
      ) <= MOST_OUTPUTS,
  );
  const values = steps.map((step) => {
    const own = ownLeakages(whole, step);
    const mine = own[place] as number;
    if (exact) return mine + othersExact(whole, step, name);
    const all = own.reduce((total, value) => total + value, 0);
    return Math.min(all, mine + othersBound(whole, step, name, all - mine));
  });
  if (values.some(Number.isNaN)) return null;
  return {
    secret,
    epsilon: toBytes(Float64Array.from(steps, (step) => step.mechanism.epsilon)),
    values: toBytes(Float64Array.from(values)),
    exact: exact && !isConstant(whole, { ...release, names }, name),
  };
}
