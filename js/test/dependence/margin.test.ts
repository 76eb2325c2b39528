import { describe, expect, it } from "vitest";
import { carryBack, denseMargin, occurringMargin, sumsOf, type Rows } from "../../src/dependence/margin";
import { independent, setCell } from "../../src/table/editing";

/** Three bits, of which the last is mostly the XOR of the others; a fourth that is on its own. */
const rows: Rows = { support: new Int32Array(64), sizes: [2, 2, 2, 2] };
for (let r = 0; r < 16; r++) for (let k = 0; k < 4; k++) rows.support[4 * r + k] = (r >> (3 - k)) & 1;
const start = Float64Array.from({ length: 16 }, (_, r) => {
  const [a, b, c, d] = [3, 2, 1, 0].map((k) => (r >> k) & 1) as [number, number, number, number];
  return 0.25 * ((a ^ b) === c ? 0.45 : 0.05) * 2 * (d ? 0.7 : 0.3);
});
const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
const none = (count: number): Uint8Array => new Uint8Array(count);

describe("a table of some of the tuples", () => {
  it("sums the rows", () => {
    const pair = denseMargin(rows, [0, 3]);
    expect(pair.cells).toEqual([[0, 0], [0, 1], [1, 0], [1, 1]]);
    const sums = sumsOf(pair, start);
    [0.15, 0.35, 0.15, 0.35].forEach((value, k) => expect(sums[k]).toBeCloseTo(value, 12));
  });

  it("carries an edit back so that everything else, given the pair, stays", () => {
    const pair = denseMargin(rows, [0, 1]);
    const edit = setCell(sumsOf(pair, start), 0, 0.4, none(4), true);
    if (!edit.ok) throw new Error(edit.title);
    const next = carryBack(rows, pair, start, edit.entries);
    expect(total(next)).toBeCloseTo(1, 12);
    expect(sumsOf(pair, next)[0]).toBeCloseTo(0.4, 12);
    // The other three are scaled alike, and the fourth bit is still on its own.
    const last = sumsOf(denseMargin(rows, [3]), next);
    expect(last[1]).toBeCloseTo(0.7, 12);
    const given = (p: Float64Array, r: number): number => p[r]! / sumsOf(pair, p)[pair.cellOf[r]!]!;
    for (let r = 0; r < 16; r++) expect(given(next, r)).toBeCloseTo(given(start, r), 12);
  });

  it("fills a cell that was empty with the shares of the other tuples", () => {
    const pair = denseMargin(rows, [0, 1]);
    const emptied = carryBack(rows, pair, start, Float64Array.of(0, 0.25, 0.25, 0.5));
    const filled = carryBack(rows, pair, emptied, Float64Array.of(0.1, 0.2, 0.2, 0.5));
    expect(total(filled)).toBeCloseTo(1, 12);
    expect(sumsOf(pair, filled)[0]).toBeCloseTo(0.1, 12);
    expect(sumsOf(denseMargin(rows, [3]), filled)[1]).toBeCloseTo(0.7, 12);
  });

  it("leaves cells that were not changed exactly as they were", () => {
    const pair = denseMargin(rows, [0, 1]);
    const sums = sumsOf(pair, start);
    const next = carryBack(rows, pair, start, Float64Array.of(sums[0]! / 2, sums[1]! * 1.5, sums[2]!, sums[3]!));
    for (let r = 8; r < 16; r++) expect(Object.is(next[r], start[r])).toBe(true);
  });

  it("makes a pair independent and keeps shares of every value", () => {
    const pair = denseMargin(rows, [0, 2]);
    const skewed = carryBack(rows, pair, start, Float64Array.of(0.4, 0.1, 0.1, 0.4));
    const edit = independent(sumsOf(pair, skewed), [2, 2], none(4));
    if (!edit.ok) throw new Error(edit.title);
    const next = sumsOf(pair, carryBack(rows, pair, skewed, edit.entries));
    next.forEach((value) => expect(value).toBeCloseTo(0.25, 12));
  });

  it("knows which values never occur together", () => {
    const xor: Rows = { support: Int32Array.of(0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0), sizes: [2, 2, 2] };
    expect([...denseMargin(xor, [0, 1]).absent]).toEqual([0, 0, 0, 0]);
    expect(occurringMargin(xor, [0, 1, 2]).cells).toEqual([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    expect(occurringMargin(xor, [0, 1, 2]).dense).toBe(false);
    const copy: Rows = { support: Int32Array.of(0, 0, 1, 1), sizes: [2, 2] };
    expect([...denseMargin(copy, [0, 1]).absent]).toEqual([0, 1, 1, 0]);
  });
});
