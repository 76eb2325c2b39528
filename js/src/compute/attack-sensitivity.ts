/** By how much one user can move the released centres, in four readings; only the last can be a guarantee. */
import type { Sensitivity } from "../attack/protocol";
import type { City } from "./attack-city";
import { sum } from "./attack-numbers";

export function sensitivityOf(reading: Sensitivity, city: City): number {
  switch (reading) {
    case "unit":
      return 1;
    case "local":
      return city.local;
    case "fixed_bound":
      return fixedBound(city);
    case "worst_case":
      return 2 * city.k;
  }
}

function fixedBound({ k, assign }: City): number {
  const sizes = new Float64Array(k);
  for (const cluster of assign) sizes[cluster] = (sizes[cluster] as number) + 1;
  return 2 * sum(sizes.sort().subarray(0, 2).map((size) => 1 / (size + 1)));
}
