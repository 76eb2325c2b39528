/** The cases of local privacy that the Python code is held to, computed by the browser's code. */
import { describe, expect, it } from "vitest";
import { jointLeakage } from "../../src/compute/local-tables";
import { groupCount, guessOf, ownLeakage, promiseOf, readingOf, subsetSize, type Mechanism, type Output, type Reading } from "../../src/compute/local-mechanisms";
import { leakageOfPair, leakageOfRows, leakageOfSets, rowsOf, twoLevelAt, valueOfRows } from "../../src/compute/local-pair";
import file from "../../../pdp_widgets/data/vectors/cpl.json";
import table from "../../src/compute/local-mechanisms.json";

type Json = any;

interface Case {
  id: string;
  kind: string;
  input: Json;
  expected: Json;
  tol: number;
}

const cases = file.cases as unknown as Case[];
const num = (value: Json): number => (value === "inf" ? Infinity : Number(value));
const flat = (nested: Json): number[] => (Array.isArray(nested) ? nested.flatMap(flat) : [Number(nested)]);
const shapeOf = (nested: Json): number[] => (Array.isArray(nested) ? [nested.length, ...shapeOf(nested[0])] : []);
const mechanismOf = ({ name, eps, ...parameters }: Json): Mechanism => ({ key: name, epsilon: num(eps ?? 0), parameters });
const near = (found: number, expected: Json, tol: number): void => {
  const wanted = num(expected);
  if (!Number.isFinite(wanted)) return expect(found).toBe(wanted);
  expect(Math.abs(found - wanted), `${found} is not ${wanted}`).toBeLessThanOrEqual(tol);
};

/** Sums out all axes of an array but two. */
function pairTable(joint: Json, secret: number, source: number): number[] {
  const shape = shapeOf(joint);
  const table = new Array<number>((shape[secret] as number) * (shape[source] as number)).fill(0);
  flat(joint).forEach((p, k) => {
    const index = shape.map((m, j) => Math.floor(k / shape.slice(j + 1).reduce((size, next) => size * next, 1)) % m);
    table[(index[secret] as number) * (shape[source] as number) + (index[source] as number)]! += p;
  });
  return table;
}

describe("leakage of one pair", () => {
  const chosen = cases.filter(({ kind, input }) => kind === "cpl" && input.mechanism.name !== "channel");
  it("has cases", () => expect(chosen.length).toBeGreaterThan(45));
  it.each(chosen)("$id", ({ input, expected, tol }) => {
    const table = input.joint ?? input.G;
    const found = leakageOfPair(rowsOf(flat(table), table[0].length), mechanismOf(input.mechanism), input.output);
    near(found!.value, expected.L, tol);
  });

  it("names the labels and the set that reach it", () => {
    const rows = rowsOf([0, 0, 0, 0.5, 0.3, 0.2, 0.2, 0.3, 0.5], 3);
    expect(leakageOfPair(rows, { key: "GRR", epsilon: 1, parameters: {} }, "raw")).toMatchObject({ secret: [1, 2], symbols: [0] });
    const more = rowsOf([0.4, 0.3, 0.2, 0.1, 0.1, 0.2, 0.3, 0.4], 4);
    expect(leakageOfPair(more, { key: "OUE", epsilon: 1, parameters: {} }, "raw")).toMatchObject({ secret: [0, 1], symbols: [0, 1] });
    expect(leakageOfPair(more, { key: "generic", epsilon: 1, parameters: {} }, "inferred")).toBeNull();
  });
});

describe("a guess", () => {
  const chosen = cases.filter(({ kind, expected }) => kind === "channel" && expected.keep !== undefined);
  it("has cases", () => expect(chosen.length).toBe(12));
  it.each(chosen)("$id", ({ input, expected, tol }) => {
    const found = guessOf(mechanismOf(input.mechanism), input.k)!;
    near(found.keep, expected.keep, tol);
    near(found.other, expected.other, tol);
    near(found.level, expected.log_ratio, tol);
    near((input.k - 1) * found.other, expected.error01, tol);
  });

  it("tells everything or half of it without noise", () => {
    const at = (key: string): number => guessOf({ key, epsilon: Infinity, parameters: {} }, 5)!.level;
    expect(["GRR", "EXP", "SS", "SHE", "SUE"].map(at)).toEqual([Infinity, Infinity, Infinity, Infinity, Infinity]);
    near(at("OUE"), Math.log(6), 1e-12);
    near(at("OLH"), Math.log(6), 1e-12);
  });

  it("tells nothing at a budget of 0", () => {
    for (const key of ["GRR", "EXP", "OUE", "SUE", "BLH", "OLH", "SHE", "SS"]) {
      near(guessOf({ key, epsilon: 0, parameters: {} }, 5)!.keep, 0.2, 1e-12);
    }
  });
});

