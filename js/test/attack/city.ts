/** A small city of 40 users on 6 x 6 cells, and the view that Python would send of it. */
import type { AttackRequest, AttackResults, AttackState, AttackView } from "../../src/attack/protocol";
import { number, toBytes } from "../../src/ui/wire";
import type { Wish } from "../../src/ui/session";

const GRID = 6;
const USERS = 40;
const LEFT = [0.1, 1, 10, 100, 400];

/** Places of the users: two groups. */
export function placeOf(user: number): [number, number] {
  const group = user % 3 === 0 ? [0.2, 0.25] : [0.7, 0.65];
  return [group[0]! + 0.15 * Math.sin(user * 1.7), group[1]! + 0.15 * Math.cos(user * 2.3)];
}

const cellOf = ([x, y]: readonly [number, number]): number => Math.floor(y * GRID) * GRID + Math.floor(x * GRID);
const centreOf = (cell: number): [number, number] => [((cell % GRID) + 0.5) / GRID, (Math.floor(cell / GRID) + 0.5) / GRID];
const apart = (a: readonly [number, number], b: readonly [number, number]): number => 30 * Math.hypot(a[0] - b[0], a[1] - b[1]);
const friendsOf = (victim: number): number[] => (victim === 5 ? [] : [1, 2, 4, 8].map((step) => (victim + step) % USERS));
const entropy = (belief: Float64Array): number => belief.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);

function normal(weights: Float64Array): Float64Array {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / sum);
}

function attackOf(victim: number, weight: number, epsilon: number, draw: number, h0: number | null): AttackState {
  const truth = placeOf(victim);
  const friends = friendsOf(victim).map(placeOf);
  const prior = new Float64Array(GRID * GRID);
  for (let user = 0; user < USERS; user++) {
    if (user === victim) continue;
    const place = placeOf(user);
    prior[cellOf(place)]! += friends.some((friend) => Math.hypot(friend[0] - place[0], friend[1] - place[1]) < 0.1) ? weight : 1;
  }
  const before = normal(prior);
  const seen: [number, number] = [truth[0] + 0.02 * Math.sin(draw), truth[1] + 0.02 * Math.cos(draw)];
  const after = normal(before.map((p, cell) => p * Math.exp((-apart(centreOf(cell), seen) * epsilon) / 400)));
  const guess = (belief: Float64Array): number => belief.indexOf(Math.max(...belief));
  const [first, last] = [entropy(before), entropy(after)];
  const gap = (h0 ?? first) - first;
  const error = (cell: number): number => apart(centreOf(cell), truth);
  return {
    prior: toBytes(before),
    posterior: toBytes(after),
    before: guess(before),
    after: guess(after),
    equal: [before, after].map((belief) => belief.filter((p) => p === Math.max(...belief)).length) as [number, number],
    entropy: [first, last],
    error: [error(guess(before)), error(guess(after))],
    draws: { error: error(guess(after)) + 1, count: 400 },
    mass: [before[cellOf(truth)]!, after[cellOf(truth)]!],
    gap,
    adds: first - last,
    printed: gap + first - last,
  };
}

export function resultsOf(wish: Wish<AttackRequest>): AttackResults {
  const epsilon = number(wish.epsilon);
  const weight = number(wish.weight);
  const one = attackOf(wish.victim, 1, epsilon, wish.draw, null);
  const two = attackOf(wish.victim, weight, epsilon, wish.draw, one.entropy[0]);
  const at = (read: (budget: number) => number): DataView => toBytes(Float64Array.from(LEFT, read));
  const adds = (budget: number): number => Math.log1p(budget / 30);
  const gap = 0.2 * Math.log10(weight) + 0.05;
  return {
    epsilon: wish.epsilon,
    sensitivity: wish.sensitivity === "unit" ? 1 : 0.12,
    scale: ((wish.mechanism === "lpm" ? 1 : 3) * (wish.sensitivity === "unit" ? 1 : 0.12)) / epsilon,
    factor: wish.mechanism === "lpm" ? 1 : 3,
    entropy: one.entropy[0],
    truth: placeOf(wish.victim),
    friends: friendsOf(wish.victim).map(placeOf),
    centres: [[0.21, 0.27], [1.4, 0.6]],
    attacks: [one, two],
    curves: {
      epsilon: at((budget) => budget),
      printed: at((budget) => gap + 0.9 * adds(budget)),
      adds: [at(adds), at((budget) => 0.9 * adds(budget))],
      error: [at((budget) => 18 / (1 + budget / 100)), at((budget) => 10 / (1 + budget / 100))],
      gap,
      users: USERS,
    },
    mean: { printed: gap + 0.9 * adds(epsilon), gap, adds: 0.9 * adds(epsilon), half: 0.02, adds_1: adds(epsilon), error: [18 / (1 + epsilon / 100), 10 / (1 + epsilon / 100)], users: USERS },
  };
}

const INPUTS: Wish<AttackRequest> = { mechanism: "lpm", epsilon: 40, sensitivity: "local", victim: 7, weight: 10, known: 1, draw: 4 };

export function cityView(more: Partial<AttackView> = {}): AttackView {
  const view: AttackView = {
    revision: 1,
    since: 1,
    ack: null,
    title: "Testville",
    city: {
      text: "Testville, 40 users",
      users: USERS,
      size: [30, 30],
      victims: Array.from({ length: USERS }, (_, user) => ({ label: String(100 + user), friends: friendsOf(user).length })),
      grid: GRID,
      clusters: 2,
      radius: 0.1,
      smoothing: 0,
    },
    mechanisms: [
      { key: "lpm", label: "LPM" },
      { key: "dpm", label: "DPM" },
      { key: "baseline", label: "baseline" },
    ],
    sensitivities: [
      { key: "unit", label: "unit, as the paper", formal: false },
      { key: "local", label: "local", formal: false },
      { key: "fixed_bound", label: "fixed bound", formal: false },
      { key: "worst_case", label: "worst case", formal: true },
    ],
    ...INPUTS,
    fault: null,
    running: null,
    stopped: null,
    current: true,
    results: null,
    disabled: false,
    ...more,
  };
  return "results" in more ? view : { ...view, results: resultsOf(view) };
}
