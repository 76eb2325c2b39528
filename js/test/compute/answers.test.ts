/** How a page without a kernel answers the hand: what is taken, what is refused, what stays. */
import { describe, expect, it } from "vitest";
import { gaussianAnswer, gaussianNeedsKernel } from "../../src/compute/gaussian-answer";
import { needsKernel, priorAnswer, priorEnough } from "../../src/compute/prior-answer";
import { resultsOf, solve } from "../../src/compute/prior-results";
import type { GaussianView } from "../../src/gaussian/protocol";
import { floats, toBytes } from "../../src/ui/wire";
import type { PriorView } from "../../src/prior/protocol";
import { FIRST_SEARCH } from "../../src/graph/search";

const SPEC = { title: "", names: ["Ann", "Bob"], labels: [["0", "1"], ["0", "1"]], records: 10 };
const CELLS = [0.3, 0.2, 0.2, 0.3];

function cells(...values: number[]): DataView {
  return toBytes(Float64Array.from(values));
}

function pair(): PriorView {
  const contributions = [Float64Array.of(0, 1), Float64Array.of(0, 1)];
  const table = { shape: [2, 2], entries: Float64Array.from(CELLS) };
  const solved = solve({ table, contributions, scale: 1 }, { name: "sum", contributions }, 10, [0, 0], "instance");
  return {
    revision: 1,
    since: 1,
    ack: null,
    table: {
      spec: SPEC,
      entries: cells(...CELLS),
      locks: toBytes(new Uint8Array(4)),
      loaded: cells(...CELLS),
      keep_sum: true,
      rows: [0],
      columns: [1],
      disabled: false,
      summary: null,
    },
    query: {
      subject: "A noisy sum",
      text: "Sum of 2 answers",
      noun: "answer",
      key: "sum",
      choices: ["sum", "mean", "count:1", "weights"].map((key) => ({ key, label: key === "count:1" ? "Count of label 1" : key.toUpperCase() })),
      weights: [1, 1],
    },
    scale: 1,
    promise: 1,
    instance: [0, 0],
    convention: "instance",
    target: 0,
    known: [],
    automatic: true,
    show_paper: false,
    threshold: null,
    goal: 1,
    search: FIRST_SEARCH,
    running: null,
    stopped: null,
    kept: "",
    fault: null,
    current: true,
    results: resultsOf(solved, SPEC, { target: 0, known: [], search: FIRST_SEARCH, threshold: null }, false),
    late: { enough: 1, sample: 2 },
    disabled: false,
  };
}

const value = (view: PriorView): number => view.results?.chosen.value ?? NaN;