describe("parameters", () => {
  const input = (id: string): Case => cases.find((one) => one.id === id)!;
  it("of RAPPOR", () => {
    const { expected } = input("cpl-s-054-rappor-params");
    near(promiseOf({ key: "RAPPOR", epsilon: 0, parameters: { f: 0.5, p: 0.5, q: 0.75 } }, 2), expected.eps_one_report, 1e-12);
  });
  it("of subset selection", () => {
    const { input: asked, expected } = input("cpl-s-055-ss-omega");
    expect(asked.cases.map(([k, eps]: Json[]) => subsetSize({ key: "SS", epsilon: num(eps), parameters: {} }, k as number))).toEqual(expected.omega_floor);
  });
  it("of local hashing", () => {
    const { input: asked, expected } = input("cpl-s-056-olh-g");
    expect(asked.eps.map((eps: Json) => groupCount({ key: "OLH", epsilon: num(eps), parameters: {} }))).toEqual(expected.g);
  });
});

describe("all reports together", () => {
  it.each(cases.filter(({ kind }) => kind === "tpl"))("$id", ({ input, expected, tol }) => {
    const shape = shapeOf(input.joint);
    const mechanisms: Mechanism[] = input.mechanisms.map(mechanismOf);
    const readings = shape.map((k, j) => readingOf(mechanisms[j]!, k, input.output)!);
    const others = jointLeakage({ shape, cells: Float64Array.from(flat(input.joint)) }, input.target, readings)!;
    near(others, expected.joint_cpl, tol);
    near(others + ownLeakage(mechanisms[input.target]!, shape[input.target]!, input.output), expected.TPL, tol);
    for (const [source, value] of Object.entries(expected.pairwise_cpl)) {
      const j = Number(source);
      near(valueOfRows(rowsOf(pairTable(input.joint, input.target, j), shape[j]!), readings[j]!), value, tol);
    }
  });

  it("are more than a page can look at beyond a limit", () => {
    const readings: Reading[] = Array.from({ length: 9 }, () => ({ kind: "subsets", level: 1, size: 0 }));
    const shape = readings.map(() => 3);
    expect(jointLeakage({ shape, cells: new Float64Array(3 ** 9).fill(1) }, 0, readings)).toBeNull();
  });
});

describe("matrices of tables", () => {
  const matrixOf = (shape: number[], table: (secret: number, source: number) => number[], key: string, epsilon: number): number[][] =>
    shape.map((k, source) =>
      shape.map((_, secret) => (secret === source ? 0 : valueOfRows(rowsOf(table(secret, source), k), readingOf({ key, epsilon, parameters: {} }, k, "raw")!))),
    );
  const sum = (matrix: number[][]): number => flat(matrix).reduce((total, value) => total + value, 0);

  it.each(cases.filter(({ kind }) => kind === "benchmark"))("$id", ({ input, expected, tol }) => {
    const of = (key: string): number[][] => matrixOf(shapeOf(input.joint), (secret, source) => pairTable(input.joint, secret, source), key, input.eps);
    const reference = of("generic");
    flat(reference).forEach((value, k) => near(value, flat(expected.reference)[k], tol));
    near(sum(reference), expected.TCPL_star, tol);
    for (const key of ["GRR", "EXP"]) near(sum(of(key)) / sum(reference), expected.norm_TCPL[key], tol);
  });

  it.each(cases.filter(({ kind, input }) => kind === "table" && input.missing === "drop"))("$id", ({ input, expected, tol }) => {
    const counts = (secret: number, source: number): number[] => {
      const table = new Array<number>(input.sizes[secret] * input.sizes[source]).fill(0);
      for (const row of input.codes) if (row[secret] >= 0 && row[source] >= 0) table[row[secret] * input.sizes[source] + row[source]]! += 1;
      return table;
    };
    for (const key of ["generic", "GRR"]) {
      flat(matrixOf(input.sizes, counts, key, input.eps)).forEach((value, k) => near(value, flat(expected[key])[k], tol));
    }
  });
});

