import { describe, expect, it } from "vitest";
import { apart } from "../../src/ui/axes";
import { normaliseRows, pasteRows, rowFault, setEntry } from "../../src/stream/model-panel";
import { plotLayout, spanOf, stepAt, stepX, stretches, stripHeight, timeTicks } from "../../src/stream/plot-layout";
import { sumTop } from "../../src/stream/paint-plot";
import { difference, sameEdit, symmetric, type Edit } from "../../src/stream/screen";
import { createAudit } from "../../src/stream/audit";
import { leakageTop, threeDigits } from "../../src/stream/paint-lane";
import { chance, chanceWithin, entryBudget, entryChance, isOverPromise, statusWords, validFrom, wholeNumber, wrongSymbols } from "../../src/stream/words";
import { tick } from "../../src/ui/format";
import { textWidth } from "../../src/ui/lettering";

import { Drafts } from "../../src/table/editing";
import { buffersOf, StepRecord } from "../../src/stream/step-record";
import { toBytes } from "../../src/ui/wire";
import { chunk } from "./python";

const rows = (...entries: number[]) => ({ entries: Float64Array.from(entries), n: 3 });
const names = { row: (r: number) => `from ${r}`, cell: (r: number, c: number) => `From ${r} to ${c}` };
const entries = (edit: ReturnType<typeof setEntry>): number[] => (edit.ok ? Array.from(edit.entries, (p) => Number(p.toFixed(12))) : []);

describe("a row of a matrix", () => {
  const matrix = rows(0.5, 0.3, 0.2, 0.1, 0.8, 0.1);
  it("is rescaled around the entry that was set, and no other row is", () => {
    expect(entries(setEntry(matrix, 0, 0, 0.75, true))).toEqual([0.75, 0.15, 0.1, 0.1, 0.8, 0.1]);
    expect(entries(setEntry(rows(1, 0, 0), 0, 0, 0.4, true))).toEqual([0.4, 0.3, 0.3]);
  });
  it("is left as it is where the sum is not kept, and normalised when asked to", () => {
    const edit = setEntry(matrix, 1, 1, 0.6, false);
    expect(entries(edit)).toEqual([0.5, 0.3, 0.2, 0.1, 0.6, 0.1]);
    const off = { entries: Float64Array.from(entries(edit)), n: 3 };
    expect(rowFault(off, new Drafts(), names)).toMatchObject({ title: "The row from 1 sums to 0.800.", normalise: true });
    expect(entries(normaliseRows(off))).toEqual([0.5, 0.3, 0.2, 0.125, 0.75, 0.125]);
  });
  it("keeps what is no probability as it was typed", () => {
    const drafts = new Drafts();
    drafts.keep(4, "1.4", { value: 1.4, reason: "1.4 is not a probability." });
    const edit = setEntry(matrix, 1, 1, 1.4, true);
    expect(entries(edit)).toEqual([0.5, 0.3, 0.2, 0.1, 1.4, 0.1]);
    expect(rowFault({ entries: Float64Array.from(entries(edit)), n: 3 }, drafts, names)).toMatchObject({ title: "From 1 to 1:", text: "1.4 is not a probability." });
  });
  it("takes pasted counts for a whole row, probabilities for a part of one", () => {
    expect(entries(pasteRows(matrix, 0, 0, [["2", "1", "1"], ["0", "0,5", "0.5"]], true, new Drafts()))).toEqual([0.5, 0.25, 0.25, 0, 0.5, 0.5]);
    expect(entries(pasteRows(matrix, 1, 1, [["0.4", "0.2"]], true, new Drafts()))).toEqual([0.5, 0.3, 0.2, 0.4, 0.4, 0.2]);
    const drafts = new Drafts();
    expect(pasteRows(matrix, 0, 1, [["much"]], true, drafts)).toMatchObject({ ok: true });
    expect(drafts.at(1, NaN)?.text).toBe("much");
    expect(pasteRows(matrix, 1, 2, [["1", "2"]], true, new Drafts())).toMatchObject({ ok: false, title: "The pasted block has 1 × 2 cells." });
    expect(pasteRows(matrix, 0, 0, [["1", "2"], ["1"]], true, new Drafts())).toMatchObject({ ok: false, title: "The pasted lines differ in length." });
  });
});

