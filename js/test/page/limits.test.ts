/** A state whose sizes do not go together never goes live. */
import { expect, test } from "vitest";
import { checkLimits } from "../../src/page/limits";
import type { PageState } from "../../src/page/page-model";

const bytes = (length: number): DataView => new DataView(new ArrayBuffer(length));
const floats = (count: number): DataView => bytes(8 * count);
const words = { level: "I", neighbour: "value", events: "all" };
const doubles = (...numbers: number[]): DataView => new DataView(Float64Array.from(numbers).buffer);
const graph = (n: number) => ({ names: Array.from({ length: n }, (_, k) => `x${k}`), exact: floats(n * 2 ** (n - 1)) });
const table = { spec: { names: ["a", "b"], labels: [[0, 1], [0, 1, 2]] }, entries: floats(6), loaded: floats(6), locks: bytes(6), summary: null };
const matrix = { names: ["a", "b", "c"], cov: floats(9), loaded_cov: floats(9), sound: floats(9), mean: floats(3), loaded_mean: floats(3), weights: null };
const whole = (...numbers: number[]): DataView => new DataView(Uint16Array.from(numbers).buffer);
const curves = { epsilon: floats(2), printed: floats(2), adds: [floats(2), floats(2)], error: [floats(2), floats(2)] };
const city = { grid: 3, clusters: 2, victims: [{}, {}, {}, {}, {}] };
const users = { places: floats(10), box: floats(4), centroids: floats(4), edges: whole(0, 1, 2, 3), assign: whole(0, 1, 1, 0, 0), order: whole(2, 0, 3, 1, 4), largest_component: 2, seed: "5", weight: 10, known: 1 };
const attribute = (k: number) => ({ name: `a${k}`, labels: ["x", "y"], counts: floats(2) });

/** States as Python saves them, made anew for each test. */
function states(): Record<string, PageState> {
  const state = (module: string, view: object, embedded: Record<string, unknown> = {}): PageState => ({
    module,
    traits: { _view: structuredCloneOf(view) as object },
    embedded: structuredCloneOf(embedded) as Record<string, unknown>,
  });
  return {
    local: state(
      "local_explorer",
      { attributes: [0, 1, 2].map(attribute), results: { names: ["a0", "a1"], matrix: floats(4), own: floats(2), kept: floats(2), other: floats(2), totals: { exact: floats(2), sum: floats(2), bound: null } } },
      { blocks: floats(36), joint: { shape: [2, 2, 2], cells: floats(8) }, gaps: { shape: [3, 3, 3], cells: floats(27) } },
    ),
    prior: state("prior_explorer", { table, results: { graph: graph(2) } }),
    large: state("prior_explorer", { table: { ...table, entries: bytes(0), loaded: bytes(0), locks: bytes(0), summary: {} }, results: { graph: null } }, { cells: floats(6) }),
    joint: state("joint_table", { table }),
    gaussian: state("gaussian_explorer", { matrix, results: { graph: graph(3) } }),
    covariance: state("covariance_editor", { matrix }),
    graph: state("whg_graph", { graph: graph(4) }),
    stream: state(
      "stream_simulator",
      {
        states: ["0", "1"],
        position: 60,
        chain: { order: 1, editable: true, start: floats(2), transitions: floats(4), loaded: floats(4) },
      },
      { distances: floats(4), chains: [{ start: floats(2), transitions: floats(4), early: null }] },
    ),
    attack: state(
      "attack_explorer",
      { city, results: { attacks: [0, 1].map(() => ({ prior: floats(9), posterior: floats(9) })), curves } },
      users,
    ),
    anonymity: state("anonymity_explorer", {
      records: 3,
      sampled: null,
      columns: [{ name: "age", labels: null, values: floats(3) }, { name: "ill", labels: ["no", "yes"], values: floats(3) }],
      quasi: [0],
      drawn: [0, null],
      secret: 1,
      ...words,
      results: { axis: floats(101), curves: [{ delta: floats(101), drawn: floats(101) }], known: { share: floats(41), delta: floats(41) }, classes: [] },
    }),
    laws: state(
      "anonymity_explorer",
      {
        records: 5000,
        sampled: [0, 7],
        columns: [
          { name: "age", labels: null, values: floats(2) },
          { name: "ill", labels: ["no", "yes"], values: floats(2) },
          { name: "id", labels: null, values: floats(2) },
        ],
        quasi: [0],
        drawn: [0, null],
        secret: 1,
        ...words,
        results: null,
      },
      {
        laws: {
          published: 4990,
          columns: [
            { values: doubles(18, 20.5, 90), counts: doubles(990, 3000, 1000) },
            { values: doubles(0, 1), counts: doubles(4000, 900) },
            null,
          ],
        },
      },
    ),
    network: state(
      "network_explorer",
      {
        nodes: [{ labels: ["0", "1"] }, { labels: ["no", "yes"] }],
        edges: [[0, 1]],
        layout: { x: [0, 1], y: [0, 0] },
        contributions: [[0, 1], [0, 1]],
        target: 0,
        known: [1],
        values: [0],
        budgets: [0.1, "Infinity"],
      },
      { parents: [[], [0]], tables: [[[0.5, 0.5]], [[0.5, 0.5], [0.1, 0.9]]], queries: { sum: [[0, 1], [0, 1]] } },
    ),
    question: state("question", { question: { replies: [{ sealed: "AA==", cells: { answer: [0, 1] } }], options: [], hints: ["AA=="], parts: [] } }),
    second: state(
      "stream_simulator",
      {
        states: ["0", "1"],
        position: 60,
        chain: { order: 2, editable: false, start: floats(2), transitions: floats(8), loaded: bytes(0) },
      },
      { distances: floats(4), chains: [{ start: floats(2), transitions: floats(8), early: floats(4) }] },
    ),
  };
}

