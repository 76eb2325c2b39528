/** One release about dependent tuples to one kind of adversary, with all mechanisms beside it: as Python's results travel. */
import type { ChosenTuple, Coefficient, DependenceResults, Knowing, MechanismRow, Wired } from "../dependence/protocol";
import { atMost } from "../ui/format";
import type { GraphMeasure, MeasureName } from "../ui/protocol";
import { toBytes } from "../ui/wire";
import { coefficientsAt, dependentSensitivities } from "./dependence-coefficients";
import { equalOutputs } from "./dependence-grid";
import { attainedAt, knownValues, largestLeak, leaksAt, type Leak } from "./dependence-leakage";
import { COMPARED, FEW_SETS, guaranteed, kindOf, scaleOf, type Compared, type Prepared } from "./dependence-release";
import { InputFault } from "./faults";
import type { Law } from "./best-test";
import { allowedBy, valueOf } from "./measured";

/** Distinct outputs that are drawn as bars, and bars in all. */
const [OUTPUTS, BARS] = [60, 1200];
const KINDS: readonly Coefficient[] = ["exact", "mean", "eq18"];

const WORDS: Record<Compared, { label: string; why: string }> = {
  lpm: { label: "LPM", why: "where tuples are independent, or all others are known" },
  dpm_exact: { label: "DPM, this σ", why: "proved for blocks of two and linear queries" },
  calibrated: { label: "calibrated", why: "made for this table and query, once, if nobody is known" },
  dpm_mean: { label: "DPM, any σ", why: "for blocks of any size and linear queries, if nobody is known" },
  dpm_eq18: {
    label: "DPM, paper’s ρ",
    why: "for blocks of any size and linear queries, if nobody is known (ρ by Eq. 18 of the paper)",
  },
  baseline: { label: "baseline", why: "for every table, query and adversary" },
};

export interface Inputs {
  on: Prepared;
  epsilon: number;
  mechanism: Compared;
  knowing: Knowing;
  known: readonly number[];
}

export interface Solved {
  inputs: Inputs;
  scale: number;
  /** About every tuple, to the adversary shown. */
  leaks: readonly Leak[];
  /** To whoever learns most of it; null where there are too many sets. */
  worst: readonly Leak[] | null;
  /** By mechanism. */
  scales: readonly number[];
  largest: readonly number[];
}

export function solved(inputs: Inputs): Solved {
  const { on, epsilon, mechanism, knowing, known } = inputs;
  const n = on.law.n;
  const seen = on.seen(knowing, known);
  // The chosen one first: where numbers hold no such noise, it is the one to name.
  const scale = scaleOf(on, epsilon, mechanism);
  const scales = COMPARED.map((key) => (key === mechanism ? scale : scaleOf(on, epsilon, key)));
  // Where no tuple changes the output, nobody learns anything.
  const leaks = scale > 0 ? leaksAt(seen, n, scale) : nothing(inputs);
  const largest = scales.map((one) => (one === scale ? Math.max(...leaks.map(({ value }) => value)) : largestLeak(seen, one)));
  return { inputs, scale, leaks, worst: worstOf(inputs, scale, leaks), scales, largest };
}

function worstOf({ on, knowing }: Inputs, scale: number, leaks: readonly Leak[]): readonly Leak[] | null {
  if (knowing === "worst") return leaks;
  const { n } = on.law;
  const few = 2 ** Math.min(n, 62) * on.table.rows * n <= FEW_SETS;
  if (!few || scale === 0) return null;
  try {
    return leaksAt(on.seen("worst", []), n, scale);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    // Nobody asked for it: without it all else stands.
    return null;
  }
}

function nothing({ on, knowing, known }: Inputs): Leak[] {
  const listed = knowing === "chosen" ? known : [];
  return Array.from({ length: on.law.n }, (_, j) => {
    const adversary = { known: listed.filter((k) => k !== j), targets: [j], groups: on.nobody[0]?.groups ?? [], kept: [], ends: null };
    return { value: 0, adversary, group: 0, peak: null };
  });
}

function wired(value: number): Wired {
  return Number.isFinite(value) ? value : String(value);
}