describe("the picture", () => {
  it("has room for its lanes, one below the other", () => {
    for (const [width, states, lanes] of [[944, 2, 2], [420, 10, 4], [340, 3, 1]] as const) {
      const layout = plotLayout(width, states, lanes);
      expect(layout.lanes.length).toBe(lanes);
      expect(layout.right - layout.left).toBeGreaterThan(180);
      const edges = layout.lanes.flatMap(({ top, released, belief, leakage, bottom }) => [top, released, belief, leakage, bottom]);
      expect(edges).toEqual([...edges].sort((a, b) => a - b));
      expect(layout.sum).toBeGreaterThan(edges.at(-1)!);
      expect(layout.height).toBeGreaterThan(layout.bottom);
    }
    expect([1, 2, 3, 10, 100].map(stripHeight)).toEqual([8, 8, 15, 30, 30]);
  });
  it("shows the last steps, and places for those that come until there are as many", () => {
    expect(spanOf(50, 60)).toEqual({ first: 0, places: 60 });
    expect(spanOf(500, 60)).toEqual({ first: 440, places: 60 });
    const layout = plotLayout(944, 2, 2);
    const span = spanOf(500, 60);
    for (const step of [441, 470, 500]) expect(stepAt(layout, span, stepX(layout, span, step) + 1)).toBe(step);
    expect(stepX(layout, span, 501)).toBe(layout.right);
  });
  it("gives every step its own stretch, or shares pixels among all of them", () => {
    const layout = plotLayout(944, 2, 2);
    const few = stretches(layout, spanOf(500, 60), 450, 500);
    expect(few.map(({ from }) => from)).toEqual(Array.from({ length: 51 }, (_, k) => 450 + k));
    for (const [position, first] of [[5000, 3001], [5000, 3777], [1234, 1]] as const) {
      const many = stretches(layout, spanOf(position, 2000), first, position);
      // No step is left out, and none is drawn twice.
      expect(many.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, k) => from + k))).toEqual(Array.from({ length: position - first + 1 }, (_, k) => first + k));
      expect(many.every(({ x, width }) => width === 1 && x >= layout.left && x < layout.right)).toBe(true);
    }
  });
  it.each(Array.from({ length: 60 }, (_, k) => 340 + 15 * k))("leaves out no step at a width of %d px", (width) => {
    const steps = stretches(plotLayout(width, 2, 2), spanOf(5000, 2000), 3001, 5000).flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, k) => from + k));
    expect([steps.length, steps[0], steps.at(-1)]).toEqual([2000, 3001, 5000]);
  });
  it("keeps labels apart and in their order, within the room", () => {
    const wanted = [50, 51, 10, 52];
    const at = apart(wanted, 14, 0, 60);
    const sorted = [...at].sort((a, b) => a - b);
    for (let k = 1; k < sorted.length; k++) expect(sorted[k]! - sorted[k - 1]!).toBeGreaterThanOrEqual(14);
    expect(Math.max(...at)).toBeLessThanOrEqual(60);
    expect(at[2]).toBeLessThan(at[0]!);
    expect(at[0]).toBeLessThan(at[1]!);
  });
  it("has round steps for ticks", () => {
    expect(timeTicks({ first: 0, places: 60 }, 6)).toEqual([1, 10, 20, 30, 40, 50, 60]);
    expect(timeTicks({ first: 440, places: 60 }, 6)).toEqual([450, 460, 470, 480, 490, 500]);
    expect(timeTicks({ first: 0, places: 2000 }, 6)).toEqual([1, 500, 1000, 1500, 2000]);
  });
});

