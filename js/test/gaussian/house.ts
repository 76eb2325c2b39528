/** Two tuples with round numbers: variances 1 and 4, covariance 0.5, means 1 and 2, plain sum at scale 1. */
import type { GaussianChosen, GaussianResults, GaussianView } from "../../src/gaussian/protocol";
import type { DigestState } from "../../src/graph/digest";
import { FIRST_SEARCH } from "../../src/graph/search";
import { toBytes } from "../../src/ui/wire";

export const COV = Float64Array.from([1, 0.5, 0.5, 4]);
export const MEAN = Float64Array.from([1, 2]);
export const NAMING = { names: ["Ann", "Bob"], labels: [], noun: "flat" };

/** Ann, knowing nobody: one unit more of hers shows as 1.5, as Bob moves by a half with her. */
export function ann(scale = 1, change = 1): GaussianChosen {
  return {
    target: 0,
    known: [],
    value: (1.5 * change) / scale,
    determined: false,
    limit: true,
    own: 1,
    through: [{ tuple: 1, value: 0.5 }],
    coefficient: 1.5,
    expected: 1,
    spread: 1,
    centre: 3,
    sigma: Math.sqrt(3.75),
    pair: [1, 1 + change],
    over: [-1.4, 8.9],
    nearly: null,
  };
}

/** Ann, knowing Bob: the noise alone hides her. */
export function strong(): GaussianChosen {
  return { ...ann(), known: [1], value: 1, limit: false, through: [], coefficient: 1, sigma: 0, over: null };
}

export function results(scale = 1, change = 1): GaussianResults {
  const k = change / scale;
  return {
    scale,
    max_change: change,
    weights: [1, 1],
    promise: k,
    graph: {
      names: ["Ann", "Bob"],
      promise: k,
      // Ann: knowing nobody, Bob; Bob: knowing nobody, Ann.
      exact: toBytes(Float64Array.from([1.5 * k, k, 1.125 * k, k])),
      paper: null,
      determined: null,
      increments: null,
      largest: { target: 0, known: [], value: 1.5 * k },
      group_bound: Infinity,
    },
    digest: null,
    largest: { target: 0, known: [], value: 1.5 * k, limit: true },
    chosen: ann(scale, change),
    adversaries: 4,
    above_promise: 2,
  };
}

export function firstView(): GaussianView {
  const [cov, mean] = [toBytes(COV), toBytes(MEAN)];
  return {
    revision: 1,
    since: 1,
    ack: null,
    matrix: {
      title: "Two flats",
      unit: "kWh",
      names: ["Ann", "Bob"],
      cov,
      mean,
      weights: toBytes(Float64Array.from([1, 1])),
      loaded_cov: cov,
      loaded_mean: mean,
      sound: cov,
      records: null,
      valid: true,
      smallest: 0.919,
    },
    correlation: false,
    query: "sum",
    subject: "A noisy sum",
    noun: "flat",
    scale: 1,
    max_change: 1,
    target: 0,
    known: [],
    threshold: null,
    goal: 1,
    fault: null,
    running: null,
    stopped: null,
    kept: "",
    current: true,
    results: results(),
    disabled: false,
  };
}

/** What Python answers about a graph that is too large to send. */
export function digest(): DigestState {
  const layer = { unknown: 1, count: 2, determined: 0, counts: [1, 1], quartiles: [1, 1.5, 2], range: [1, 2] as [number, number], own: null, top: 0 };
  return {
    names: ["Ann", "Bob"],
    promise: 1,
    group_bound: Infinity,
    domain: [0, 2],
    largest: 0,
    apart: null,
    layers: [layer],
    above_promise: 1,
    threshold: 1.5,
    above: 1,
    chosen: { target: 0, known: [], rank: 0 },
    search: FIRST_SEARCH,
    count: 4,
    rows: [0],
    place: 0,
    values: { flats: [0, 1], exact: [1.5, 1], paper: null, determined: [] },
  } as DigestState;
}
