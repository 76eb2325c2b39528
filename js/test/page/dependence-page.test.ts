// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import page from "../../src/page/dependence-explorer";
import { joinedAs } from "../../src/page/page-model";
import { checkLimits } from "../../src/page/limits";
import { floats, toBytes } from "../../src/ui/wire";
import type { DependenceView } from "../../src/dependence/protocol";

const bytes = (...values: number[]): DataView => toBytes(Float64Array.from(values));
const whole = (...values: number[]): DataView => new DataView(Int32Array.from(values).buffer);
const tuples = ["Ann", "Ben"].map((name) => ({ name, labels: ["0", "1"] }));
const rows = { tuples, support: whole(0, 0, 0, 1, 1, 0, 1, 1), probabilities: bytes(0.45, 0.05, 0.05, 0.45) };
const sum = { key: "sum", label: "Sum", subject: "the noisy sum", listed: true, kind: "linear", numbers: bytes(0, 1, 0, 1), width: 1, sensitivities: null };
const table = { title: "Two", noun: "person", points: [bytes(0, 1), bytes(0, 1)], said: [["0", "1"], ["0", "1"]], queries: [sum] };

function embedded(more: object = {}): Record<string, unknown> {
  const sound = { probabilities: rows.probabilities, query: "sum", epsilon: 1, mechanism: "dpm_exact", knowing: "nobody", known: [] };
  return { table: { ...table }, sound, examples: { pair: { ...table, ...rows, note: "A pair." } }, own: null, ...more };
}

function view(more: object = {}): DependenceView {
  const model = { ...rows, loaded: rows.probabilities, editable: true, blocks: [0, 0], note: "" };
  return {
    revision: 1,
    since: 1,
    ack: null,
    title: "Two",
    noun: "person",
    subject: "the noisy sum",
    model,
    example: "",
    examples: [],
    query: "sum",
    queries: [{ key: "sum", label: "Sum" }],
    mechanism: "dpm",
    mechanisms: [],
    coefficient: "exact",
    epsilon: 1,
    knowing: "nobody",
    known: [],
    tuple: 0,
    other: 1,
    alpha: 3,
    paper: true,
    fault: null,
    running: null,
    stopped: null,
    current: true,
    results: null,
    disabled: false,
    ...more,
  } as unknown as DependenceView;
}

