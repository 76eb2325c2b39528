/** What the explorer of dependent tuples says about itself. */
import type { HeadWords } from "../ui/head";
import { COEFFICIENTS } from "./words";

export const HEAD: HeadWords = {
  name: "Dependence",
  about: [
    "A number is released with noise, which promises how much it says about each tuple. Tuples depend on each " +
      "other, so the release says something about one through the others too. Noise that counts the tuple alone " +
      "may then be too little.",
    `A coefficient ρ says how much of one tuple passes on to another. ${Object.values(COEFFICIENTS).join(" ")}`,
    "Dependent perturbation (DPM) adds up the coefficients of all pairs and makes the noise larger by that. LPM " +
      "counts the tuple alone, the baseline whole blocks.",
    "Leakage is the largest change of the log odds of two values that any output can cause, in nats. Three " +
      "tuples can depend on each other although no two of them do: pairs do not show that.",
    "Edit the table, choose a tuple in the graph, drag ε, change who knows what.",
  ],
  legend: [
    ["exact", "exact: computed from the table, no approximation"],
    ["promise", "promise: ε, for every tuple"],
    ["paper", "paper’s estimate: pairs summed, over σ"],
    ["low", "the paper’s estimate is too low"],
    ["high", "the paper’s estimate is too high"],
    ["bound", "a bound: of means for linear queries, of groups for all"],
  ],
  paper: "C. Liu, S. Chakraborty, P. Mittal: Dependence Makes You Vulnerable: Differential Privacy Under Dependent Tuples (NDSS 2016).",
};
