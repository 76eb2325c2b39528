/**
 * A page that answers at once and computes what takes longer a moment later: some milliseconds at a time, with the
 * share done, until its view comes to wait for something else. It can be cancelled and taken up again.
 */
import type { Running } from "../ui/protocol";
import type { AnyRequest, AnyView } from "../ui/session";
import type { Embedded, Joined, PageModel } from "./page-model";

/** A hand that goes on within it is waited for, ms. */
const PAUSE = 120;
/** Computing ends after so long and goes on later: frames are drawn in between, ms. */
const SLICE = 10;

export interface LateView extends AnyView {
  running: Running | null;
  stopped: string | null;
  results: object | null;
  disabled: boolean;
}

export interface LateOptions<V extends LateView, R, P> {
  /** What a page computes with; null where it needs a kernel. */
  pageOf(view: V, embedded: Embedded): P | null;
  /** The next view, without what takes longer unless that is known already. */
  answer(view: V, request: Partial<R>, page: P): V;
  /** Whether something is missing that the page computes in the time after an answer. */
  isLate(view: V, page: P): boolean;
  /** Yields shares done, and results wherever some more are there; the last ones at the end. */
  lateResults(view: V, page: P): Generator<number | NonNullable<V["results"]>, NonNullable<V["results"]>>;
  /** What is said once the hand has cancelled it. */
  cancelled: string;
}

type LateParts = "opened" | "answer" | "shown" | "hear";

/** Numbers of all computations in this script: a view names the one it waits for. */
let newest = 0;

export function lateJobs<V extends LateView, R extends AnyRequest, P>(options: LateOptions<V, R, P>): Required<Pick<Joined<V, R>, LateParts>> {
  const { pageOf, isLate, lateResults } = options;
  /** What is computed for each page now. */
  const jobs = new WeakMap<PageModel<V, R>, number>();

  /** The view, and that what takes longer is computed where it is missing. */
  function awaiting(view: V, page: P): V {
    return isLate(view, page) ? { ...view, running: { number: ++newest, paper: false } } : view;
  }

  function answer(view: V, request: Partial<R>, page: P): V {
    return awaiting(options.answer(view, request, page), page);
  }

  function show(model: PageModel<V, R>, view: V): void {
    model.set("_view", { ...view, revision: view.revision + 1 });
    model.moved();
  }

  function compute(model: PageModel<V, R>): void {
    const number = model.view.running?.number;
    if (number === undefined || jobs.get(model) === number) return;
    const page = pageOf(model.view, model.embedded);
    if (page === null) return;
    jobs.set(model, number);
    const steps = lateResults(model.view, page);
    const go = (): void => {
      const until = performance.now() + SLICE;
      let share = 0;
      do {
        if (model.view.running?.number !== number) return;
        const { done, value } = steps.next();
        if (typeof value === "number") share = value;
        else show(model, { ...model.view, running: done ? null : model.view.running, results: value });
        if (done) return;
      } while (performance.now() < until);
      model.set("_progress", { of: number, share });
      setTimeout(go, 0);
    };
    setTimeout(go, PAUSE);
  }

  return {
    opened(saved, embedded) {
      const settled = { ...saved, running: null, stopped: null };
      // Nothing computed beside a kernel is waited for here.
      const waited = saved.running !== null || saved.stopped !== null;
      const page = waited ? pageOf(settled, embedded) : null;
      return page === null ? settled : answer(settled, {}, page);
    },
    answer: (view, request, embedded) => answer(view, request, pageOf(view, embedded) as P),
    shown: compute,
    hear(model, { cancel, resume }) {
      const { view } = model;
      if (view.disabled) return;
      if (cancel !== undefined && cancel === view.running?.number) return show(model, { ...view, running: null, stopped: options.cancelled });
      const page = resume === undefined || view.stopped === null ? null : pageOf(view, model.embedded);
      if (page === null) return;
      show(model, awaiting({ ...view, stopped: null }, page));
      compute(model);
    },
  };
}
