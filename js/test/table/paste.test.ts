import { describe, expect, it } from "vitest";
import { Drafts } from "../../src/table/editing";
import { pasteBlock, withoutHeadings } from "../../src/table/paste";
import { layOut } from "../../src/table/pivot";

const layout = layOut([2, 2], { rows: [0], columns: [1] });

function paste(block: string[][]): ReturnType<typeof pasteBlock> {
  const state = { entries: Float64Array.of(0.25, 0.25, 0.25, 0.25), locks: new Uint8Array(4), keepSum: true };
  return pasteBlock(block, { row: 0, column: 0, layout }, state, new Drafts());
}

const counts = [["30", "20"], ["20", "30"]];

describe("a pasted block", () => {
  it.each([
    ["above", [["no", "yes"], ...counts]],
    ["at the left", counts.map((row, k) => [`item ${k}`, ...row])],
    ["on both sides, with a corner", [["", "0", "1"], ["0", "30", "20"], ["1", "20", "30"]]],
    ["on both sides, the corner named", [["x1", "no", "yes"], ["no", "30", "20"], ["yes", "20", "30"]]],
  ])("may have headings %s", (_, block) => {
    const pasted = paste(block);
    expect(pasted).toMatchObject({ ok: true, remark: expect.stringContaining("Headings were left out. The pasted cells summed to 100") });
    expect(pasted.ok && Array.from(pasted.entries, (p) => p.toFixed(9))).toEqual(["0.3", "0.2", "0.2", "0.3"].map((p) => p.padEnd(11, "0")));
  });

  it("without headings stays as it is, words among its numbers too", () => {
    expect(withoutHeadings(counts)).toBe(counts);
    const odd = [["30", "n/a"], ["20", "30"]];
    expect(withoutHeadings(odd)).toBe(odd);
    const words = [["a", "b"], ["c", "d"]];
    expect(withoutHeadings(words)).toBe(words);
  });

  it("that can be read in two ways is asked about", () => {
    expect(paste([["1,234", "200"], ["300", "400"]])).toEqual({
      ok: false,
      title: '"1,234" can be read in two ways.',
      text: "Write 1234 for thousands, or 1.234.",
    });
    expect(paste([["0,123", "0,377"], ["0,250", "0,250"]])).toMatchObject({ ok: true });
    expect(paste([["1,5", "2,5"], ["3,25", "1,125"]])).toMatchObject({ ok: true });
  });
});
