import { describe, expect, it } from "vitest";

import { range, samplePoints } from "../../src/curves/frame";
import { density, logRatio } from "../../src/curves/mixture";
import { linear, niceCeiling, ticks } from "../../src/ui/axes";

const LARGEST = Number.MAX_VALUE;
const SIZES = [5e-324, 1e-320, 1e-310, 1e-308, 1e-300, 1e-17, 0.3, 1, 7e17, 1e300, 1e308, LARGEST];

describe("axes of numbers at the ends of the floats", () => {
  it.each(SIZES)("0 to %s is drawn", (size) => {
    const x = linear(0, size, 6, 306);
    expect([x(0), x(size)]).toEqual([6, 306]);
    const top = niceCeiling(size);
    expect(top).toBeGreaterThanOrEqual(size * (1 - 1e-9));
    expect(top).toBeLessThanOrEqual(LARGEST);
    for (const count of [1, 4, 9]) {
      const values = ticks(0, size, count);
      expect(values.length).toBeLessThanOrEqual(4 * count + 1);
      for (const value of values) expect(x(value)).toBeLessThan(307);
    }
  });

  it.each(SIZES)("minus to plus %s is drawn", (size) => {
    const x = linear(-size, size, 10, 110);
    expect([x(-size), x(0), x(size)]).toEqual([10, 60, 110]);
    for (const value of ticks(-size, size, 6)) expect(Math.abs(x(value) - 60)).toBeLessThan(51);
  });

  it("an axis shorter than its numbers can tell apart ends", () => {
    expect(ticks(1e300, 1e300 * (1 + 5e-16)).length).toBeLessThan(30);
  });

  it("no size is too large for a top, and none that is no number has one", () => {
    expect(niceCeiling(Infinity)).toBe(LARGEST);
    expect([niceCeiling(NaN), niceCeiling(0), niceCeiling(-1)]).toEqual([1, 1, 1]);
  });
});

describe("curves of noise at the ends of the floats", () => {
  it.each(SIZES)("a scale of %s", (scale) => {
    const [over, under] = [
      { label: "0", centres: [0], weights: [1] },
      { label: "1", centres: [scale / 2], weights: [1] },
    ];
    const [low, high] = range([0, scale / 2], scale);
    expect(high).toBeGreaterThan(low);
    const points = samplePoints(low, high, [0, scale / 2], scale);
    expect(points.length).toBeGreaterThan(1);
    for (const r of points) {
      expect(density(over, scale, r)).toBeLessThanOrEqual(LARGEST);
      expect(Math.abs(logRatio(over, under, scale, r))).toBeLessThanOrEqual(1);
    }
  });

  it.each([0, 1, 1e300, -4e307])("one centre at %s has an axis with a length", (centre) => {
    for (const scale of SIZES) {
      const [low, high] = range([centre, centre], scale);
      expect(high - low).toBeGreaterThan(0);
      expect(Number.isFinite(high - low)).toBe(true);
    }
  });
});

describe("log ratios under wide noise", () => {
  it.each([1e3, 1e6, 1e10, 1e18, 1e300])("a scale of %s", (scale) => {
    const over = { label: "1", centres: [0, 1, 2], weights: [0.1, 0.3, 0.6] };
    const under = { label: "0", centres: [0, 1, 2], weights: [0.6, 0.3, 0.1] };
    // Means of the centres are 1.5 and 0.5: far out that is what the two are apart.
    expect(logRatio(over, under, scale, 2) * scale).toBeCloseTo(1, scale > 1e3 ? 5 : 2);
    expect(logRatio(over, under, scale, 0) * scale).toBeCloseTo(-1, scale > 1e3 ? 5 : 2);
    expect(logRatio(over, over, scale, 0.7)).toBe(0);
  });
});
