/** The three queries of Gaussian data, their weights, and what they add up. */
import { plural } from "../explorer/words";
import { number } from "../ui/format";
import { WEIGHTS, type QueryChoice } from "../ui/protocol";
import { briefNames } from "./words";

export const CHOICES: readonly QueryChoice[] = [
  { key: "sum", label: "Sum" },
  { key: "mean", label: "Mean" },
  { key: WEIGHTS, label: "Weighted sum" },
];

/** Above this many tuples the sum is not spelled out. */
const SPELLED = 6;
const LONGEST = 14;

/** The weights of a query; a weighted sum starts from those that stand. */
export function weightsOf(query: string, standing: Float64Array): Float64Array {
  if (query === "sum") return standing.map(() => 1);
  return query === "mean" ? standing.map(() => 1 / standing.length) : standing;
}

/** "A + B + C − solar". */
export function spelled(query: string, names: readonly string[], weights: ArrayLike<number>, noun: string): string {
  const n = names.length;
  if (n > SPELLED) return `${query === WEIGHTS ? "Weighted sum" : query === "mean" ? "Mean" : "Sum"} of all ${n} ${plural(noun)}`;
  const short = briefNames(names).map((name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
  if (query === "mean") return n === 1 ? (short[0] as string) : `(${short.join(" + ")}) / ${n}`;
  let text = "";
  short.forEach((name, k) => {
    const weight = weights[k] as number;
    if (weight === 0) return;
    const size = Math.abs(weight) === 1 ? name : `${number(Math.abs(weight), 3)} ${name}`;
    text += text === "" ? (weight < 0 ? `−${size}` : size) : ` ${weight < 0 ? "−" : "+"} ${size}`;
  });
  return text || "0";
}
