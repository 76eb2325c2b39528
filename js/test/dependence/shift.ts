/** Six people, at work or not, of whom one covers for two others: the view that Python would send, and its answers. */
import type { DependenceRequest, DependenceResults, DependenceView } from "../../src/dependence/protocol";
import { number, toBytes } from "../../src/ui/wire";

export const PEOPLE = ["Ann", "Ben", "Cy", "Dia", "Eli", "Fay"];

/** Ann, Ben and Cy together; Dia and Eli; Fay. */
const THREE = [0.19, 0.01, 0.01, 0.19, 0.015, 0.285, 0.285, 0.015];
const TWO = [0.3, 0.2, 0.2, 0.3];
const CODES = Array.from({ length: 64 }, (_, row) => [5, 4, 3, 2, 1, 0].map((k) => (row >> k) & 1));
export const PROBABILITIES = Float64Array.from(CODES, ([a, b, c, d, e]) => THREE[4 * a! + 2 * b! + c!]! * TWO[2 * d! + e!]! * 0.5);

/** At ε = 1, from the largest noise to the least: scale, largest leakage, leakage of every person. */
const MECHANISMS: [string, string, number, number, number[]][] = [
  ["lpm", "LPM", 1, 1.389235, [1.389235, 1.241401, 1.241401, 1.185376, 1.185376, 1]],
  ["dpm_exact", "DPM, this σ", 1.189395, 1.126754, [1.126754, 0.994283, 0.994283, 1, 1, 0.840764]],
  ["calibrated", "calibrated", 1.313505, 1, [1, 0.876585, 0.876585, 0.906891, 0.906891, 0.761322]],
  ["dpm_mean", "DPM, any σ", 2.19, 0.547343, [0.547343, 0.466951, 0.466951, 0.546451, 0.546451, 0.456621]],
  ["dpm_eq18", "DPM, paper’s ρ", 2.291557, 0.522355, [0.519478, 0.442361, 0.442361, 0.522355, 0.522355, 0.436385]],
  ["baseline", "baseline", 3, 0.399414, [0.382432, 0.322617, 0.322617, 0.399414, 0.399414, 0.333333]],
];
const RHO: Record<string, [number, number, number]> = {
  "01": [0, 0.5, 0.6021],
  "02": [0, 0.5, 0.6021],
  "10": [0, 0.6, 0.6931],
  "12": [0.1704, 0.59, 0.6843],
  "20": [0, 0.6, 0.6931],
  "21": [0.1704, 0.59, 0.6843],
  "34": [0.1894, 0.6, 0.6931],
  "43": [0.1894, 0.6, 0.6931],
};

const bytes = (values: ArrayLike<number>): DataView => toBytes(Float64Array.from(values));

function matrix(kind: 0 | 1 | 2): DataView {
  return bytes(Array.from({ length: 36 }, (_, k) => RHO[`${Math.floor(k / 6)}${k % 6}`]?.[kind] ?? 0));
}

function resultsFor(view: DependenceView): DependenceResults {
  const epsilon = number(view.epsilon);
  const key = view.mechanism === "dpm" ? `dpm_${view.coefficient}` : view.mechanism;
  const [, , unit, , leaks] = MECHANISMS.find(([name]) => name === key)!;
  // A stand-in for other budgets: leakage grows as the promise does.
  const exact = leaks.map((value) => value * epsilon);
  const paper = [0.840764, 0.984019, 0.984019, 1, 1, 0.840764].map((value) => ((value * 1.189395) / unit) * epsilon);
  const mean = [1.681527, 1.841272, 1.841272, 1.345222, 1.345222, 0.840764].map((value) => ((value * 1.189395) / unit) * epsilon);
  const tuple = view.tuple;
  const scale = unit / epsilon;
  return {
    epsilon,
    scale,
    scalar: true,
    outputs: 1,
    sensitivity: 1,
    dependent: unit,
    enough: 1.313505 / epsilon,
    exact: bytes(exact),
    paper: bytes(paper),
    mean: bytes(mean),
    plain: bytes(exact.map(() => 1 / scale)),
    coefficients: { exact: matrix(0), mean: matrix(1), eq18: matrix(2) },
    chosen: {
      tuple,
      leakage: exact[tuple]!,
      paper: paper[tuple]!,
      mean: mean[tuple]!,
      plain: 1 / scale,
      group: 3 / scale,
      worst: { leakage: tuple === 0 ? 1.588858 : exact[tuple]!, known: tuple === 0 ? [1] : [], values: tuple === 0 ? [0] : [] },
      known: [],
      values: [],
      attained: { pair: [0, 1], output: [0], side: "<=" },
      outputs: { points: bytes([0, 1, 2, 3]), weights: bytes([0.475, 0.05, 0.475, 0, 0, 0.025, 0.95, 0.025]) },
    },
    mechanisms: MECHANISMS.map(([name, label, at, largest]) => ({
      key: name,
      label,
      scale: at / epsilon,
      largest: largest * epsilon,
      holds: name === "lpm" || name === "dpm_exact" ? ("no" as const) : ("here" as const),
      why: "of a block",
    })),
    bounds: { mean: Math.max(...mean), group: 3 / scale },
  };
}

export function shiftView(more: Partial<DependenceView> = {}): DependenceView {
  const bare: DependenceView = {
    revision: 1,
    since: 1,
    ack: null,
    title: "Who is at work",
    noun: "person",
    subject: "the head count",
    model: {
      tuples: PEOPLE.map((name) => ({ name, labels: ["away", "at work"] })),
      support: new DataView(Int32Array.from(CODES.flat()).buffer),
      probabilities: bytes(PROBABILITIES),
      loaded: bytes(PROBABILITIES),
      editable: true,
      blocks: [0, 0, 0, 1, 1, 2],
      note: "Cy covers when exactly one of Ann and Ben is in",
    },
    example: "shift",
    examples: [
      { key: "shift", label: "Six people" },
      { key: "xor", label: "Three bits" },
    ],
    query: "sum",
    queries: [
      { key: "sum", label: "People at work (sum)" },
      { key: "mean", label: "Mean" },
    ],
    mechanism: "dpm",
    mechanisms: [
      { key: "lpm", label: "Laplace mechanism", short: "LPM", coefficient: false, why: null },
      { key: "dpm", label: "Dependent perturbation", short: "DPM", coefficient: true, why: null },
      { key: "baseline", label: "Baseline", short: "baseline", coefficient: false, why: "The query has no baseline." },
      { key: "calibrated", label: "Least noise", short: "calibrated", coefficient: false, why: null },
    ],
    coefficient: "exact",
    epsilon: 1,
    knowing: "nobody",
    known: [],
    tuple: 0,
    other: 2,
    alpha: 3,
    paper: true,
    fault: null,
    running: null,
    stopped: null,
    current: true,
    results: null,
    disabled: false,
    ...more,
  };
  return { ...bare, results: resultsFor(bare), ...("results" in more ? { results: more.results! } : {}) };
}

/** The view that answers a request. */
export function answerTo(view: DependenceView, { probabilities, ...wish }: Partial<Omit<DependenceRequest, "origin" | "seq" | "base">>): DependenceView {
  const next = { ...view, ...wish };
  if (probabilities) next.model = { ...view.model, probabilities: bytes(probabilities) };
  return { ...next, revision: view.revision + 1, results: resultsFor(next) };
}
