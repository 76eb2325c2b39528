/** What a page computes about inferred places, asked for by Python's tests: see tests/publish/test_browser_attack.py. */
import type { AttackRequest, AttackView } from "../../src/attack/protocol";
import { attackAnswer, attackPage, lateResults } from "../../src/compute/attack-answer";
import { friendFactor } from "../../src/compute/attack-city";
import { laplace, Pcg64, wordsOf } from "../../src/compute/numpy-numbers";

/** Laplace noise of some seeds, each a list of whole numbers by their digits. */
export function attackNoise(asked: { seed: string[]; count: number }[]): Float64Array[] {
  return asked.map(({ seed, count }) => laplace(new Pcg64(seed.flatMap(wordsOf)), count));
}

export function attackFactors(asked: { grid: number; friends: number; epsilon: number }[]): number[] {
  return asked.map(({ grid, friends, epsilon }) => friendFactor(grid, friends, epsilon));
}

/** The views after requests that follow one another, each with what takes longer. */
export function attackViews(first: AttackView, requests: Partial<AttackRequest>[], embedded: Record<string, unknown>): AttackView[] {
  const page = attackPage(first, embedded);
  if (!page) throw new RangeError("There is nothing to answer from.");
  let view = first;
  return requests.map((request) => {
    view = attackAnswer(view, request, page);
    const steps = lateResults(view, page);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return (view = { ...view, results: step.value });
  });
}
