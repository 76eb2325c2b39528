/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import { anonymityAnswer, MOST_RECORDS } from "../compute/anonymity-answer";
import type { Column } from "../compute/anonymity-release";
import { anonymityPage, type AnonymityPage } from "../compute/anonymity-results";
import type { Stable } from "../explorer/hand";
import { LAST_VALID } from "../explorer/top";
import type { Running } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { floats, number } from "../ui/wire";
import type { AnonymityRequest, AnonymityView, Wired } from "./protocol";
import { decode, type Shown } from "./results";

export type AnonymitySession = Session<AnonymityView, AnonymityRequest>;

/** What undo and redo cover: every input. */
export type Edit = Wish<AnonymityRequest>;

export interface Screen {
  /** As Python has it, or as the page answers what the hand asks for before Python does. */
  view: AnonymityView;
  wish: Edit;
  columns: readonly Column[];
  /** As asked for: infinite or no number where that is what was sent. */
  k: number;
  neighbours: number;
  epsilon: number;
  /** 0 to 1. */
  known: number;
  shown: Shown | null;
  /** Numbers of the results are awaited. */
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
export function wishOf({
  quasi,
  secret,
  k,
  release,
  n = null,
  neighbour,
  group_change,
  shift,
  level,
  known,
  neighbours,
  epsilon,
  events,
  delta1 = null,
  printed,
  reading,
}: AnonymityView | Edit): Edit {
  return {
    quasi,
    secret,
    k,
    release,
    n,
    neighbour,
    group_change,
    shift,
    level,
    known,
    neighbours,
    epsilon,
    events,
    delta1,
    printed,
    reading,
  };
}

export function sameEdit(a: Edit, b: Edit): boolean {
  return a === b || (a.quasi.join() === b.quasi.join() && (Object.keys(a) as (keyof Edit)[]).every((part) => part === "quasi" || Object.is(a[part], b[part])));
}

/** An answer that takes longer, ms, takes its time from the hand: the next one waits until three quarters are left to it. */
const FRAME = 40;

/** What the page computes for the hand before Python has answered. */
export interface Echo {
  page: AnonymityPage | null;
  columns: unknown;
  /** When the page may be asked again, ms. */
  free: number;
  last: { view: AnonymityView; wish: Edit; made: AnonymityView } | null;
}

export function newEcho(): Echo {
  return { page: null, columns: null, free: 0, last: null };
}

function echoed(echo: Echo, view: AnonymityView, wish: Edit): AnonymityView {
  if (sameEdit(wishOf(view), wish) || view.sampled !== null || view.records > MOST_RECORDS) return view;
  if (echo.last && echo.last.view === view && sameEdit(echo.last.wish, wish)) return echo.last.made;
  const begin = performance.now();
  if (begin < echo.free || echo.page === null) return view;
  const made = anonymityAnswer(view, wish, echo.page);
  const end = performance.now();
  echo.free = end - begin > FRAME ? end + 3 * (end - begin) : 0;
  // What goes on beside is Python's affair.
  const next: AnonymityView = { ...made, running: view.running, stopped: view.stopped, revision: view.revision };
  echo.last = { view, wish, made: next };
  return next;
}

export function look(session: AnonymitySession, kept: Stable, echo: Echo, running: Running | null = null): Screen {
  const heard = session.view();
  const wish = session.desired();
  const columns = heard.columns.map(({ name, labels, ordered, values }, j): Column => ({
    name,
    labels,
    ordered,
    values: kept.read(`column ${j}`, values, floats),
  }));
  const stable = sameColumns(kept, columns);
  if (echo.columns !== stable)
    Object.assign(echo, {
      columns: stable,
      free: 0,
      last: null,
      page: heard.sampled === null && heard.records <= MOST_RECORDS ? anonymityPage(heard) : null,
    });
  const view = echoed(echo, heard, wish);
  const shown = view.results && decode(view.results, kept);
  const differs = !sameEdit(wishOf(view), wish);
  return {
    view,
    wish,
    columns: stable,
    k: number(wish.k),
    neighbours: number(wish.neighbours),
    epsilon: number(wish.epsilon),
    known: number(wish.known),
    shown,
    busy: session.busy() && differs && shown !== null,
    running,
    stale: view.stopped === null && !view.current && !(session.busy() && differs) ? LAST_VALID : "",
    disabled: heard.disabled || !session.connected(),
  };
}

const seen = new WeakMap<Stable, readonly Column[]>();

function sameColumns(kept: Stable, columns: readonly Column[]): readonly Column[] {
  const old = seen.get(kept);
  const alike =
    old &&
    old.length === columns.length &&
    columns.every(
      (column, j) =>
        column.values === old[j]?.values &&
        column.name === old[j]?.name &&
        column.ordered === old[j]?.ordered &&
        JSON.stringify(column.labels) === JSON.stringify(old[j]?.labels),
    );
  if (alike) return old;
  seen.set(kept, columns);
  return columns;
}
