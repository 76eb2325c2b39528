/** What a hand sets about inferred places, checked; what is wrong is said in the words of Python. */
import type { AttackView, Sensitivity } from "../attack/protocol";
import { general, InputFault, pythonFloat } from "./faults";

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

function fault(text: string, name: string): InputFault {
  return new InputFault(text, { kind: "parameter", name });
}

/** A finite number above 0. */
export function soundAmount(value: number, name: string): number {
  if (value > 0 && value < Infinity) return value;
  throw fault(`${name} is ${general(value)}; it must be a positive finite number.`, name);
}

export function soundShare(value: number): number {
  if (value >= 0 && value <= 1) return value;
  throw fault(`known is ${pythonFloat(value)}; it is the share of the other users whose places are known, 0 to 1.`, "known");
}

export function soundScale(scale: number, epsilon: number): number {
  if (scale <= WIDEST) return scale;
  throw fault(`epsilon is ${general(epsilon, 6)}; noise of scale ${general(scale, 3)} cannot be computed with. Give a larger budget.`, "epsilon");
}
