/**
 * What one adversary learns from several numbers released together, such as a whole histogram: where the leakage is
 * reached, and what each number alone would leak (Li, Ren, Yang and Yang, Eq. 2, for several numbers).
 */
import { exactNode, TIE, type Node } from "./exact-node";
import { largest, least, queryValues, type Release } from "./releases";
import { sliced, starts, stridesOf } from "./table";

export interface JointNode extends Pick<Node, "determined" | "prior" | "support"> {
  /** Nats, of each number alone. */
  alone: number[];
  /** Released numbers at which all together leak most; null when the target is determined. */
  r: number[] | null;
}

export function jointNode(
  { table, scale }: Release,
  bins: readonly (readonly Float64Array[])[],
  target: number,
  known: ReadonlyMap<number, number>,
): JointNode {
  const nodes = bins.map((contributions) => exactNode({ table, contributions, scale }, target, known));
  const { determined, prior, support } = nodes[0] as Node;
  const alone = nodes.map(({ value }) => value);
  if (determined) return { determined, prior, support, alone, r: null };
  const agreeing = sliced(table, known);
  const rest = table.shape.map((_, j) => j).filter((j) => !known.has(j));
  const at = rest.indexOf(target);
  const step = stridesOf(agreeing.shape)[at] as number;
  const others = starts(agreeing.shape, [at]);
  const possible = agreeing.entries.map((p) => (p > 0 ? 1 : 0));
  const values = bins.map((y) => queryValues(rest.map((j) => y[j] as Float64Array)));
  const points = values.map((all) => Float64Array.from(new Set(all.filter((_, cell) => possible[cell] === 1))).sort());
  // Numbers are measured from the least that the unknown tuples add, on top of what the known ones do.
  const offsets = bins.map((y) => {
    const free = rest.reduce((sum, j) => sum + least(y[j] as Float64Array), 0);
    return [...known].reduce((sum, [j, p]) => sum + (y[j]?.[p] as number), free);
  });
  const rows = Array.from(prior, (_, v) =>
    [...others].map((cell) => cell + v * step).filter((cell) => possible[cell] === 1),
  ).filter((cells) => cells.length > 0);
  const logs = rows.map((cells) => {
    const own = cells.map((cell) => Math.log(agreeing.entries[cell] as number));
    const all = logSum(own);
    return own.map((value) => value - all);
  });
  const gains = combinations(points).map((r) => {
    const here = rows.map((cells, v) =>
      logSum(cells.map((cell, k) => (logs[v]?.[k] as number) - r.reduce((sum, place, b) => sum + Math.abs(place - (values[b]?.[cell] as number)), 0) / scale)),
    );
    return { r, gain: largest(here) - least(here) };
  });
  const top = gains.reduce((most, { gain }) => Math.max(most, gain), 0);
  const first = gains.find(({ gain }) => gain >= top - TIE * Math.max(1, top));
  return { determined, prior, support, alone, r: first ? first.r.map((place, b) => place + (offsets[b] as number)) : null };
}

function logSum(terms: readonly number[]): number {
  const top = largest(terms);
  return top === -Infinity ? top : top + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - top), 0));
}

/** All combinations of one number of each list; the last changes first. */
function combinations(lists: readonly Float64Array[]): number[][] {
  return lists.reduce<number[][]>((found, list) => found.flatMap((some) => Array.from(list, (one) => [...some, one])), [[]]);
}
