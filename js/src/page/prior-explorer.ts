/** The explorer of prior knowledge in a page: every adversary is computed anew after each edit. */
import type { Embedded as Queries } from "../compute/linear-query";
import { enoughIsQuick, needsKernel, priorAnswer, priorEnough } from "../compute/prior-answer";
import type { PriorRequest, PriorView } from "../prior/protocol";
import { parameter } from "../ui/format";
import type { Bytes, Late } from "../ui/protocol";
import { floats } from "../ui/wire";
import widget from "../widgets/prior_explorer";
import { join, perPage, type Embedded, type Joined, type PageModel } from "./page-model";

const queriesOf = (embedded: Embedded): Queries => (embedded["queries"] ?? {}) as Queries;

const NO_INTERVAL = "only for one released number";

/** The queries and the cells of each page. */
const sources = perPage((_: PriorView, embedded) => {
  const cells = embedded["cells"] as Bytes | undefined;
  return { queries: queriesOf(embedded), cells: cells === undefined ? null : floats(cells) };
});

/** A query that was given in Python has weights that no view shows. */
function unknownQuery({ query }: PriorView, embedded: Embedded): boolean {
  return query.key === "given" && !Object.hasOwn(queriesOf(embedded), "given");
}

function hear(model: PageModel<PriorView, PriorRequest>, content: Record<string, unknown>): void {
  if (!("late" in content)) return;
  const { view } = model;
  const known = (model.get("_late") ?? {}) as Late;
  const late: Late = { ...known };
  if (known.enough?.of !== view.late.enough) late.enough = enoughFor(model, view);
  if (view.late.sample !== null && known.sample?.of !== view.late.sample) {
    late.sample = { of: view.late.sample, low: null, high: null, level: 0.95, why: view.results?.chosen.bins ? NO_INTERVAL : "needs a kernel" };
  }
  model.set("_late", late);
}

function enoughFor({ reason, embedded }: PageModel<PriorView, PriorRequest>, view: PriorView): NonNullable<Late["enough"]> {
  const source = sources.of(view, embedded);
  if (reason === null && enoughIsQuick(view, source)) return priorEnough(view, source);
  return { of: view.late.enough, scale: null, why: "This page has no kernel to look for it." };
}

/** Pages that were published before anybody had waited for the interval of the sample: they do not speak of it. */
const withoutSample = new WeakSet<Embedded>();

function silent(view: PriorView, embedded: Embedded): PriorView {
  return withoutSample.has(embedded) ? { ...view, late: { ...view.late, sample: null } } : view;
}

const joined: Joined<PriorView, PriorRequest> = {
  render: widget.render,
  picture: "prior-knowledge.svg",
  opened(saved, embedded, late) {
    if (saved.late.sample !== null && (late as Late | undefined)?.sample?.of !== saved.late.sample) withoutSample.add(embedded);
    // States that were saved before there was a goal lack it.
    const view = silent({ ...saved, goal: saved.goal ?? (saved.results?.promise || 1) }, embedded);
    if (view.running === null && view.stopped === null) return view;
    const settled = { ...view, running: null, stopped: null, kept: "" };
    if (joined.needsKernel(settled, embedded) === null) return joined.answer(settled, {}, embedded);
    // Only the estimate was awaited: all else is up to date.
    if (view.running?.paper) return { ...settled, show_paper: false };
    // Nobody goes on with what was awaited: the results are those of before, and say so.
    const scale = view.results && view.results.scale !== view.scale ? `scale ${parameter(view.results.scale)}` : "";
    return { ...view, running: null, stopped: view.stopped ?? "", kept: view.kept || scale, current: false };
  },
  needsKernel(view, embedded) {
    if (unknownQuery(view, embedded)) return "The query was given in Python.";
    return needsKernel(view, sources.of(view, embedded));
  },
  answer: (view, request, embedded) => silent(priorAnswer(view, request, sources.of(view, embedded)), embedded),
  hear,
};

export default join("prior_explorer", joined);
