/** The cases of dependent tuples that the Python code is held to, computed by the browser's code. */
import { describe, expect, it } from "vitest";
import { knowingAny, knowingChosen, knowingNobody, largestLeak, leaksAt, Work, type OutputLaw } from "../../src/compute/dependence-leakage";
import { coefficientsAt, independentBlocks, pairsWithin } from "../../src/compute/dependence-coefficients";
import { scaleOf, type Compared } from "../../src/compute/dependence-release";
import { tableOf, type DependentQuery, type DependentTable } from "../../src/compute/dependence-table";
import { toBytes } from "../../src/ui/wire";
import file from "../../../pdp_widgets/data/vectors/ddp.json";

type Json = any;

const cases = file.cases as unknown as { id: string; kind: string; input: Json; expected: Json; tol: number }[];
const ofKind = (kind: string): typeof cases => cases.filter((one) => one.kind === kind);
const near = (found: number, expected: number, tol: number): void => expect(Math.abs(found - expected) / Math.max(1, Math.abs(expected)), `${found} is not ${expected}`).toBeLessThanOrEqual(tol);
const work = (): Work => new Work(Infinity, "", "");
const flat = (value: Json): number[] => (Array.isArray(value) ? value.map(Number) : [Number(value)]);

/** A table with its query, as Python would embed them. */
function asked({ support, prob }: Json, query: Json): { table: DependentTable; query: DependentQuery; law: OutputLaw } {
  const n = support[0].length as number;
  const domains = Array.from({ length: n }, (_, j) => [...new Map(support.map((row: Json) => [JSON.stringify(row[j]), row[j]])).values()] as Json[]);
  const codes = Int32Array.from(support.flatMap((row: Json) => row.map((value: Json, j: number) => domains[j]!.findIndex((one) => JSON.stringify(one) === JSON.stringify(value)))));
  const head = { key: "q", label: "q", subject: "q", listed: true, width: 1, sensitivities: null };
  const numbers = query.type === "linear" ? domains.flatMap((domain, j) => domain.map((value) => query.coef[j] * value)) : [];
  const outputs = query.type === "table" ? query.outputs.map(flat) : [];
  const made = tableOf({
    title: "",
    noun: "tuple",
    points: domains.map((domain) => toBytes(Float64Array.from(domain.flatMap(flat)))),
    said: null,
    tuples: domains.map((domain, j) => ({ name: `x${j}`, labels: domain.map(String) })),
    support: new DataView(codes.buffer),
    probabilities: toBytes(Float64Array.from(prob as number[])),
    note: "",
    queries: [
      query.type === "table"
        ? { ...head, kind: "table", width: outputs[0].length, numbers: toBytes(Float64Array.from(outputs.flat() as number[])), sensitivities: toBytes(changesOf(codes, outputs, n)) }
        : { ...head, kind: query.type, numbers: toBytes(Float64Array.from(numbers)) },
    ],
  });
  const found = made.queries[0] as DependentQuery;
  const rows = [...made.given.keys()].filter((row) => (made.given[row] as number) > 0);
  const pick = (from: ArrayLike<number>, each: number): number[] => rows.flatMap((row) => Array.from({ length: each }, (_, k) => from[row * each + k] as number));
  const law = { n, sizes: made.sizes, width: found.width, codes: Int32Array.from(pick(made.codes, n)), chances: Float64Array.from(pick(made.given, 1)), outputs: Float64Array.from(pick(found.outputs, found.width)) };
  return { table: made, query: found, law };
}

/** How far one tuple moves a query that is given by its outputs. */
function changesOf(codes: Int32Array, outputs: number[][], n: number): Float64Array {
  const differ = (a: number, b: number): number[] => Array.from({ length: n }, (_, j) => j).filter((j) => codes[a * n + j] !== codes[b * n + j]);
  const found = new Float64Array(n);
  outputs.forEach((one, a) =>
    outputs.forEach((other, b) => {
      const [j, ...more] = differ(a, b);
      if (j !== undefined && more.length === 0) found[j] = Math.max(found[j]!, one.reduce((sum, x, k) => sum + Math.abs(x - other[k]!), 0));
    }),
  );
  return found;
}

