/** What a release leaks about each of several dependent tuples, exactly: the largest log ratio of the densities of an output. */
import type { Adversary, Group, OutputLaw } from "./dependence-adversaries";
import { densities, placeOf, type Densities } from "./dependence-grid";

/** Two leakages this near are equal but for rounding. */
const TIE = 1e-12;

/** Where a leakage about one tuple is attained. */
export interface Leak {
  value: number;
  adversary: Adversary;
  /** Position among the groups; 0 where one value of the tuple is possible. */
  group: number;
  /** Grid point, and the values made more and less likely; null where nothing can be learned. */
  peak: { at: number; more: number; less: number } | null;
}

interface Peak {
  value: number;
  at: number;
  more: number;
  less: number;
}

/** The leakage about every tuple, to whichever adversary learns most of it: among equal ones the first. */
export function leaksAt(adversaries: readonly Adversary[], n: number, scale: number): Leak[] {
  const found: Leak[][] = Array.from({ length: n }, () => []);
  for (const adversary of adversaries) {
    const groups = adversary.groups.map((group) => ({ group, made: densities(group.grid, group.weights, scale) }));
    adversary.targets.forEach((target, place) => {
      const values = groups.map(({ group, made }) => valueOf(group, made, place));
      const top = Math.max(0, ...values);
      // Of combinations that are equal but for rounding the first is named, among those that leave two values.
      const at = values.findIndex((value) => value >= top - TIE * Math.max(1, top));
      const chosen = groups[at];
      (found[target] as Leak[]).push({ value: top, adversary, group: Math.max(0, at), peak: chosen ? peakOf(chosen.group, chosen.made, place) : null });
    });
  }
  return found.map(firstLargest);
}

function firstLargest(leaks: readonly Leak[]): Leak {
  const top = Math.max(...leaks.map(({ value }) => value));
  return leaks.find(({ value }) => value >= top - TIE * Math.max(1, top)) as Leak;
}

/** The largest leakage about any tuple, as a number. */
export function largestLeak(adversaries: readonly Adversary[], scale: number): number {
  let found = 0;
  for (const { groups, targets } of adversaries) {
    for (const group of groups) {
      const made = densities(group.grid, group.weights, scale);
      for (let place = 0; place < targets.length; place++) found = Math.max(found, valueOf(group, made, place));
    }
  }
  return found;
}

/** The largest ratio about one target in one group, 0 or more; -1 where it has one possible value. */
function valueOf({ grid, begins }: Group, { values, over, ratio }: Densities, place: number): number {
  const [from, to] = [begins[place] as number, begins[place + 1] as number];
  if (to - from < 2) return -1;
  const { size } = grid;
  let [best, most, least] = [-Infinity, 1, 1];
  for (let g = 0; g < size; g++) {
    let high = values[from * size + g] as number;
    let low = high;
    for (let row = from + 1; row < to; row++) {
      const value = values[row * size + g] as number;
      if (value > high) high = value;
      else if (value < low) low = value;
    }
    const gain = over(high, low);
    if (gain > best) {
      best = gain;
      most = high;
      least = low;
    }
  }
  return Math.max(0, ratio(most, least));
}

/** The largest ratio about one target in one group, and where it is. */
function peakOf({ grid, begins, values: labels }: Group, { values, over, ratio }: Densities, place: number): Peak {
  const [from, to] = [begins[place] as number, begins[place + 1] as number];
  const { size } = grid;
  let [best, at] = [-Infinity, 0];
  for (let g = 0; g < size; g++) {
    let high = values[from * size + g] as number;
    let low = high;
    for (let row = from + 1; row < to; row++) {
      const value = values[row * size + g] as number;
      if (value > high) high = value;
      else if (value < low) low = value;
    }
    const gain = over(high, low);
    if (gain > best) [best, at] = [gain, g];
  }
  const ends = (g: number): { value: number; more: number; less: number } => {
    let [more, less] = [from, from];
    for (let row = from + 1; row < to; row++) {
      const value = values[row * size + g] as number;
      if (value > (values[more * size + g] as number)) more = row;
      if (value < (values[less * size + g] as number)) less = row;
    }
    const value = ratio(values[more * size + g] as number, values[less * size + g] as number);
    // Where nothing is told apart, any two possible values do.
    if (more === less) less = more === from ? from + 1 : from;
    return { value, more: labels[more] as number, less: labels[less] as number };
  };
  const largest = ends(at);
  // Among equal places an end is named before a point within.
  const enough = largest.value - TIE * Math.max(1, largest.value);
  for (const end of [0, size - 1]) {
    const there = ends(end);
    if (there.value >= enough) return { ...there, value: Math.max(0, largest.value), at: end };
  }
  return { ...largest, value: Math.max(0, largest.value), at };
}

/** What is known there, as positions of values; 0 where nothing is attained. */
export function knownValues({ adversary, group, peak }: Leak, { n, codes }: OutputLaw): number[] {
  const row = (adversary.groups[group] as Group).row;
  return adversary.known.map((k) => (peak === null ? 0 : (codes[row * n + k] as number)));
}

/** The output that parts two values most. */
export function attainedAt(
  { adversary, group: place, peak }: Leak,
  { width, outputs }: OutputLaw,
): { pair: [number, number]; output: number[]; side: "<=" | ">=" | "=" } | null {
  if (peak === null) return null;
  const { grid, row } = adversary.groups[place] as Group;
  const output = Array.from({ length: width }, (_, k) => outputs[row * width + k] as number);
  placeOf(grid, peak.at).forEach((x, k) => (output[adversary.kept[k] as number] = x));
  const side = width > 1 ? "=" : peak.at === 0 ? "<=" : peak.at === grid.size - 1 ? ">=" : "=";
  if (adversary.ends !== null && side !== "=") output[0] = adversary.ends[side === "<=" ? 0 : 1];
  return { pair: [peak.more, peak.less], output, side };
}