describe("a page of dependent tuples", () => {
  it("is known by the name of its module", () => expect(joinedAs("dependence_explorer")).toBe(page));

  it("computes another promise: the fixed point leaks just that", () => {
    const held = embedded();
    expect(page.needsKernel(view(), held)).toBeNull();
    const found = page.answer(view(), { epsilon: 2 }, held);
    expect(found).toMatchObject({ fault: null, current: true, epsilon: 2 });
    for (const value of floats(found.results!.exact)) expect(value).toBeCloseTo(2, 10);
    expect(page.answer(found, { epsilon: 1 }, held).results!.scale).toBeCloseTo(1.7925413805491877, 11);
  });

  it("keeps the last results where an input makes no sense, and takes what makes sense beside it", () => {
    const held = embedded();
    const before = page.answer(view(), { epsilon: 2 }, held);
    const wrong = page.answer(before, { epsilon: 0 }, held);
    expect(wrong.fault!.text).toBe("epsilon is 0; it must be a positive, finite number of nats.");
    expect(wrong).toMatchObject({ current: false, results: { epsilon: 2 } });
    expect(page.answer(wrong, { mechanism: "lpm" }, held)).toMatchObject({ mechanism: "lpm", current: false, results: { scale: 0.5 } });
    const sum = page.answer(before, { epsilon: 2, probabilities: [0.5, 0.5, 0.5, 0] }, held);
    expect(sum.fault!.text).toBe("The probabilities sum to 1.5, not 1; change a cell, or keep the sum.");
    expect(page.answer(sum, { probabilities: [0.5, -0.1, 0.5, 0.1] }, held).fault!.text).toBe("The probability of Ann 0, Ben 1 is -0.1; give 0 or more.");
    expect(page.answer(sum, { probabilities: null }, held)).toMatchObject({ fault: null, current: true });
  });

  it("computes what waited for a kernel when it was saved", () => {
    const opened = page.opened!(view({ epsilon: 0.5, running: { number: 4, paper: false } }), embedded());
    expect(opened).toMatchObject({ running: null, stopped: null, current: true });
    expect(opened.results!.epsilon).toBe(0.5);
    // Nothing was awaited: what was published stands.
    const saved = view();
    expect(page.opened!(saved, embedded())).toBe(saved);
  });

  it("says that it needs a kernel where the rows were too many to send", () => {
    expect(page.needsKernel(view(), {})).toContain("needs a kernel");
    const opened = page.opened!(view({ stopped: "Cancelled.", current: false }), {});
    expect(opened).toMatchObject({ stopped: null, current: true });
  });

  it("keeps what was published of a query with too many outputs, and lives with another", () => {
    const n = 14;
    const many = Array.from({ length: n }, (_, j) => ({ name: `x${j}`, labels: ["0", "1"] }));
    const codes = Array.from({ length: 30 }, (_, row) => many.map((_, j) => ((row * 2654435761) >> (j + 3)) & 1));
    const chances = bytes(...codes.map(() => 1 / 30));
    const model = {
      tuples: many,
      support: whole(...codes.flat()),
      probabilities: chances,
      loaded: chances,
      editable: true,
      blocks: many.map(() => 0),
      note: "Published.",
    };
    const queries = [
      { ...sum, numbers: bytes(...many.flatMap(() => [0, 1])) },
      { ...sum, key: "identity", kind: "identity", numbers: null },
    ];
    const held = embedded({
      table: { ...table, points: many.map(() => bytes(0, 1)), said: null, queries },
      sound: { probabilities: chances, query: "identity", epsilon: 1, mechanism: "lpm", knowing: "nobody", known: [] },
    });
    const published = view({ model, query: "identity", results: { scale: 42 } });
    expect(page.needsKernel(published, held)).toBeNull();
    const dragged = page.answer(published, { epsilon: 2 }, held);
    expect(dragged.fault!.text).toContain("needs a kernel");
    expect(dragged).toMatchObject({ current: false, results: { scale: 42 }, model: { note: "Published." } });
    const other = page.answer(dragged, { query: "sum", knowing: "worst" }, held);
    expect(other.fault!.text).toContain("needs a kernel");
    expect(page.answer(other, { knowing: "nobody" }, held)).toMatchObject({ fault: null, current: true, query: "sum" });
  });
});

describe("a saved state of dependent tuples", () => {
  const state = (shown: object, held: Record<string, unknown> = embedded()): Parameters<typeof checkLimits>[0] => ({ module: "dependence_explorer", traits: { _view: view(shown) }, embedded: held });
  const model = (more: object): object => ({ model: { ...view().model, ...more } });

  it("is taken as Python saves it", () => {
    expect(() => checkLimits(state({}))).not.toThrow();
    expect(() => checkLimits(state(model({ support: bytes(), probabilities: bytes(), loaded: bytes() }), {}))).not.toThrow();
  });

  it.each([
    ["a row with a value that is not there", state(model({ support: whole(0, 0, 0, 1, 1, 0, 1, 2) }))],
    ["rows that are too few", state(model({ support: whole(0, 0) }))],
    ["more tuples than are shown", state(model({ tuples: Array.from({ length: 61 }, () => tuples[0]) }))],
    ["a chosen tuple that is not there", state({ tuple: 2 })],
    ["known tuples that are not there", state({ known: [7] })],
    ["results of other tuples", state({ results: { exact: bytes(1, 2, 3) } })],
    ["a query without its numbers", state({}, embedded({ table: { ...table, queries: [{ ...sum, numbers: bytes(0, 1) }] } }))],
    ["a query that adds up text", state({}, embedded({ table: { ...table, points: [null, bytes(0, 1)], queries: [{ ...sum, kind: "identity" }] } }))],
    ["a tuple that is called nothing", state({}, embedded({ table: { ...table, noun: undefined } }))],
    ["a wide output", state({}, embedded({ table: { ...table, queries: [{ ...sum, kind: "table", width: 1e9, sensitivities: bytes(1, 1) }] } }))],
    ["an example without rows", state({}, embedded({ examples: { pair: { ...table, ...rows, support: whole(0) } } }))],
    ["own entries that are too few", state({}, embedded({ own: { table: { ...table, ...rows }, entries: bytes(1), query: "sum" } }))],
  ])("is refused with %s", (_, damaged) => expect(() => checkLimits(damaged)).toThrow("The saved state is damaged"));
});
