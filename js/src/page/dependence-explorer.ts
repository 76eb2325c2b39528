/** The explorer of dependent tuples in a page: everything is computed from the rows in its view and from what is embedded. */
import { computedView, coreOf, dependenceAnswer, isEmbedded, whyNotInPage } from "../compute/dependence-answer";
import type { DependenceCore } from "../compute/dependence-core";
import type { DependenceRequest, DependenceView } from "../dependence/protocol";
import widget from "../widgets/dependence_explorer";
import type { Embedded, Joined } from "./joined";
import { join } from "./registry";

/** The explorer of each page. */
const cores = new WeakMap<Embedded, DependenceCore>();

function coreIn(view: DependenceView, embedded: Embedded): DependenceCore {
  const known = cores.get(embedded);
  if (known) return known;
  const made = coreOf(view, embedded);
  cores.set(embedded, made);
  return made;
}

const joined: Joined<DependenceView, DependenceRequest> = {
  render: widget.render,
  picture: "dependent-tuples.svg",
  opened(saved, embedded) {
    if (saved.running === null && saved.stopped === null) return saved;
    // What waited for the kernel is computed here, if it can be.
    const settled = { ...saved, running: null, stopped: null, current: saved.fault === null };
    if (!isEmbedded(embedded)) return settled;
    const made = computedView(settled, coreIn(settled, embedded));
    cores.set(embedded, made.core);
    return made.view;
  },
  needsKernel(view, embedded) {
    return isEmbedded(embedded) ? whyNotInPage(coreIn(view, embedded)) : "Its table has too many rows to compute with in this page: it needs a kernel.";
  },
  answer(view, request, embedded) {
    const made = dependenceAnswer(view, coreIn(view, embedded), request);
    cores.set(embedded, made.core);
    return made.view;
  },
};

export default join("dependence_explorer", joined);