describe("leakage", () => {
  it("has cases", () => expect(ofKind("leakage").length).toBeGreaterThan(5));
  it.each(ofKind("leakage"))("$id", ({ input, expected, tol }) => {
    const { law } = asked(input.joint, input.query);
    const found = leaksAt(knowingChosen(law, input.known ?? [], work()), law.n, input.sigma);
    (expected.per_tuple as number[]).forEach((value, j) => near(found[j]!.value, value, tol));
  });

  it.each(ofKind("worst_adversary"))("of the worst adversary: $id", ({ input, expected, tol }) => {
    const { law } = asked(input.joint, input.query);
    near(largestLeak(knowingAny(law, work()), input.sigma), expected.max, tol);
  });
});

describe("scales", () => {
  it.each(ofKind("report"))("$id", ({ input, expected, tol }) => {
    const { query, law, table } = asked(input.joint, input.query);
    const blocks = [Array.from({ length: law.n }, (_, j) => j)];
    const nobody = knowingNobody(law, work());
    const release = { blocks, changes: query.sensitivities, pairs: pairsWithin(law, table.sizes, query.reach, blocks), nobody };
    for (const [key, sigma] of Object.entries(expected.sigma as Record<string, number>)) {
      const scale = scaleOf(release, input.epsilon, key as Compared);
      near(scale, sigma, tol);
      if (scale > 0) near(largestLeak(nobody, scale), expected.leakage[key], tol);
    }
  });

  it.each(ofKind("calibrate"))("$id", ({ input, expected, tol }) => {
    const { query, law, table } = asked(input.joint, input.query);
    const blocks = independentBlocks(law);
    const release = { blocks, changes: query.sensitivities, pairs: pairsWithin(law, table.sizes, query.reach, blocks), nobody: knowingNobody(law, work()) };
    near(scaleOf(release, input.epsilon, "calibrated"), expected.sigma_with_floor, tol);
  });
});

describe("coefficients", () => {
  it.each(ofKind("rho"))("$id", ({ input, expected, tol }) => {
    // A first tuple of which all values are as likely, and the second with its laws.
    const rows = (input.conditional as number[][]).filter((row) => row.some((p) => p > 0));
    const joint = { support: rows.flatMap((row, a) => row.map((_, d) => [a, input.values[d]])), prob: rows.flatMap((row) => row.map((p) => p / rows.length)) };
    const { query, law, table } = asked(joint, { type: "identity" });
    const pairs = pairsWithin(law, table.sizes, query.reach, [[0, 1]]);
    for (const kind of ["exact", "mean", "eq18"] as const) {
      near(coefficientsAt(pairs, query.sensitivities, input.sigma, kind)[1]!, rows.length < 2 ? 0 : expected[`rho_${kind}`], tol);
    }
  });
});

describe("blocks", () => {
  const blocksOf = (codes: number[][], chances: number[]): number[][] => independentBlocks({ n: codes[0]!.length, codes: Int32Array.from(codes.flat()), chances: Float64Array.from(chances) });

  it("are of the table and not of pairs", () => expect(blocksOf([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], [0.25, 0.25, 0.25, 0.25])).toEqual([[0, 1, 2]]));

  it("part what is independent, and leave what takes one value alone", () => {
    const codes = [0, 1].flatMap((a) => [0, 1].map((b) => [a, b, 0, a]));
    expect(blocksOf(codes, [0.12, 0.28, 0.18, 0.42])).toEqual([[0, 3], [1], [2]]);
  });

  it.each([1e-6, 1e-13, 1e-200, 1e-320])("count a value that has probability %d in full", (rare) => {
    expect(blocksOf([[0, 0], [1, 1]], [1 - rare, rare])).toEqual([[0, 1]]);
    expect(blocksOf([[0, 0], [1, 1], [2, 0], [2, 1]], [rare, rare, 0.5 - rare, 0.5 - rare])).toEqual([[0, 1]]);
    const whole = [[0, 0], [0, 1], [1, 0], [1, 1]];
    expect(blocksOf(whole, [rare / 4, (3 * rare) / 4, 0.5, 0.5 - rare])).toEqual([[0, 1]]);
    expect(blocksOf(whole, [rare / 2, rare / 2, (1 - rare) / 2, (1 - rare) / 2])).toEqual([[0], [1]]);
  });
});
