/** What the Gaussian explorer says about itself. */
import type { HeadWords } from "../ui/head";

export const HEAD: HeadWords = {
  name: "Prior knowledge, Gaussian data",
  about: [
    "A weighted sum of numbers that are correlated is published with Laplace noise. The noise promises that a " +
      "change M of one of them shows by at most the promise. Someone who knows some of the others sees more: " +
      "those that are not known move along.",
    "Leakage is the largest change of the log odds of two values M apart that any published r can cause, in " +
      "nats. Here it is (M/λ) |a + μ|: the own weight a, and what moves along μ. It does not depend on the " +
      "values that are known.",
    "Edit the matrix and the weights, drag scale and change, choose who knows what. Where matrix or means are " +
      "not as they were loaded, it says “edited from” the data above.",
  ],
  legend: [
    ["exact", "exact: no approximation"],
    ["limit", "exact, a limit: larger r come ever closer to it, none attains it"],
    ["promise", "promise: what the noise guarantees for one number on its own, the largest weight times M/λ"],
    ["paper", "the paper’s Theorem 6, which is exact"],
    ["bound", "a bound for any matrix; there is none below infinity"],
  ],
  paper: "Y. Li, X. Ren, S. Yang, X. Yang: Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis.",
};
