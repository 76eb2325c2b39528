/** What a page computes about dependent tuples, asked for by Python's tests: see tests/publish/test_browser_dependence.py. */
import { coreOf, dependenceAnswer } from "../../src/compute/dependence-answer";
import { independentBlocks } from "../../src/compute/dependence-coefficients";
import { equalOutputs } from "../../src/compute/dependence-grid";
import type { DependenceRequest, DependenceView } from "../../src/dependence/protocol";

/** The views after requests that follow one another. */
export function dependenceViews(first: DependenceView, requests: Partial<DependenceRequest>[], embedded: Record<string, unknown>): DependenceView[] {
  let [view, core] = [first, coreOf(first, embedded)];
  return requests.map((request) => {
    ({ view, core } = dependenceAnswer(view, core, request));
    return view;
  });
}

/** Milliseconds that each request takes, once the code is warm. */
export function dependenceTimes(first: DependenceView, requests: Partial<DependenceRequest>[], embedded: Record<string, unknown>): number[] {
  dependenceViews(first, requests, embedded);
  let [view, core] = [first, coreOf(first, embedded)];
  return requests.map((request) => {
    const start = performance.now();
    ({ view, core } = dependenceAnswer(view, core, request));
    return performance.now() - start;
  });
}

/** Independent blocks of tables of probabilities, with a row for every combination of values. */
export function dependenceBlocks(tables: { codes: number[][]; chances: number[] }[]): number[][][] {
  return tables.map(({ codes, chances }) => independentBlocks({ n: (codes[0] as number[]).length, codes: Int32Array.from(codes.flat()), chances: Float64Array.from(chances) }));
}

/** Which outputs are one, for columns of them. */
export function dependenceOutputs(columns: number[][]): { points: number[]; places: number[] }[] {
  return columns.map((column) => {
    const { points, places } = equalOutputs(Float64Array.from(column));
    return { points: [...points], places: [...places] };
  });
}
