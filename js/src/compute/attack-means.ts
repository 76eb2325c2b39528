/** What takes more than one release or one victim: one victim over many draws of the noise, and means over all users. */
import type { AttackResults, CurvesState } from "../attack/protocol";
import { toBytes } from "../ui/wire";
import { glance, likelihoods, priorOf, supportOf, victimOf, type Belief, type Known, type Victim } from "./attack-beliefs";
import { errorsOf, type City } from "./attack-city";
import { mean, sum } from "./numpy-numbers";

export type AttackMean = NonNullable<AttackResults["mean"]>;

/** Draws of the noise for one victim. */
export const DRAWS = 400;
/** Budgets of the curves. */
export const LEVELS = [0.1, 0.2, 0.4, 0.7, 1, 2, 3, 4, 6, 10, 16, 25, 40, 63, 100, 160, 250, 400];
/** Draws of the noise for means over all users; of a large network one. */
const [MANY, LONG] = [4, 20];
/** Of an interval of 95 %: Student's t with one degree of freedom fewer than there are draws. */
const STUDENT = 3.1824463052842624;

/** The released centres. */
export function releasedCentres({ centroids, noise }: City, scale: number, draw: number): Float64Array {
  const drawn = noise(draw);
  return centroids.map((centre, at) => centre + scale * (drawn[at] as number));
}

/** Cells that are looked at in one step, of all users or draws: a hand that drags waits for no more. */
export const AT_ONCE = 50_000;

/** How many users or draws are one step, with so many cells each. */
function atOnce(cells: number): number {
  return Math.max(1, Math.floor(AT_ONCE / Math.max(1, cells)));
}

/** Mean errors of both attacks on one victim over the first draws of the noise, some draws at a time. */
export function* errorsOverDraws(city: City, victim: Victim, priors: readonly Belief[], scale: number): Generator<void, number[]> {
  const [km, cells] = [errorsOf(city, victim.user), supportOf(priors[0] as Belief)];
  const errors = priors.map(() => new Float64Array(DRAWS));
  const step = atOnce(cells.length);
  for (let draw = 1; draw <= DRAWS; draw++) {
    if (draw % step === 0) yield;
    const seen = likelihoods(victim, releasedCentres(city, scale, draw), scale, city.middle, cells);
    errors.forEach((found, attack) => {
      found[draw - 1] = km[cells[glance(priors[attack] as Belief, cells, seen, true).at] as number] as number;
    });
  }
  return errors.map(mean);
}

/** How many draws Python takes for means over all users: it goes by how long they take. */
export function drawsOf({ n, grid }: City): number {
  return LEVELS.length * MANY * (2e-3 + 3e-7 * n * grid ** 2) <= LONG ? MANY : 1;
}

/** All users as victims: what does not depend on the release. */
export interface Everybody {
  victims: { victim: Victim; priors: [Belief, Belief]; cells: Int32Array; km: Float64Array }[];
  /** Mean over users of what attack 2 had before any release, nats. */
  gap: number;
}

/** Makes them, some users at a time. */
export function* everybody(city: City, known: Known, weight: number): Generator<void, Everybody> {
  const victims: Everybody["victims"] = [];
  const step = atOnce(city.grid ** 2 * city.k);
  for (let user = 0; user < city.n; user++) {
    if (user % step === step - 1) yield;
    const victim = victimOf(city, known, user);
    const priors: [Belief, Belief] = [priorOf(victim, 1), priorOf(victim, weight)];
    victims.push({ victim, priors, cells: supportOf(priors[0]), km: errorsOf(city, user) });
  }
  return { victims, gap: mean(victims.map(({ priors: [one, two] }) => one.entropy - two.entropy)) };
}

interface Numbers {
  /** By attack and user. */
  adds: [Float64Array, Float64Array];
  error: [Float64Array, Float64Array];
}

