/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import type { Stable } from "../explorer/hand";
import type { Naming } from "../explorer/words";
import type { DigestState } from "../graph/digest";
import { adversaryOf } from "../graph/nodes";
import { parameter } from "../ui/format";
import type { Bytes, Chosen, GraphMeasure, MeasureName, Mixture, Running, TableSpec } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { flags, floats, number, sameBytes } from "../ui/wire";
import type { DrawnChosen, PriorRequest, PriorResults, PriorView } from "./protocol";

// What undo and redo cover in the explorer of prior knowledge: the table's entries and locks, the scale, the goal, the
// query and its weights, and what the graph shows.

export interface Edit {
  entries: Bytes;
  locks: Bytes;
  scale: number;
  goal: number;
  query: string;
  weights: number[];
  measure: MeasureName;
  measure_epsilon: number | null;
}

export function sameEdit(a: Edit, b: Edit): boolean {
  const release = Object.is(a.scale, b.scale) && Object.is(a.goal, b.goal) && a.query === b.query && sameNumbers(a.weights, b.weights);
  const shown = a.measure === b.measure && Object.is(a.measure_epsilon, b.measure_epsilon);
  return release && shown && sameBytes(a.entries, b.entries) && sameBytes(a.locks, b.locks);
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, k) => Object.is(x, b[k]));
}

export interface Screen {
  view: PriorView;
  wish: Wish<PriorRequest>;
  spec: TableSpec | null;
  naming: Naming;
  results: PriorResults | null;
  /** The chosen adversary of the results, which may lag behind the wish by one answer. */
  chosen: DrawnChosen | null;
  /**
   * Who the facts are about: what the hand chose once it waits visibly, else whom the numbers belong to. The worst
   * values are not known before the numbers are.
   */
  subject: { target: number; known: number[]; instance: number[] | null; worst: boolean };
  /** GS/λ at the scale the hand asks for: the promise needs no computation. */
  promise: number | null;
  /** The group bound likewise, unless the results belong to something else. */
  groupBound: number | null;
  entries: Float64Array;
  locks: Uint8Array;
  loaded: Float64Array;
  records: number | null;
  /** Numbers about the chosen adversary are awaited, and that has lasted or will. */
  busy: boolean;
  /** Numbers about all adversaries are. */
  outdated: boolean;
  /** The same, but for what a drawing may show a moment longer. */
  slow: { busy: boolean; outdated: boolean };
  /** A computation that has lasted. */
  running: Running | null;
  /** What the results belong to instead of what stands in the controls, as in "the last valid table"; empty when they belong to that. */
  stale: string;
  disabled: boolean;
}

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** The request that asks for exactly what a view shows. */
export function wishOf(view: PriorView): Wish<PriorRequest> {
  return {
    entries: view.table?.entries ?? NO_BYTES,
    locks: view.table?.locks ?? NO_BYTES,
    keep_sum: view.table?.keep_sum ?? true,
    rows: view.table?.rows ?? [],
    columns: view.table?.columns ?? [],
    query: view.query.key,
    weights: view.query.weights,
    scale: view.scale,
    instance: view.instance,
    convention: view.convention,
    target: view.target,
    known: view.known,
    show_paper: view.show_paper,
    measure: view.measure ?? "leakage",
    measure_epsilon: view.measure_epsilon ?? null,
    threshold: view.threshold,
    goal: view.goal,
    search: view.search,
  };
}

/** Whether what the leakages depend on was set by the hand and is not answered yet. */
function asksAnew(view: PriorView, wish: Wish<PriorRequest>): boolean {
  return wish.scale !== view.scale || wish.show_paper !== view.show_paper || asksOther(view, wish);
}

/** The same without the scale: whether the least scale is another one. */
export function asksOther(view: PriorView, wish: Wish<PriorRequest>): boolean {
  const now = wishOf(view);
  if (wish.query !== now.query || wish.convention !== now.convention) return true;
  if (!sameNumbers(wish.weights, now.weights) || !sameNumbers(wish.instance, now.instance)) return true;
  return wish.entries !== now.entries && !sameBytes(wish.entries, now.entries);
}

