/** The explorer of inferred places in a page: every control is answered from the users that are embedded; means over all of them follow. */
import { attackAnswer, attackPage, isLate, lateResults, type AttackPage } from "../compute/attack-answer";
import { LIMITS } from "../compute/attack-city";
import type { AttackRequest, AttackView } from "../attack/protocol";
import { fixed } from "../ui/format";
import widget from "../widgets/attack_explorer";
import type { Embedded, Joined } from "./joined";
import type { PageModel } from "./page-model";
import { join } from "./registry";

type AttackModel = PageModel<AttackView, AttackRequest>;

/** A hand that goes on within it is waited for, ms. */
const PAUSE = 120;
/** Computing ends after so long and goes on later: frames are drawn in between, ms. */
const SLICE = 10;
const CANCELLED = "Cancelled. Means over all users and over many draws are missing.";

/** The city of each page, read once. */
const pages = new WeakMap<Embedded, AttackPage>();
/** What each page computes beside. */
const jobs = new WeakMap<AttackModel, number>();
let newest = 0;

function pageOf(view: AttackView, embedded: Embedded): AttackPage | null {
  const known = pages.get(embedded);
  if (known) return known;
  // What is embedded is what stood in the view when it was saved.
  const made = attackPage(view, embedded);
  if (made) pages.set(embedded, made);
  return made;
}

/** The view, and that what takes longer is computed where it is missing. */
function awaiting(view: AttackView, page: AttackPage): AttackView {
  return isLate(view, page) ? { ...view, running: { number: ++newest, paper: false } } : view;
}

function show(model: AttackModel, view: AttackView): void {
  model.set("_view", { ...view, revision: view.revision + 1 });
  model.moved();
}

/** Computes what the view waits for, a moment at a time, unless it comes to wait for something else. */
function compute(model: AttackModel): void {
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
      if (typeof value === "number") share = value;
      else show(model, { ...model.view, running: done ? null : model.view.running, results: value });
      if (done) return;
    } while (performance.now() < until);
    model.set("_progress", { of: number, share });
    setTimeout(go, 0);
  };
  setTimeout(go, PAUSE);
}

const joined: Joined<AttackView, AttackRequest> = {
  render: widget.render,
  picture: "inferred-place.svg",
  opened(saved, embedded) {
    const settled = { ...saved, running: null, stopped: null };
    // Nothing computed beside a kernel is waited for here.
    const page = pageOf(settled, embedded);
    if (page === null || (saved.running === null && saved.stopped === null)) return settled;
    return awaiting(attackAnswer(settled, {}, page), page);
  },
  needsKernel(view, embedded) {
    if (pageOf(view, embedded) !== null) return null;
    const [users, friendships] = [LIMITS.users, LIMITS.friendships].map((most) => fixed(most, 0));
    return `This page computes cities of up to ${users} users and ${friendships} friendships, on a map that is not too fine: a larger one needs a kernel.`;
  },
  answer(view, request, embedded) {
    const page = pageOf(view, embedded) as AttackPage;
    return awaiting(attackAnswer(view, request, page), page);
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

export default join("attack_explorer", joined);