describe("the sum so far", () => {
  const record = (sum: (step: number) => number, linear: (step: number) => number): StepRecord => {
    const made = new StepRecord(2, 1);
    const given = chunk(1, 0, 50, { lanes: ["grr"] });
    const steps = Float64Array.from({ length: 50 }, (_, k) => k + 1);
    given.linear = toBytes(steps.map(linear));
    given.advanced = toBytes(steps.map(() => Infinity));
    given.lanes[0]!.sum = toBytes(steps.map(sum));
    made.take(0, 50, buffersOf(given));
    return made;
  };
  const span = { first: 0, places: 60 };
  it("has an axis for the sum of step leakages and for the bounds near it", () => {
    expect(sumTop({ record: record((s) => 0.4 * s, (s) => 0.5 * s), span, until: 50 })).toBe(30);
    expect(sumTop({ record: record((s) => 0.4 * s, (s) => 50 * s), span, until: 50 })).toBe(200);
  });
  it("keeps its axis where it becomes infinite", () => {
    expect(sumTop({ record: record((s) => (s > 30 ? Infinity : s), (s) => (s > 30 ? Infinity : s)), span, until: 50 })).toBe(30);
    expect(sumTop({ record: record(() => 0, () => 0), span, until: 50 })).toBe(1);
  });
});

describe("words", () => {
  it("say since when a promise is broken", () => {
    expect(statusWords({ largest: 0.9, over: 6, first: 45 }, 50, null)).toBe("over its promise since step 45");
    expect(statusWords({ largest: 0.9, over: 1, first: 45 }, 50, null)).toBe("over its promise at 1 step, first at step 45");
    expect(statusWords({ largest: 0.9, over: 3, first: 1045 }, 2000, null, true)).toBe("over at 3 steps");
    expect(statusWords({ largest: 0.5, over: 0, first: null }, 50, null)).toBe("within its promise");
    expect(statusWords({ largest: 0, over: 0, first: null }, 0, null)).toBe("nothing released");
    expect(statusWords({ largest: 0.5, over: 0, first: null }, 50, "no symbol is possible")).toBe("ended: no symbol is possible");
  });
  it("write chances with at least two decimals, and small ones with their power", () => {
    expect([0.6, 0.125, 1 / 3, 0.00002, 0, 1, NaN].map(chance)).toEqual(["0.60", "0.125", "0.3333", "2.00e−5", "0.00", "1.00", "?"]);
    expect([1e-5, 2.5e-7, 0.05, 0].map(tick)).toEqual(["1e−5", "2.5e−7", "0.05", "0"]);
  });
  it("know where the printed mechanism keeps its promise", () => {
    expect(validFrom(0.5)).toBeCloseTo(0.3775, 4);
    expect(validFrom(Infinity)).toBe(0);
    expect(isOverPromise(0.5 + 1e-12, 0.5)).toBe(false);
    expect(isOverPromise(0.501, 0.5)).toBe(true);
    // Rounding is a share of the promise, however small.
    expect(isOverPromise(3.7e-10, 1e-10)).toBe(true);
    expect(isOverPromise(1.9e-12, 1e-13)).toBe(true);
    expect(isOverPromise(1e-13 + 1e-15, 1e-13)).toBe(false);
    expect([isOverPromise(0.3, Infinity), isOverPromise(Infinity, 1), isOverPromise(Infinity, Infinity)]).toEqual([false, true, false]);
    expect(wrongSymbols(0.22, 50)).toBe(11);
  });
});

describe("a number in a narrow field", () => {
  const narrow = [1e-10, 1.25e-7, 4.3e-300, 0.0004, 0.004, 0.01234, 0.3333, 0.9999, 0.5];
  it("is never cut off, whatever the room", () => {
    for (const p of narrow) {
      for (const room of [26, 30, 36, 43, 60]) {
        const text = chanceWithin(p, chance(p), room, 13);
        expect(textWidth(text, 13)).toBeLessThanOrEqual(room);
        // An exponent is there as a whole, or the text says that it is a limit.
        const reads = Number(text.replace("<", "").replace("−", "-"));
        if (text.startsWith("<")) expect(p).toBeLessThan(reads);
        else expect(Math.abs(reads - p)).toBeLessThanOrEqual(Math.max(0.5 * p, p < 1e-3 ? 0 : 0.005));
      }
    }
  });
  it("has all digits where they fit", () => {
    expect(chanceWithin(1e-10, "1.00e−10", 90, 13)).toBe("1.00e−10");
    expect(chanceWithin(0, "0", 5, 13)).toBe("0");
    expect(["0.125", "1.00"].map((text) => chanceWithin(Number(text), text, 42, 13))).toEqual(["0.125", "1.00"]);
  });
  it("reads as it is in the entries, and whole in the tooltip", () => {
    expect([1e-10, 0.3333, 0.9].map(entryChance)).toEqual(["1.00e−10", "0.3333", "0.90"]);
    expect([1e-10, 12345.678, 0.5, 1e308, 123.456, Infinity].map(entryBudget)).toEqual(["1.00e−10", "12345.7", "0.50", "1.00e308", "123.456", "∞"]);
    expect(wholeNumber(12345.678, "12346")).toBe("12345.678");
    expect(wholeNumber(1.25e-10, "1e−10")).toBe("1.25e-10");
    expect(wholeNumber(0.5, "0.50")).toBeNull();
    expect(wholeNumber(Infinity, "∞")).toBeNull();
  });
});

