/**
 * The answers of Python to a page about inferred places, computed in the page: what the hand set becomes the next view.
 * Inputs that make no sense become the view's fault, and the results of the last ones stay.
 */
import type { AttackRequest, AttackResults, AttackState, AttackView, CurvesState, Sensitivity, Wired } from "../attack/protocol";
import { number, toBytes } from "../ui/wire";
import { askedInputs } from "./asked-inputs";
import { knownFriends, knownOf, likelihoods, posteriorOf, priorOf, victimOf, type Belief, type Known, type Victim } from "./attack-beliefs";
import { cityOf, errorsOf, friendFactor, sensitivityOf, type City } from "./attack-city";
import { curvesByBudget, DRAWS, drawsOf, errorsOverDraws, everybody, LEVELS, meansAt, releasedCentres, type AttackMean, type Everybody } from "./attack-means";
import { amount, general, InputFault } from "./faults";

/** What results belong to. */
interface AttackInputs {
  mechanism: AttackView["mechanism"];
  epsilon: number;
  sensitivity: Sensitivity;
  victim: number;
  weight: number;
  known: number;
  draw: number;
}

/** A city of one page, with what was found for it last. */
export interface AttackPage {
  city: City;
  /** What the published results belong to, where the view does not say it. */
  saved: { weight: number; known: number };
  known: { share: number; made: Known } | null;
  everybody: { known: Known; weight: number; made: Everybody } | null;
  /** What takes longer, by what it depends on: what was published, and what this page computed. */
  curves: Kept<CurvesState>;
  means: Kept<AttackMean>;
  draws: Kept<number[]>;
}

type Kept<T> = Map<string, T>;

/** Friends of one user that are drawn, the first by number. */
const MOST_FRIENDS = 400;
/** Cells of all victims and draws that are looked at in the time after an answer. */
const LATER = 40_000_000;
const MOST_KEPT = 40;
/** Draws are told apart up to here. */
const MOST_DRAWS = 1_000_000_000;
/** Noise beyond it would add up to more than floats hold. */
const WIDEST = 1e300;

/** What results belong to; of those that come from elsewhere the view says it. */
const inputs = new WeakMap<AttackResults, AttackInputs>();

/** A city as it is embedded, with the curves that were published; null where the page holds too little to compute from. */
export function attackPage(view: AttackView, embedded: Record<string, unknown>): AttackPage | null {
  const city = cityOf(view, embedded);
  if (!city) return null;
  const saved = { weight: Number(embedded["weight"]), known: Number(embedded["known"]) };
  const page: AttackPage = { city, saved, known: null, everybody: null, curves: new Map(), means: new Map(), draws: new Map() };
  const { results } = view;
  if (results === null) return page;
  const inputs = inputsOf(view, page);
  if (results.curves) page.curves.set(curvesKey(inputs), results.curves);
  if (results.mean) page.means.set(meansKey(inputs), results.mean);
  const [one, two] = results.attacks.map(({ draws }) => draws);
  if (one?.count === DRAWS && two?.count === DRAWS) page.draws.set(drawsKey(inputs), [one.error, two.error]);
  return page;
}

function inputsOf(view: AttackView, { saved }: AttackPage): AttackInputs {
  const known = view.results && inputs.get(view.results);
  if (known) return known;
  const { mechanism, sensitivity, victim, draw, results } = view;
  const epsilon = number(results?.epsilon ?? view.epsilon);
  return { mechanism, epsilon, sensitivity, victim, draw, ...saved };
}

/** Means by budget do not depend on the budget, the victim and the draw. */
function curvesKey({ mechanism, sensitivity, weight, known }: AttackInputs): string {
  return [mechanism, sensitivity, weight, known].join(" ");
}

/** Means at the budget do not depend on the victim and the draw. */
function meansKey(inputs: AttackInputs): string {
  return `${curvesKey(inputs)} ${inputs.epsilon}`;
}

function drawsKey(inputs: AttackInputs): string {
  return `${meansKey(inputs)} ${inputs.victim}`;
}

function keep<T>(kept: Kept<T>, key: string, made: T): T {
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}

