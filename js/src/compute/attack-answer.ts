/**
 * The answers of Python to a page about inferred places, computed in the page: what the hand set becomes the next view.
 * Inputs that make no sense become the view's fault, and the results of the last ones stay.
 */
import type { AttackRequest, AttackResults, AttackState, AttackView, CurvesState, Wired } from "../attack/protocol";
import { number, toBytes } from "../ui/codec";
import { likelihoods, posteriorOf, priorOf, victimOf, type Belief } from "./attack-beliefs";
import { cityOf, errorsOf, type City } from "./attack-city";
import { friendFactor } from "./attack-factor";
import { MOST_DRAWS, soundAmount, soundScale, soundShare, type AttackInputs } from "./attack-inputs";
import { knownFriends, knownOf, type Known } from "./attack-known";
import { curvesByBudget, DRAWS, drawsOf, errorsOverDraws, everybody, meansAt, releasedCentres, type Everybody } from "./attack-means";
import { InputFault } from "./faults";
import { sensitivityOf } from "./attack-sensitivity";

/** A city of one page, with what was found for it last. */
export interface AttackPage {
  city: City;
  /** What the published results belong to, where the view does not say it. */
  saved: { weight: number; known: number };
  known: { share: number; made: Known } | null;
  everybody: { known: Known; weight: number; made: Everybody } | null;
  /** Curves by what they depend on: those that were published, and those of this page. */
  curves: Map<string, CurvesState>;
}

/** Friends of one user that are drawn, the first by number. */
const MOST_FRIENDS = 400;
/** Cells of all victims and draws that are looked at while a hand waits. */
const AT_ONCE = 400_000;
/** The same for all curves, in the time that follows. */
const LATER = 40_000_000;
const [MOST_CURVES, BUDGETS] = [40, 18];

/** What results belong to; of those that come from elsewhere the view says it. */
const inputs = new WeakMap<AttackResults, AttackInputs>();

/** A city as it is embedded, with the curves that were published; null where the page holds too little to compute from. */
export function attackPage(view: AttackView, embedded: Record<string, unknown>): AttackPage | null {
  const city = cityOf(view, embedded);
  if (!city) return null;
  const saved = { weight: Number(embedded["weight"]), known: Number(embedded["known"]) };
  const page: AttackPage = { city, saved, known: null, everybody: null, curves: new Map() };
  if (view.results?.curves) page.curves.set(curvesKey(inputsOf(view, page)), view.results.curves);
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
    epsilon: sound(() => soundAmount(wired(asked.epsilon), "epsilon"), last.epsilon),
    weight: sound(() => soundAmount(wired(asked.weight), "weight"), last.weight),
    known: sound(() => soundShare(wired(asked.known)), last.known),
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
  const chosen = <T extends string>(choices: readonly { key: string }[], key: unknown, now: T): T => (choices.some((one) => one.key === key) ? (key as T) : now);
  const whole = (value: unknown, from: number, to: number, now: number): number => (Number.isInteger(value) && (value as number) >= from && (value as number) <= to ? (value as number) : now);
  const amount = (name: "epsilon" | "weight" | "known"): Wired => sent(request[name] === undefined ? view[name] : request[name]);
  return {
    ...view,
    mechanism: chosen(view.mechanisms, request.mechanism, view.mechanism),
    sensitivity: chosen(view.sensitivities, request.sensitivity, view.sensitivity),
    victim: whole(request.victim, 0, users - 1, view.victim),
    draw: whole(request.draw, 1, MOST_DRAWS, view.draw),
    epsilon: amount("epsilon"),
    weight: amount("weight"),
    known: amount("known"),
  };
}

function knownIn(page: AttackPage, share: number): Known {
  if (page.known?.share !== share) page.known = { share, made: knownOf(page.city, share) };
  return page.known.made;
}

/** By how much one user moves the release, and how many times its noise is added. */
function noiseOf({ mechanism, sensitivity, known }: AttackInputs, page: AttackPage, epsilon: number): { delta: number; factor: number; scale: number } {
  const { city } = page;
  const delta = sensitivityOf(sensitivity, city, knownIn(page, known));
  const most = (): number => Math.max(...city.friends.map(({ length }) => length));
  const own = soundScale(delta / epsilon, epsilon);
  const factor = mechanism === "lpm" ? 1 : mechanism === "baseline" ? city.largestComponent : friendFactor(city.grid, most(), epsilon);
  return { delta, factor, scale: soundScale(own * factor, epsilon) };
}

export function attackResults(wanted: AttackInputs, page: AttackPage): AttackResults {
  const { city } = page;
  const { epsilon, victim: user, weight, draw } = wanted;
  const { delta, factor, scale } = noiseOf(wanted, page, epsilon);
  const known = knownIn(page, wanted.known);
  const victim = victimOf(city, known, user);
  const priors: [Belief, Belief] = [priorOf(victim, 1), priorOf(victim, weight)];
  const noisy = releasedCentres(city, scale, draw);
  const seen = likelihoods(victim, noisy, scale, city.middle);
  const errors = errorsOverDraws(city, victim, priors, scale);
  const [km, here, h0] = [errorsOf(city, user), city.cells[user] as number, priors[0].entropy];
  const attack = (prior: Belief, k: number): AttackState => {
    const after = posteriorOf(prior, seen);
    return {
      prior: toBytes(prior.probabilities),
      posterior: toBytes(after.probabilities),
      before: prior.cell,
      after: after.cell,
      entropy: [prior.entropy, after.entropy],
      error: [km[prior.cell] as number, km[after.cell] as number],
      draws: { error: errors[k] as number, count: DRAWS },
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
    friends: knownFriends(known, city, user).slice(0, MOST_FRIENDS).map((friend) => placeOf(city.points, friend)),
    centres: Array.from({ length: city.k }, (_, j) => placeOf(noisy, j)),
    attacks: [attack(priors[0], 0), attack(priors[1], 1)],
    curves: page.curves.get(curvesKey(wanted)) ?? null,
    mean: city.n * city.grid ** 2 * drawsOf(city) <= AT_ONCE ? meansAt(city, everybodyIn(page, wanted), scale) : null,
  };
}

/** A point of a flat list: east, north. */
function placeOf(points: Float64Array, at: number): [number, number] {
  return [points[2 * at + 1] as number, points[2 * at] as number];
}

function everybodyIn(page: AttackPage, { known: share, weight }: AttackInputs): Everybody {
  const known = knownIn(page, share);
  if (page.everybody?.known !== known || page.everybody.weight !== weight) page.everybody = { known, weight, made: everybody(page.city, known, weight) };
  return page.everybody.made;
}

/** Whether this page computes curves that are missing, in the time after an answer. */
export function curvesMissing(view: AttackView, { city }: AttackPage): boolean {
  return view.results?.curves === null && city.n * city.grid ** 2 * drawsOf(city) * BUDGETS <= LATER;
}

/** Computes curves that are missing, one release at a time, and returns the view with them. */
export function* withCurves(view: AttackView, page: AttackPage): Generator<number, AttackView> {
  const wanted = inputsOf(view, page);
  const made = yield* curvesByBudget(page.city, everybodyIn(page, wanted), (epsilon) => noiseOf(wanted, page, epsilon).scale);
  if (page.curves.size >= MOST_CURVES) page.curves.clear();
  page.curves.set(curvesKey(wanted), made);
  const results = { ...(view.results as AttackResults), curves: made };
  inputs.set(results, wanted);
  return { ...view, results };
}