describe("two levels", () => {
  it("keep all digits for tiny budgets and none is lost for huge ones", () => {
    near(twoLevelAt(1e-9)(0.6, 0.1), 5.00000000075e-10, 1e-18);
    near(twoLevelAt(1000)(0.6, 0), 1000 + Math.log(0.6), 1e-9);
    expect(twoLevelAt(Infinity)(0.6, 0)).toBe(Infinity);
    expect(twoLevelAt(Infinity)(0, 0)).toBe(0);
    expect(twoLevelAt(0)(1, 0)).toBe(0);
  });
  it.each([0.2, 0.5, 3, 699, 701])("are the same on both sides of a change of formula, near %d", (level) => {
    const [below, above] = [twoLevelAt(level * (1 - 1e-12)), twoLevelAt(level)].map((f) => f(0.7, 0.2));
    near(below!, above, 1e-9);
  });
});

/** All sets of symbols, looked at one by one. */
function bruteForce(rows: Float64Array[], sets: number[][], level: number): number {
  const ratio = twoLevelAt(level);
  const sum = (row: Float64Array, set: number[]): number => set.reduce((total, u) => total + row[u]!, 0);
  return Math.max(0, ...sets.flatMap((set) => rows.flatMap((x) => rows.map((y) => ratio(sum(x, set), sum(y, set))))));
}

describe("against every set of symbols", () => {
  // A fixed seed: Lehmer's generator.
  let state = 20240229;
  const random = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
  const draw = (m: number, t: number): number[] => Array.from({ length: m * t }, () => (random() < 0.2 ? 0 : -Math.log(random())));
  it.each([1e-6, 0.3, 1, 5, 60, 720, Infinity])("at a budget of %d", (level) => {
    for (let round = 0; round < 40; round++) {
      const [m, t] = [2 + Math.floor(random() * 3), 2 + Math.floor(random() * 4)];
      const rows = rowsOf(draw(m, t), t);
      const subsets = Array.from({ length: 2 ** t - 1 }, (_, s) => Array.from({ length: t }, (_, u) => u).filter((u) => ((s + 1) >> u) & 1));
      for (const size of [0, 1, 2, 3]) {
        const sets = subsets.filter((set) => (size === 0 ? true : set.length === size));
        const reading: Reading = { kind: size === 0 ? "subsets" : size === 1 ? "singletons" : "exactly", level, size };
        const found = size > 1 ? leakageOfSets(rows, size, level) : leakageOfRows(rows, reading).value;
        const wanted = size >= t ? 0 : bruteForce(rows.rows, sets, level);
        if (wanted === Infinity) expect(found).toBe(Infinity);
        else near(found, wanted, 1e-9 * Math.max(1, wanted));
      }
    }
  });
  it("a guess tells no more than what is released", () => {
    for (const key of ["OUE", "SUE", "BLH", "OLH", "SHE", "SS", "RAPPOR"]) {
      for (const epsilon of [0.1, 1, 4]) {
        const rows = rowsOf(draw(3, 5), 5);
        const at = (output: Output): number => leakageOfPair(rows, { key, epsilon, parameters: {} }, output)!.value;
        expect(at("inferred")).toBeLessThanOrEqual(at("raw") + 1e-12);
      }
    }
  });
});

describe("the mechanisms of a page", () => {
  it.each(Object.keys(table))("%s is one", (key) => {
    expect(readingOf({ key, epsilon: 1, parameters: {} }, 3, "raw")!.level).toBeGreaterThan(0);
  });
  it("are no others", () => {
    for (const key of ["XYZ", "matrix", "constructor"]) {
      const mechanism: Mechanism = { key, epsilon: 1, parameters: {} };
      for (const ask of [() => promiseOf(mechanism, 3), () => guessOf(mechanism, 3), () => readingOf(mechanism, 3, "raw")]) {
        expect(ask).toThrow(`This page does not know the mechanism ${key}.`);
      }
    }
  });
});
