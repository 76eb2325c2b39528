import { expect, it } from "vitest";
import { changesOf, firstOrderChain } from "../../src/compute/stream-script";
import cases from "../../../tests/data/stream-change-cases.json";

it.each(cases)("a change is worded as Python does: $words.1", ({ states, before, after, words }) => {
  const [was, now] = [before, after].map((rows) => firstOrderChain(Float64Array.from(rows.flat()), Float64Array.of(0.5, 0.5), states));
  const segments = [{ first: 1, chain: was!, epsilon: 0.5 }, { first: 9, chain: now!, epsilon: 0.5 }];
  expect(changesOf(segments, 20, states)).toEqual([{ step: 9, before: words[0], after: words[1] }]);
});
