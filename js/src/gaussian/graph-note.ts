/** The line below the lattices that says what stands on their edges. */
import { decodeGraph } from "../graph/decode";
import { LATTICES_TO } from "./rescale";
import type { GaussianResults } from "./protocol";

export function graphNote({ graph }: GaussianResults): string {
  const n = graph?.names.length ?? 0;
  if (!graph || n < 2 || n > LATTICES_TO) return "";
  const { determined } = decodeGraph(graph);
  let fixed = 0;
  for (let flat = 0; flat < (determined?.length ?? 0); flat++) fixed += determined?.[flat] as number;
  const squares = n > 5 ? "One square per adversary. " : "";
  return `${squares}On edges: change when that value becomes known.${fixed > 0 ? ` Dashed: determined, nothing is left to learn (${fixed}).` : ""}`;
}
