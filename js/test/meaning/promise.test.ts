/** What promises allow: every release that keeps one lies within its curves, and some release lies on them. */
import { describe, expect, it } from "vitest";
import { areaUnder, bestTests, hockeyStick, missed, type ChannelLaw, type Law } from "../../src/compute/best-test";
import { delta, kl, leakageOf, worstDelta } from "../../src/compute/meaning";
import { leakageOf as leaksOf, matrixOf } from "../../src/compute/stream-mechanisms";
import type { GaussianChosen } from "../../src/gaussian/protocol";
import { ofShift, ofStep } from "../../src/meaning/laws";
import { ofBeliefs, plainly, type Promised } from "../../src/meaning/promise";

const ALARMS = [0, 0.02, 0.1, 0.3, 0.5, 0.8, 1];
const BUDGETS = [0, 0.1, 0.3, 0.7, 1.2, 2];

/** How far a law goes beyond a promise: 0 or less where it is kept. */
function beyond(law: Law, promise: Promised, labels: number): number {
  const slack = BUDGETS.map((epsilon) => worstDelta(law, epsilon) - promise.delta(epsilon));
  const pairs = Array.from({ length: labels * labels }, (_, k) => [Math.floor(k / labels), k % labels] as const).filter(([v, w]) => v !== w);
  const tests = pairs.flatMap(([v, w]) => ALARMS.map((alarms) => promise.missed(v, w, alarms) - missed(law, v, w, alarms)));
  return Math.max(...slack, ...tests);
}

const stepOf = (key: string, belief: number[], epsilon: number) => {
  const n = belief.length;
  const chain = { n, order: 1 as const, start: Float64Array.from(belief), transitions: new Float64Array(n * n).fill(1 / n), early: null };
  const distances = Float64Array.from({ length: n * n }, (_, k) => Number(Math.floor(k / n) !== k % n));
  return matrixOf(key, { epsilon, belief: Float64Array.from(belief), distances, last: null, chain });
};

describe("what is promised of beliefs", () => {
  const beliefs = [[0.5, 0.5], [0.9, 0.1], [0.2, 0.3, 0.5], [0.05, 0.15, 0.8], [0.1, 0.2, 0.3, 0.4]];
  const cases = beliefs.flatMap((belief) => [0.2, 1, 3].flatMap((epsilon) => ["crr_balanced", "crr_shrunk", "crr_trimmed", "grr"].map((key) => ({ key, belief, epsilon }))));

  it.each(cases)("$key with beliefs $belief keeps $epsilon nats, and stays within the curves", ({ key, belief, epsilon }) => {
    const matrix = stepOf(key, belief, epsilon);
    const { meaning } = ofStep(matrix, Float64Array.from(belief), belief.map(String), 1);
    expect(leaksOf(matrix, Float64Array.from(belief))).toBeLessThanOrEqual(epsilon * (1 + 1e-9));
    expect(beyond(meaning!.law, ofBeliefs(epsilon, belief), belief.length)).toBeLessThan(1e-9);
  });

  it.each([[[0.9, 0.1], 1], [[0.05, 0.15, 0.8], 0.5], [[0.05, 0.15, 0.8], 1]] as [number[], number][])("is seen to be broken: beliefs %s, %s nats", (belief, epsilon) => {
    const { meaning } = ofStep(stepOf("crr", belief, epsilon), Float64Array.from(belief), belief.map(String), 1);
    expect(beyond(meaning!.law, ofBeliefs(epsilon, belief), belief.length)).toBeGreaterThan(0.001);
  });

  it("is twice as far for two labels where the others leave room, and never further", () => {
    expect(ofBeliefs(1, [0.1, 0.2, 0.7]).nats).toBeCloseTo(2, 12);
    for (const belief of beliefs) expect(ofBeliefs(0.7, belief).nats).toBeLessThanOrEqual(1.4 + 1e-12);
  });

  it("says nothing where nothing is promised, and all where all is", () => {
    expect(ofBeliefs(Infinity, [0.4, 0.6])).toMatchObject({ nats: Infinity });
    const none = ofBeliefs(0, [0.2, 0.3, 0.5]);
    expect([none.delta(0), none.missed(0, 1, 0.3), none.nats]).toEqual([0, expect.closeTo(0.7, 12), 0]);
  });
});

describe("a plain promise", () => {
  it.each([0.1, 1, 4])("of %s nats is what randomised response does", (nats) => {
    const keep = 1 / (1 + Math.exp(-nats));
    const law: ChannelLaw = { kind: "channel", rows: [Float64Array.of(keep, 1 - keep), Float64Array.of(1 - keep, keep)] };
    const promise = plainly(nats);
    for (const epsilon of BUDGETS) expect(worstDelta(law, epsilon)).toBeCloseTo(promise.delta(epsilon), 12);
    for (const alarms of ALARMS) expect(missed(law, 0, 1, alarms)).toBeCloseTo(promise.missed(0, 1, alarms), 12);
    expect(bestTests(law, 0, 1).some(({ alarms }) => Math.abs(alarms - (promise.corners(0, 1)[0] as number)) < 1e-12)).toBe(true);
  });
});

describe("one density at two places", () => {
  const shift = (coefficient: number, sigma: number, scale: number, change: number): Law =>
    ofShift({ coefficient, sigma, determined: false } as GaussianChosen, scale, change, "x", ["", ""], "").meaning!.law;
  const numbers = (law: Law): number[] => [hockeyStick(law, 0, 1, 1), areaUnder(law, 0, 1), kl(law, 1, 0), delta(law, 1, 0, 0.4), missed(law, 0, 1, 0.2), leakageOf(law)];

  it.each([[1, 1], [-2, 0.5], [0.3, 2]])("without what hides it is Laplace noise alone: coefficient %s, scale %s", (coefficient, scale) => {
    const [plain, hidden] = [shift(coefficient, 0, scale, 1), shift(coefficient, 1e-7 * scale, scale, 1)];
    expect([plain.kind, hidden.kind]).toEqual(["laplace", "shift"]);
    numbers(plain).forEach((value, k) => expect(numbers(hidden)[k]).toBeCloseTo(value, 6));
  });

  it.each([[1, 1, 1], [2, 0.1, 0.5], [1, 30, 0.2]])("has one area under its tests, however it is found: shift %s, deviation %s, scale %s", (d, sigma, scale) => {
    const law = shift(d, sigma, scale, 1);
    const steps = 4000;
    const hits = Array.from({ length: steps + 1 }, (_, k) => 1 - missed(law, 0, 1, k / steps));
    const area = hits.reduce((sum, hit, k) => sum + (k % steps === 0 ? hit / 2 : hit), 0) / steps;
    expect(areaUnder(law, 0, 1)).toBeCloseTo(area, 3);
    expect(2 * areaUnder(law, 0, 1) - 1).toBeGreaterThanOrEqual(hockeyStick(law, 1, 0, 1) - 1e-12);
    expect(kl(law, 0, 1)).toBeLessThanOrEqual(leakageOf(law) * Math.tanh(leakageOf(law) / 2) + 1e-12);
  });
});
