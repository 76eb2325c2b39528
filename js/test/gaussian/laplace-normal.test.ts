import { describe, expect, it } from "vitest";
import { density, erfcx, logDensity, logRatio, reaches } from "../../src/gaussian/laplace-normal";
import shared from "../../../tests/data/laplace-normal-cases.json";

/** Within 1e-9, of the number or of the largest in its row where two large ones cancel. */
function near(found: number, expected: number, size = Math.abs(expected)): void {
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, size));
}

describe("the sum of a normal and a Laplace variable", () => {
  it("has the densities of Python, on both sides of the centre", () => {
    for (const { t, values, ...noise } of shared.log_density) {
      t.forEach((at, k) => {
        near(logDensity(noise, at), values[k] as number);
        expect(logDensity(noise, -at)).toBe(logDensity(noise, at));
      });
    }
  });

  it("has the log ratios of Python, bounded by the shift over the scale", () => {
    for (const { a, b, r, values, deviation, scale } of shared.log_ratio) {
      r.forEach((at, k) => {
        const found = logRatio({ deviation, scale }, at, a, b);
        near(found, values[k] as number);
        expect(Math.abs(found)).toBeLessThanOrEqual((Math.abs(a - b) / scale) * (1 + 1e-12));
      });
    }
  });

  it("tends to the limit where r is infinite", () => {
    const noise = { deviation: 1.39, scale: 1 };
    expect(logRatio(noise, Infinity, 7.9, 6)).toBeCloseTo(1.9, 12);
    expect(logRatio(noise, -Infinity, 7.9, 6)).toBeCloseTo(-1.9, 12);
  });

  it("reaches a level where Python says, and a limit never", () => {
    for (const { deviation, scale, distance, level, value } of shared.reaches) {
      const found = reaches({ deviation, scale }, level, distance);
      if (value === null) expect(found).toBeNull();
      else near(found as number, value);
    }
  });

  it("integrates to 1", () => {
    for (const noise of [{ deviation: 0.2, scale: 1 }, { deviation: 3, scale: 0.5 }]) {
      let sum = 0;
      for (let t = -60; t < 60; t += 0.01) sum += density(noise, t + 0.005) * 0.01;
      expect(sum).toBeCloseTo(1, 4);
    }
  });

  it("meets itself where the series hands over to the fraction", () => {
    expect(erfcx(0)).toBe(1);
    expect(erfcx(2) / erfcx(2 - 1e-9)).toBeCloseTo(1, 8);
    // 1/(x sqrt(pi)) far out.
    expect(erfcx(1e9) * 1e9 * Math.sqrt(Math.PI)).toBeCloseTo(1, 12);
    expect(erfcx(Infinity)).toBe(0);
  });
});
