/** Other measures than the leakage, of all adversaries of a table: as `measure_all` and `PriorAnalysis.graph` in Python. */
import { columnCount, knownOf } from "../graph/nodes";
import type { GraphMeasure } from "../ui/protocol";
import { atMost } from "../ui/format";
import type { LaplaceLaw, Law } from "./best-test";
import { exactNode, type LaplaceMixture } from "./exact-node";
import { InputFault } from "./faults";
import { countReleases } from "./linear-query";
import { allowed, integralOfMax, worstDelta } from "./meaning";
import { groupBound, promiseOf, type Release } from "./releases";
import { sizeOf } from "./table";
import type { Solved } from "./prior-results";

/** Densities computed within about a second. */
const MOST_WORK = 4e6;
/** What one adversary costs beside the cells of the table, and what each value of the query adds. */
const [EACH, EACH_VALUE] = [80, 8];

/** A graph of another measure: its values, and what promise and group bound allow. */
export interface Measured {
  measure: GraphMeasure;
  exact: Float64Array;
  promise: number;
  groupBound: number;
}

const made = new WeakMap<Float64Array, Measured>();

/** Where a measure is taken: delta at the promise, unless somewhere else is asked for. */
export function measureAsked(name: GraphMeasure["name"], epsilon: number | null, release: Release): GraphMeasure {
  return { name, epsilon: name === "delta" ? (epsilon ?? promiseOf(release)) : null };
}

/** Why a page does not compute it, or null. */
export function measureFault({ release, convention, bins }: Pick<Solved, "release" | "convention" | "bins">): InputFault | null {
  const where = { kind: "parameter" as const, name: "measure" };
  if (bins) return new InputFault("Chances and delta are computed for one released number, not for a whole histogram.", where);
  const { shape } = release.table;
  const states = shape.map((size) => (convention === "sup" ? size + 1 : 2));
  const nodes = shape.reduce((sum, _, target) => sum + states.reduce((all, many, j) => (j === target ? all : all * many), 1), 0);
  // A tuple that is known leaves one of its labels: in the worst case each in turn.
  const each = shape.map((size) => (convention === "sup" ? 2 * size : size + 1));
  const cells = shape.reduce((sum, size, target) => sum + each.reduce((all, many, j) => (j === target ? all : all * many), size), 0);
  if (nodes * (EACH + EACH_VALUE * countReleases(release)) + cells <= MOST_WORK) return null;
  return new InputFault("Chances and delta of so many adversaries take too long in a page: run the notebook.", where);
}

/** The measure of all adversaries, the last one again without computing. */
export function measuredAll(solved: Solved, measure: GraphMeasure): Measured {
  const { release, leakages } = solved;
  const known = made.get(leakages.exact);
  if (known && known.measure.name === measure.name && known.measure.epsilon === measure.epsilon) return known;
  const n = release.contributions.length;
  const exact = new Float64Array(leakages.exact.length);
  for (let flat = 0; flat < exact.length; flat++) {
    const target = Math.floor(flat / columnCount(n));
    exact[flat] = ofAdversary(solved, measure, target, knownOf(n, target, flat % columnCount(n)));
    // Up to its leakage delta is 0, which two sums may miss by rounding.
    if (measure.epsilon !== null && (leakages.exact[flat] as number) <= atMost(measure.epsilon)) exact[flat] = 0;
  }
  const bound = groupBound(release.contributions, release.scale, []);
  const found = { measure, exact, promise: allowedBy(measure, promiseOf(release)), groupBound: allowedBy(measure, bound) };
  made.set(leakages.exact, found);
  return found;
}

/** What a leakage allows at most; how well somebody may guess depends on what was believed before. */
export function allowedBy({ name, epsilon }: GraphMeasure, nats: number): number {
  if (name === "posterior_vulnerability") return 1;
  return name === "delta" ? allowed.delta(nats, epsilon ?? 0) : allowed.advantage(nats);
}

/** For the known values of the instance, or in the worst case: the largest, and of chances the mean. */
function ofAdversary({ release, row, convention }: Solved, measure: GraphMeasure, target: number, known: readonly number[]): number {
  if (convention === "instance") return ofValues(release, measure, target, new Map(known.map((k) => [k, row[k] as number]))).value;
  let [most, mean, mass] = [0, 0, 0];
  const many = known.map((k) => release.table.shape[k] as number);
  for (let state = 0; state < sizeOf(many); state++) {
    const values = new Map<number, number>();
    let rest = state;
    known.forEach((k, j) => {
      values.set(k, rest % (many[j] as number));
      rest = Math.floor(rest / (many[j] as number));
    });
    const { value, support } = ofValues(release, measure, target, values);
    if (!(support > 0)) continue;
    most = Math.max(most, value);
    mean += support * value;
    mass += support;
  }
  return measure.name === "posterior_vulnerability" ? mean / mass : most;
}

function ofValues(release: Release, measure: GraphMeasure, target: number, known: ReadonlyMap<number, number>): { value: number; support: number } {
  const { mixtures, prior, support } = exactNode(release, target, known);
  const there = mixtures.flatMap((mixture, v) => (mixture ? [{ mixture, chance: prior[v] as number }] : []));
  const law = lawOf(there.map(({ mixture }) => mixture), release.scale);
  return { value: valueOf(measure, law, there.map(({ chance }) => chance)), support };
}

/** A measure of the labels that can occur. */
export function valueOf({ name, epsilon }: GraphMeasure, law: Law, chances: readonly number[]): number {
  if (chances.length < 2) return name === "posterior_vulnerability" ? 1 : 0;
  if (name !== "posterior_vulnerability") return Math.min(1, worstDelta(law, epsilon ?? 0));
  return Math.min(1, Math.max(...chances, integralOfMax(law, chances)));
}

/** The mixtures over common centres. */
function lawOf(mixtures: readonly LaplaceMixture[], scale: number): LaplaceLaw {
  const centres = [...new Set(mixtures.flatMap((mixture) => [...mixture.centres]))].sort((a, b) => a - b);
  const at = new Map(centres.map((centre, k) => [centre, k]));
  const weights = mixtures.map((mixture) => {
    const row = new Float64Array(centres.length);
    mixture.centres.forEach((centre, k) => (row[at.get(centre) as number] = Math.exp(mixture.logWeights[k] as number)));
    return row;
  });
  return { kind: "laplace", scale, centres, weights };
}