function structuredCloneOf(value: unknown): unknown {
  if (value instanceof DataView) return new DataView(value.buffer.slice(0));
  if (Array.isArray(value)) return value.map(structuredCloneOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, structuredCloneOf(held)]));
}

/** Ways to all bytes within a value. */
function waysToBytes(value: unknown, way: string[] = []): string[][] {
  if (value instanceof DataView) return [way];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => waysToBytes(held, [...way, name]));
}

function put(value: unknown, way: readonly string[], held: unknown): void {
  const [name, ...rest] = way as [string, ...string[]];
  const place = value as Record<string, unknown>;
  if (rest.length === 0) place[name] = held;
  else put(place[name], rest, held);
}

/** What the page reads only where it is small enough. */
const UNREAD = /^large\._view\.table|^second\._view\.chain\.loaded/;

const kinds = Object.keys(states());

test.each(kinds)("a sound state passes: %s", (kind) => {
  expect(() => checkLimits(states()[kind] as PageState)).not.toThrow();
});

test.each(
  kinds.flatMap((kind) => {
    const { traits, embedded } = states()[kind] as PageState;
    return [...waysToBytes(traits).map((way) => [kind, "traits", way] as const), ...waysToBytes(embedded).map((way) => [kind, "embedded", way] as const)];
  }).filter(([kind, , way]) => !UNREAD.test(`${kind}.${way.join(".")}`)),
)("numbers of another length are found: %s %s %s", (kind, where, way) => {
  for (const wrong of [bytes(1), bytes(8), floats(1000), "AAAA", 7]) {
    const state = states()[kind] as PageState;
    put(state[where], way, wrong);
    expect(() => checkLimits(state)).toThrow("The saved state is damaged");
  }
});

test.each([
  ["local", ["attributes"], Array.from({ length: 300 }, (_, k) => attribute(k))],
  ["local", ["attributes"], []],
  ["local", ["attributes"], null],
  ["local", ["attributes", "0", "labels"], Array.from({ length: 1001 }, (_, k) => `${k}`)],
  ["local", ["results"], null],
  ["local", ["results", "names"], ["a", "b", "c", "d"]],
  ["prior", ["table", "spec", "labels"], Array.from({ length: 5 }, () => Array.from({ length: 300 }, (_, k) => k))],
  ["prior", ["table", "spec", "names"], Array.from({ length: 3000 }, () => "x")],
  ["prior", ["results", "graph", "names"], Array.from({ length: 60 }, () => "x")],
  ["joint", ["table", "spec"], null],
  ["gaussian", ["matrix", "names"], Array.from({ length: 3000 }, () => "x")],
  ["covariance", ["matrix", "names"], 5],
  ["graph", ["graph", "names"], ["a"]],
  ["stream", ["states"], Array.from({ length: 5000 }, () => "x")],
  ["stream", ["states"], ["a"]],
  ["stream", ["position"], 2 ** 53 + 1],
  ["stream", ["position"], 100_001],
  ["stream", ["position"], "NaN"],
  ["stream", ["position"], -5],
  ["stream", ["position"], 1.5],
  ["stream", ["position"], NaN],
  ["stream", ["position"], undefined],
  ["anonymity", ["records"], 4],
  ["anonymity", ["records"], 1e9],
  ["anonymity", ["columns"], []],
  ["anonymity", ["quasi"], [2]],
  ["anonymity", ["quasi"], []],
  ["anonymity", ["secret"], 7],
  ["anonymity", ["sampled"], "0, 1"],
  ["anonymity", ["level"], "V"],
  ["anonymity", ["level"], ["I"]],
  ["anonymity", ["neighbour"], null],
  ["anonymity", ["events"], "<b>all</b>"],
  ["anonymity", ["drawn"], [0, 5]],
  ["anonymity", ["columns", "1", "labels"], []],
  ["anonymity", ["columns", "1", "values"], new DataView(Float64Array.of(0, 1, 2).buffer)],
  ["anonymity", ["columns", "0", "values"], null],
  ["network", ["nodes"], []],
  ["network", ["nodes"], Array.from({ length: 301 }, () => ({ labels: ["0"] }))],
  ["network", ["edges"], [[0, 2]]],
  ["network", ["layout", "x"], [0]],
  ["network", ["target"], 2],
  ["network", ["values"], [2]],
  ["network", ["known"], [5]],
  ["network", ["budgets"], [1]],
  ["network", ["contributions"], [[0, 1]]],
  ["question", ["question"], null],
  ["question", ["question", "replies"], Array.from({ length: 101 }, () => ({ sealed: "", cells: {} }))],
  ["question", ["question", "replies", "0", "cells"], Object.fromEntries("abcdefghi".split("").map((name) => [name, [0, 1]]))],
  ["question", ["question", "hints"], Array.from({ length: 21 }, () => "")],
  ["question", ["question", "options"], "a or b"],
  ["question", ["question", "parts"], Array.from({ length: 9 }, () => "scale")],
  ["attack", ["city"], null],
  ["attack", ["city", "grid"], 1e9],
  ["attack", ["city", "grid"], 0],
  ["attack", ["city", "grid"], 2.5],
  ["attack", ["city", "clusters"], 61],
  ["attack", ["city", "victims"], Array.from({ length: 2001 }, () => ({}))],
  ["attack", ["city", "victims"], [{}]],
] as const)("names and numbers go together: %s %s", (kind, way, held) => {
  const state = states()[kind] as PageState;
  put(state.traits["_view"], way, held);
  expect(() => checkLimits(state)).toThrow("The saved state is damaged");
});

