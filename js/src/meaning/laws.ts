/** The laws that the panel of meanings is about, from what each explorer holds of its adversary. */
import { centresOf, feasible } from "../curves/mixture";
import type { Meaning } from "../compute/meaning";
import { count } from "../ui/format";
import type { Chosen } from "../ui/protocol";
import type { MeaningProps } from "./panel";

/** The laws of one noisy number, and which labels they belong to; or why there are none. */
export function ofMixtures(
  chosen: (Chosen & { bins?: readonly unknown[] }) | null,
  scale: number,
  names: readonly string[],
  labels: readonly (readonly string[])[],
): Pick<MeaningProps, "meaning" | "labels" | "name" | "pair" | "emptyText"> {
  const none = (emptyText: string) => ({ meaning: null, labels: [], name: "", pair: [0, 1] as [number, number], emptyText });
  if (!chosen) return none("No results yet.");
  const name = names[chosen.target] ?? "";
  if (chosen.bins) return none(`${count(chosen.bins.length, "number")} released together: this is said of one number.`);
  const there = chosen.mixtures.flatMap((mixture, v) => (feasible(mixture) ? [v] : []));
  if (there.length < 2) return none("The known values leave nothing to learn: a guess is right before the release and after it.");
  const centres = centresOf(chosen.mixtures);
  const at = new Map(centres.map((centre, k) => [centre, k]));
  const weights = there.map((v) => {
    const row = new Float64Array(centres.length);
    const mixture = chosen.mixtures[v]!;
    mixture.centres.forEach((centre, k) => {
      const place = at.get(centre);
      if (place !== undefined) row[place] = (row[place] as number) + (mixture.weights[k] as number);
    });
    const sum = row.reduce((a, b) => a + b, 0);
    return row.map((w) => w / sum);
  });
  const mass = there.reduce((sum, v) => sum + (chosen.prior[v] as number), 0);
  const meaning: Meaning = { law: { kind: "laplace", scale, centres, weights }, prior: there.map((v) => (chosen.prior[v] as number) / mass) };
  const attained = chosen.attained?.pair.map((v) => there.indexOf(v)) ?? [];
  const pair: [number, number] = attained.length === 2 && !attained.includes(-1) ? [Math.min(...attained), Math.max(...attained)] : [0, there.length - 1];
  return { meaning, labels: there.map((v) => labels[chosen.target]?.[v] ?? ""), name, pair, emptyText: "" };
}
