/** What a page computes about local privacy, asked for by Python's tests: see tests/publish/test_browser_local.py. */
import { localAnswer, localTables } from "../../src/compute/local-answer";
import { answersFromPoints, localAnswerFromPoints } from "../../src/compute/local-from-points";
import { guessOf, type Mechanism, type Output } from "../../src/compute/local-mechanisms";
import { leakageOfPair, rowsOf } from "../../src/compute/local-pair";
import { matrixAt, type Points } from "../../src/local/results";
import type { LocalRequest, LocalView } from "../../src/local/protocol";
import { floats, integers } from "../../src/ui/wire";

interface Question {
  /** The secret on rows. */
  table: number[][];
  mechanism: Mechanism;
  output: Output;
  minCount: number;
}

/** One leakage for each question, where it is reached, and the guess from a report; null where none is defined. */
export function localPairs(questions: Question[]): object[] {
  return questions.map(({ table, mechanism, output, minCount }) => {
    const k = (table[0] as number[]).length;
    const found = leakageOfPair(rowsOf(table.flat(), k, minCount), mechanism, output);
    return { value: found?.value ?? null, secret: found?.secret ?? null, symbols: found?.symbols ?? [], guess: guessOf(mechanism, k) };
  });
}

/** The views after requests that follow one another; without tables they are answered from points. */
export function localViews(first: LocalView, requests: Partial<LocalRequest>[], embedded: Record<string, unknown>): LocalView[] {
  const tables = localTables(first, embedded);
  if (!tables && !answersFromPoints(first)) throw new RangeError("There is nothing to answer from.");
  let view = first;
  return requests.map((request) => (view = tables ? localAnswer(view, request, tables) : localAnswerFromPoints(view, request)));
}

/** All leakages of a view at other budgets, by its points. */
export function localMatrices({ attributes, mechanism, parameters, output, results }: LocalView, epsilons: number[]): (Float64Array | null)[] {
  const state = results?.points;
  if (!results || !state) return [];
  const points: Points = { family: state.family, starts: integers(state.starts), a: floats(state.a), b: floats(state.b) };
  const sizes = attributes.map(({ labels }) => labels.length);
  return epsilons.map((epsilon) => matrixAt(points, results.names, sizes, { key: mechanism, epsilon, parameters }, output));
}
