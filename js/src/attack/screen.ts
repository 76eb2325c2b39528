/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import { roundToEven } from "../compute/numpy-numbers";
import type { Stable } from "../explorer/hand";
import { LAST_VALID } from "../explorer/top";
import type { Running } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { number } from "../ui/wire";
import type { AttackRequest, AttackView, CityState, Wired } from "./protocol";
import { decode, meanAlong, type Curves, type Mean, type Shown } from "./results";
import { bitsOf } from "./words";

export type AttackSession = Session<AttackView, AttackRequest>;

/** What undo and redo cover: every input. */
export type Edit = Wish<AttackRequest>;

export interface Screen {
  view: AttackView;
  wish: Edit;
  city: CityState;
  epsilon: number;
  weight: number;
  /** 0 to 1. */
  known: number;
  shown: Shown | null;
  /** The scale of the noise at the budget that the hand asks for; null while what it follows from is awaited. */
  scale: number | null;
  /** ε / ln 2, bits: what no release adds more than where that is promised. */
  bound: number;
  /** The place of every other user is known. */
  everyone: boolean;
  /** The budget is a guarantee: it bounds what the release adds. */
  holds: boolean;
  /** Means over all users at the budget that the hand asks for, or what the curves say there. */
  mean: Mean | null;
  /** Every number of the victim is awaited. */
  busy: boolean;
  /** Those of the results, or the last ones of this city while new ones are computed. */
  curves: Curves | null;
  /** The curves are those of something else. */
  curvesBusy: boolean;
  /** What stands in the place of curves while there are none. */
  noCurves: string;
  running: Running | null;
  /** What the results belong to instead of what stands in the controls; empty when they belong to that. */
  stale: string;
  disabled: boolean;
}

/** A number as it travels. */
export function wired(value: number): Wired {
  return Number.isFinite(value) ? value : String(value);
}

/** The request that asks for exactly what a view shows. */
export function wishOf({ mechanism, epsilon, sensitivity, victim, weight, known, draw }: AttackView | Edit): Edit {
  return { mechanism, epsilon, sensitivity, victim, weight, known, draw };
}

export function sameEdit(a: Edit, b: Edit): boolean {
  return (Object.keys(a) as (keyof Edit)[]).every((part) => Object.is(a[part], b[part]));
}

/** In place of curves that nobody here computes. */
export const NEEDS_KERNEL = "needs a kernel";
/** In place of numbers that come later. */
export const COMPUTED = "being computed";

/** Inputs that the curves over all users depend on. */
const OF_CURVES: readonly (keyof Edit)[] = ["mechanism", "sensitivity", "weight", "known"];

/** The curves that were there last, and of which city. */
export interface LastCurves {
  since: number;
  curves: Curves | null;
}

export function look(session: AttackSession, kept: Stable, last: LastCurves, running: Running | null = null): Screen {
  const view = session.view();
  const wish = session.desired();
  const asked = wishOf(view);
  const shown = view.results && decode(view.results, kept);
  const waiting = session.busy();
  const differs = (part: keyof Edit): boolean => !Object.is(wish[part], asked[part]);
  const epsilon = number(wish.epsilon);
  const others = OF_CURVES.some(differs);
  // A budget that is none stands in the field; the numbers are those of the last one that was.
  const sound = epsilon > 0 && Number.isFinite(epsilon) ? epsilon : (shown?.epsilon ?? epsilon);
  const noCurves = view.running || (waiting && !view.current) ? COMPUTED : view.stopped !== null || !view.results ? "not computed" : NEEDS_KERNEL;
  if (shown?.curves || last.since !== view.since) Object.assign(last, { since: view.since, curves: shown?.curves ?? null });
  const curves = shown?.curves ?? (noCurves === COMPUTED ? last.curves : null);
  const most = view.city.users - 1;
  const everyone = roundToEven(number(wish.known) * most) === most;
  const formal = view.sensitivities.some(({ key, formal: always }) => key === wish.sensitivity && always === true);
  const noise = shown && !(waiting && (differs("mechanism") || differs("sensitivity") || differs("known"))) ? (shown.factor * shown.sensitivity) / sound : null;
  return {
    view,
    wish,
    city: kept.value("city", view.city),
    epsilon,
    weight: number(wish.weight),
    known: number(wish.known),
    shown,
    scale: shown && sound === shown.epsilon ? shown.scale : noise,
    bound: bitsOf(sound),
    everyone,
    holds: formal && isProved(wish.mechanism, everyone),
    mean: shown && !(waiting && others) ? meanAt(shown, sound) : null,
    busy: waiting && !sameEdit(wish, asked) && shown !== null,
    curves,
    curvesBusy: curves !== null && (shown?.curves == null || (waiting && others)),
    noCurves,
    running,
    stale: view.stopped === null && !view.current && !waiting ? LAST_VALID : "",
    disabled: view.disabled || !session.connected(),
  };
}

/** A sensitivity that holds for every data set promises something only with these. */
export function isProved(mechanism: AttackView["mechanism"], everyone: boolean): boolean {
  return mechanism === "baseline" || everyone;
}

/** The numbers at the budget itself once they are there. */
function meanAt({ mean, curves, epsilon: at }: Shown, epsilon: number): Mean | null {
  if (mean && Math.abs(epsilon - at) <= 1e-12 * at) return mean;
  return curves && meanAlong(curves, epsilon);
}
