import { describe, expect, it } from "vitest";
import { layOut, move, positions, shift, swap } from "../../src/table/pivot";

const shape = [2, 3, 4];

describe("layout of a pivoted table", () => {
  it("reaches every cell once under every arrangement, and finds it again", () => {
    for (const pivot of [
      { rows: [0, 1], columns: [2] },
      { rows: [2], columns: [1, 0] },
      { rows: [2, 0, 1], columns: [] },
      { rows: [], columns: [1, 2, 0] },
    ]) {
      const at = layOut(shape, pivot);
      const seen = new Set<number>();
      for (let r = 0; r < at.rowCount; r++) {
        for (let c = 0; c < at.columnCount; c++) {
          const k = at.index(r, c);
          seen.add(k);
          expect(at.locate(k)).toEqual([r, c]);
          const labels = positions(k, shape);
          expect(at.rowPositions(r)).toEqual(pivot.rows.map((j) => labels[j]));
          expect(at.columnPositions(c)).toEqual(pivot.columns.map((j) => labels[j]));
        }
      }
      expect(seen.size).toBe(24);
    }
  });

  it("is C order when the tuples stand in their own order", () => {
    const at = layOut(shape, { rows: [0, 1], columns: [2] });
    expect(at.index(1, 0)).toBe(4);
    expect(at.index(5, 3)).toBe(23);
  });
});

describe("moving tuples", () => {
  const pivot = { rows: [0, 1], columns: [2, 3] };

  it("swaps, moves to a place and shifts across the sides", () => {
    expect(swap(pivot)).toEqual({ rows: [2, 3], columns: [0, 1] });
    expect(move(pivot, 0, "columns", 1)).toEqual({ rows: [1], columns: [2, 0, 3] });
    expect(shift(pivot, 0, 1)).toEqual({ rows: [1, 0], columns: [2, 3] });
    expect(shift(pivot, 1, 1)).toEqual({ rows: [0], columns: [1, 2, 3] });
    expect(shift(pivot, 2, -1)).toEqual({ rows: [0, 1, 2], columns: [3] });
    expect(shift(pivot, 0, -1)).toEqual(pivot);
  });
});
