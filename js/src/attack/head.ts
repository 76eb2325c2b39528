/** What the explorer of inferred locations says about itself. */
import type { HeadWords } from "../ui/head";

export const HEAD: HeadWords = {
  name: "Location inference",
  about: [
    "Cluster centres of the places of all users are published with noise. An adversary knows where other users " +
      "are and looks for one of them. The maps show what it believes before and after it sees the centres.",
    "Attack 1 takes the victim to be where all known users are, each alike. Attack 2 counts cells near the victim’s friends more often.",
    "The printed score is the entropy of the first prior less that of the last belief, in bits. Part of it was " +
      "known before anything was published: the prior gap. Only the rest comes from the release.",
    "Bits say how certain the adversary is, not whether it is right. The error in kilometres says that.",
    "Drag ε, choose another victim, draw new noise. Point at a map, or walk it with the arrow keys, for the numbers of a cell.",
  ],
  legend: [
    ["exact", "known before the release: the prior gap"],
    ["estimate", "a mean over users, with its interval of 95 % over draws of the noise"],
    ["paper", "the paper’s leaked information, as printed"],
    ["promise", "the budget in bits: a bound where the sensitivity is a guarantee"],
  ],
  paper: "C. Liu, S. Chakraborty, P. Mittal: Dependence Makes You Vulnerable: Differential Privacy Under Dependent Tuples.",
};
