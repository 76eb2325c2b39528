/**
 * The answers of Python to a page about a network: what the hand set becomes the next view. What every drag changes comes
 * at once, the rest in the time after it. Parts are kept by what they depend on.
 */
import type { LearnedState, NetworkRequest, NetworkResults, NetworkView, QuiltState, Wired } from "../network/protocol";
import { wired } from "../network/screen";
import { number } from "../ui/wire";
import { askedInputs } from "./asked-inputs";
import { amount, InputFault } from "./faults";
import { answerEach, answerNetwork, answerNoise, answerQuilts, answerTemporal, answerWorst } from "./network-answer";
import { needsKernel, readNetwork, type NetworkInputs } from "./network-answer";
import type { Learned } from "./network-leakage";
import type { GivenNetwork } from "./network-model";
import type { Quilt } from "./network-quilts";

/** The network of one page, what each query adds up, and what was found. */
export interface NetworkPage {
  given: GivenNetwork;
  contributions: Readonly<Record<string, number[][]>>;
  /** The last inputs that made sense. */
  sound: Sound;
  /** What is known can occur: the results belong to it. */
  can: boolean;
  parts: Map<string, unknown>;
}

interface Sound {
  scale: number;
  epsilon: number;
  goal: number;
  budgets: number[];
}

const MOST_KEPT = 60;
/** What takes longer, by name: see `lateParts`. */
type Late = "noise" | "worst" | "each" | "quilts" | "temporal";

const unique = (texts: readonly string[]): readonly string[] => (new Set(texts).size === texts.length ? texts : texts.map((_, k) => String(k)));

/** What a page computes with; null where it embeds no network, or one that is too large. */
export function networkPage(view: NetworkView, embedded: Record<string, unknown>): NetworkPage | null {
  const { tables, parents, factors, queries } = embedded as {
    tables?: number[][][];
    parents?: number[][];
    factors?: { scope: number[]; table: number[] }[];
    queries?: Record<string, number[][]>;
  };
  if (!queries || !(factors || (tables && parents))) return null;
  const names = unique(view.nodes.map(({ name }) => name));
  const named = (places: readonly number[]): string[] => places.map((j) => names[j] as string);
  const nodes = view.nodes.map(({ labels }, j) => ({
    name: names[j] as string,
    labels: unique(labels),
    ...(tables && parents ? { parents: named(parents[j] as number[]), table: tables[j] as number[][] } : {}),
  }));
  const given = factors ? { nodes, factors: factors.map(({ scope, table }) => ({ scope: named(scope), table })) } : { nodes };
  const sound = { scale: number(view.results?.scale ?? view.scale), epsilon: number(view.epsilon), goal: number(view.goal), budgets: view.budgets.map(number) };
  return needsKernel(given) ? null : { given, contributions: queries, sound, can: true, parts: new Map() };
}

/** A part that was found, or is found now. */
function part<T>(page: NetworkPage, key: string, find: () => T): T {
  if (!page.parts.has(key)) {
    const oldest = page.parts.size >= MOST_KEPT ? page.parts.keys().next().value : undefined;
    if (oldest !== undefined) page.parts.delete(oldest);
    page.parts.set(key, find());
  }
  return page.parts.get(key) as T;
}

function inputsOf(view: NetworkView, page: NetworkPage): NetworkInputs {
  const { target, known, values, query } = view;
  return { network: page.given, contributions: page.contributions[query] as number[][], scale: page.sound.scale, target, known, values };
}

/** What stands beside what comes at once: by name, what it depends on. */
function lateParts(view: NetworkView, { sound }: NetworkPage): Partial<Record<Late, string>> {
  const { query, adversary, show, known, values, target } = view;
  const { scale, epsilon, goal, budgets } = sound;
  const worst = adversary === "worst";
  return {
    ...(worst ? { worst: JSON.stringify(["worst", query, scale]) } : {}),
    ...(adversary === "mine" ? { each: JSON.stringify(["each", query, scale, known, values]) } : {}),
    ...(show !== "temporal" ? { noise: JSON.stringify(["noise", query, epsilon, worst]) } : {}),
    ...(show === "quilts" ? { quilts: JSON.stringify(["quilts", query, epsilon, target]) } : {}),
    ...(show === "temporal" ? { temporal: JSON.stringify(["temporal", goal, budgets.map(wired)]) } : {}),
  };
}

