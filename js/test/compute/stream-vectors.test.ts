/** The cases of streams that the Python code is held to, computed by the browser's code; and numpy's random numbers. */
import { describe, expect, it } from "vitest";
import { Pcg64 } from "../../src/compute/numpy-numbers";
import { beliefAfter, beliefBefore, StreamRun, type Belief } from "../../src/compute/stream-run";
import { changed, changesOf, firstOrderChain, symbolsOf, uniforms, type Chain, type Script } from "../../src/compute/stream-script";
import { distancesOf } from "../../src/compute/stream-answer";
import { leakageOf, matrixOf, whyNotInPage, within } from "../../src/compute/stream-mechanisms";
import changes from "../../../tests/data/stream-change-cases.json";
import file from "../../../pdp_widgets/data/vectors/sip.json";

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

function near(found: ArrayLike<number> | number, expected: Json, tol: number): void {
  const numbers = typeof found === "number" ? [found] : Array.from(found);
  const wanted = Array.isArray(expected) ? flat(expected) : [num(expected)];
  expect(numbers.length).toBe(wanted.length);
  numbers.forEach((value, k) => {
    const goal = wanted[k] as number;
    if (!Number.isFinite(goal)) expect(value).toBe(goal);
    else expect(Math.abs(value - goal), `${value} is not ${goal}`).toBeLessThanOrEqual(tol * Math.max(1, Math.abs(goal)));
  });
}

function chainOf(start: number[], transitions: number[], early: number[] | null = null): Chain {
  const of = (values: number[]): Float64Array => Float64Array.from(values);
  return { n: start.length, order: early === null ? 1 : 2, start: of(start), transitions: of(transitions), early: early && of(early) };
}

function stepAt(key: string, listed: number[], epsilon: number): Float64Array {
  const n = listed.length;
  const chain = chainOf(listed, new Array<number>(n * n).fill(1 / n));
  return matrixOf(key, { epsilon, chain, belief: Float64Array.from(listed), distances: distancesOf("hamming", n), last: null });
}

describe("matrices", () => {
  const keys: Record<string, string> = { crr: "crr", crr_shrunk: "crr_shrunk", crr_trimmed: "crr_trimmed", crr_balanced: "crr_balanced", binary_optimum: "optimum", mip_binary: "mip" };
  const chosen = cases.filter(({ kind, expected }) => kind in keys && expected.a !== undefined);
  it("has cases", () => expect(chosen.length).toBeGreaterThan(15));
  it.each(chosen)("$id", ({ kind, input, expected, tol }) => {
    const belief: number[] = input.b ?? [1 - input.b1, input.b1];
    const matrix = stepAt(keys[kind] as string, belief, num(input.eps));
    near(matrix, expected.a, tol);
    const leakage = leakageOf(matrix, Float64Array.from(belief));
    near(leakage, expected.leakage ?? expected.lip_leakage, Math.max(tol, 1e-9));
    if (expected.is_eps_private !== undefined) expect(within(leakage, num(input.eps))).toBe(expected.is_eps_private);
  });
});

describe("randomised response", () => {
  it.each(cases.filter(({ kind }) => kind === "grr"))("$id", ({ input, expected, tol }) => {
    const matrix = stepAt("grr", input.b ?? new Array(input.n).fill(1 / input.n), num(input.eps));
    near(matrix[0] as number, expected.p_keep, tol);
    near(matrix[1] as number, expected.p_other, tol);
    if (input.b) near(leakageOf(matrix, Float64Array.from(input.b)), expected.sip, tol);
  });
});

describe("leakage of a matrix", () => {
  it.each(cases.filter(({ kind, input }) => kind === "lip_leakage" && input.a.length === input.a[0].length))("$id", ({ input, expected, tol }) => {
    near(leakageOf(Float64Array.from(flat(input.a)), Float64Array.from(input.b)), expected.leakage, tol);
  });
});

describe("beliefs", () => {
  const known = ["crr", "crr_balanced", "crr_trimmed", "crr_shrunk", "binary_optimum", "grr"];
  const chosen = cases.filter(({ kind, input }) => kind.startsWith("belief_filter") && known.includes(input.mechanism?.name));
  it("has cases", () => expect(chosen.length).toBeGreaterThan(5));
  it.each(chosen)("$id", ({ input, expected, tol }) => {
    const { P1, M, M1, M2, mechanism, y } = input;
    const chain = M2 ? chainOf(P1, flat(M2), flat(M1)) : chainOf(P1, flat(M));
    let belief: Belief | null = beliefBefore(chain);
    y.forEach((released: number, k: number) => {
      near((belief as Belief).predictive, expected.predictive[k], tol);
      const key = mechanism.name === "binary_optimum" ? "optimum" : mechanism.name;
      const matrix = stepAt(key, [...(belief as Belief).predictive], num(mechanism.eps));
      belief = beliefAfter(chain, belief as Belief, Float64Array.from(P1, (_: number, x: number) => matrix[x * P1.length + released] as number));
    });
    near((belief as unknown as Belief).predictive, expected.predictive[y.length], tol);
  });
});

