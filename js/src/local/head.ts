/** What the explorer of local privacy says about itself. */
import type { HeadWords } from "../ui/head";

export const HEAD: HeadWords = {
  name: "Local privacy",
  about: [
    "Every attribute of a record is randomised on its own and reported. A report promises how much it says " +
      "about its own attribute. Attributes are correlated, so it says something about the others too.",
    "Leakage is the largest change of the log odds of two values of the secret attribute that any report can " +
      "cause, in nats. What class says about survival is not what survival says about class.",
    "Raw: what is released. Inferred: the one value that an attacker guesses from each report. A guess throws " +
      "part of the report away, so its leakage is a lower bound.",
    "Choose a cell of the table of pairs, drag ε, switch attributes off.",
  ],
  legend: [
    ["exact", "exact: no approximation"],
    ["promise", "promise: what a report guarantees for its own attribute"],
    ["paper", "the paper’s pairwise sum; it is not a bound"],
    ["low", "the paper’s sum is too low"],
    ["high", "the paper’s sum is too high"],
    ["bound", "a bound that always holds"],
  ],
  paper: "S. Jayawardana, S. Ulukus, M. Ding, K. Thilakarathna: The Hidden Cost of Correlation: Rethinking Privacy Leakage in Local Differential Privacy.",
};
