/**
 * The explorer of local privacy in a page: small tables are embedded, and every edit is computed from them; of large
 * ones budgets and pairs are, from points.
 */
import { localAnswer, localTables } from "../compute/local-answer";
import { answersFromPoints, localAnswerFromPoints, withoutAwaited } from "../compute/local-from-points";
import { LIMITS } from "../compute/local-tables";
import type { LocalRequest, LocalView } from "../local/protocol";
import widget from "../widgets/local_explorer";
import { join, perPage, type Joined } from "./page-model";

/** The tables of each page: what is embedded is what stood in the view when it was saved. */
const tables = perPage(localTables);

const joined: Joined<LocalView, LocalRequest> = {
  render: widget.render,
  picture: "local-privacy.svg",
  opened(saved, embedded) {
    if (saved.running === null && saved.stopped === null) return saved;
    const settled = { ...saved, running: null, stopped: null };
    if (tables.of(settled, embedded) !== null) return joined.answer(settled, {}, embedded);
    // Only what all reports say together was awaited: the rest is up to date, unless something in the controls is wrong.
    const rest = { ...settled, current: settled.fault === null, ...withoutAwaited(settled) };
    return answersFromPoints(rest) && rest.fault === null ? joined.answer(rest, {}, embedded) : rest;
  },
  needsKernel(view, embedded) {
    if (tables.of(view, embedded) !== null || answersFromPoints(view)) return null;
    return `This page computes tables of up to ${LIMITS.attributes} attributes and ${LIMITS.labels} labels: a larger one needs a kernel.`;
  },
  answer(view, request, embedded) {
    const held = tables.of(view, embedded);
    return held === null ? localAnswerFromPoints(view, request) : localAnswer(view, request, held);
  },
};

export default join("local_explorer", joined);
