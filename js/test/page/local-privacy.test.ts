// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { localAnswer } from "../../src/compute/local-answer";
import page from "../../src/page/local-explorer";
import { joinedAs } from "../../src/page/page-model";
import { floats } from "../../src/ui/wire";
import { townEmbedded, townTables, townView } from "../local/town";

describe("a page of local privacy", () => {
  it("is known by the name of its module", () => expect(joinedAs("local_explorer")).toBe(page));

  it("answers from tables, and says what it needs a kernel for without any", () => {
    const embedded = townEmbedded();
    const view = townView();
    expect(page.needsKernel(view, embedded)).toBeNull();
    const answer = page.answer(view, { attributes: [0, 2], epsilon: 2, min_count: 75 }, embedded);
    expect(answer.results!.names).toEqual([0, 2]);
    expect(answer.results!.pair).toMatchObject({ source: 0, secret: 2, left_out: 0 });
    expect(answer).toMatchObject({ source: 0, secret: 2, fault: null, current: true });
    const nothing = { blocks: null, joint: null, counted: true };
    expect(page.needsKernel(view, nothing)).toBeNull();
    expect(page.needsKernel({ ...view, results: { ...view.results!, points: null } }, nothing)).toContain("needs a kernel");
  });

  it("brings what waited for a kernel to an end", () => {
    const waiting = { ...townView(), running: { number: 3, paper: false }, results: { ...townView().results!, totals: null } };
    const opened = page.opened!(waiting, townEmbedded());
    expect(opened.running).toBeNull();
    expect(floats(opened.results!.totals!.exact!)).toHaveLength(3);
  });

  it.each([
    ["running", { running: { number: 3, paper: false } }],
    ["cancelled", { stopped: "Cancelled.", current: false }],
  ])("says that all reports together need a kernel where they were %s when it was saved", (_, how) => {
    const nothing = { blocks: null, joint: null, counted: true };
    const before = townView();
    const results = { ...before.results!, totals: null, calibration: null };
    const sum = [...floats(before.results!.totals!.sum)];
    for (const points of [null, results.points]) {
      const opened = page.opened!({ ...before, budget: 2, ...how, results: { ...results, points } }, nothing);
      expect(opened).toMatchObject({ running: null, stopped: null, current: true, budget: null, fault: null });
      expect(opened.results!.totals).toMatchObject({ exact: null, kernel: true, why: "All reports together need a kernel." });
      // The paper's sum is one of what is there.
      floats(opened.results!.totals!.sum).forEach((value, k) => expect(value).toBeCloseTo(sum[k]!, 12));
      expect([...floats(opened.results!.matrix)]).toEqual([...floats(before.results!.matrix)]);
    }
    const missing = { ...before, ...how, missing: { rule: "left out pair by pair", count: 4 }, results: { ...results, points: null } };
    expect([...floats(page.opened!(missing, nothing).results!.totals!.sum)].every(Number.isNaN)).toBe(true);
  });

  it("knows nothing of all reports where values are missing", () => {
    const view = townView({ missing: { rule: "left out pair by pair", count: 4 } });
    const answer = page.answer(view, { epsilon: 2 }, { ...townEmbedded(), joint: null });
    expect(answer.results!.totals).toMatchObject({ exact: null, records: null, why: expect.stringContaining("need a kernel") });
    expect([...floats(answer.results!.totals!.sum)].every(Number.isNaN)).toBe(true);
  });

  it("keeps all reports together as published, where values are missing", () => {
    const before = townView({ missing: { rule: "left out pair by pair", count: 4 } });
    const view = page.answer(before, { budget: 1.2 }, townEmbedded());
    const totals = { ...townView().results!.totals!, records: 200 };
    const published = { ...view, results: { ...view.results!, totals } };
    const embedded = { ...townEmbedded(), joint: null };
    expect(page.needsKernel(published, embedded)).toBeNull();
    const swapped = page.answer(published, { source: 1, secret: 0 }, embedded);
    expect(swapped.results!.totals).toEqual(totals);
    const elsewhere = page.answer(swapped, { epsilon: 2 }, embedded);
    expect(elsewhere.results!.totals).toMatchObject({ exact: null, kernel: true });
    // A goal has its answer at every budget.
    expect(elsewhere.results!.calibration).toEqual(view.results!.calibration);
    const back = page.answer(elsewhere, { epsilon: 1 }, embedded);
    expect(back.results!.totals).toEqual(totals);
    expect(page.answer(back, { attributes: [0, 2] }, embedded).results!.totals!.kernel).toBe(true);
    expect(page.answer(back, { output: "inferred" }, embedded).results!.totals!.kernel).toBe(true);
  });

  it("keeps the last results where an input makes no sense", () => {
    const view = townView();
    for (const [wish, words] of [
      [{ epsilon: -1 }, "epsilon is -1"],
      [{ epsilon: "NaN" }, "epsilon is nan"],
      [{ attributes: [] }, "No attribute is chosen"],
      [{ min_count: -1 }, "min_count is -1; it is a number of records"],
      [{ budget: -1 }, "budget is -1"],
      [{ mechanism: "SS", parameters: { omega: 9 } }, "omega is 9 and there are k = 3 symbols"],
      [{ mechanism: "RAPPOR", parameters: { f: 0.5, p: 0.9, q: 0.2 } }, "q is 0.2 and below p = 0.9"],
    ] as const) {
      const answer = localAnswer(view, wish as never, townTables());
      expect(answer.fault!.text).toContain(words);
      expect(answer.current).toBe(false);
      expect([...floats(answer.results!.matrix)]).toEqual([...floats(view.results!.matrix)]);
    }
  });

  it("finds budgets for a goal", () => {
    const { calibration } = localAnswer(townView(), { budget: 1.2 }, townTables()).results!;
    expect(calibration!.methods.map(({ key }) => key)).toEqual(["spl", "pairwise", "joint"]);
    const [split, , joint] = calibration!.methods;
    expect(split!.epsilon).toBeCloseTo(0.4, 12);
    expect(Number(joint!.leak)).toBeCloseTo(1.2, 9);
    expect(Number(joint!.epsilon)).toBeGreaterThan(0.4);
  });
});
