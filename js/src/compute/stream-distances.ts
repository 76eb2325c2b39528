/** How far a released symbol is from the true one, by name; symbols stand for themselves. See `Distance` in Python. */
import { InputFault } from "./faults";

const NAMES = ["hamming", "absolute", "squared", "euclidean", "histogram"];

/** Distances between n symbols, n x n, or InputFault. */
export function distancesOf(name: string, n: number): Float64Array {
  if (!NAMES.includes(name)) throw new InputFault(`There is no distance '${name}'; give one of ${NAMES.join(", ")}.`, { kind: "parameter", name: "distance" });
  const side = Math.floor(Math.sqrt(n));
  if (name === "euclidean" && side * side !== n) {
    throw new InputFault(`${n} symbols are no square grid; give the points of the symbols as answers.`, { kind: "parameter", name: "answers" });
  }
  return Float64Array.from({ length: n * n }, (_, k) => {
    const [x, y] = [Math.floor(k / n), k % n];
    if (name === "absolute") return Math.abs(x - y);
    if (name === "squared") return (x - y) ** 2;
    if (name === "euclidean") return Math.hypot(Math.floor(x / side) - Math.floor(y / side), (x % side) - (y % side)) / side;
    return x === y ? 0 : name === "histogram" ? 2 : 1;
  });
}