describe("the tile of composition", () => {
  it("writes one number in one way, rounded up", () => {
    const { el } = createAudit({ promise: 0.5, steady: true, position: 500, lanes: [], totals: [], linear: 250, delta: 1e-5, advanced: 227.7201, errors: [], expected: [], hamming: true });
    expect(el.textContent).toContain("linear 250.0, advanced 227.8");
    expect(el.textContent!.split("227.8").length).toBe(3);
    expect(el.textContent).not.toContain("227.7");
  });
});

describe("the axis of leakages", () => {
  const record = (promise: number): StepRecord => {
    const made = new StepRecord(2, 1);
    made.take(0, 20, buffersOf(chunk(1, 0, 20, { lanes: ["grr"], promise })));
    return made;
  };
  it("ends at twice the promise, and at the promise where that is no number", () => {
    expect(leakageTop(record(0.5), 1, 20)).toBe(1);
    expect(leakageTop(record(1e308), 1, 20)).toBe(1e308);
    expect(leakageTop(record(Number.MAX_VALUE), 1, 20)).toBe(Number.MAX_VALUE);
    expect(leakageTop(record(Infinity), 1, 20)).toBe(1);
  });
  it("is never named infinite", () => {
    expect(tick(threeDigits(1e308))).toBe("1e308");
    expect(tick(threeDigits(Number.MAX_VALUE))).toBe("1.8e308");
    expect(threeDigits(1.2345)).toBe(1.23);
  });
});

describe("edits", () => {
  const edit = (more: Partial<Edit> = {}): Edit => ({
    start: toBytes(Float64Array.of(0.5, 0.5)),
    transitions: toBytes(Float64Array.of(0.9, 0.1, 0.1, 0.9)),
    epsilon: 1,
    delta: 1e-5,
    seed: 3,
    distance: "hamming",
    lanes: ["crr"],
    ...more,
  });
  it("differ by their content, and only what differs is asked for", () => {
    expect(sameEdit(edit(), edit())).toBe(true);
    expect(difference(edit(), edit())).toEqual({});
    const other = edit({ epsilon: "Infinity", transitions: toBytes(Float64Array.of(0.8, 0.2, 0.1, 0.9)) });
    expect(sameEdit(edit(), other)).toBe(false);
    expect(Object.keys(difference(edit(), other)).sort()).toEqual(["epsilon", "transitions"]);
  });
  it("know a chain that stays alike in both states", () => {
    expect(symmetric(Float64Array.of(0.9, 0.1, 0.1, 0.9))).toBe(0.9);
    expect(symmetric(Float64Array.of(0.9, 0.1, 0.2, 0.8))).toBeNull();
    expect(symmetric(null)).toBeNull();
  });
});

describe("the audit strip", () => {
  it("has a dash for what a lane that ended no longer has", () => {
    const lane = (short: string) => ({ key: short, label: short, short, private: true, why: null });
    const { el } = createAudit({
      promise: 0.5,
      steady: true,
      position: 9,
      lanes: [lane("CRR"), lane("GRR")],
      totals: [
        { largest: 0.7, over: 2, first: 3 },
        { largest: 0.5, over: 0, first: null },
      ],
      linear: 4.5,
      advanced: 6,
      delta: 1e-5,
      errors: [NaN, 0.25],
      expected: [NaN, 0.3],
      hamming: true,
    });
    expect(el.textContent).toContain("– / 0.25");
    expect(el.textContent).not.toContain("undefined");
  });
});