describe("the answer about a table", () => {
  it("has the paper's example, and follows scale, query and adversary", () => {
    const view = pair();
    expect(value(view)).toBeCloseTo(1.185376, 6);
    expect(value(priorAnswer(view, { scale: 2 }))).toBeLessThan(0.6);
    expect(value(priorAnswer(view, { known: [1] }))).toBe(1);
    const counted = priorAnswer(view, { query: "count:1" });
    expect(counted.query.text).toBe("Count of label 1 among 2 answers");
    expect(value(counted)).toBeCloseTo(value(view), 12);
  });

  it("names the request and counts the view on", () => {
    const view = priorAnswer(pair(), { origin: "a", seq: 7, threshold: 0.5 });
    expect(view).toMatchObject({ ack: { origin: "a", seq: 7 }, revision: 2, since: 1, threshold: 0.5 });
  });

  it("keeps the last results while a cell is wrong, and takes the scale with the last table that was one", () => {
    const wrong = priorAnswer(pair(), { entries: cells(0.5, 0.2, 0.2, 0.3) });
    expect(wrong.current).toBe(false);
    expect(wrong.fault?.text).toMatch(/^The probabilities sum to 1\.2; /);
    expect(value(wrong)).toBeCloseTo(1.185376, 6);
    // A copy of a view is that view.
    const scaled = priorAnswer({ ...wrong }, { scale: 2 });
    expect(scaled.fault?.text).toBe(wrong.fault?.text);
    expect(value(scaled)).toBe(value(priorAnswer(pair(), { scale: 2 })));
    expect(Array.from(floats(scaled.table?.entries as DataView))).toEqual([0.5, 0.2, 0.2, 0.3]);
    expect(priorAnswer(scaled, { entries: cells(...CELLS), scale: 1 })).toMatchObject({ current: true, fault: null });
  });

  it("has the records of the sample at the numbers that were loaded, and at no others", () => {
    const edited = priorAnswer(pair(), { entries: cells(0.25, 0.25, 0.25, 0.25) });
    expect(edited.table?.spec.records).toBeNull();
    expect(edited.late.sample).toBeNull();
    const back = priorAnswer(edited, { entries: cells(...CELLS) });
    expect(back.table?.spec.records).toBe(10);
    expect(back.late.sample).not.toBeNull();
  });

  it("gives late numbers another number when what they belong to changes, and only then", () => {
    const view = pair();
    expect(priorAnswer(view, { threshold: 1 }).late).toEqual(view.late);
    const moved = priorAnswer(view, { target: 1 });
    expect(moved.late.enough).toBe(1);
    expect(moved.late.sample).not.toBe(2);
    const scaled = priorAnswer(moved, { scale: 3 });
    // Which scale is enough does not depend on the present one.
    expect(scaled.late.enough).toBe(1);
    const aimed = priorAnswer(scaled, { goal: 0.5 });
    const counted = priorAnswer(aimed, { query: "weights", weights: [1, 2] });
    const numbers = [1, 2, moved.late.sample, scaled.late.sample, aimed.late.enough, counted.late.enough, counted.late.sample];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(aimed.late.sample).toBe(scaled.late.sample);
    for (const at of [view, scaled]) {
      expect(priorEnough(at)).toMatchObject({ of: 1, why: null });
      expect(priorEnough(at).scale).toBeCloseTo(1.189395, 6);
    }
    expect(priorEnough(aimed).scale).toBeGreaterThan(2 * 1.189395 - 0.4);
    expect(value(priorAnswer(aimed, { scale: priorEnough(aimed).scale ?? 0 }))).toBeCloseTo(0.5, 9);
    expect(priorAnswer(aimed, { goal: 0 }).fault?.text).toContain("The goal is 0; give a number of nats above 0, or None");
    expect(priorAnswer(aimed, { goal: NaN })).toMatchObject({ goal: 0.5, fault: null });
  });

  it("follows who learns most to another convention, unless somebody was chosen by hand", () => {
    const skewed = [0.4, 0.02, 0.1, 0.48];
    const view = priorAnswer(pair(), { entries: cells(...skewed), instance: [1, 1] });
    const most = (at: PriorView): number[] => [at.results?.largest.target ?? -1, ...(at.results?.largest.known ?? [])];
    const worst = priorAnswer(view, { convention: "sup" });
    expect([worst.target, ...worst.known]).toEqual(most(worst));
    expect(worst.results?.chosen.value).toBe(worst.results?.largest.value);
    const back = priorAnswer(worst, { convention: "instance" });
    expect([back.target, ...back.known]).toEqual(most(back));
    const other = priorAnswer(view, { target: 0, known: [1] });
    const stays = priorAnswer(other, { convention: "sup" });
    expect([stays.automatic, stays.target, stays.known]).toEqual([false, 0, [1]]);
    // At another scale the one who is looked at stays.
    expect(priorAnswer(worst, { scale: 0.01 })).toMatchObject({ target: worst.target, known: worst.known, automatic: true });
  });

  it("refuses a request as a whole when a part of it is none", () => {
    const view = priorAnswer(pair(), { threshold: -2, scale: 5 });
    expect(view).toMatchObject({ scale: 1, threshold: null, current: true, revision: 2 });
    expect(view.fault?.text).toBe("The threshold is -2; give a number of nats, 0 or more, or None.");
    expect(priorAnswer(view, { scale: 5 }).fault).toBeNull();
  });

  it("takes nothing when it may not be edited, or when the request is for a table that is gone", () => {
    const locked = priorAnswer({ ...pair(), disabled: true }, { scale: 5, origin: "a", seq: 1 });
    expect(locked).toMatchObject({ scale: 1, ack: { seq: 1 } });
    expect(priorAnswer({ ...pair(), since: 4, revision: 6 }, { scale: 5, base: 3 }).scale).toBe(1);
  });

  it("has queries that text alone does not tell when the page embeds them", () => {
    const given = { given: { name: "risk", contributions: [[0, 1], [0, 5]] } };
    const view = priorAnswer(pair(), { query: "given" }, { queries: given, cells: null });
    expect(view.results).toMatchObject({ promise: 5, group_bound: 6 });
    expect(view.query.subject).toBe("A noisy risk");
    expect(priorAnswer(pair(), { query: "given" })).toMatchObject({ current: false, fault: { where: { name: "query" } } });
  });

  it("refuses a worst case and narrow noise that would hold the hand up", () => {
    const n = 10;
    const names = Array.from({ length: n }, (_, j) => `x${j}`);
    const weights = names.map((_, j) => Math.SQRT2 ** j);
    const spec = { title: "", names, labels: names.map(() => ["0", "1"]), records: null };
    const entries = new Float64Array(2 ** n).fill(2 ** -n);
    const contributions = names.map(() => Float64Array.of(0, 1));
    const solved = solve({ table: { shape: names.map(() => 2), entries }, contributions, scale: 1 }, { name: "sum", contributions }, null, names.map(() => 0), "instance");
    const base = pair();
    const table = base.table && { ...base.table, spec, entries: toBytes(entries), loaded: toBytes(entries), locks: toBytes(new Uint8Array(2 ** n)) };
    const query = { ...base.query, weights: names.map(() => 1) };
    const view = { ...base, table, query, instance: names.map(() => 0), results: resultsOf(solved, spec, { target: 0, known: [], search: FIRST_SEARCH, threshold: null }, false) };
    const worst = priorAnswer(view, { query: "weights", weights, convention: "sup" });
    expect(worst).toMatchObject({ current: false, results: { convention: "instance" }, fault: { where: { name: "convention" } } });
    expect(priorAnswer(worst, { query: "sum" })).toMatchObject({ current: true, results: { convention: "sup" } });
    const narrow = priorAnswer(view, { scale: 1e-9 });
    expect(narrow).toMatchObject({ current: false, scale: 1e-9, results: { scale: 1 }, fault: { where: { name: "scale" } } });
    expect(priorAnswer(narrow, { scale: 2 })).toMatchObject({ current: true, results: { scale: 2 } });
  });

  it("says when it needs a kernel", () => {
    expect(needsKernel(pair())).toBeNull();
    const view = pair();
    const long = { ...view, table: view.table && { ...view.table, entries: cells() } };
    expect(needsKernel(long)).toMatch(/needs a kernel/);
    expect(() => priorAnswer(long, {})).toThrow(RangeError);
  });
});

