/** The same cases are tested in Python, so that the browser's check agrees with the kernel's. */
import { describe, expect, it } from "vitest";

import shared from "../../../tests/data/covariance-cases.json";
import { decimalsFor, entry, inward, shortNames, signedColour, signedDomain, squared } from "../../src/matrix/words";
import { check, culprit, eigen, validRange } from "../../src/matrix/validity";
import { eigenvalue } from "../../src/matrix/status";
import { inkOn } from "../../src/ui/colours";

const flat = (matrix: number[][]): Float64Array => Float64Array.from(matrix.flat());

describe("eigenvalues", () => {
  it.each(shared.matrices)("$name", ({ matrix, smallest }) => {
    const n = matrix.length;
    const { values, vectors } = eigen(flat(matrix), n);
    const size = Math.max(1, ...matrix.flat().map(Math.abs));
    expect(Math.abs(Math.min(...values) - smallest) / size).toBeLessThan(1e-12);
    // The vectors bring the matrix back, and are of length 1 and at right angles.
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let [back, unit] = [0, 0];
        for (let k = 0; k < n; k++) {
          back += (vectors[i * n + k] as number) * (values[k] as number) * (vectors[j * n + k] as number);
          unit += (vectors[i * n + k] as number) * (vectors[j * n + k] as number);
        }
        expect(Math.abs(back - (matrix[i]?.[j] as number)) / size).toBeLessThan(1e-12);
        expect(Math.abs(unit - (i === j ? 1 : 0))).toBeLessThan(1e-12);
      }
    }
  });
});

describe("validity", () => {
  it.each(shared.matrices)("$name is judged as in Python", ({ matrix, valid, smallest }) => {
    const found = check(flat(matrix), matrix.length);
    expect(found.valid).toBe(valid);
    expect(found.smallest).toBeCloseTo(smallest, 4);
  });
  it.each(shared.matrices)("$name: what each cell may hold", ({ matrix, ranges }) => {
    const size = Math.max(1, ...matrix.flat().map(Math.abs));
    for (const { i, j, range } of ranges) {
      const found = validRange(flat(matrix), matrix.length, i, j);
      if (range === null) expect(found, `${i}, ${j}`).toBeNull();
      else {
        expect(found, `${i}, ${j}`).not.toBeNull();
        const [low, high] = found as readonly [number, number];
        expect(Math.abs(low - (range[0] as number)) / size).toBeLessThan(1e-7);
        if (range[1] === null) expect(high).toBe(Infinity);
        else expect(Math.abs(high - (range[1] as number)) / size).toBeLessThan(1e-7);
      }
    }
  });
  it("does not take what is no number for valid", () => {
    expect(check(Float64Array.from([1, NaN, NaN, 1]), 2)).toEqual({ valid: false, smallest: NaN });
    expect(validRange(Float64Array.from([1, 0, NaN, 0, 1, 0, NaN, 0, 1]), 3, 0, 1)).toBeNull();
  });
});

describe("the smallest eigenvalue", () => {
  it("is 0 where rounding alone parts it from 0, in every unit", () => {
    for (const scale of [1e-12, 1, 1e9]) {
      for (const matrix of [[1, 1, 1, 1], [0.1, 0.3, 0.3, 0.9], [1, -1, -1, 1]]) {
        expect(check(Float64Array.from(matrix, (x) => x * scale), 2)).toEqual({ valid: true, smallest: 0 });
      }
      expect(check(Float64Array.from([1, 0.999, 0.999, 1], (x) => x * scale), 2).smallest / scale).toBeCloseTo(0.001, 9);
    }
  });
  it("is written as 0 beside Valid, and as it is where it makes a matrix not valid", () => {
    expect([eigenvalue(-7.2e-16, true), eigenvalue(-7.2e-16), eigenvalue(0.25, true), eigenvalue(3e-5, true)]).toEqual(["0", "−7.2e−16", "0.250", "3.0e−5"]);
  });
});

describe("the cell to blame", () => {
  const bad = flat(shared.matrices[1]?.matrix as number[][]);
  it("is the one changed last when it alone would do", () => {
    expect(culprit(bad, 4, [1, 0])).toEqual({ i: 1, j: 0, what: "large" });
  });
  it("is found when another one was changed last", () => {
    expect(culprit(bad, 4, [2, 3])).toEqual({ i: 0, j: 1, what: "large" });
    expect(culprit(bad, 4, null)).toEqual({ i: 0, j: 1, what: "large" });
  });
  it("is a number that cannot be read, or a variance below 0, before all others", () => {
    expect(culprit(Float64Array.from([1, NaN, NaN, -1]), 2, null)).toEqual({ i: 0, j: 1, what: "unread" });
    expect(culprit(Float64Array.from([1, 5, 5, -1]), 2, [0, 1])).toEqual({ i: 1, j: 1, what: "negative" });
  });
  it("is a triple's when no pair is wrong by itself", () => {
    const triple = Float64Array.from([1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1]);
    expect(culprit(triple, 3, [0, 2])).toEqual({ i: 0, j: 2, what: "small" });
    expect(culprit(triple, 3, null)).toEqual({ i: 0, j: 1, what: "large" });
  });
});

describe("colours and texts are those of the static picture", () => {
  it.each(shared.colours)("colour at $t, dark $dark", ({ t, dark, rgb, ink }) => {
    expect(signedColour(t, dark)).toEqual(rgb);
    expect(inkOn(signedColour(t, dark))).toBe(ink);
  });
  it.each(shared.domains)("the scale of $values ends at $end", ({ values, end }) => expect(signedDomain(values)).toBe(end));
  it.each(shared.entries)("$value reads $text", ({ value, decimals, text }) => expect(entry(value, decimals)).toBe(text));
  it.each(shared.decimals)("$largest gives $decimals decimals", ({ largest, decimals }) => expect(decimalsFor(largest)).toBe(decimals));
});

describe("words", () => {
  it("leave out a first word that several names share", () => {
    expect(shortNames(["flat A", "flat B", "flat C", "solar"])).toEqual(["A", "B", "C", "solar"]);
    expect(shortNames(["item 1", "item 2"])).toEqual(["1", "2"]);
    expect(shortNames(["flat A", "house A"])).toEqual(["flat A", "house A"]);
    expect(shortNames(["flat A", "flat B", "A"])).toEqual(["flat A", "flat B", "A"]);
  });
  it("round the ends of a range inwards, and leave round ones", () => {
    expect(inward(-0.7096, "low", 2)).toBe(-0.7);
    expect(inward(1.1763, "high", 2)).toBe(1.17);
    expect(inward(0.30000000000000004, "low", 2)).toBe(0.3);
    expect(inward(Infinity, "high", 2)).toBe(Infinity);
  });
  it("square the unit", () => expect([squared("kWh"), squared("kWh per day"), squared("")]).toEqual(["kWh²", "(kWh per day)²", ""]));
});
