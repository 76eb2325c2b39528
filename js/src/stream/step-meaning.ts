/** What the release of one step means: the matrix it was made by, found again from what was believed before it. */
import { heldRatio, leakageOf, matrixOf, whyNotInPage } from "../compute/stream-mechanisms";
import { noLaws, ofStep } from "../meaning/laws";
import type { MeaningProps } from "../meaning/panel";
import { ofBeliefs, plainly } from "../meaning/promise";
import { floats } from "../ui/wire";
import { MOST_SHOWN } from "./player";
import type { ChainState } from "./protocol";
import { NOTHING, type StepRecord } from "./step-record";

export interface StepAsked {
  record: StepRecord;
  /** The step that is shown; 0 before the first one. */
  position: number;
  /** The mechanism, and where it stands among those of the run. */
  key: string;
  lane: number;
  states: readonly string[];
  chain: ChainState;
  /** What stands in the controls. */
  epsilon: number;
}

type Meant = Pick<MeaningProps, "meaning" | "labels" | "name" | "pair" | "between" | "emptyText" | "promise" | "caution">;

/** A leakage that differs by more, relatively, is that of another matrix. */
const SAME = 1e-6;

/** Keeps what was last found: a frame that shows the same step asks for the same. */
export function createStepMeaning(): (asked: StepAsked) => Meant {
  let last: { on: unknown[]; found: Meant } | null = null;
  return (asked) => {
    const { record, position, key, lane, states } = asked;
    const leaks = record.has(position) ? record.lanes[lane]?.leakage[record.at(position)] : NaN;
    const on = [record, record.cuts, position, key, lane, states, leaks];
    if (last?.on.every((part, k) => Object.is(part, on[k]))) return last.found;
    last = { on, found: meantBy(asked) };
    return last.found;
  };
}

function meantBy({ record, position, key, lane, states, chain, epsilon }: StepAsked): Meant {
  const none = (why: string): Meant => ({ ...noLaws(why), promise: plainly(epsilon), caution: "" });
  const arrays = record.lanes[lane];
  if (position === 0 || !arrays) return none("Nothing has been released yet.");
  if (!record.has(position)) return none("\u2026");
  const at = record.at(position);
  const n = states.length;
  if (arrays.released[at] === NOTHING) return none("This mechanism has ended: it releases nothing more.");
  if (n > MOST_SHOWN) return none(`There are more than ${MOST_SHOWN} states: too many to tell apart one by one.`);
  if (whyNotInPage(key, n)) return none("The best release of more than two states has no formula: choose another mechanism to see what its step means.");
  const belief = arrays.belief.slice(at * n, (at + 1) * n);
  const promise = record.promise[at] as number;
  const transitions = floats(chain.transitions);
  const before = record.has(position - 1) ? (arrays.released[at - 1] as number) : null;
  const distances = Float64Array.from({ length: n * n }, (_, k) => Number(Math.floor(k / n) !== k % n));
  const step = { epsilon: promise, belief, distances, last: before, chain: { n, order: chain.order, start: floats(chain.start), transitions, early: null } };
  const matrix = matrixOf(key, step);
  const [found, recorded] = [leakageOf(matrix, belief, heldRatio(key, step)), arrays.leakage[at] as number];
  const same = found === recorded || Math.abs(found - recorded) <= SAME * Math.max(found, recorded);
  if (!same) return none("The model was changed after this step: it was released by another matrix.");
  const laws = ofStep(matrix, belief, states, position);
  if (!laws.meaning) return none("Nobody doubts what the symbol of this step is: there is nothing to learn.");
  return { ...laws, promise: ofBeliefs(promise, laws.meaning.prior ?? []), caution: `step ${position}` };
}