/** The results as Python sends them, with one tuple told in full. */
export function resultsState(found: Solved, tuple: number, measured?: DependenceResults["measured"]): DependenceResults {
  const { inputs, scale, leaks, scales, largest } = found;
  const { on, epsilon } = inputs;
  const { query, changes, law, pairs } = on;
  const sensitivities = (kind: Coefficient): Float64Array => (scale > 0 ? dependentSensitivities(pairs, changes, scale, kind) : changes);
  const overScale = (values: Float64Array): Float64Array => values.map((value) => (scale > 0 ? value / scale : 0));
  const [exact, mean] = [sensitivities("exact"), sensitivities("mean")];
  const means = overScale(mean);
  const numbers = { paper: overScale(exact), means, plain: overScale(changes), groups: groupsOf(on, scale) };
  const used = { exact, mean, eq18: exact }[kindOf(inputs.mechanism)];
  return {
    epsilon: wired(epsilon),
    scale: wired(scale),
    scalar: query.width === 1,
    outputs: query.width,
    sensitivity: Math.max(...changes),
    dependent: Math.max(...(inputs.mechanism === "dpm_eq18" ? sensitivities("eq18") : used)),
    enough: wired(scales[COMPARED.indexOf("calibrated")] as number),
    exact: toBytes(Float64Array.from(leaks, ({ value }) => value)),
    ...(measured && { measured }),
    paper: toBytes(numbers.paper),
    mean: toBytes(query.additive ? means : new Float64Array(law.n).fill(NaN)),
    plain: toBytes(numbers.plain),
    coefficients: Object.fromEntries(
      KINDS.map((kind) => [kind, toBytes(withinBlocks(on, coefficientsAt(pairs, changes, scale, kind)))]),
    ) as DependenceResults["coefficients"],
    chosen: chosenState(found, tuple, numbers),
    mechanisms: COMPARED.map((key, place): MechanismRow => ({
      key,
      label: WORDS[key].label,
      scale: wired(scales[place] as number),
      largest: wired(largest[place] as number),
      holds: holds(found, place),
      why: WORDS[key].why,
    })),
    bounds: { mean: query.additive ? wired(Math.max(...means)) : null, group: wired(Math.max(...numbers.groups)) },
  };
}

/** What whole blocks leak at most, by tuple: sensitivities of the block over the scale. */
function groupsOf({ blocks, changes }: Prepared, scale: number): Float64Array {
  const found = new Float64Array(changes.length);
  for (const block of blocks) {
    const sum = block.reduce((total, j) => total + (changes[j] as number), 0);
    for (const j of block) found[j] = scale > 0 ? sum / scale : 0;
  }
  return found;
}

function withinBlocks({ blocks, law }: Prepared, all: Float64Array): Float64Array {
  const found = new Float64Array(all.length);
  for (const block of blocks) for (const i of block) for (const j of block) found[i * law.n + j] = all[i * law.n + j] as number;
  return found;
}

function holds({ inputs, largest }: Solved, place: number): MechanismRow["holds"] {
  const key = COMPARED[place] as Compared;
  const { on, epsilon, knowing, known } = inputs;
  const some = knowing === "worst" || (knowing === "chosen" && known.length > 0);
  if (guaranteed(key, on.query.additive, on.blocks, some)) return "always";
  return (largest[place] as number) <= atMost(epsilon) ? "here" : "no";
}

interface Numbers {
  paper: Float64Array;
  means: Float64Array;
  plain: Float64Array;
  groups: Float64Array;
}

function chosenState({ inputs, leaks, worst }: Solved, tuple: number, { paper, means, plain, groups }: Numbers): ChosenTuple {
  const { law, query } = inputs.on;
  const leak = leaks[tuple] as Leak;
  const known = [...leak.adversary.known];
  const values = knownValues(leak, law);
  return {
    tuple,
    leakage: wired(leak.value),
    paper: wired(paper[tuple] as number),
    mean: query.additive ? wired(means[tuple] as number) : null,
    plain: wired(plain[tuple] as number),
    group: wired(groups[tuple] as number),
    worst: worst === null ? null : worstState(worst[tuple] as Leak, inputs),
    known,
    values,
    attained: attainedAt(leak, law),
    outputs: leak.peak === null ? outputsState(inputs.on, tuple, [], []) : outputsState(inputs.on, tuple, known, values),
  };
}

function worstState(leak: Leak, { on }: Inputs): ChosenTuple["worst"] {
  return { leakage: wired(leak.value), known: [...leak.adversary.known], values: knownValues(leak, on.law) };
}

