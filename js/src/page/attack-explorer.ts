/** The explorer of inferred places in a page: every control is answered from the users that are embedded; means over all of them follow. */
import type { AttackRequest, AttackView } from "../attack/protocol";
import { attackAnswer, attackPage, isLate, lateResults, type AttackPage } from "../compute/attack-answer";
import { LIMITS } from "../compute/attack-city";
import { fixed } from "../ui/format";
import widget from "../widgets/attack_explorer";
import { lateJobs } from "./late-jobs";
import { join, perPage, type Joined } from "./page-model";

/** The city of each page: what is embedded is what stood in the view when it was saved. */
const pages = perPage(attackPage);

const joined: Joined<AttackView, AttackRequest> = {
  render: widget.render,
  picture: "inferred-place.svg",
  needsKernel(view, embedded) {
    if (pages.of(view, embedded) !== null) return null;
    const [users, friendships] = [LIMITS.users, LIMITS.friendships].map((most) => fixed(most, 0));
    return `This page computes cities of up to ${users} users and ${friendships} friendships, on a map that is not too fine: a larger one needs a kernel.`;
  },
  ...lateJobs<AttackView, AttackRequest, AttackPage>({
    pageOf: pages.of,
    answer: attackAnswer,
    isLate,
    lateResults,
    cancelled: "Cancelled. Means over all users and over many draws are missing.",
  }),
};

export default join("attack_explorer", joined);
