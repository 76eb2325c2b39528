/**
 * The answers of Python to a page about a network, computed in the page: what stands in its controls becomes numbers. What
 * every drag changes is one answer; what takes longer, or is seldom looked at, is asked for by itself. All throw
 * InputFault where inputs make no sense, or are too much for a page. Tuples and labels are positions; leakages are nats.
 */
import { amount, InputFault } from "./faults";
import { bothWays, budgetsFor, temporal, twoStates, windows, type Plan, type Rows, type Temporal } from "./network-budgets";
import {
  contributionsOf,
  dominating,
  KnowingNone,
  largestLeakage,
  latticeOf,
  lawsOf,
  nodeLeakage,
  PAGE,
  shownLaw,
  strongest,
  type Contributions,
  type Dominating,
  type Lattice,
  type Learned,
  type Limits,
} from "./network-leakage";
import { networkOf, posterior, possibleTable, type GivenNetwork, type Known, type Network } from "./network-model";
import { compareNoise, type NoiseTable } from "./network-noise";
import { bestQuilts, farthest, quiltCurve, type Arrow, type Quilt } from "./network-quilts";
import { WorstSearch, type Worst } from "./network-worst";

/** What a page about a network holds. */
export interface NetworkInputs {
  network: GivenNetwork;
  contributions: Contributions;
  /** Of the Laplace noise, in units of the query. */
  scale: number;
  target: number;
  known: readonly number[];
  /** Labels of the known tuples; null for the largest leakage over all that can occur. */
  values: readonly number[] | null;
}

/** All leakages are exact. */
export interface NetworkAnswer {
  /** What plain differential privacy promises. */
  promise: number;
  /** What is believed of each tuple given the known values; without values, given nothing. */
  beliefs: readonly (readonly number[])[];
  /** Which labels each tuple can have with what is known of the others. */
  choices: readonly (readonly boolean[])[];
  /** Those who know nothing, by tuple. */
  none: readonly Learned[];
  /** The adversary in the controls. */
  mine: Learned;
  /** Whom he is like: the unknown tuples that matter, the known ones beside them, and what does not matter. */
  matters: Dominating;
  /** Who knows all others, over all their values; null where too much stands beside the target to tell. */
  strongest: number | null;
  /** Laws of the query given each label of the target, at the values in the controls or those where `mine` is learned. */
  law: { labels: readonly number[]; values: readonly number[]; probabilities: readonly (readonly number[])[] };
  /** The two labels whose laws are farthest apart, and the way that mass must go; null with fewer than two labels. */
  arrow: (Arrow & { pair: readonly [number, number] }) | null;
}

/** Beyond, a page leaves a network to a kernel; how densely its tuples are connected is told when it is computed. */
export const MOST_TUPLES = 60;

/** Why a page cannot compute a network, or null. */
export function needsKernel({ nodes }: GivenNetwork): string | null {
  return nodes.length > MOST_TUPLES ? `This page computes networks of up to ${MOST_TUPLES} tuples: a larger one needs a kernel.` : null;
}

/** A network that was read, with its query. */
export interface Ready {
  network: Network;
  lattice: Lattice;
  none: KnowingNone;
}

const read = new WeakMap<GivenNetwork, Ready & { contributions: Contributions }>();

/** Reads a network and its query, once as long as both stay the same objects. */
export function readNetwork({ network: given, contributions }: Pick<NetworkInputs, "network" | "contributions">, limits: Limits = PAGE): Ready {
  const had = read.get(given);
  if (had?.contributions === contributions) return had;
  const network = had?.network ?? networkOf(given);
  const lattice = latticeOf(contributionsOf(network, contributions), limits);
  const found = { network, lattice, none: new KnowingNone(network, lattice), contributions };
  read.set(given, found);
  return found;
}

/** What a hand waits for. */
export function answerNetwork(inputs: NetworkInputs, limits: Limits = PAGE): NetworkAnswer {
  const { network, lattice, none } = readNetwork(inputs, limits);
  const { target, known, values } = inputs;
  const scale = amount("scale", inputs.scale, "scale");
  const given = values && knownOf(network, known, values);
  const mine = given ? nodeLeakage(network, lattice, scale, target, given) : largestLeakage(network, lattice, scale, target, known, limits);
  const law = shownLaw(lawsOf(network, lattice, target, new Map(mine.known), true), lattice);
  return {
    promise: Math.max(...lattice.sensitivities) / scale,
    beliefs: network.names.map((_, j) => beliefOf(network, j, given ?? new Map())),
    choices: network.names.map((_, j) => choicesOf(network, j, given ?? new Map())),
    none: none.leakages(scale),
    mine,
    matters: dominating(network, target, known),
    strongest: strongest(network, lattice, scale, target),
    law: { labels: law.labels, values: law.values, probabilities: law.logs.map((row) => Array.from(row, Math.exp)) },
    arrow: farthest(law),
  };
}

/** What each tuple leaks to who knows what the controls say of the others; those that are known have no leakage, null. */
export function answerEach(inputs: NetworkInputs, limits: Limits = PAGE): (Learned | null)[] {
  const { network, lattice } = readNetwork(inputs, limits);
  const { known, values } = inputs;
  const scale = amount("scale", inputs.scale, "scale");
  const given = values && knownOf(network, known, values);
  return network.names.map((_, j) => {
    if (known.includes(j)) return null;
    return given ? nodeLeakage(network, lattice, scale, j, given) : largestLeakage(network, lattice, scale, j, known, limits);
  });
}

