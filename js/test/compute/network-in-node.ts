/** What a page shows about a network after a hand: asked from Python, see in-node.ts. */
import { isLate, lateResults, networkAnswer, networkPage } from "../../src/compute/network-view";
import type { NetworkRequest, NetworkView } from "../../src/network/protocol";

/** The view after each request, with all that takes longer. */
export function networkViews(first: NetworkView, embedded: Record<string, unknown>, requests: Partial<NetworkRequest>[]): NetworkView[] {
  const page = networkPage(first, embedded);
  if (page === null) throw new RangeError("This page cannot compute the network.");
  let view = first;
  return requests.map((request) => {
    view = networkAnswer(view, request, page);
    if (isLate(view, page)) {
      const steps = lateResults(view, page);
      let next = steps.next();
      while (!next.done) next = steps.next();
      view = { ...view, results: next.value };
    }
    return view;
  });
}