/** The view after a request; what the request does not carry stays. */
export function networkAnswer(before: NetworkView, request: Partial<NetworkRequest>, page: NetworkPage): NetworkView {
  const many = before.nodes.length;
  const target = place(request.target ?? before.target, many) ?? before.target;
  const known = knownAfter(before, request, target);
  const query = request.query !== undefined && request.query in page.contributions ? request.query : before.query;
  const view: NetworkView = {
    ...before,
    ...askedInputs("network_explorer", before, request),
    query,
    contributions: page.contributions[query] as number[][],
    target,
    ...known,
    budgets: request.budgets?.length === many ? request.budgets : before.budgets,
    stopped: null,
    running: null,
  };
  const faults: InputFault[] = [];
  const sound = soundOf(view, page.sound, faults);
  page.sound = sound;
  try {
    page.can = false;
    const results = resultsOf(view, page);
    page.can = true;
    const fault = faults[0]?.fault ?? null;
    return { ...view, results, fault, current: fault === null };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return { ...view, fault: (faults[0] ?? error).fault, current: false };
  }
}

function place(value: unknown, many: number): number | null {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < many ? (value as number) : null;
}

function knownAfter(before: NetworkView, request: Partial<NetworkRequest>, target: number): Pick<NetworkView, "known" | "values"> {
  const [listed, labels] = [request.known ?? before.known, request.values ?? before.values];
  const pairs = new Map<number, number>();
  listed.forEach((j, k) => {
    const v = place(labels[k], before.nodes[j]?.labels.length ?? 0);
    if (place(j, before.nodes.length) !== null && v !== null && j !== target) pairs.set(j, v);
  });
  const known = [...pairs.keys()].sort((a, b) => a - b);
  return { known, values: known.map((j) => pairs.get(j) as number) };
}

/** Numbers that make sense, each with the last one in the place of another. */
function soundOf(view: NetworkView, last: Sound, faults: InputFault[]): Sound {
  const take = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      faults.push(error);
      return otherwise;
    }
  };
  const scale = take(() => amount("scale", number(view.scale), "scale"), last.scale);
  const epsilon = take(() => amount("budget", number(view.epsilon), "epsilon"), last.epsilon);
  const goal = take(() => amount("budget", number(view.goal), "goal"), last.goal);
  const budgets = take(() => view.budgets.map((one) => amount("epsilon", number(one), "budgets")), last.budgets);
  return { scale, epsilon, goal, budgets };
}

/** Results with what is there of what takes longer. */
function resultsOf(view: NetworkView, page: NetworkPage): NetworkResults {
  const { query, target, known, values } = view;
  const { scale } = page.sound;
  const quick = part(page, JSON.stringify(["quick", query, scale, target, known, values]), () => quickOf(view, page));
  const late = lateParts(view, page);
  const there = <T>(name: Late): T | null => ((late[name] === undefined ? null : page.parts.get(late[name])) ?? null) as T | null;
  return { ...quick, each: there("each"), worst: there("worst"), quilts: there("quilts"), noise: there("noise"), temporal: there("temporal") };
}

function quickOf(view: NetworkView, page: NetworkPage): Omit<NetworkResults, Late> {
  const found = answerNetwork(inputsOf(view, page));
  const { law, arrow } = found;
  return {
    promise: found.promise,
    scale: page.sound.scale,
    choices: found.choices.map((one) => [...one]),
    none: found.none.map(learned),
    mine: learned(found.mine),
    matters: { unknown: [...found.matters.unknown], boundary: [...found.matters.boundary], beyond: [...found.matters.beyond] },
    strongest: found.strongest === null ? null : wired(found.strongest),
    law: { labels: [...law.labels], values: [...law.values], probabilities: law.probabilities.map((row) => [...row]) },
    arrow: arrow && { distance: arrow.distance, from: arrow.from, to: arrow.to, pair: [...arrow.pair] },
  };
}

const learned = ({ value, determined }: Learned): LearnedState => ({ value: wired(value), determined });

