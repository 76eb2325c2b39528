/** Which outputs are one: sums that are equal on paper may differ in the last digits. */
import { distinct } from "./dependence-grid";

/** Share of the largest output by which neighbours differ at most that are one; pdp_widgets/leakage/dependent/conditional_outputs.py has the same number. */
const SAME = 2 ** -47;
/** Up to here a whole number is one of its own accord: floats have fractions beside it. */
const COUNTED = 2 ** 52;

/** Different outputs, ascending, and which of them each is: the lowest of equal ones stands for all. */
export function equalOutputs(outputs: Float64Array): { points: Float64Array; places: Int32Array } {
  const values = distinct(outputs);
  const largest = values.length === 0 ? 0 : Math.max(Math.abs(values[0] as number), Math.abs(values.at(-1) as number));
  const limit = largest <= COUNTED && values.every(Number.isInteger) ? 0 : SAME * largest;
  const points: number[] = [];
  const at = new Map<number, number>();
  values.forEach((x, k) => {
    if (k === 0 || x - (values[k - 1] as number) > limit) points.push(x);
    at.set(x, points.length - 1);
  });
  return { points: Float64Array.from(points), places: Int32Array.from(outputs, (x) => at.get(x + 0) as number) };
}

/** The same outputs, `width` numbers a row, in which equal numbers are equal to the last digit. */
export function sameOutputs(outputs: Float64Array, width: number): Float64Array {
  const found = outputs.slice();
  for (let k = 0; k < width; k++) {
    const { points, places } = equalOutputs(outputs.filter((_, at) => at % width === k));
    places.forEach((place, row) => (found[row * width + k] = points[place] as number));
  }
  return found;
}
