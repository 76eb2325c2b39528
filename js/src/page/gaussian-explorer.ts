/** The explorer of Gaussian data in a page: every adversary is computed anew after each edit. */
import { gaussianAnswer, gaussianNeedsKernel } from "../compute/gaussian-answer";
import type { GaussianRequest, GaussianView } from "../gaussian/protocol";
import widget from "../widgets/gaussian_explorer";
import type { Joined } from "./joined";

const joined: Joined<GaussianView, GaussianRequest> = {
  render: widget.render,
  picture: "gaussian-data.svg",
  opened: (view) => (view.running === null && view.stopped === null ? view : { ...view, running: null, stopped: null }),
  needsKernel: gaussianNeedsKernel,
  answer: gaussianAnswer,
};

export default joined;
