/** What the stream simulator says about itself. */
import type { HeadWords } from "../ui/head";

export const HEAD: HeadWords = {
  name: "Streams",
  about: [
    "A correlated stream is released symbol by symbol. Each release promises how much it may say about its own " +
      "symbol. What was released before has already told something, and a promise may rest on that.",
    "The adversary knows the law of the stream and all releases so far. The belief is what they say about the " +
      "next symbol before it is released. Leakage is computed at every step from the matrix that releases it: " +
      "what is achieved, not what is promised.",
    "Conditional randomised response as printed keeps its promise while every belief is 1/(1+e^ε) or more. Below that it breaks it.",
    "Play, and change the chain or the budget meanwhile: changes apply from the next step. Click into the " +
      "lanes, or use the arrows there, to read an earlier step.",
  ],
  legend: [
    ["exact", "exact: computed from the released matrix"],
    ["promise", "promise of a step"],
    ["over", "a step over its promise"],
    ["bound", "composition: what all promises together allow"],
    ["estimate", "an average of this one run"],
  ],
  paper: "B. Jiang, M. Li, R. Tandon: Online Context-aware Data Release with Sequence Information Privacy.",
};
