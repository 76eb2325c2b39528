/** What the explorer of k-anonymity says about itself. */
import type { HeadWords } from "../ui/head";

export const HEAD: HeadWords = {
  name: "Anonymity",
  about: [
    "Records are published in classes of at least k that look alike: of every quasi-identifier only a range. " +
      "Who is known to be in a class in which all have the same secret is given away all the same.",
    "Beside the classes a count or a sum is published as it is, without noise. What hides a record in it is " +
      "that the adversary does not know the others. ε says by which factor it may move the odds, the slack δ how " +
      "likely more is.",
    "The exact curve is computed from the law of the unknown records. A bound has a proof, for the events it " +
      "names. The paper’s theorems are shown where “as printed” is ticked: where the exact curve is above one, " +
      "it is violated.",
    "Level I: the adversary knows only how large a change can be. II: also which records depend on each other. " +
      "III: the values of a share of the records. IV: both.",
    "Drag ε, k or the share known. Choose a class in the table or in the map, with the arrow keys too.",
  ],
  legend: [
    ["exact", "exact, for any event"],
    ["bound", "a bound with a proof, for the events it names"],
    ["paper", "as printed in the paper"],
    ["promise", "k-anonymity: says nothing about δ"],
  ],
  paper: "Zhao, Jiang, Wang, Huang: Non-Asymptotic Bound on the Performance of k-Anonymity against Inference Attacks.",
};