/** What one release adds and how far guesses are off, for every user: some users at a time, and each time the share of them. */
function* oneRelease(city: City, { victims }: Everybody, scale: number, draw: number): Generator<number, Numbers> {
  const noisy = releasedCentres(city, scale, draw);
  const empty = (): [Float64Array, Float64Array] => [new Float64Array(victims.length), new Float64Array(victims.length)];
  const [adds, error] = [empty(), empty()];
  let [looked, told] = [0, 0];
  for (const [user, { victim, priors, cells, km }] of victims.entries()) {
    looked += cells.length;
    if (looked > AT_ONCE) {
      yield (user - told) / victims.length;
      [looked, told] = [cells.length, user];
    }
    const seen = likelihoods(victim, noisy, scale, city.middle, cells);
    priors.forEach((prior, attack) => {
      const { entropy, at } = glance(prior, cells, seen);
      (adds[attack] as Float64Array)[user] = prior.entropy - entropy;
      (error[attack] as Float64Array)[user] = km[cells[at] as number] as number;
    });
  }
  yield (victims.length - told) / victims.length;
  return { adds, error };
}

/** Half an interval over draws of the noise: the users are these, and share each draw. */
function halfOf(byDraw: Float64Array): number {
  const middle = mean(byDraw);
  return STUDENT * Math.sqrt(sum(byDraw.map((value) => (value - middle) ** 2)) / (MANY - 1) / MANY);
}

/** Means over all users at one budget; each step tells which share of a release it was. */
export function* meansAt(city: City, all: Everybody, scale: number): Generator<number, AttackMean> {
  const [n, many] = [city.n, drawsOf(city)];
  const rows = (): [Float64Array, Float64Array] => [new Float64Array(n), new Float64Array(n)];
  const over: Numbers = { adds: rows(), error: rows() };
  const byDraw = new Float64Array(many);
  for (let draw = 1; draw <= many; draw++) {
    const found = yield* oneRelease(city, all, scale, draw);
    byDraw[draw - 1] = mean(found.adds[1]);
    for (const name of ["adds", "error"] as const) {
      over[name].forEach((into, attack) =>
        (found[name][attack] as Float64Array).forEach(
          (value, user) => (into[user] = (into[user] as number) + value / many),
        ),
      );
    }
  }
  const [one, two] = over.adds;
  const adds = mean(two);
  return {
    printed: all.gap + adds,
    gap: all.gap,
    adds,
    half: many === MANY ? halfOf(byDraw) : null,
    adds_1: mean(one),
    error: [mean(over.error[0]), mean(over.error[1])],
    users: n,
  };
}

/** Means over all users by budget, stepping as `meansAt` does: `scaleAt` says how much noise a budget has. */
export function* curvesByBudget(city: City, all: Everybody, scaleAt: (epsilon: number) => number): Generator<number, CurvesState> {
  const many = drawsOf(city);
  const rows = (): [Float64Array, Float64Array] => [new Float64Array(LEVELS.length), new Float64Array(LEVELS.length)];
  const [adds, error] = [rows(), rows()];
  const before = all.gap;
  for (const [place, level] of LEVELS.entries()) {
    const scale = scaleAt(level);
    for (let draw = 1; draw <= many; draw++) {
      const found = yield* oneRelease(city, all, scale, draw);
      for (const attack of [0, 1] as const) {
        adds[attack][place] = (adds[attack][place] as number) + mean(found.adds[attack]) / many;
        error[attack][place] = (error[attack][place] as number) + mean(found.error[attack]) / many;
      }
    }
  }
  const bytes = ([one, two]: [Float64Array, Float64Array]): [DataView, DataView] => [toBytes(one), toBytes(two)];
  return {
    epsilon: toBytes(Float64Array.from(LEVELS)),
    printed: toBytes(adds[1].map((value) => value + before)),
    adds: bytes(adds),
    error: bytes(error),
    gap: before,
    users: city.n,
  };
}
