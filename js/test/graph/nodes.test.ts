import { describe, expect, it } from "vitest";
import {
  adversaryCount, adversaryOf, bitsSet, columnOf, flatOf, incrementIndex, knownOf, layerOf, layers, stronger, weaker, widestLayer,
} from "../../src/graph/nodes";

describe("numbering of adversaries", () => {
  it("gives bit p to the p-th of the others", () => {
    expect(columnOf(5, 2, [0])).toBe(0b0001);
    expect(columnOf(5, 2, [1])).toBe(0b0010);
    expect(columnOf(5, 2, [3])).toBe(0b0100);
    expect(columnOf(5, 2, [4, 0])).toBe(0b1001);
    expect(knownOf(5, 2, 0b1101)).toEqual([0, 3, 4]);
  });

  it.each([1, 2, 3, 5, 7, 10])("is one to one for n = %i", (n) => {
    for (let flat = 0; flat < adversaryCount(n); flat++) {
      const { target, known } = adversaryOf(n, flat);
      expect(known).not.toContain(target);
      expect(flatOf(n, target, columnOf(n, target, known))).toBe(flat);
    }
  });

  it("refuses what cannot be known", () => {
    expect(() => columnOf(3, 1, [1])).toThrow(/attacked/);
    expect(() => columnOf(3, 1, [3])).toThrow(RangeError);
    expect(() => columnOf(3, 1, [0.5])).toThrow(RangeError);
  });

  it("numbers increments row by row", () => {
    expect(incrementIndex(3, 2, 1, 1)).toBe((2 * 4 + 1) * 3 + 1);
  });
});

describe("layers", () => {
  it.each([1, 2, 4, 6, 8])("hold every column of n = %i once, by number of unknown tuples", (n) => {
    const rows = layers(n);
    expect(rows.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 2 ** (n - 1) }, (_, k) => k));
    rows.forEach((row, unknown) => {
      for (const column of row) {
        expect(layerOf(n, column)).toBe(unknown);
        expect(n - bitsSet(column)).toBe(unknown);
      }
    });
  });

  it("order known sets as words in a dictionary", () => {
    const sets = (layers(5)[3] as number[]).map((column) => knownOf(5, 4, column).join(""));
    expect(sets).toEqual(["01", "02", "03", "12", "13", "23"]);
    expect(widestLayer(7)).toBe(20);
  });
});

describe("neighbours", () => {
  it("differ by one tuple, weaker ones know less", () => {
    const column = columnOf(4, 1, [0, 3]);
    expect(weaker(4, 1, column).map((w) => [w.tuple, knownOf(4, 1, w.column)])).toEqual([[0, [3]], [3, [0]]]);
    expect(stronger(4, 1, column).map((w) => [w.tuple, knownOf(4, 1, w.column)])).toEqual([[2, [0, 2, 3]]]);
  });
});
