/** What the panel of meanings reads from a view of each explorer, asked for by Python's tests: see tests/publish/test_browser_meaning.py. */
import type { AnonymityView } from "../../src/anonymity/protocol";
import { delta, leakageOf, measures, worstDelta, type Meaning } from "../../src/compute/meaning";
import { decode as decodeDependence } from "../../src/dependence/results";
import type { DependenceView } from "../../src/dependence/protocol";
import type { GaussianView } from "../../src/gaussian/protocol";
import { decode as decodeLocal, lawsOfPair } from "../../src/local/results";
import type { LocalView } from "../../src/local/protocol";
import { ofMixtures, ofOutputs, ofShift, ofStates, type Laws } from "../../src/meaning/laws";
import type { PriorView } from "../../src/prior/protocol";
import { createStepMeaning } from "../../src/stream/step-meaning";
import { buffersOf, StepRecord } from "../../src/stream/step-record";
import type { StreamView } from "../../src/stream/protocol";
import { floats, number } from "../../src/ui/wire";

const of: Record<string, (view: never, lane: number) => Laws> = {
  prior: ({ table, results }: PriorView) => ofMixtures(results?.chosen ?? null, results?.scale ?? 1, table?.spec?.names ?? [], table?.spec?.labels ?? []),
  gaussian: ({ results }: GaussianView) => ofShift(results?.chosen ?? null, results?.scale ?? 1, results?.max_change ?? 1, "x", ["", ""], ""),
  local({ attributes, mechanism, parameters, epsilon, output, results }: LocalView) {
    const naming = { names: attributes.map(({ name }) => name), labels: attributes.map(({ labels }) => labels), noun: "" };
    const facts = results && decodeLocal(results, { sizes: naming.labels.map((labels) => labels.length) }).pair;
    return lawsOfPair(facts, naming, attributes.map(({ counts }) => floats(counts)), { key: mechanism, epsilon: number(epsilon), parameters }, output);
  },
  stream({ states, window, lanes, position, chain, epsilon }: StreamView, lane) {
    const record = new StepRecord(states.length, lanes.length);
    record.take(window.from, window.count, buffersOf(window));
    return createStepMeaning()({ record, position, key: lanes[lane]?.key ?? "", lane, states, chain, epsilon: number(epsilon) });
  },
  dependence({ model, results }: DependenceView) {
    const shown = decodeDependence(results!);
    const { tuple, attained, outputs } = shown.chosen;
    return ofOutputs(outputs, shown.scale, { labels: model.tuples[tuple]?.labels ?? [], name: "x", attained: attained?.pair });
  },
  anonymity: ({ results }: AnonymityView) => ofStates(results?.laws ? [floats(results.laws.changed), floats(results.laws.same)] : null, ["", ""], "", "none"),
};

/** Measures of the pair that is shown first, and of all labels. */
function numbersOf(meaning: Meaning, [blank, found]: [number, number], labels: readonly string[]): object {
  const listed = measures(meaning, blank, found).map(({ key, value }) => [key, value]);
  const at = [0.1, 0.5, 1].map((epsilon) => ({ worst: worstDelta(meaning.law, epsilon), over: delta(meaning.law, found, blank, epsilon), back: delta(meaning.law, blank, found, epsilon) }));
  return { pair: [blank, found], labels, leakage: leakageOf(meaning.law), at, ...Object.fromEntries(listed) };
}

/** By kind of explorer and view; where there is no law, why. */
export function meanings(asked: { kind: string; view: never; lane?: number }[]): object[] {
  return asked.map(({ kind, view, lane = 0 }) => {
    const { meaning, pair, labels, emptyText } = (of[kind] as (typeof of)[string])(view, lane);
    return meaning ? numbersOf(meaning, pair, labels) : { why: emptyText };
  });
}
