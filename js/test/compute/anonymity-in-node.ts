/** What a page computes about k-anonymity, asked for by Python's tests: see tests/publish/test_browser_anonymity.py. */
import type { AnonymityRequest, AnonymityView } from "../../src/anonymity/protocol";
import { adopt, anonymityAnswer, isLate, lateResults } from "../../src/compute/anonymity-answer";
import { anonymityPage } from "../../src/compute/anonymity-results";
import { summaryOf } from "../../src/compute/anonymity-release";

/** The views after requests that follow one another, each with what changes without each record; `laws` stand for records that do not travel. */
export function anonymityViews(first: AnonymityView, requests: Partial<AnonymityRequest>[], laws: unknown = null): AnonymityView[] {
  const page = anonymityPage(first, summaryOf(first, laws));
  if (page.summary) adopt(first, page);
  let view = first;
  return requests.map((request) => {
    view = anonymityAnswer(view, request, page);
    if (!isLate(view, page)) return view;
    const steps = lateResults(view, page);
    let step = steps.next();
    while (!step.done) step = steps.next();
    return (view = { ...view, results: step.value });
  });
}
