/** What a page answers about graphs too large to be drawn whole: see tests/publish/test_browser_large.py. */
import { gaussianAnswer } from "../../src/compute/gaussian-answer";
import { digestOf, type LargeGraph, type Question } from "../../src/compute/graph-digest";
import { priorAnswer } from "../../src/compute/prior-answer";
import type { PriorRequest, PriorView } from "../../src/prior/protocol";
import type { GaussianRequest, GaussianView } from "../../src/gaussian/protocol";
import { floats } from "../../src/ui/wire";
import type { Bytes } from "../../src/ui/protocol";

/** The views after requests that follow one another, with all cells of a table that a view shows in a few numbers. */
export function largePriorViews(first: PriorView, requests: Partial<PriorRequest>[], cells: Bytes): PriorView[] {
  const source = { queries: {}, cells: floats(cells) };
  let view = first;
  return requests.map((request) => (view = priorAnswer(view, request, source)));
}

export function largeGaussianViews(first: GaussianView, requests: Partial<GaussianRequest>[]): GaussianView[] {
  let view = first;
  return requests.map((request) => (view = gaussianAnswer(view, request)));
}

/** Answers to questions about one graph. */
export function digests(graph: { names: string[]; promise: number; groupBound: number; exact: number[]; paper: number[] | null; determined: number[] }, questions: Question[]): object[] {
  const large: LargeGraph = {
    ...graph,
    exact: Float64Array.from(graph.exact),
    paper: graph.paper && Float64Array.from(graph.paper),
    determined: Uint8Array.from(graph.determined),
  };
  return questions.map((question) => digestOf(large, question));
}
