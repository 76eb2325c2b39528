/** What a page computes, asked for by Python's tests: see tests/publish/browser_numbers.py. */
import { askedInputs } from "../../src/compute/asked-inputs";
import { amountFault, wiredNumber } from "../../src/compute/faults";
import { chainAll } from "../../src/compute/chain-rule";
import type { Embedded } from "../../src/compute/linear-query";
import { exactAll } from "../../src/compute/exact-all";
import { exactNode, worstKnown } from "../../src/compute/exact-node";
import { gaussianAll } from "../../src/compute/gaussian-leakage";
import { gaussianAnswer } from "../../src/compute/gaussian-answer";
import { nearestCovariance } from "../../src/compute/covariance";
import { priorAnswer, priorEnough } from "../../src/compute/prior-answer";
import type { Release } from "../../src/compute/releases";
import type { GaussianRequest, GaussianView } from "../../src/gaussian/protocol";
import type { PriorRequest, PriorView } from "../../src/prior/protocol";
import { check } from "../../src/matrix/validity";
import type { Enough } from "../../src/ui/protocol";

export * from "./anonymity-in-node";
export * from "./attack-in-node";
export * from "./dependence-in-node";
export * from "./large-in-node";
export * from "./local-in-node";
export * from "./meaning-in-node";
export * from "./network-in-node";
export * from "./stream-in-node";

interface Model {
  shape: number[];
  entries: number[];
  contributions: number[][];
  scale: number;
}

/** All adversaries, the paper's estimates, and one adversary in full; without an instance in the worst case. */
export function prior({ shape, entries, contributions, scale }: Model, instance: number[] | null, target: number, known: number[]): object {
  const release: Release = {
    table: { shape, entries: Float64Array.from(entries) },
    contributions: contributions.map((y) => Float64Array.from(y)),
    scale,
  };
  const values = instance === null ? worstKnown(release, target, known) : new Map(known.map((k) => [k, instance[k] as number]));
  const { mixtures, ...node } = exactNode(release, target, values);
  const labels = mixtures.flatMap((m, v) => (m === null ? [] : [{ label: v, centres: m.centres, weights: m.logWeights.map(Math.exp) }]));
  return { ...exactAll(release, instance), chain: chainAll(release, instance), known: known.map((k) => values.get(k)), node, labels };
}

/** The views after requests that follow one another; queries as a page embeds them. */
export function priorViews(first: PriorView, requests: Partial<PriorRequest>[], queries: Embedded = {}): PriorView[] {
  let view = first;
  return requests.map((request) => (view = priorAnswer(view, request, { queries, cells: null })));
}

export function enough(view: PriorView): Enough {
  return priorEnough(view);
}

export function gaussianViews(first: GaussianView, requests: Partial<GaussianRequest>[]): GaussianView[] {
  let view = first;
  return requests.map((request) => (view = gaussianAnswer(view, request)));
}

/** Whether each matrix is one of covariances, its smallest eigenvalue, and the nearest one that is. */
export function covariances(matrices: number[][]): object[] {
  return matrices.map((flat) => {
    const cov = Float64Array.from(flat);
    const n = Math.sqrt(flat.length);
    const names = Array.from({ length: n }, (_, i) => `x${i + 1}`);
    const near = nearestCovariance(cov, names);
    return { ...check(cov, n), near, still: check(near, n).valid };
  });
}

/** Exact leakages of all adversaries of Gaussian data, and who is determined. */
export function gaussianLeakages(models: { cov: number[]; weights: number[]; scale: number; maxChange: number }[]): object[] {
  return models.map(({ cov, weights, scale, maxChange }) => {
    const [flat, own] = [Float64Array.from(cov), Float64Array.from(weights)];
    return gaussianAll({ cov: flat, mean: new Float64Array(own.length), weights: own, scale, maxChange });
  });
}

/** What is said of each value as a number of a kind, null where it is taken. */
export function refusals(asked: [Parameters<typeof amountFault>[0], unknown][]): (string | null)[] {
  return asked.map(([kind, value]) => amountFault(kind, value, "x")?.message ?? null);
}

/** What stands in a control after a request sent each value, or what is said of it. */
export function inputsAsked(asked: [Parameters<typeof askedInputs>[0], string, unknown, unknown][]): unknown[] {
  return asked.map(([widget, name, now, value]) => {
    try {
      return (askedInputs(widget, { [name]: now }, { [name]: value }, wiredNumber) as Record<string, unknown>)[name];
    } catch (error) {
      return { refused: (error as Error).message };
    }
  });
}
