import { describe, expect, it } from "vitest";
import { brent } from "../../src/compute/brent";
import { general } from "../../src/compute/faults";
import { candidates, snapped } from "../../src/compute/releases";
import { combinations, withSums } from "../../src/compute/states";
import { cellAt, conditional, indexOf, marginal, sliced, starts, total, type Table } from "../../src/compute/table";

/** Shape 2 x 3 x 2, entries 0 to 11. */
const TABLE: Table = { shape: [2, 3, 2], entries: Float64Array.from({ length: 12 }, (_, k) => k) };

describe("a table", () => {
  it("numbers its cells in C order", () => {
    expect(cellAt([2, 3, 2], [1, 2, 0])).toBe(10);
    expect(indexOf([2, 3, 2], 10)).toEqual([1, 2, 0]);
    expect([...starts([2, 3, 2], [1])]).toEqual([0, 1, 6, 7]);
  });

  it("is sliced, summed and rescaled", () => {
    expect(sliced(TABLE, new Map([[1, 2]]))).toEqual({ shape: [2, 2], entries: Float64Array.of(4, 5, 10, 11) });
    expect([...marginal(TABLE, [1]).entries]).toEqual([14, 22, 30]);
    expect([...conditional(TABLE, new Map([[0, 0], [2, 0]])).entries]).toEqual([0, 2 / 6, 4 / 6]);
    const tiny = conditional({ shape: [2, 2], entries: Float64Array.of(5e-324, 5e-324, 1, 0) }, new Map([[0, 0]]));
    expect([...tiny.entries]).toEqual([0.5, 0.5]);
  });

  it("adds up without losing what is small", () => {
    const values = Float64Array.from({ length: 1000 }, () => 0.1);
    expect(Math.abs(total(values) - 100)).toBeLessThan(1e-13);
    expect(total(Float64Array.from({ length: 9 }, (_, k) => k))).toBe(36);
  });

  it("takes axes to states: labels and their sum, or the known label and the sum", () => {
    const kind = { width: 1, logarithms: false };
    expect([...withSums(TABLE.entries, TABLE.shape, [1], kind).subarray(6, 8)]).toEqual([6, 9]);
    expect([...withSums(TABLE.entries, TABLE.shape, [1], kind, [0, 2, 0]).subarray(0, 4)]).toEqual([4, 5, 6, 9]);
    const logs = withSums(TABLE.entries.map(Math.log), TABLE.shape, [1], { width: 1, logarithms: true });
    expect(Math.exp(logs[6] as number)).toBeCloseTo(6, 12);
    const { columns } = combinations([2, 2, 2], 1, [1]);
    // Known first, unknown last; bit 0 is the first of the others.
    expect([...columns]).toEqual([3, 1, 2, 0]);
  });
});

describe("values of a query", () => {
  it("that differ by rounding are one", () => {
    expect(candidates([0.1 + 0.2, 0.3, 0])).toHaveLength(2);
    expect([...snapped(Float64Array.of(0.1 + 0.2, 0.3, 0))]).toEqual([0.3, 0.3, 0]);
  });
});

describe("numbers in messages", () => {
  it.each([
    [0.1 + 0.2, "0.3"],
    [1.2, "1.2"],
    [-0.00001234567890123, "-1.23456789012e-05"],
    [123456789012345, "1.23456789012e+14"],
    [100, "100"],
    [1e300, "1e+300"],
    [NaN, "nan"],
    [-Infinity, "-inf"],
    [-0, "-0"],
  ])("%d is %s", (value, text) => expect(general(value)).toBe(text));
});

it("finds a root between two places", () => {
  const precision = { absolute: 1e-15, relative: 1e-15, steps: 100 };
  expect(brent((x) => x ** 3 - 2, 0, 3, precision)).toBeCloseTo(2 ** (1 / 3), 14);
  expect(brent((x) => Math.exp(-x) - 0.5, 0, 40, precision)).toBeCloseTo(Math.LN2, 14);
  expect(brent((x) => x, 0, 1, precision)).toBe(0);
});
