/** The explorer of Gaussian data in a page: every adversary is computed anew after each edit. */
import { gaussianAnswer, gaussianNeedsKernel } from "../compute/gaussian-answer";
import type { GaussianRequest, GaussianView } from "../gaussian/protocol";
import widget from "../widgets/gaussian_explorer";
import { join, type Joined } from "./page-model";

const joined: Joined<GaussianView, GaussianRequest> = {
  render: widget.render,
  picture: "gaussian-data.svg",
  opened(saved) {
    // States that were saved before there was a goal lack it, and what the results belong to that were given up.
    const view = { ...saved, goal: saved.goal ?? (saved.results?.promise || 1), kept: saved.kept ?? "" };
    if (view.running === null && view.stopped === null) return view;
    const settled = { ...view, running: null, stopped: null, kept: "" };
    if (gaussianNeedsKernel(settled) === null) return gaussianAnswer(settled, {});
    // Nobody goes on with what was awaited: the results are those of before, and say so.
    return { ...view, running: null, stopped: view.stopped ?? "", current: false };
  },
  needsKernel: gaussianNeedsKernel,
  answer: gaussianAnswer,
};

export default join("gaussian_explorer", joined);