const quilt = (one: Quilt): QuiltState => ({
  target: one.target,
  quilt: [...one.quilt],
  near: [...one.near],
  influence: wired(one.influence),
  reach: wired(one.reach),
  scale: wired(one.scale),
});

/** At the end of the curve: all that hangs together with the target counts as near. */
function withoutQuilt(inputs: NetworkInputs, epsilon: number): Quilt {
  const { network, lattice } = readNetwork(inputs);
  const { target } = inputs;
  const near = network.components.find((members) => members.includes(target)) ?? [target];
  const reach = near.reduce((sum, j) => sum + (lattice.sensitivities[j] as number), 0);
  return { target, quilt: [], near, influence: 0, reach, scale: reach / epsilon };
}

const wiredAll = (values: readonly number[]): Wired[] => values.map(wired);

/** Whether something is missing that takes longer. */
export function isLate(view: NetworkView, page: NetworkPage): boolean {
  return view.results !== null && page.can && Object.values(lateParts(view, page)).some((key) => !page.parts.has(key));
}

/** Yields shares done, and results wherever another part is there. */
export function* lateResults(view: NetworkView, page: NetworkPage): Generator<number | NetworkResults, NetworkResults> {
  const parts = Object.entries(lateParts(view, page)) as [Late, string][];
  let done = 0;
  for (const [name, key] of parts) {
    if (!page.parts.has(key)) {
      yield done / parts.length;
      const found = name === "worst" ? yield* worstOf(view, page, (share) => (done + share) / parts.length) : lateOf(name, view, page);
      part(page, key, () => found);
      yield resultsOf(view, page);
    }
    done += 1;
  }
  return resultsOf(view, page);
}

/** One tuple after the other: a page is drawn in between. */
function* worstOf(view: NetworkView, page: NetworkPage, share: (done: number) => number): Generator<number, NetworkResults["worst"]> {
  const inputs = inputsOf(view, page);
  const found: NonNullable<NetworkResults["worst"]> = [];
  for (let j = 0; j < view.nodes.length; j++) {
    for (const { lower, upper, status, unknown, known } of answerWorst(inputs, undefined, [j])) {
      found.push({ lower: wired(lower), upper: wired(upper), status, unknown: [...unknown], known: [...known].map(([k, v]) => [k, v]) });
    }
    yield share((j + 1) / view.nodes.length);
  }
  return found;
}

function lateOf(name: Exclude<Late, "worst">, view: NetworkView, page: NetworkPage): unknown {
  const inputs = inputsOf(view, page);
  const { epsilon, goal, budgets } = page.sound;
  if (name === "each") return answerEach(inputs).map((one) => one && learned(one));
  if (name === "quilts") {
    const { best, curve, leftOut } = answerQuilts(inputs, epsilon);
    return { best: best.map(quilt), curve: [...curve, withoutQuilt(inputs, epsilon)].map(quilt), leftOut: [...leftOut] };
  }
  if (name === "noise") {
    const { rows, leftOut } = answerNoise(inputs, epsilon, view.adversary === "worst");
    const between = (one: (typeof rows)[number]["anyone"]) => one && { lower: wired(one.lower), upper: wired(one.upper), status: one.status };
    return { epsilon, rows: rows.map((row) => ({ ...row, scale: wired(row.scale), none: wired(row.none), anyone: between(row.anyone) })), leftOut };
  }
  return temporalOf(view, page.given, budgets, goal);
}

/** null where the tuples are no steps: no line, or of different labels. */
function temporalOf({ nodes, edges }: NetworkView, given: GivenNetwork, budgets: readonly number[], goal: number): NetworkResults["temporal"] {
  const line = edges.length === nodes.length - 1 && edges.every(([a, b]) => Math.abs((a as number) - (b as number)) === 1);
  if (!line || nodes.length < 2 || new Set(nodes.map(({ labels }) => labels.length)).size > 1) return null;
  const found = answerTemporal(given, budgets, goal);
  return {
    budgets: wiredAll(budgets),
    backward: wiredAll(found.backward),
    forward: wiredAll(found.forward),
    total: wiredAll(found.total),
    exact: found.exact && wiredAll(found.exact),
    plan: found.plan && { constant: wired(found.plan.constant), budgets: wiredAll(found.plan.budgets) },
  };
}
