/** The explorer of dependent tuples in a page: everything is computed from the rows in its view and from what is embedded. */
import { computedView, coreOf, dependenceAnswer, isEmbedded, whyNotInPage } from "../compute/dependence-answer";
import type { DependenceRequest, DependenceView } from "../dependence/protocol";
import widget from "../widgets/dependence_explorer";
import { join, perPage, type Joined } from "./page-model";

/** The explorer of each page. */
const cores = perPage(coreOf);

const joined: Joined<DependenceView, DependenceRequest> = {
  render: widget.render,
  picture: "dependent-tuples.svg",
  opened(saved, embedded) {
    if (saved.running === null && saved.stopped === null) return saved;
    // What waited for the kernel is computed here, if it can be.
    const settled = { ...saved, running: null, stopped: null, current: saved.fault === null };
    if (!isEmbedded(embedded)) return settled;
    const made = computedView(settled, cores.of(settled, embedded));
    cores.keep(embedded, made.core);
    return made.view;
  },
  needsKernel(view, embedded) {
    return isEmbedded(embedded) ? whyNotInPage(cores.of(view, embedded)) : "Its table has too many rows to compute with in this page: it needs a kernel.";
  },
  answer(view, request, embedded) {
    const made = dependenceAnswer(view, cores.of(view, embedded), request);
    cores.keep(embedded, made.core);
    return made.view;
  },
};

export default join("dependence_explorer", joined);
