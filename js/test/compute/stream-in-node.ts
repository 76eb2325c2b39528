/** What a page computes about streams, asked for by Python's tests: see tests/publish/test_browser_stream.py. */
import { Pcg64 } from "../../src/compute/numpy-numbers";
import { askedCore, coreOf, shownCore, streamView } from "../../src/compute/stream-answer";
import { segmentAt } from "../../src/compute/stream-script";
import { heldRatio, leakageOf, matrixOf } from "../../src/compute/stream-mechanisms";
import type { StreamRequest, StreamView } from "../../src/stream/protocol";

/** Random numbers after some others have been passed over. */
export function streamRandoms(asked: { seed: number; first: number; count: number }[]): number[][] {
  return asked.map(({ seed, first, count }) => {
    const generator = new Pcg64(seed).advance(first);
    return Array.from({ length: count }, () => generator.random());
  });
}

/** The matrix of each mechanism at a belief, and what it leaks. */
export function streamMatrices(asked: { key: string; epsilon: number; belief: number[] }[]): object[] {
  return asked.map(({ key, epsilon, belief: listed }) => {
    const belief = Float64Array.from(listed);
    const n = belief.length;
    const distances = Float64Array.from({ length: n * n }, (_, k) => Number(Math.floor(k / n) !== k % n));
    const chain = { n, order: 1 as const, start: belief, transitions: new Float64Array(n * n).fill(1 / n), early: null };
    const step = { epsilon, chain, belief, distances, last: null };
    const matrix = matrixOf(key, step);
    return { matrix, leakage: leakageOf(matrix, belief, heldRatio(key, step)) };
  });
}

interface Question {
  view: StreamView;
  embedded: Record<string, unknown>;
  first: number;
  count: number;
}

/** Steps of saved simulators. */
export function streamRecords(asked: Question[]): object[] {
  return asked.map(({ view, embedded, first, count }) => {
    const core = coreOf(view, embedded);
    const run = core.run.extended(first + count);
    const ended = run.lanes.map((key) => run.ended(key, first + count));
    const budgets = [1, first + count].map((step) => segmentAt(run.script, step).epsilon);
    return { ...run.record(first, count, core.delta), ended, totals: run.lanes.map((key) => run.totals(key, first + count)), budgets };
  });
}

/** The views after requests that follow one another; before each, steps were sent up to `there`, and `shown` of them shown. */
export function streamViews(first: StreamView, requests: (Partial<StreamRequest> & { shown: number; there: number })[], embedded: Record<string, unknown>): StreamView[] {
  let [core, view] = [coreOf(first, embedded), first];
  return requests.map(({ shown, there, ...request }) => {
    core = { ...core, run: core.run.extended(there) };
    core = askedCore(shownCore(core, { run: core.number, position: shown }), view, request);
    view = streamView(view, core);
    return view;
  });
}
