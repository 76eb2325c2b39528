/** The explorer of k-anonymity in a page: everything is computed from the records in its view; what changes without each one follows. */
import type { AnonymityRequest, AnonymityView } from "../anonymity/protocol";
import { adopt, anonymityAnswer, belongTo, isLate, lateResults, MOST_RECORDS } from "../compute/anonymity-answer";
import { summaryOf } from "../compute/anonymity-release";
import { anonymityPage, type AnonymityPage } from "../compute/anonymity-results";
import { plural } from "../explorer/words";
import { fixed } from "../ui/format";
import widget from "../widgets/anonymity_explorer";
import { lateJobs } from "./late-jobs";
import { join, perPage, type Embedded, type Joined } from "./page-model";

/** What is said where k, quasi-identifiers and the secret stay: see compute/anonymity-release. */
function fixedWords({ records, noun }: AnonymityView): string {
  return `As saved: this page does not have all ${fixed(records, 0)} ${plural(noun || "record")}, and others can be put into classes with a kernel only.`;
}

/** Whether the view has all records. */
const isWhole = ({ sampled, records }: AnonymityView): boolean => sampled === null && records <= MOST_RECORDS;

/** What stands for the records of a page that has not all of them. */
const summaries = perPage((view: AnonymityView, embedded) => (isWhole(view) ? null : summaryOf(view, embedded["laws"])));

/** The table of each page. */
const pages = perPage((view: AnonymityView, embedded) => {
  const sound = embedded["sound"];
  if (view.results && typeof sound === "object" && sound !== null) belongTo(view.results, sound as AnonymityView);
  const made = anonymityPage(view, summaries.of(view, embedded));
  adopt(view, made);
  return made;
});

function needsKernel(view: AnonymityView, embedded: Embedded): string | null {
  return isWhole(view) || summaries.of(view, embedded) !== null
    ? null
    : `This page computes tables of up to ${fixed(MOST_RECORDS, 0)} records and not too many columns: a larger one needs a kernel.`;
}

const jobs = lateJobs<AnonymityView, AnonymityRequest, AnonymityPage>({
  pageOf: (view, embedded) => (needsKernel(view, embedded) === null ? pages.of(view, embedded) : null),
  answer: anonymityAnswer,
  isLate,
  lateResults,
  cancelled: "Cancelled. What changes without each record is missing.",
});

const joined: Joined<AnonymityView, AnonymityRequest> = {
  render: widget.render,
  picture: "anonymity.svg",
  needsKernel,
  ...jobs,
  opened(saved, embedded, late) {
    // What stays fixed is the page's own affair, whatever was saved.
    const view = jobs.opened({ ...saved, fixed: undefined }, embedded, late);
    return isWhole(view) || needsKernel(view, embedded) !== null ? view : { ...view, fixed: fixedWords(view) };
  },
};

export default join("anonymity_explorer", joined);