function gaussian(): GaussianView {
  const matrix = {
    title: "",
    unit: "",
    names: ["Ann", "Bob"],
    cov: cells(1, 0.5, 0.5, 1),
    mean: cells(0, 0),
    weights: cells(1, 1),
    loaded_cov: cells(1, 0.5, 0.5, 1),
    loaded_mean: cells(0, 0),
    sound: cells(1, 0.5, 0.5, 1),
    records: null,
    valid: true,
    smallest: 0.5,
  };
  const base = { revision: 1, since: 1, ack: null, matrix, correlation: false, query: "sum", subject: "A noisy sum", noun: "flat" };
  const seed = { scale: 1, max_change: 1, weights: [1, 1] } as GaussianView["results"];
  const asked = { scale: 1, max_change: 1, target: 0, known: [], threshold: null, goal: 1, fault: null, running: null, stopped: null, kept: "", current: true, disabled: false };
  return gaussianAnswer({ ...base, ...asked, results: seed }, {});
}

describe("the answer about a covariance", () => {
  it("has the paper's example, and follows every input", () => {
    const view = gaussian();
    expect(view.results?.chosen.value).toBe(1.5);
    expect(gaussianAnswer(view, { goal: 0.5, scale: 3 })).toMatchObject({ goal: 0.5, scale: 3, fault: null });
    expect(gaussianAnswer(view, { goal: NaN })).toMatchObject({ goal: 1, fault: null });
    const none = gaussianAnswer(view, { goal: 0 });
    expect(none).toMatchObject({ goal: 1, current: true });
    expect(none.fault?.text).toContain("The goal is 0; give a number of nats above 0, or None");
    expect(gaussianAnswer(view, { known: [1] }).results?.chosen.value).toBe(1);
    expect(gaussianAnswer(view, { scale: 3 }).results?.chosen.value).toBe(0.5);
    expect(gaussianAnswer(view, { query: "mean" }).results?.weights).toEqual([0.5, 0.5]);
    expect(gaussianAnswer(view, { weights: cells(1, -1) })).toMatchObject({ query: "weights", results: { promise: 1 } });
  });

  it("names the pair that no two variances allow, and finds the nearest valid matrix", () => {
    const wrong = gaussianAnswer(gaussian(), { cov: cells(1, 2, 2, 1) });
    expect(wrong).toMatchObject({ current: false, matrix: { valid: false }, fault: { where: { kind: "cell", index: [0, 1] } } });
    expect(wrong.results?.chosen.value).toBe(1.5);
    const nearest = gaussianAnswer(wrong, { command: "nearest" });
    expect(nearest).toMatchObject({ current: true, fault: null });
    expect(floats(nearest.matrix?.cov as DataView)[1]).toBeCloseTo(1, 9);
  });

  it("keeps the scale at which leakages are numbers", () => {
    const view = gaussianAnswer(gaussian(), { scale: 1e-309 });
    expect(view.fault?.text).toMatch(/is too small: leakages over it are not finite numbers/);
    expect(view.results?.scale).toBe(1);
    expect(gaussianAnswer(view, { scale: 2 })).toMatchObject({ current: true, results: { scale: 2 } });
  });

  it("leaves other tuples to a kernel", () => {
    expect(gaussianNeedsKernel(gaussian())).toBeNull();
    expect(gaussianAnswer(gaussian(), { command: "import" }).fault?.text).toMatch(/needs a kernel/);
    expect(gaussianNeedsKernel({ ...gaussian(), matrix: null })).toMatch(/needs a kernel/);
  });
});