/** The next view; what the request does not carry stays. */
export function attackAnswer(view: AttackView, request: Partial<AttackRequest>, page: AttackPage): AttackView {
  const last = inputsOf(view, page);
  const asked = asks(view, request, page.city.n);
  const faults: InputFault[] = [];
  const sound = <T>(check: () => T, otherwise: T): T => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      faults.push(error);
      return otherwise;
    }
  };
  const { mechanism, sensitivity, victim, draw } = asked;
  let wanted: AttackInputs = {
    mechanism,
    sensitivity,
    victim,
    draw,
    epsilon: sound(() => amount("budget", wired(asked.epsilon), "epsilon"), last.epsilon),
    weight: sound(() => amount("positive", wired(asked.weight), "weight"), last.weight),
    known: sound(() => amount("known", wired(asked.known), "known"), last.known),
  };
  let results = sound(() => attackResults(wanted, page), null);
  if (results === null) {
    // A budget that cannot be computed with stands in the way of nothing else.
    wanted = { ...wanted, epsilon: last.epsilon };
    results = attempt(() => attackResults(wanted, page)) ?? attackResults((wanted = last), page);
  }
  inputs.set(results, wanted);
  const fault = faults[0]?.fault ?? null;
  return {
    ...asked,
    mechanism: wanted.mechanism,
    sensitivity: wanted.sensitivity,
    victim: wanted.victim,
    draw: wanted.draw,
    fault,
    running: null,
    stopped: null,
    current: fault === null,
    results,
  };
}

function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof InputFault) return null;
    throw error;
  }
}

/** A number as it came; NaN for what is none. */
function wired(value: unknown): number {
  return typeof value === "number" || value === "Infinity" || value === "-Infinity" ? Number(value) : NaN;
}

/** A number as it travels. */
function sent(value: unknown): Wired {
  const read = wired(value);
  return Number.isFinite(read) ? read : String(read);
}

/** What stands in the controls, sound or not; what is no choice at all is passed over. */
function asks(view: AttackView, request: Partial<AttackRequest>, users: number): AttackView {
  const whole = (value: unknown, from: number, to: number, now: number): number =>
    Number.isInteger(value) && (value as number) >= from && (value as number) <= to ? (value as number) : now;
  return {
    ...view,
    ...askedInputs("attack_explorer", view, request, sent),
    victim: whole(request.victim, 0, users - 1, view.victim),
    draw: whole(request.draw, 1, MOST_DRAWS, view.draw),
  };
}

function knownIn(page: AttackPage, share: number): Known {
  if (page.known?.share !== share) page.known = { share, made: knownOf(page.city, share) };
  return page.known.made;
}

/** By how much one user moves the release, and how many times its noise is added. */
function noiseOf({ mechanism, sensitivity }: AttackInputs, page: AttackPage, epsilon: number): { delta: number; factor: number; scale: number } {
  const { city } = page;
  const delta = sensitivityOf(sensitivity, city);
  const most = (): number => Math.max(...city.friends.map(({ length }) => length));
  const own = soundScale(delta / epsilon, epsilon);
  const factor = mechanism === "lpm" ? 1 : mechanism === "baseline" ? city.largestComponent : friendFactor(city.grid, most(), epsilon);
  return { delta, factor, scale: soundScale(own * factor, epsilon) };
}

interface Prepared {
  victim: Victim;
  priors: [Belief, Belief];
  noise: { delta: number; factor: number; scale: number };
}

function prepared(wanted: AttackInputs, page: AttackPage): Prepared {
  const noise = noiseOf(wanted, page, wanted.epsilon);
  const victim = victimOf(page.city, knownIn(page, wanted.known), wanted.victim);
  return { victim, priors: [priorOf(victim, 1), priorOf(victim, wanted.weight)], noise };
}

function attackResults(wanted: AttackInputs, page: AttackPage): AttackResults {
  const { city } = page;
  const { epsilon, victim: user, draw } = wanted;
  const { victim, priors, noise } = prepared(wanted, page);
  const { delta, factor, scale } = noise;
  const noisy = releasedCentres(city, scale, draw);
  const seen = likelihoods(victim, noisy, scale, city.middle, Int32Array.from(victim.joined.keys()));
  const [km, here, h0] = [errorsOf(city, user), city.cells[user] as number, priors[0].entropy];
  const errors = page.draws.get(drawsKey(wanted));
  const attack = (prior: Belief, k: number): AttackState => {
    const after = posteriorOf(prior, seen);
    return {
      prior: toBytes(prior.probabilities),
      posterior: toBytes(after.probabilities),
      before: prior.cell,
      after: after.cell,
      equal: [prior.equal, after.equal],
      entropy: [prior.entropy, after.entropy],
      error: [km[prior.cell] as number, km[after.cell] as number],
      draws: errors ? { error: errors[k] as number, count: DRAWS } : null,
      mass: [prior.probabilities[here] as number, after.probabilities[here] as number],
      gap: h0 - prior.entropy,
      adds: prior.entropy - after.entropy,
      printed: h0 - after.entropy,
    };
  };
  return {
    epsilon,
    sensitivity: delta,
    scale,
    factor,
    entropy: h0,
    truth: placeOf(city.points, user),
    friends: knownFriends(knownIn(page, wanted.known), city, user).slice(0, MOST_FRIENDS).map((friend) => placeOf(city.points, friend)),
    centres: Array.from({ length: city.k }, (_, j) => placeOf(noisy, j)),
    attacks: [attack(priors[0], 0), attack(priors[1], 1)],
    curves: page.curves.get(curvesKey(wanted)) ?? null,
    mean: page.means.get(meansKey(wanted)) ?? null,
  };
}

