/** The explorer of prior knowledge in a page: every adversary is computed anew after each edit. */
import { MOST_CELLS, MOST_TUPLES, needsKernel, priorAnswer, priorEnough } from "../compute/prior-answer";
import type { Embedded as Queries } from "../compute/contributions";
import type { PriorRequest, PriorView } from "../explorer/protocol";
import type { Late } from "../ui/protocol";
import widget from "../widgets/prior_explorer";
import type { Embedded, Joined } from "./joined";
import type { LocalModel } from "./local-model";

/** Many tables have to be computed for the least scale: beyond, the hand would wait for it. */
const MOST_FOR_ENOUGH = 256;

const queriesOf = (embedded: Embedded): Queries => (embedded["queries"] ?? {}) as Queries;

/** A query that was given in Python has weights that no view shows. */
function unknownQuery({ query }: PriorView, embedded: Embedded): boolean {
  return query.key === "given" && !("given" in queriesOf(embedded));
}

function hear(model: LocalModel<PriorView, PriorRequest>, content: Record<string, unknown>): void {
  if (!("late" in content)) return;
  const { view } = model;
  const known = (model.get("_late") ?? {}) as Late;
  const late: Late = { ...known };
  if (known.enough?.of !== view.late.enough) late.enough = enoughFor(model, view);
  if (view.late.sample !== null && known.sample?.of !== view.late.sample) {
    late.sample = { of: view.late.sample, low: null, high: null, level: 0.95, why: "needs a kernel" };
  }
  model.set("_late", late);
}

function enoughFor({ reason, embedded }: LocalModel<PriorView, PriorRequest>, view: PriorView): NonNullable<Late["enough"]> {
  const cells = view.table?.spec.labels.reduce((size, labels) => size * labels.length, 1) ?? 0;
  if (reason === null && cells <= MOST_FOR_ENOUGH) return priorEnough(view, queriesOf(embedded));
  return { of: view.late.enough, scale: null, why: "This page has no kernel to look for it." };
}

const joined: Joined<PriorView, PriorRequest> = {
  render: widget.render,
  picture: "prior-knowledge.svg",
  opened(view, embedded) {
    if (view.running === null && view.stopped === null) return view;
    const settled = { ...view, running: null, stopped: null };
    return joined.needsKernel(settled, embedded) === null ? joined.answer(settled, {}, embedded) : settled;
  },
  needsKernel(view, embedded) {
    if (unknownQuery(view, embedded)) return "The query was given in Python.";
    // A table of too many cells stands in a few numbers.
    if (view.table?.summary) return `A page computes tables of up to ${MOST_TUPLES} tuples and ${MOST_CELLS.toLocaleString("en")} cells.`;
    return needsKernel(view);
  },
  answer: (view, request, embedded) => priorAnswer(view, request, queriesOf(embedded)),
  hear,
};

export default joined;
