/** How large a table may be for a page to compute it: one file of cases, which Python reads too. */
import { describe, expect, it } from "vitest";
import shared from "../../../tests/data/page-limits.json";
import { MOST_CELLS, MOST_TUPLES, needsKernel } from "../../src/compute/prior-answer";
import { LIMITS as CITY } from "../../src/compute/attack-city";
import { LIMITS } from "../../src/compute/local-tables";
import type { PriorView } from "../../src/prior/protocol";

function viewOf(lengths: number[]): PriorView {
  const labels = lengths.map((length) => Array.from({ length }, (_, k) => String(k)));
  const spec = { title: "", names: labels.map((_, j) => `x${j}`), labels, records: null };
  return { table: { spec }, results: null } as unknown as PriorView;
}

describe("a table that a page computes", () => {
  it("of local reports has the limits that Python embeds tables for", () => {
    const { attributes, labels } = shared.local;
    expect(LIMITS).toEqual({ attributes, labels });
  });

  it("of inferred places has the limits that Python embeds users for", () => {
    expect(CITY).toEqual(shared.attack);
  });

  it("has the limits that Python embeds cells for", () => {
    expect([MOST_TUPLES, MOST_CELLS]).toEqual([shared.tuples, shared.cells]);
  });

  it.each(shared.cases)("with $lengths labels fits: $fits", ({ lengths, fits }) => {
    const reason = needsKernel(viewOf(lengths));
    // Within the limits, what this view lacks is its results.
    expect(reason).toBe(
      fits ? "This page has no table to compute from: it needs a kernel." : "This page computes tables of up to 14 tuples and 16,384 cells: a larger one needs a kernel.",
    );
  });
});