/** A point of a flat list: east, north. */
function placeOf(points: Float64Array, at: number): [number, number] {
  return [points[2 * at + 1] as number, points[2 * at] as number];
}

function* everybodyIn(page: AttackPage, { known: share, weight }: AttackInputs): Generator<void, Everybody> {
  const known = knownIn(page, share);
  const last = page.everybody;
  if (last?.known === known && last.weight === weight) return last.made;
  const made = yield* everybody(page.city, known, weight);
  page.everybody = { known, weight, made };
  return made;
}

/** How many releases are looked at for what is missing and takes no more than moments. */
function stepsLeft({ results }: AttackView, { city }: AttackPage): { draws: boolean; means: number; curves: number } {
  const many = drawsOf(city);
  const fits = (releases: number): number => (city.n * city.grid ** 2 * releases <= LATER ? releases : 0);
  return {
    draws: results?.attacks.some(({ draws }) => draws === null) ?? false,
    means: results?.mean === null ? fits(many) : 0,
    curves: results?.curves === null ? fits(many * LEVELS.length) : 0,
  };
}

/** Whether numbers that take longer are missing, and this page computes them in the time after an answer. */
export function isLate(view: AttackView, page: AttackPage): boolean {
  const { draws, means, curves } = stepsLeft(view, page);
  return draws || means + curves > 0;
}

/** Computes what is missing, some users or draws at a time, and tells the share done; first come many draws and means at the budget. */
export function* lateResults(view: AttackView, page: AttackPage): Generator<number | AttackResults, AttackResults> {
  const { city } = page;
  const wanted = inputsOf(view, page);
  const left = stepsLeft(view, page);
  const { victim, priors, noise } = prepared(wanted, page);
  const again = (): AttackResults => {
    const { draws, mean, curves } = {
      draws: page.draws.get(drawsKey(wanted)),
      mean: page.means.get(meansKey(wanted)),
      curves: page.curves.get(curvesKey(wanted)),
    };
    const results = view.results as AttackResults;
    const attacks = results.attacks.map((one, k) => ({
      ...one,
      draws: draws ? { error: draws[k] as number, count: DRAWS } : one.draws,
    })) as AttackResults["attacks"];
    const made = { ...results, attacks, mean: mean ?? results.mean, curves: curves ?? results.curves };
    inputs.set(made, wanted);
    return made;
  };
  let done = 0;
  function* told<T>(steps: Generator<number | void, T>): Generator<number, T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      // What is no share of a release comes before them.
      done += step.value ?? 0;
      yield Math.min(1, done / (left.means + left.curves || 1));
    }
  }
  if (left.draws) keep(page.draws, drawsKey(wanted), yield* told(errorsOverDraws(city, victim, priors, noise.scale)));
  if (left.means + left.curves === 0) return again();
  const all = yield* told(everybodyIn(page, wanted));
  if (left.means > 0) keep(page.means, meansKey(wanted), yield* told(meansAt(city, all, noise.scale)));
  if (left.curves === 0) return again();
  yield again();
  keep(page.curves, curvesKey(wanted), yield* told(curvesByBudget(city, all, (epsilon) => noiseOf(wanted, page, epsilon).scale)));
  return again();
}

function soundScale(scale: number, epsilon: number): number {
  if (scale <= WIDEST) return scale;
  const text = `epsilon is ${general(epsilon, 6)}; noise of scale ${general(scale, 3)} cannot be computed with. Give a larger budget.`;
  throw new InputFault(text, { kind: "parameter", name: "epsilon" });
}
