/** The explorer of networks in a page: computed from the tables that are embedded; worst adversaries, noise and quilts follow. */
import { isLate, lateResults, networkAnswer, networkPage, type NetworkPage } from "../compute/network-view";
import { MOST_TUPLES } from "../compute/network-answer";
import type { NetworkRequest, NetworkView } from "../network/protocol";
import widget from "../widgets/network_explorer";
import { lateJobs } from "./late-jobs";
import { join, perPage, type Joined } from "./page-model";

/** The network of each page. */
const pages = perPage(networkPage);

const joined: Joined<NetworkView, NetworkRequest> = {
  render: widget.render,
  picture: "network.svg",
  needsKernel: (view, embedded) =>
    pages.of(view, embedded) === null ? `This page computes networks of up to ${MOST_TUPLES} tuples: a larger one needs a kernel.` : null,
  ...lateJobs<NetworkView, NetworkRequest, NetworkPage>({
    pageOf: pages.of,
    answer: networkAnswer,
    isLate,
    lateResults,
    cancelled: "Cancelled. What takes longer is missing.",
  }),
};

export default join("network_explorer", joined);
