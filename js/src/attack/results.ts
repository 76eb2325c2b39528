/** Results as the parts draw them: bytes read once, information in bits. */
import type { Stable } from "../explorer/hand";
import type { Bytes } from "../ui/protocol";
import { floats, number } from "../ui/wire";
import type { AttackResults, AttackState, CurvesState } from "./protocol";
import { bitsOf } from "./words";

/** Information is in bits here. */
export interface Attack extends Omit<AttackState, "prior" | "posterior"> {
  prior: Float64Array;
  posterior: Float64Array;
}

export interface Curves {
  /** Nats, ascending. */
  epsilon: Float64Array;
  printed: Float64Array;
  adds: [Float64Array, Float64Array];
  /** Kilometres. */
  error: [Float64Array, Float64Array];
  gap: number;
  users: number;
}

/** Means over all users at one budget. */
export interface Mean {
  printed: number;
  gap: number;
  adds: number;
  /** Half the width of the interval of 95 % over draws of the noise: NaN for one draw, null where the numbers are read from the curves. */
  half: number | null;
  adds_1: number;
  error: [number, number];
  users: number;
}

export interface Shown {
  epsilon: number;
  sensitivity: number;
  scale: number;
  factor: number;
  /** Entropy of the independent prior, bits. */
  entropy: number;
  truth: [number, number];
  friends: [number, number][];
  centres: [number, number][];
  attacks: [Attack, Attack];
  curves: Curves | null;
  mean: Mean | null;
}

function pair<A, B>([one, two]: readonly [A, A], change: (part: A, k: number) => B): [B, B] {
  return [change(one, 0), change(two, 1)];
}

const made = new WeakMap<AttackResults, Shown>();

export function decode(results: AttackResults, kept: Stable): Shown {
  const known = made.get(results);
  if (known) return known;
  const read = (name: string, bytes: Bytes): Float64Array => kept.read(name, bytes, floats);
  const shown: Shown = {
    epsilon: number(results.epsilon),
    sensitivity: results.sensitivity,
    scale: number(results.scale),
    factor: results.factor,
    entropy: bitsOf(results.entropy),
    truth: kept.value("truth", results.truth),
    friends: kept.value("friends", results.friends),
    centres: kept.value("centres", results.centres),
    attacks: pair(results.attacks, (state, k): Attack => ({
      ...state,
      prior: read(`prior ${k}`, state.prior),
      posterior: read(`posterior ${k}`, state.posterior),
      entropy: [bitsOf(state.entropy[0]), bitsOf(state.entropy[1])],
      gap: bitsOf(state.gap),
      adds: bitsOf(state.adds),
      printed: bitsOf(state.printed),
    })),
    curves: results.curves && kept.value("curves", curvesOf(results.curves, kept)),
    mean: results.mean && {
      ...results.mean,
      printed: bitsOf(results.mean.printed),
      gap: bitsOf(results.mean.gap),
      adds: bitsOf(results.mean.adds),
      half: results.mean.half === null ? NaN : bitsOf(results.mean.half),
      adds_1: bitsOf(results.mean.adds_1),
    },
  };
  made.set(results, shown);
  return shown;
}

function curvesOf(curves: CurvesState, kept: Stable): Curves {
  const inBits = (bytes: Bytes): Float64Array => floats(bytes).map(bitsOf);
  return {
    epsilon: kept.read("curve budgets", curves.epsilon, floats),
    printed: kept.read("curve printed", curves.printed, inBits),
    adds: pair(curves.adds, (bytes, k) => kept.read(`curve adds ${k}`, bytes, inBits)),
    error: pair(curves.error, (bytes, k) => kept.read(`curve error ${k}`, bytes, floats)),
    gap: bitsOf(curves.gap),
    users: curves.users,
  };
}

/** The height of the drawn line at a budget: straight between budgets on the logarithmic axis; none outside. */
export function along(curve: ArrayLike<number>, budgets: ArrayLike<number>, epsilon: number): number {
  const n = budgets.length;
  if (n === 0 || !(epsilon >= (budgets[0] as number) * (1 - 1e-9)) || !(epsilon <= (budgets[n - 1] as number) * (1 + 1e-9))) return NaN;
  let k = 0;
  while (k < n - 2 && (budgets[k + 1] as number) < epsilon) k += 1;
  if (n === 1) return curve[0] as number;
  const [low, high] = [budgets[k] as number, budgets[k + 1] as number];
  const share = Math.min(1, Math.max(0, Math.log(epsilon / low) / Math.log(high / low)));
  return (curve[k] as number) + share * ((curve[k + 1] as number) - (curve[k] as number));
}

/** What the curves say at a budget, until the numbers at that budget are there. */
export function meanAlong(curves: Curves, epsilon: number): Mean | null {
  const at = (curve: ArrayLike<number>): number => along(curve, curves.epsilon, epsilon);
  const printed = at(curves.printed);
  if (Number.isNaN(printed)) return null;
  return { printed, gap: curves.gap, adds: at(curves.adds[1]), half: null, adds_1: at(curves.adds[0]), error: pair(curves.error, at), users: curves.users };
}
