/** A large graph for the tests: twelve tuples, of whose adversaries a few have values. */
import { PAGE, type DigestState } from "../../src/graph/digest";
import { columnOf, flatOf, layers } from "../../src/graph/nodes";
import { FIRST_SEARCH } from "../../src/graph/search";

export const N = 12;
export const WIDTH = 2 ** (N - 1);
export const names = (n = N): string[] => Array.from({ length: n }, (_, k) => `q${k + 1}`);
export const at = (target: number, known: number[]): number => flatOf(N, target, columnOf(N, target, known));
/** Every adversary's leakage in these tests. */
export const value = (flat: number): number => 0.6 + ((flat * 7919) % 9973) / 9973;

export function digestOf(more: Partial<DigestState> = {}): DigestState {
  const chosen = { target: 3, known: [1, 5], rank: 40 };
  const centre = at(3, [1, 5]);
  const near = Array.from({ length: N - 1 }, (_, bit) => 3 * WIDTH + ((centre - 3 * WIDTH) ^ (1 << bit)));
  const rows = more.rows ?? Array.from({ length: PAGE }, (_, k) => 5 * WIDTH + k);
  const tops = Array.from({ length: N }, (_, k) => (layers(N)[N - k] as number[])[0] as number);
  const flats = [...new Set([centre, ...near, ...rows, ...tops])].sort((a, b) => a - b);
  return {
    names: names(),
    promise: 1,
    domain: [0.5, 2],
    largest: tops[0] as number,
    group_bound: N,
    apart: null,
    layers: tops.map((top, k) => ({
      unknown: N - k,
      count: 10 * (k + 1),
      determined: 0,
      counts: Array.from({ length: 30 }, (_, bin) => (bin === 10 ? 10 * (k + 1) : 0)),
      quartiles: [1, 1.1, 1.2],
      range: [0.7, value(top)],
      own: [0.8, 1.1],
      top,
    })),
    above_promise: 700,
    threshold: null,
    above: 700,
    chosen,
    search: FIRST_SEARCH,
    count: 24_576,
    rows,
    place: 40,
    values: { flats, exact: flats.map(value), paper: null, determined: [] },
    ...more,
  };
}
