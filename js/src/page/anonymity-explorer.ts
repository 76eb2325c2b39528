/** The explorer of k-anonymity in a page: everything is computed from the records in its view; what changes without each one follows. */
import type { AnonymityRequest, AnonymityView } from "../anonymity/protocol";
import { adopt, anonymityAnswer, belongTo, isLate, lateResults, MOST_RECORDS } from "../compute/anonymity-answer";
import { anonymityPage } from "../compute/anonymity-results";
import { fixed } from "../ui/format";
import widget from "../widgets/anonymity_explorer";
import type { Joined } from "./joined";
import { lateJobs } from "./late-jobs";
import { perPage } from "./per-page";
import { join } from "./registry";

/** The table of each page. */
const pages = perPage((view: AnonymityView, embedded) => {
  const sound = embedded["sound"];
  if (view.results && typeof sound === "object" && sound !== null) belongTo(view.results, sound as AnonymityView);
  const made = anonymityPage(view);
  adopt(view, made);
  return made;
});

function needsKernel({ sampled, records }: AnonymityView): string | null {
  return sampled === null && records <= MOST_RECORDS ? null : `This page computes tables of up to ${fixed(MOST_RECORDS, 0)} records and not too many columns: a larger one needs a kernel.`;
}

const joined: Joined<AnonymityView, AnonymityRequest> = {
  render: widget.render,
  picture: "anonymity.svg",
  needsKernel,
  ...lateJobs<AnonymityView, AnonymityRequest, ReturnType<typeof anonymityPage>>({
    pageOf: (view, embedded) => (needsKernel(view) === null ? pages.of(view, embedded) : null),
    answer: anonymityAnswer,
    isLate,
    lateResults,
    cancelled: "Cancelled. What changes without each record is missing.",
  }),
};

export default join("anonymity_explorer", joined);