export function look(session: Session<PriorView, PriorRequest>, kept: Stable, running: Running | null = null): Screen {
  const view = session.view();
  const wish = session.desired();
  const spec = view.table ? kept.value("spec", view.table.spec) : undefined;
  const results = view.results;
  const chosen = results ? aligned(results.chosen) : null;
  const waiting = session.busy();
  const anew = asksAnew(view, wish);
  const other = waiting && (wish.target !== view.target || !sameNumbers(wish.known, view.known));
  // Sentences never pair what is asked for with numbers of something else; where answers come within a frame, what
  // is a moment old is not blinked away.
  const computed = view.running !== null && !view.running.paper;
  const outdated = computed || (anew && (waiting || (results?.digest ?? null) !== null));
  const lasting = (running !== null && !running.paper) || (waiting && anew);
  const busy = outdated || other;
  const disabled = view.disabled || !session.connected();
  const worst = wish.convention === "sup";
  const asked = {
    target: wish.target,
    known: kept.value("known", wish.known),
    instance: worst ? null : kept.value("instance", wish.instance),
    worst,
  };
  // The promise at another scale is arithmetic; at another query it is Python's to tell.
  const same = wish.query === view.query.key && sameNumbers(wish.weights, view.query.weights);
  return {
    view,
    wish,
    spec: spec ?? null,
    naming: kept.value("naming", { names: spec?.names ?? [], labels: spec?.labels ?? [], noun: view.query.noun || "tuple" }),
    results,
    chosen,
    subject:
      results && chosen && !busy
        ? { target: chosen.target, known: chosen.known, instance: chosen.instance, worst: results.convention === "sup" }
        : asked,
    promise: same || !outdated ? rescaled(view, wish.scale) : null,
    groupBound: results && bound(results, staleness(view) ? results.scale : wish.scale),
    entries: kept.read("entries", wish.entries, floats),
    locks: kept.read("locks", wish.locks, flags),
    loaded: kept.read("loaded", view.table?.loaded ?? NO_BYTES, floats),
    records: spec?.records ?? null,
    busy,
    outdated,
    slow: { busy: lasting || other, outdated: lasting },
    running,
    stale: staleness(view),
    disabled,
  };
}

/** What the results belong to, unless that is what stands in the controls. */
function staleness({ stopped, kept, current, fault, results }: PriorView): string {
  if (stopped !== null) return `the values as last computed${kept && ` (${kept})`}`;
  if (current) return "";
  const elsewhere = fault?.where?.kind === "parameter";
  return elsewhere ? `the values as last computed${results ? ` (scale ${parameter(results.scale)})` : ""}` : "the last valid table";
}

/** What the graph shows in few numbers, where that is not the leakage. */
export function measured({ graph, digest }: PriorResults): Measured | null {
  const { measure, promise, group_bound: groupBound } = digest ?? graph ?? {};
  if (!measure || promise === undefined || groupBound === undefined) return null;
  if (graph) return { measure, promise, groupBound, largest: graph.largest };
  const { names, largest: flat, values } = digest as DigestState;
  const value = number(values.exact[values.flats.indexOf(flat)]);
  return { measure, promise, groupBound, largest: { ...adversaryOf(names.length, flat), value } };
}

export interface Measured {
  measure: GraphMeasure;
  promise: number;
  groupBound: number;
  largest: PriorResults["largest"];
}

const alignments = new WeakMap<Chosen, unknown>();

/**
 * Mixtures travel for the labels that can occur; here every label has one, empty where it cannot, so
 * that positions of labels are positions of mixtures. The same answer gives the same object.
 */
export function aligned<C extends Chosen>(chosen: C): C {
  if (chosen.mixtures.length === chosen.prior.length) return chosen;
  const known = alignments.get(chosen) as C | undefined;
  if (known) return known;
  const rest = [...chosen.mixtures];
  const all = chosen.prior.map((p): Mixture => (p > 0 ? rest.shift() : undefined) ?? { label: "", centres: [], weights: [] });
  const made = { ...chosen, mixtures: all };
  alignments.set(chosen, made);
  return made;
}

/** The promise is the global sensitivity over the scale: at a scale that is asked for next it is arithmetic. */
function rescaled({ scale, promise }: PriorView, wished: number): number {
  return wished === scale || !(wished > 0 && scale > 0) ? promise : (promise * scale) / wished;
}

function bound({ group_bound, scale }: PriorResults, wished: number): number {
  return wished === scale ? group_bound : (group_bound * scale) / wished;
}