test("a joint table of another shape is found before it is read", () => {
  for (const shape of [[10 ** 9, 10 ** 9, 10 ** 9], [2, 2], [30_000, 30_000], null]) {
    const state = (states() as { local: PageState }).local;
    put(state.embedded, ["joint", "shape"], shape);
    expect(() => checkLimits(state)).toThrow("The saved state is damaged");
  }
});

test.each([
  ["edges", whole(0, 5)],
  ["edges", whole(1, 0)],
  ["edges", whole(...Array.from({ length: 32_002 }, (_, k) => k % 2))],
  ["edges", undefined],
  ["assign", whole(0, 1, 2, 0, 0)],
  ["order", whole(2, 0, 3, 3, 1)],
  ["order", whole(2, 0, 3, 5, 1)],
  ["largest_component", 6],
  ["largest_component", "many"],
])("users of a city are those that there are: %s", (name, held) => {
  const state = (states() as { attack: PageState }).attack;
  put(state.embedded, [name], held);
  expect(() => checkLimits(state)).toThrow("The saved state is damaged");
});

test.each([
  [[], 3],
  [["published"], 0],
  [["published"], 5001],
  [["published"], 4989],
  [["published"], "4990"],
  [["published"], NaN],
  [["columns"], [null, null]],
  [["columns"], null],
  [["columns", "0"], { values: doubles(18) }],
  [["columns", "0", "counts"], doubles(990, 3000)],
  [["columns", "0", "counts"], doubles(-990, 3000, 1000)],
  [["columns", "0", "counts"], doubles(0.5, 3000, 1000)],
  [["columns", "0", "counts"], doubles(NaN, 3000, 1000)],
  [["columns", "0", "counts"], doubles(Infinity, 3000, 1000)],
  [["columns", "0", "counts"], doubles(0, 3000, 1000)],
  [["columns", "0", "values"], doubles(20, 18, 90)],
  [["columns", "0", "values"], doubles(18, 18, 90)],
  [["columns", "0", "values"], doubles(18, 20, Infinity)],
  [["columns", "0", "values"], doubles(NaN, 20, 90)],
  [["columns", "1", "values"], doubles(0, 2)],
] as const)("laws of records are laws: %s %s", (way, held) => {
  const state = (states() as { laws: PageState }).laws;
  put(state.embedded, ["laws", ...way], held);
  expect(() => checkLimits(state)).toThrow("The saved state is damaged");
});

test.each([[[0, 5000]], [[0, -1]], [["0", "7"]], [[7, 7]]])("records that travel are some that there are: %s", (sampled) => {
  const state = (states() as { laws: PageState }).laws;
  put(state.traits["_view"], ["sampled"], sampled);
  expect(() => checkLimits(state)).toThrow("The saved state is damaged");
});

test("a city that would hold the page up is found", () => {
  const state = (states() as { attack: PageState }).attack;
  const many = Array.from({ length: 2000 }, () => ({}));
  put(state.traits["_view"], ["city"], { grid: 50, clusters: 60, victims: many });
  put(state.traits["_view"], ["results"], null);
  Object.assign(state.embedded, { places: floats(4000), centroids: floats(120) });
  expect(() => checkLimits(state)).toThrow("too many for a page");
});
