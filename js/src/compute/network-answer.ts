/**
 * The answers of Python to a page about a network, computed in the page: what stands in its controls becomes numbers. What
 * every drag changes is one answer; what takes longer is asked for by itself.
 */
import { amount, InputFault } from "./faults";
import {
  contributionsOf,
  dominating,
  KnowingNone,
  largestLeakage,
  latticeOf,
  nodeLeakage,
  PAGE,
  shownLaw,
  strongest,
  type Contributions,
  type Dominating,
  type Lattice,
  type Learned,
  type Limits,
  type ShownLaw,
} from "./network-leakage";
import { networkOf, type GivenNetwork, type Network } from "./network-model";

/** What a page about a network holds. Tuples and labels are positions. */
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

/** All leakages are exact, in nats. */
export interface NetworkAnswer {
  /** What plain differential privacy promises. */
  promise: number;
  /** Which labels of each tuple can occur, and, for the next tuple that becomes known, with what is known already. */
  possible: readonly (readonly boolean[])[];
  /** Those who know nothing, by tuple. */
  none: readonly Learned[];
  /** The adversary in the controls. */
  mine: Learned;
  /** Whom he is compared with: the unknown tuples that matter, the known ones beside them, and what does not matter. */
  matters: Dominating;
  /** Who knows all others, over all their values; null where too much stands beside the target to tell. */
  strongest: number | null;
  /** Laws of the query given the target, for the values in the controls or those of `mine`. */
  law: ShownLaw;
}

/** A network that was read, with its query. */
export interface Ready {
  network: Network;
  lattice: Lattice;
  none: KnowingNone;
}

const read = new WeakMap<GivenNetwork, Ready & { contributions: Contributions }>();

/** Reads a network and its query, once as long as both stay the same objects; throws InputFault. */
export function readNetwork({ network: given, contributions }: Pick<NetworkInputs, "network" | "contributions">, limits: Limits = PAGE): Ready {
  const had = read.get(given);
  if (had?.contributions === contributions) return had;
  const network = had?.network ?? networkOf(given);
  const lattice = latticeOf(contributionsOf(network, contributions), limits);
  const found = { network, lattice, none: new KnowingNone(network, lattice), contributions };
  read.set(given, found);
  return found;
}

/** What a hand waits for; throws InputFault where the inputs make no sense, or are too much for a page. */
export function answerNetwork(inputs: NetworkInputs, limits: Limits = PAGE): NetworkAnswer {
  const { network, lattice, none } = readNetwork(inputs, limits);
  const { target, known, values } = inputs;
  const scale = amount("scale", inputs.scale, "scale");
  const given = values && knownOf(network, known, values);
  const mine = given ? nodeLeakage(network, lattice, scale, target, given) : largestLeakage(network, lattice, scale, target, known, limits);
  return {
    promise: Math.max(...lattice.sensitivities) / scale,
    possible: network.possible,
    none: none.leakages(scale),
    mine,
    matters: dominating(network, target, known),
    strongest: strongest(network, lattice, scale, target),
    law: shownLaw(network, lattice, target, mine.known),
  };
}

/** Known labels by tuple, or InputFault where they do not fit the network. */
export function knownOf({ sizes }: Network, known: readonly number[], values: readonly number[]): Map<number, number> {
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
