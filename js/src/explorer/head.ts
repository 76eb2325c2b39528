/** What the explorer of prior knowledge says about itself. */
import type { HeadWords } from "../ui/head";

export const HEAD: HeadWords = {
  name: "Prior knowledge",
  about: [
    "A number is published with Laplace noise. The noise promises that no single tuple leaks more than the " +
      "promise. When tuples are correlated, someone who knows some of them can learn more about another. Here " +
      "you see how much, exactly, for every such adversary.",
    "Leakage is the largest change of the log odds of two values that any published r can cause, in nats. Edit " +
      "the table, drag the scale, choose who knows what. A small triangle in the corner of a cell marks a number " +
      "that is not as it was loaded; above it then says “edited from” the data.",
  ],
  legend: [
    ["exact", "exact: computed from the table, no approximation"],
    ["promise", "promise: what the noise guarantees for one tuple on its own, GS/λ"],
    ["paper", "paper’s estimate: the chain rule as printed; it may be too low or too high"],
    ["bound", "group bound: holds for every table and every adversary"],
    ["low", "the paper’s estimate is too low here"],
    ["high", "the paper’s estimate is too high here"],
  ],
  paper: "Y. Li, X. Ren, S. Yang, X. Yang: Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis.",
};