/** The worst adversary of each of some tuples, of all by default. */
export function answerWorst(inputs: Pick<NetworkInputs, "network" | "contributions" | "scale">, limits: Limits = PAGE, targets?: readonly number[]): Worst[] {
  const { network, lattice } = readNetwork(inputs, limits);
  const search = new WorstSearch(network, lattice, limits);
  const scale = amount("scale", inputs.scale, "scale");
  return (targets ?? network.names.map((_, j) => j)).map((j) => search.of(j, scale));
}

/** Markov quilts for a promise. */
export interface QuiltsAnswer {
  /** The best quilt of every tuple. */
  best: readonly Quilt[];
  /** Of the target, all tuples at each distance: the curve of scales has a minimum. */
  curve: readonly Quilt[];
  /** Quilts whose influence has too large a table, in words; scales are valid without them. */
  leftOut: readonly string[];
}

export function answerQuilts(inputs: Pick<NetworkInputs, "network" | "contributions" | "target">, epsilon: number, limits: Limits = PAGE): QuiltsAnswer {
  const { network, lattice } = readNetwork(inputs, limits);
  const promise = amount("budget", epsilon, "epsilon");
  const { quilts, leftOut } = bestQuilts(network, lattice, promise, limits);
  const curve = quiltCurve(network, lattice, promise, inputs.target, limits);
  return { best: quilts, curve: curve.quilts, leftOut: [...new Set([...leftOut, ...curve.leftOut])] };
}

/** The table of noise for a promise; what anyone learns takes longer. */
export function answerNoise(
  inputs: Pick<NetworkInputs, "network" | "contributions">,
  epsilon: number,
  anyone: boolean,
  limits: Limits = PAGE,
): NoiseTable {
  return compareNoise(readNetwork(inputs, limits).none, amount("budget", epsilon, "epsilon"), limits, anyone);
}

/** A line of tuples as a stream, each released by itself with a budget. */
export interface TemporalAnswer extends Temporal {
  /** By the first step of each window. */
  windows: readonly number[];
  /** Exactly, for two states and releases that reach both likelihood ratios; null for more states, or an infinite budget. */
  exact: readonly number[] | null;
  /** Budgets that keep the target for events, or windows, of the stream; null where its steps differ. */
  plan: Plan | null;
}

export function answerTemporal(given: GivenNetwork, budgets: readonly number[], target: number, width = 1, limits: Limits = PAGE): TemporalAnswer {
  // What is asked has no query: none is computed.
  const contributions = read.get(given)?.contributions ?? given.nodes.map(({ labels }) => labels.map(() => 0));
  const { network } = readNetwork({ network: given, contributions }, limits);
  const moves = bothWays(network);
  const steps = network.names.length;
  if (budgets.length !== steps) {
    const text = `There are ${budgets.length} budgets for ${steps} steps; give one for each.`;
    throw new InputFault(text, { kind: "parameter", name: "budgets" });
  }
  const found = temporal(moves, budgets);
  const [forward, backward] = [moves.forward[0], moves.backward[0]];
  const same = forward && backward && moves.forward.every((one) => near(one, forward)) && moves.backward.every((one) => near(one, backward));
  return {
    ...found,
    windows: windows(found, width),
    exact: Math.max(...network.sizes) === 2 && budgets.every(Number.isFinite) ? twoStates(moves, budgets) : null,
    plan: same ? budgetsFor(forward, backward, target, steps, width) : null,
  };
}

/** Whether two matrices differ by rounding alone. */
const near = (a: Rows, b: Rows): boolean => a.length === b.length && a.every((row, v) => row.every((p, k) => Math.abs(p - (b[v]?.[k] as number)) < 1e-12));

/** Known labels by tuple, or InputFault where they do not fit the network. */
export function knownOf({ sizes }: Network, known: readonly number[], values: readonly number[]): Known {
  const where = { kind: "parameter", name: "known" } as const;
  if (values.length !== known.length) throw new InputFault(`There are ${known.length} known tuples and ${values.length} values; give one for each.`, where);
  const twice = known.find((j, k) => known.indexOf(j) !== k);
  if (twice !== undefined) throw new InputFault(`Tuple ${twice} is known twice; name each once.`, where);
  known.forEach((j, k) => {
    const v = values[k] as number;
    if (!(j in sizes) || !(Number.isInteger(v) && v >= 0 && v < (sizes[j] as number))) throw new InputFault(`Tuple ${j} has no label at position ${v}.`, where);
  });
  return new Map(known.map((j, k) => [j, values[k] as number]));
}

function beliefOf(network: Network, j: number, known: Known): readonly number[] {
  const label = known.get(j);
  return label === undefined ? [...posterior(network, [j], known)] : Array.from({ length: network.sizes[j] as number }, (_, v) => Number(v === label));
}

function choicesOf(network: Network, j: number, known: Known): readonly boolean[] {
  const others = new Map([...known].filter(([k]) => k !== j));
  return others.size ? possibleTable(network, [j], others) : (network.possible[j] as readonly boolean[]);
}