/** The law of the output before noise for every value of a tuple; null for several numbers, or for more than can be drawn. */
function outputsState(on: Prepared, tuple: number, known: readonly number[], values: readonly number[]): ChosenTuple["outputs"] {
  if (on.query.width !== 1) return null;
  const { points, weights, prior, mass } = lawOfOutputs(on, tuple, known, values);
  if (points.length > OUTPUTS || weights.length > BARS) return null;
  return { points: toBytes(points), weights: toBytes(weights), prior: toBytes(prior.map((p) => p / mass)) };
}

/** Outputs of one number, how likely each is for every label, and the chance of each label with these known values. */
function lawOfOutputs({ table, query, probabilities }: Prepared, tuple: number, known: readonly number[], values: readonly number[]) {
  const n = table.sizes.length;
  const labels = table.sizes[tuple] as number;
  const rows = [...probabilities.keys()].filter((row) => known.every((k, place) => table.codes[row * n + k] === values[place]));
  const { points, places } = equalOutputs(Float64Array.from(rows, (row) => query.outputs[row] as number));
  const width = points.length;
  const weights = new Float64Array(labels * width);
  rows.forEach((row, k) => {
    const at = (table.codes[row * n + tuple] as number) * width + (places[k] as number);
    weights[at] = (weights[at] as number) + (probabilities[row] as number);
  });
  const prior = new Float64Array(labels);
  for (let label = 0; label < labels; label++) {
    const law = weights.subarray(label * width, (label + 1) * width);
    const sum = law.reduce((a, b) => a + b, 0);
    prior[label] = sum;
    if (sum > 0) law.forEach((weight, k) => (law[k] = weight / sum));
  }
  return { points, weights, prior, mass: prior.reduce((a, b) => a + b, 0) };
}

/** What the graph shows of every tuple instead of its leakage; as `DependenceAnalysis.measure` in Python. */
export function measuredState(found: Solved, name: MeasureName, epsilon: number | null): DependenceResults["measured"] {
  if (name === "leakage") return undefined;
  const { on, knowing } = found.inputs;
  const { width } = on.query;
  if (width > 1) {
    throw new InputFault(`${width} numbers are published; measures beyond the leakage are about one.`, { kind: "parameter", name: "query" });
  }
  if (knowing === "worst") {
    throw new InputFault("Who learns most differs from measure to measure; name the known tuples.", { kind: "parameter", name: "worst" });
  }
  const measure = { name, epsilon: name === "delta" ? (epsilon ?? found.inputs.epsilon) : null };
  const values = Float64Array.from(found.leaks, ({ value }, tuple) =>
    // Up to its leakage delta is 0, which two sums may miss by rounding.
    measure.epsilon !== null && value <= atMost(measure.epsilon) ? 0 : measureOf(found, measure, tuple),
  );
  return { measure, values: toBytes(values), promise: allowedBy(measure, found.inputs.epsilon) };
}

/** For the worst values of what is known, and of chances their mean. */
function measureOf({ inputs, scale }: Solved, measure: GraphMeasure, tuple: number): number {
  const { on } = inputs;
  const { table, probabilities } = on;
  const n = table.sizes.length;
  const known = (inputs.knowing === "chosen" ? inputs.known : []).filter((k) => k !== tuple);
  const states = new Map<string, number[]>();
  probabilities.forEach((p, row) => {
    if (!(p > 0)) return;
    const values = known.map((k) => table.codes[row * n + k] as number);
    states.set(values.join(), values);
  });
  let [most, mean, all] = [0, 0, 0];
  for (const values of states.values()) {
    const { points, weights, prior, mass } = lawOfOutputs(on, tuple, known, values);
    const labels = [...prior.keys()].filter((label) => (prior[label] as number) > 0);
    const rows = labels.map((label) => weights.slice(label * points.length, (label + 1) * points.length));
    const law: Law = scale > 0 ? { kind: "laplace", scale, centres: [...points], weights: rows } : { kind: "channel", rows };
    const value = valueOf(measure, law, labels.map((label) => (prior[label] as number) / mass));
    most = Math.max(most, value);
    mean += mass * value;
    all += mass;
  }
  return measure.name === "posterior_vulnerability" ? mean / all : most;
}

/** To whole numbers, halves to even ones, as numpy rounds. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
