/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import type { Stable } from "../explorer/hand";
import { LAST_VALID } from "../explorer/top";
import type { Naming } from "../explorer/words";
import type { Running } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { number } from "../ui/wire";
import type { LearnedState, NetworkRequest, NetworkResults, NetworkView, Wired, WorstState } from "./protocol";

/** What undo and redo cover: every input. */
export type Edit = Wish<NetworkRequest>;

export interface Screen {
  view: NetworkView;
  wish: Edit;
  naming: Naming;
  scale: number;
  epsilon: number;
  goal: number;
  results: NetworkResults | null;
  /** What each tuple leaks to whom the colours are about; NaN where it is known. */
  fill: number[];
  /** The adversary whose numbers stand in the sentences, about the target. */
  subject: Subject | null;
  /** Numbers of the results are awaited. */
  busy: boolean;
  /** What the results belong to instead of what stands in the controls; empty when they belong to that. */
  stale: string;
  disabled: boolean;
}

/** What one adversary learns about the target. */
export interface Subject {
  value: number;
  /** Where it is known only to lie between two numbers. */
  lower: number;
  exact: boolean;
  determined: boolean;
  /** Known tuples with their labels. */
  known: readonly (readonly [number, number])[];
  /** Tuples that matter, that are known beside those, and that do not matter. */
  unknown: readonly number[];
  beyond: readonly number[];
}

/** The request that asks for exactly what a view shows. */
export function wishOf(view: NetworkView | Edit): Edit {
  const { query, scale, epsilon, goal, adversary, show, radius, target, known, values, budgets } = view;
  return { query, scale, epsilon, goal, adversary, show, radius, target, known, values, budgets };
}

const LISTS = ["known", "values", "budgets"] as const;

export function sameEdit(a: Edit, b: Edit): boolean {
  const lists = LISTS.every((part) => a[part].join() === b[part].join());
  return lists && (Object.keys(a) as (keyof Edit)[]).every((part) => (LISTS as readonly string[]).includes(part) || Object.is(a[part], b[part]));
}

/** A number as it travels. */
export function wired(value: number): Wired {
  return Number.isFinite(value) ? value : String(value);
}

export function look(session: Session<NetworkView, NetworkRequest>, kept: Stable, running: Running | null): Screen {
  const view = session.view();
  const wish = session.desired();
  const { results } = view;
  const differs = !sameEdit(wishOf(view), wish);
  return {
    view,
    wish,
    naming: kept.value("naming", { names: view.nodes.map(({ name }) => name), labels: view.nodes.map(({ labels }) => labels), noun: view.noun || "tuple" }),
    scale: number(wish.scale),
    epsilon: number(wish.epsilon),
    goal: number(wish.goal),
    results: kept.value("results", results),
    fill: kept.value("fill", results ? fillOf(results, view.adversary) : []),
    subject: kept.value("subject", results && subjectOf(results, view)),
    busy: (session.busy() && differs) || running !== null,
    stale: view.stopped === null && !view.current && !(session.busy() && differs) ? LAST_VALID : "",
    disabled: view.disabled || !session.connected(),
  };
}

/** Results may lag behind the switch while they are computed: what is there is shown. */
function fillOf({ none, each, worst }: NetworkResults, adversary: string): number[] {
  if (adversary === "worst" && worst) return worst.map(({ upper }) => number(upper));
  if (adversary === "mine" && each) return each.map((one) => (one ? number(one.value) : NaN));
  return none.map(({ value }) => number(value));
}

function subjectOf(results: NetworkResults, view: NetworkView): Subject {
  const { target, adversary } = view;
  const worst = adversary === "worst" ? results.worst?.[target] : undefined;
  if (worst) return worstSubject(worst, target, view.nodes.length);
  const mine = adversary === "mine";
  const one = (mine ? results.mine : results.none[target]) as LearnedState;
  const { unknown, beyond } = mine ? results.matters : { unknown: view.nodes.map((_, j) => j), beyond: [] };
  const known = mine ? view.known.map((j, k) => [j, view.values[k] as number] as const) : [];
  return { value: number(one.value), lower: number(one.value), exact: true, determined: one.determined, known, unknown, beyond };
}

function worstSubject({ lower, upper, status, unknown, known }: WorstState, target: number, n: number): Subject {
  const inside = new Set([target, ...unknown, ...known.map(([j]) => j as number)]);
  return {
    value: number(upper),
    lower: number(lower),
    exact: status === "exact",
    determined: false,
    known: known.map(([j, v]) => [j as number, v as number] as const),
    unknown: [target, ...unknown],
    beyond: Array.from({ length: n }, (_, j) => j).filter((j) => !inside.has(j)),
  };
}
