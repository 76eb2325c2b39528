/** The explorer of k-anonymity in a page: everything is computed from the records in its view; what changes without each one follows. */
import type { AnonymityRequest, AnonymityView } from "../anonymity/protocol";
import { adopt, anonymityAnswer, belongTo, isLate, lateResults, MOST_RECORDS } from "../compute/anonymity-answer";
import { anonymityPage, type AnonymityPage } from "../compute/anonymity-results";
import { fixed } from "../ui/format";
import widget from "../widgets/anonymity_explorer";
import type { Embedded, Joined } from "./joined";
import type { PageModel } from "./page-model";
import { join } from "./registry";

type AnonymityModel = PageModel<AnonymityView, AnonymityRequest>;

/** A hand that goes on within it is waited for, ms. */
const PAUSE = 120;
/** Computing ends after so long and goes on later: frames are drawn in between, ms. */
const SLICE = 10;
const CANCELLED = "Cancelled. What changes without each record is missing.";

/** The table of each page, read once. */
const pages = new WeakMap<Embedded, AnonymityPage>();
/** What each page computes beside. */
const jobs = new WeakMap<AnonymityModel, number>();
let newest = 0;

function pageOf(view: AnonymityView, embedded: Embedded): AnonymityPage {
  const known = pages.get(embedded);
  if (known) return known;
  const sound = embedded["sound"];
  if (view.results && typeof sound === "object" && sound !== null) belongTo(view.results, sound as AnonymityView);
  const made = anonymityPage(view);
  adopt(view, made);
  pages.set(embedded, made);
  return made;
}

/** The view, and that what takes longer is computed where it is missing. */
function awaiting(view: AnonymityView, page: AnonymityPage): AnonymityView {
  return isLate(view, page) ? { ...view, running: { number: ++newest, paper: false } } : view;
}

function show(model: AnonymityModel, view: AnonymityView): void {
  model.set("_view", { ...view, revision: view.revision + 1 });
  model.moved();
}

/** Leaves out one record after the other, a moment at a time, unless the view comes to wait for something else. */
function compute(model: AnonymityModel): void {
  const page = pages.get(model.embedded);
  const number = model.view.running?.number;
  if (!page || number === undefined || jobs.get(model) === number) return;
  jobs.set(model, number);
  const steps = lateResults(model.view, page);
  const go = (): void => {
    const until = performance.now() + SLICE;
    let share = 0;
    do {
      if (model.view.running?.number !== number) return;
      const { done, value } = steps.next();
      if (done) return show(model, { ...model.view, running: null, results: value });
      share = value;
    } while (performance.now() < until);
    model.set("_progress", { of: number, share });
    setTimeout(go, 0);
  };
  setTimeout(go, PAUSE);
}

const joined: Joined<AnonymityView, AnonymityRequest> = {
  render: widget.render,
  picture: "anonymity.svg",
  opened(saved, embedded) {
    const settled = { ...saved, running: null, stopped: null };
    // Nothing computed beside a kernel is waited for here.
    if (joined.needsKernel(settled, embedded) !== null || (saved.running === null && saved.stopped === null)) return settled;
    const page = pageOf(settled, embedded);
    return awaiting(anonymityAnswer(settled, {}, page), page);
  },
  needsKernel({ sampled, records }) {
    return sampled === null && records <= MOST_RECORDS ? null : `This page computes tables of up to ${fixed(MOST_RECORDS, 0)} records and not too many columns: a larger one needs a kernel.`;
  },
  answer(view, request, embedded) {
    const page = pageOf(view, embedded);
    return awaiting(anonymityAnswer(view, request, page), page);
  },
  shown: compute,
  hear(model, { cancel, resume }) {
    const { view } = model;
    const page = pages.get(model.embedded);
    if (!page || view.disabled) return;
    if (cancel !== undefined && cancel === view.running?.number) show(model, { ...view, running: null, stopped: CANCELLED });
    if (resume === undefined || view.stopped === null) return;
    show(model, awaiting({ ...view, stopped: null }, page));
    compute(model);
  },
};

export default join("anonymity_explorer", joined);
