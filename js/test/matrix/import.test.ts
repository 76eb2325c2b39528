import { describe, expect, it } from "vitest";
import { Drafts } from "../../src/table/editing";
import { fromBlock, readMatrix } from "../../src/matrix/import";
import { pasteBlock } from "../../src/matrix/grid-view";

const numbers = (text: string) => {
  const read = readMatrix(text);
  if (!read.ok) throw new Error(`${read.title} ${read.text}`);
  return { names: read.names, cov: [...read.cov] };
};
const refusal = (text: string) => {
  const read = readMatrix(text);
  return read.ok ? "" : `${read.title} ${read.text}`;
};

describe("a pasted matrix", () => {
  it("is read with tabs, spaces, semicolons, commas and the brackets of an array", () => {
    const cov = [1, 0.5, 0.5, 2];
    for (const text of ["1\t0.5\r\n0.5\t2\r\n", "1 0.5\n0.5 2", "1;0,5\n0,5;2", "1,0.5\n0.5,2", "[[1. , 0.5],\n [0.5, 2. ]]", "1\t0,5\n0,5\t2"]) {
      expect(numbers(text)).toEqual({ names: null, cov });
    }
  });
  it("is read as a list or an array in the words of a language", () => {
    const cov = [1, 0.2, 0.2, 1];
    for (const text of [
      "[[1, .2],[.2, 1]]", "[[1,.2],[.2,1]]", "[[1, .2], [.2, 1],]", "((1, .2), (.2, 1))", "[(1, .2), (.2, 1)]", "[[1 .2][.2 1]]", "[[1, .2,],\n [.2, 1,],\n]\n",
      "array([[1. , 0.2],\n       [0.2, 1. ]])", "np.array([[1, .2], [.2, 1]], dtype=float)", "numpy.asarray([[1e0, 2e-1], [2e-1, 1e0]])", "[[1,\n .2],\n [.2,\n 1]]",
    ]) {
      expect(numbers(text), text).toEqual({ names: null, cov });
    }
    expect(numbers("[[4]]")).toEqual({ names: null, cov: [4] });
    expect(numbers("[[1, -0.5, 0], [-0.5, 2, 0], [0, 0, 3]]").cov).toEqual([1, -0.5, 0, -0.5, 2, 0, 0, 0, 3]);
    // Brackets of a name are no list.
    expect(numbers("a (kWh)\tb (kWh)\n1\t0.5\n0.5\t2").names).toEqual(["a (kWh)", "b (kWh)"]);
  });
  it("says what it takes where there is no matrix", () => {
    for (const text of ["hello", "hello world", "a\tb\nc\td", "()", "[[]]", "Dear\nall"]) {
      expect(refusal(text), text).toContain("There are no numbers in what was pasted. Paste a square block of numbers");
    }
    expect(refusal("1 2")).toContain("What was pasted has 1 line; line 1 has 2 numbers. Paste a square block");
    expect(refusal("[[1, 2]]")).toContain("has 1 line; line 1 has 2 numbers");
    expect(refusal("1\n2")).toContain("has 2 lines; line 1 has 1 number.");
  });
  it("brings its names, above, at the left or both", () => {
    const want = { names: ["flat A", "solar"], cov: [1, 0.5, 0.5, 2] };
    expect(numbers("flat A\tsolar\n1\t0.5\n0.5\t2")).toEqual(want);
    expect(numbers("\tflat A\tsolar\nflat A\t1\t0.5\nsolar\t0.5\t2")).toEqual(want);
    expect(numbers("flat A\t1\t0.5\nsolar\t0.5\t2")).toEqual(want);
    expect(numbers(",flat A,solar\nflat A,1,0.5\nsolar,0.5,2")).toEqual(want);
  });
  it("names the first cell that differs from its mirror", () => {
    expect(refusal("1 0.5\n0.4 2")).toContain("Row 1, column 2 and its mirror differ: 0.5 and 0.4.");
    expect(refusal("a\tb\tc\n1\t0\t0.3\n0\t1\t0.2\n0.3\t0.1\t1")).toContain("b, c is 0.2 and c, b is 0.1.");
  });
  it("says what is not square and what is no number", () => {
    expect(refusal("1 2 3\n2 1 3")).toContain("2 lines; line 1 has 3 numbers");
    expect(refusal("1\t0\n0\tx")).toContain("Line 2, column 2:");
    expect(refusal("1\t0\n0\t")).toContain("empty");
  });
  it("takes mirrored rounding for equal, and keeps what is above the diagonal", () => {
    expect(fromBlock([["1", "0.1"], ["0.10000000000000002", "1"]])).toEqual({ ok: true, names: null, cov: Float64Array.from([1, 0.1, 0.1, 1]) });
  });
});

describe("a block pasted into the grid", () => {
  const start = { cov: Float64Array.from([4, 1, 0, 1, 1, 0, 0, 0, 9]), mean: Float64Array.from([1, 2, 3]), weights: Float64Array.from([1, 1, -1]) };
  const paste = (row: number, column: number, block: string[][], correlation = false, drafts = new Drafts()) =>
    pasteBlock(block, { row, column, numbers: start, correlation, names: ["a", "b", "c"] }, drafts);

  it("takes the mirrors along", () => {
    const pasted = paste(1, 1, [["0.5", "0.25"]]);
    expect(pasted).toMatchObject({ ok: true });
    expect(pasted.ok && [...pasted.numbers.cov]).toEqual([4, 0.5, 0.25, 0.5, 1, 0, 0.25, 0, 9]);
  });
  it("covers weights, matrix and means at once", () => {
    const pasted = paste(0, 0, [["2"], ["5"], ["1"], ["0"], ["7"]]);
    expect(pasted.ok && [pasted.numbers.weights?.[0], pasted.numbers.cov[0], pasted.numbers.mean[0]]).toEqual([2, 5, 7]);
  });
  it("refuses two mirrors that differ and names the first", () => {
    const pasted = paste(1, 0, [["4", "1"], ["2", "1"]]);
    expect(pasted).toMatchObject({ ok: false, title: "a, b is 1 and b, a is 2." });
  });
  it("keeps the variances when correlations are shown", () => {
    const pasted = paste(1, 0, [["1", "0.25"], ["0.25", "1"]], true);
    expect(pasted.ok && [...pasted.numbers.cov]).toEqual([4, 0.5, 0, 0.5, 1, 0, 0, 0, 9]);
    expect(paste(1, 0, [["2"]], true)).toMatchObject({ ok: false, title: "The correlation of a with itself is 1." });
  });
  it("says what fits", () => {
    expect(paste(3, 1, [["1", "2", "3"]])).toMatchObject({ ok: false, title: "The pasted block has 1 × 3 cells." });
    expect(paste(1, 0, [["1", "2"], ["3"]])).toMatchObject({ ok: false, text: "Line 2 has fewer than 2 cells." });
  });
  it("keeps what is no number as typed", () => {
    const drafts = new Drafts();
    const pasted = paste(1, 1, [["x"]], false, drafts);
    expect(pasted.ok && pasted.numbers.cov[1]).toBeNaN();
    expect(pasted.ok && pasted.numbers.cov[3]).toBeNaN();
  });
});
