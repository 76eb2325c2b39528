/** The threshold on axes of any length: noise of any scale puts one before the hand. */
import { describe, expect, it } from "vitest";
import { settable, thresholdSaid } from "../../src/graph/key-strip";

describe("a threshold", () => {
  it("has about a hundredth of its axis as its last digit", () => {
    expect(settable(1.23456, [0, 2])).toBe(1.23);
    expect(thresholdSaid(1.23456, [0, 2])).toBe("1.23");
    expect(settable(123.4, [0, 500])).toBe(123);
    expect(thresholdSaid(1.5e-9, [0, 2e-9])).toBe("0.00000000150");
  });

  it.each([0, 1, 15, 16, 20, 99, 100, 101, 150, 308, 320])("is set and told on an axis of 1e-%d", (power) => {
    const end = Number(`1e-${power}`);
    const set = settable(end / 3, [0, end]);
    expect(set).toBeGreaterThan(0.2 * end);
    expect(set).toBeLessThan(0.4 * end);
    expect(thresholdSaid(set, [0, end])).toMatch(/^(0\.\d*3\d*|3\.\d+e−\d+)$/);
  });

  it("is told on an axis without length and without end", () => {
    expect(thresholdSaid(0, [0, 0])).toBe("0");
    expect(thresholdSaid(2, [2, 2])).toBe("2.000");
    expect(thresholdSaid(Infinity, [0, Infinity])).toBe("∞");
  });
});
