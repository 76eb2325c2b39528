/** Rows of a channel of one's own: as they begin, as they are typed, and what is wrong with them. */
import { describe, expect, it } from "vitest";
import { matrixFault, mechanismOf, promiseOf, type Mechanism } from "../../src/compute/local-mechanisms";
import { firstChannel, firstMatrix, readRows } from "../../src/local/own-channel";

const naming = (...sizes: number[]) => ({
  names: sizes.map((_, k) => `a${k}`),
  labels: sizes.map((size) => Array.from({ length: size }, (_, u) => `v${u}`)),
  noun: "record",
});

describe("the rows that stand there first", () => {
  it.each([1, 2, 3, 4, 5, 7, 12, 40, 200, 1000])("are sound and short, of %i labels", (k) => {
    const rows = firstMatrix(k);
    expect([rows.length, rows[0]?.length]).toEqual([k, k]);
    expect(matrixFault(rows)).toBeNull();
    for (const value of rows[0] ?? []) expect(String(value).length).toBeLessThanOrEqual(8);
    if (k > 1) expect(rows[0]?.[0]).toBeGreaterThan(rows[0]?.[1] as number);
  });
  it("are for all attributes where those have as many labels, else for the one that is seen", () => {
    const before = { key: "OUE", epsilon: 2 };
    expect(firstChannel(naming(2, 2), [0, 1], 1, before)).toMatchObject({ attribute: null, others: "OUE", epsilon: 2 });
    expect(firstChannel(naming(2, 3), [0, 1], 1, before)).toMatchObject({ attribute: 1, matrix: firstMatrix(3) });
    expect(firstChannel(naming(2, 3), [0, 1], 0, { key: "RAPPOR", epsilon: 0.5 })).toMatchObject({ others: "GRR", epsilon: 1 });
    expect(firstChannel(naming(2), [0], null, { key: "GRR", epsilon: Infinity })).toMatchObject({ epsilon: 1 });
  });
});

describe("rows that are typed", () => {
  it.each([
    ["0.9 0.1\n0.2 0.8", [[0.9, 0.1], [0.2, 0.8]]],
    ["[[0.5, 0.5],\n [1, 0]]\n\n", [[0.5, 0.5], [1, 0]]],
    ["1/4; 3/4", [[0.25, 0.75]]],
  ])("%j is read", (text, rows) => expect(readRows(text)).toEqual(rows));
  it.each([
    ["0.9 0.2", "row 0 sums to 1.1"],
    ["1 0\n1", "different lengths"],
    ["", "different lengths"],
    ["0.5 0.5\n1.5 -0.5", "-0.5 in row 1, column 1"],
    ["0.5 half", "in row 0, column 1"],
  ])("%j is refused", (text, said) => expect(matrixFault(readRows(text))?.text).toContain(said));
});

it("a channel for one attribute leaves the others to their mechanism", () => {
  const channel = { matrix: [["0.9", 0.1], [0.2, 0.8]].map((row) => row.map(Number)), attribute: 1, others: "EXP", epsilon: "Infinity" };
  const mechanism: Mechanism = { key: "channel", epsilon: NaN, parameters: { channel } };
  expect(mechanismOf(mechanism, 1)).toBe(mechanism);
  expect(mechanismOf(mechanism, 0)).toEqual({ key: "EXP", epsilon: Infinity, parameters: {} });
  expect(promiseOf(mechanism, 2)).toBeCloseTo(Math.log(8), 12);
});
