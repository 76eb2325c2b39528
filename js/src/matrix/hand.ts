/** What a hand that drags a cell makes of its value. */
import { niceCeiling } from "../ui/axes";
import { deviations, sizeOf } from "./editing";
import { valueAt, type MatrixView, type Place } from "./grid-view";

type Held = Pick<MatrixView, "numbers" | "correlation" | "domain">;

/** What a step of 4 px changes: about a hundredth of what the cell can hold. */
function stepOf({ numbers, correlation, domain }: Held, at: Place): number {
  if (at.part === "weight") return 0.1;
  if (at.part === "entry") return correlation ? 0.01 : niceCeiling(domain / 100, [1, 2, 5, 10]);
  const spread = deviations(numbers.cov, sizeOf(numbers))[at.j] as number;
  return spread > 0 && Number.isFinite(spread) ? niceCeiling(spread / 40, [1, 2, 5, 10]) : 0.1;
}

/** The value of a cell after so many steps: whole tenths of a step, so that dragging back gives clean numbers. */
export function moved(before: Held, at: Place, steps: number): number {
  const step = stepOf(before, at);
  return Number((Math.round((valueAt(before, at) + steps * step) / (step / 10)) * (step / 10)).toPrecision(12));
}

/** A hand does not pass what no matrix can hold. */
export function limited(at: Place, value: number, correlation: boolean): number {
  if (at.part !== "entry") return value;
  if (correlation) return Math.min(1, Math.max(-1, value));
  return at.i === at.j ? Math.max(0, value) : value;
}
