/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import type { Stable } from "../explorer/hand";
import { LAST_VALID } from "../explorer/top";
import type { Naming } from "../explorer/words";
import type { Running } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { floats, integers, number } from "../ui/wire";
import type { Rows } from "./margin";
import type { DependenceRequest, DependenceView, Wired } from "./protocol";
import { decode, type Shown, type ShownTuple } from "./results";

export { chooseLine } from "../explorer/top";

export type DependenceSession = Session<DependenceView, DependenceRequest>;

/** What undo and redo cover. */
export interface Edit extends Pick<
  Wish<DependenceRequest>,
  "example" | "query" | "mechanism" | "coefficient" | "epsilon" | "knowing" | "known" | "alpha" | "measure" | "measure_epsilon"
> {
  probabilities: Float64Array;
}

export interface Screen {
  view: DependenceView;
  wish: Wish<DependenceRequest>;
  naming: Naming;
  /** The independent block of every tuple. */
  blocks: readonly number[];
  /** Null where the rows are too many to be here. */
  rows: Rows | null;
  probabilities: Float64Array;
  loaded: Float64Array;
  /** Results for what is asked, or the last ones while those are awaited. */
  shown: Shown | null;
  tuple: number;
  other: number | null;
  /** The chosen tuple in full; null while it is awaited. */
  facts: ShownTuple | null;
  /** What stands in the controls. */
  epsilon: number;
  /** What the results were computed for: while others are awaited they are not measured by a new promise. */
  promise: number;
  alpha: number;
  known: readonly number[];
  /** Every number is awaited. */
  busy: boolean;
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
export function wishOf(view: DependenceView): Wish<DependenceRequest> {
  const { example, query, mechanism, coefficient, epsilon, knowing, known, tuple, other, alpha, paper } = view;
  const { measure = "leakage", measure_epsilon = null } = view;
  const shown = { alpha, measure, measure_epsilon, paper };
  return { probabilities: null, example, query, mechanism, coefficient, epsilon, knowing, known, tuple, other, ...shown };
}

export function editOf({ wish, probabilities }: Pick<Screen, "wish" | "probabilities">): Edit {
  const { example, query, mechanism, coefficient, epsilon, knowing, known, alpha, measure, measure_epsilon } = wish;
  return { probabilities, example, query, mechanism, coefficient, epsilon, knowing, known, alpha, measure, measure_epsilon };
}

export function sameEdit(a: Edit, b: Edit): boolean {
  const { probabilities: first, ...left } = a;
  const { probabilities: second, ...right } = b;
  const alike = first === second || (first.length === second.length && first.every((p, k) => Object.is(p, second[k])));
  return alike && JSON.stringify(left) === JSON.stringify(right);
}

/** Whether results of a view are those of something else than is wished for. */
function asksOther(view: DependenceView, wish: Wish<DependenceRequest>): boolean {
  if (wish.probabilities !== null) return true;
  const parts = ["example", "query", "mechanism", "coefficient", "epsilon", "knowing"] as const;
  return parts.some((part) => view[part] !== wish[part]) || (wish.knowing === "chosen" && view.known.join() !== wish.known.join());
}

export function look(session: DependenceSession, kept: Stable, running: Running | null = null): Screen {
  const view = session.view();
  const wish = session.desired();
  const { model, results } = view;
  const naming = kept.value("naming", {
    names: model.tuples.map(({ name }) => name),
    labels: model.tuples.map(({ labels }) => labels),
    noun: view.noun || "tuple",
  });
  const support = kept.read("support", model.support, integers);
  const saved = kept.read("probabilities", model.probabilities, floats);
  const asked = wish.probabilities;
  const probabilities = asked === null ? saved : kept.value("asked", asked.length === saved.length ? Float64Array.from(asked) : saved);
  const n = naming.names.length;
  const known = results && decode(results);
  const shown = known && known.n === n ? known : null;
  const other = wish.other !== null && wish.other !== wish.tuple && wish.other < n ? wish.other : null;
  const busy = running !== null || (session.busy() && asksOther(view, wish));
  return {
    view,
    wish,
    naming,
    blocks: kept.value("blocks", model.blocks),
    rows: support.length > 0 ? rowsOf(kept, support, naming) : null,
    probabilities,
    loaded: kept.read("loaded", model.loaded, floats),
    shown,
    tuple: Math.min(wish.tuple, n - 1),
    other,
    facts: shown && shown.chosen.tuple === wish.tuple ? shown.chosen : null,
    epsilon: number(wish.epsilon),
    promise: shown ? shown.epsilon : number(wish.epsilon),
    alpha: number(wish.alpha),
    known: kept.value("known", [...wish.known]),
    busy,
    running,
    stale: view.stopped === null && !view.current && !busy ? LAST_VALID : "",
    disabled: view.disabled || !session.connected(),
  };
}

const rowsSeen = new WeakMap<Int32Array, Rows>();

function rowsOf(kept: Stable, support: Int32Array, naming: Naming): Rows {
  const old = kept.value("sizes", naming.labels.map((labels) => labels.length));
  const last = rowsSeen.get(support);
  if (last && last.sizes === old) return last;
  const rows = { support, sizes: old };
  rowsSeen.set(support, rows);
  return rows;
}
