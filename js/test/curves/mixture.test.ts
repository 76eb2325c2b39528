import { describe, expect, it } from "vitest";
import { frameOf, range, ratioPair, samplePoints, startingR } from "../../src/curves/frame";
import { density, extremePair, feasible, logDensity, logRatio, posterior, support } from "../../src/curves/mixture";
import type { Chosen, Mixture } from "../../src/ui/protocol";

// Items 1 and 5 of the LSAT sheets, item 1 known to be wrong.
const wrong: Mixture = { label: "wrong", centres: [0, 1], weights: [0.75, 0.25] };
const right: Mixture = { label: "right", centres: [1, 2], weights: [0.34375, 0.65625] };
const chosen: Chosen = {
  target: 2,
  known: [0],
  instance: [0, 1, 0],
  value: 1.397631,
  determined: false,
  paper: 1.36384,
  group_bound: 2,
  promise: 1,
  attained: { r: 2, side: ">=", pair: [1, 0] },
  prior: [0.157895, 0.842105],
  mixtures: [wrong, right],
  edges: [],
  support: 0.076,
};

function integral(m: Mixture, scale: number): number {
  let sum = 0;
  const step = scale / 50;
  for (let r = -20 * scale; r < 2 + 20 * scale; r += step) sum += density(m, scale, r + step / 2) * step;
  return sum;
}

describe("Laplace mixtures", () => {
  it("integrate to 1 at any scale", () => {
    for (const scale of [0.3, 1, 2.5]) expect(integral(right, scale)).toBeCloseTo(1, 3);
  });

  it("give the exact leakage at the attained point and the other end of the paper", () => {
    expect(logRatio(right, wrong, 1, 2)).toBeCloseTo(1.397631, 5);
    expect(logRatio(right, wrong, 1, 0)).toBeCloseTo(-1.36384, 4);
  });

  it("have constant log ratios outside the support", () => {
    expect(logRatio(right, wrong, 1, 2)).toBeCloseTo(logRatio(right, wrong, 1, 40), 12);
    expect(logRatio(right, wrong, 1, 0)).toBeCloseTo(logRatio(right, wrong, 1, -40), 12);
  });

  it("stay finite for a scale of 1e-8", () => {
    expect(logRatio(right, wrong, 1e-8, 2) * 1e-8).toBeCloseTo(1, 6);
    expect(Number.isFinite(logDensity(wrong, 1e-8, 2))).toBe(true);
  });

  it("turn prior into posterior by Bayes", () => {
    const after = posterior([wrong, right], chosen.prior, 1, 3.2);
    expect(after[0]! + after[1]!).toBeCloseTo(1, 12);
    const odds = after[1]! / after[0]!;
    expect(Math.log(odds) - Math.log(chosen.prior[1]! / chosen.prior[0]!)).toBeCloseTo(1.397631, 5);
  });

  it("leave out labels that cannot be", () => {
    const never: Mixture = { label: "never", centres: [], weights: [] };
    expect(feasible(never)).toBe(false);
    expect(posterior([wrong, never], [1, 0], 1, 0)).toEqual([1, 0]);
    expect(extremePair([wrong, never, right], 1, 2)).toEqual([2, 0]);
    expect(support([wrong, never, right])).toEqual([0, 2]);
  });
});

describe("the frame of the charts", () => {
  it("ends a little beyond the support, whatever the scale", () => {
    expect(range([0, 2], 1)).toEqual([-2, 4]);
    expect(range([0, 2], 100)).toEqual([-4, 6]);
    expect(range([0, 2], 1e-8)).toEqual([-0.25, 2.25]);
    expect(range([3, 3], 1)).toEqual([1, 5]);
  });

  it("samples every corner of the curves", () => {
    const points = samplePoints(-2, 4, [0, 0.123456, 2], 1e-4);
    expect(points).toContain(0.123456);
    expect(points).toContain(0.123456 + 1e-4);
    expect(points.every((r, k) => k === 0 || r > points[k - 1]!)).toBe(true);
  });

  it("has room for the promise and for what exceeds it", () => {
    const frame = frameOf(chosen, 1)!;
    expect(frame.ratioTop).toBe(2);
    expect(frame.densityTop).toBe(0.5);
    expect(frame.pair).toEqual([1, 0]);
    expect(startingR(chosen, frame)).toBeCloseTo(3.2, 9);
  });

  it("draws the later label over the earlier, also when the earlier one is the more likely", () => {
    expect(ratioPair({ ...chosen, attained: { r: 0, side: "<=", pair: [0, 1] } })).toEqual([1, 0]);
    expect(ratioPair({ ...chosen, attained: null, mixtures: [wrong, { label: "x", centres: [], weights: [] }] })).toBeNull();
  });
});
