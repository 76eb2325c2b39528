/** What a hand sets about inferred places, checked; what is wrong is said in the words of Python. */
import type { AttackView, Sensitivity } from "../attack/protocol";
import { general, InputFault } from "./faults";

/** What results belong to. */
export interface AttackInputs {
  mechanism: AttackView["mechanism"];
  epsilon: number;
  sensitivity: Sensitivity;
  victim: number;
  weight: number;
  known: number;
  draw: number;
}

/** Draws are told apart up to here. */
export const MOST_DRAWS = 1_000_000_000;
/** Noise beyond it would add up to more than floats hold. */
const WIDEST = 1e300;

export function soundScale(scale: number, epsilon: number): number {
  if (scale <= WIDEST) return scale;
  const text = `epsilon is ${general(epsilon, 6)}; noise of scale ${general(scale, 3)} cannot be computed with. Give a larger budget.`;
  throw new InputFault(text, { kind: "parameter", name: "epsilon" });
}