const script = (chain: Chain, epsilon: number): Script => ({ segments: [{ first: 1, chain, epsilon }], seed: 3, distances: distancesOf("hamming", chain.n), data: null });
const moody = chainOf([0.5, 0.5], [0.9, 0.1, 0.1, 0.9]);

describe("composition", () => {
  it.each(cases.filter(({ kind }) => kind === "composition"))("$id", ({ input, expected, tol }) => {
    const run = new StreamRun(script(moody, num(input.eps)), ["crr"]).extended(input.T);
    const { linear, advanced } = run.record(input.T - 1, 1, input.delta);
    near(linear, [expected.linear], tol);
    near(advanced, [expected.advanced_tanh], tol);
  });
});

describe("random numbers", () => {
  it("are those of numpy's PCG64", () => {
    // np.random.default_rng(1).random(2) and np.random.default_rng(2**53).random(1), as numpy 2 prints them.
    const generator = new Pcg64(1);
    expect([generator.random(), generator.random()]).toEqual([0.5118216247002567, 0.9504636963259353]);
    expect(new Pcg64(2 ** 53).random()).toBe(0.2805046273908769);
    expect(new Pcg64(1).advance(1).random()).toBe(0.9504636963259353);
  });

  it("draw the symbols of Python", () => {
    const drawn = (made: Script): number[] => [...symbolsOf(made, 0, uniforms(3, 0, 6), [])];
    expect(drawn(script(moody, 1))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(drawn(changed(script(moody, 1), 4, { chain: chainOf([0.5, 0.5], [0.1, 0.9, 0.9, 0.1]) }))).toEqual([0, 0, 0, 0, 1, 0]);
  });
});

describe("a run", () => {
  const lanes = ["crr", "optimum", "temporal_safe"];
  const whole = new StreamRun(script(moody, 0.5), lanes).extended(200);
  const { symbols, lanes: [crr] } = whole.record(0, 150, 1e-5);

  it("is the same however it came about", () => {
    const parts = new StreamRun(script(moody, 0.5), ["optimum"]).extended(30).cut(17).extended(100).withLanes(lanes).extended(150);
    const again = parts.record(0, 150, 1e-5);
    expect(again.symbols).toEqual(symbols);
    expect(again.lanes[0]).toEqual(crr);
    expect(whole.cut(77).record(40, 37, 1e-5)).toEqual(whole.record(40, 37, 1e-5));
  });

  it("has totals at every step", () => {
    for (const steps of [0, 1, 63, 64, 65, 150]) {
      const leakages = [...(crr?.leakage.subarray(0, steps) ?? [])];
      const over = [...(crr?.over.subarray(0, steps) ?? [])];
      const totals = whole.totals("crr", steps);
      expect(totals.largest).toBe(Math.max(0, ...leakages));
      expect(totals.over).toBe(over.filter(Boolean).length);
      expect(totals.firstOver).toBe(over.includes(1) ? over.indexOf(1) + 1 : null);
    }
    expect(whole.totals("crr", 150).over).toBeGreaterThan(10);
    expect(whole.totals("optimum", 150).over).toBe(0);
  });

  it("says which mechanism a page cannot compute", () => {
    expect(whyNotInPage("optimum", 2)).toBeNull();
    expect(whyNotInPage("optimum", 3)).toContain("linear program");
    expect(whyNotInPage("crr_balanced", 40)).toBeNull();
  });
});

it.each(changes)("a change is worded as Python does: $words.1", ({ states, before, after, words }) => {
  const [was, now] = [before, after].map((rows) => firstOrderChain(Float64Array.from(rows.flat()), Float64Array.of(0.5, 0.5), states));
  const segments = [{ first: 1, chain: was!, epsilon: 0.5 }, { first: 9, chain: now!, epsilon: 0.5 }];
  expect(changesOf(segments, 20, states)).toEqual([{ step: 9, before: words[0], after: words[1] }]);
});
