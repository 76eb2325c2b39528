/** One look at the state: what the view says, what the hand asks for, and what follows for each part. */
import { hasBudget, type Mechanism, type Output } from "../compute/local-mechanisms";
import type { Stable } from "../explorer/hand";
import { LAST_VALID } from "../explorer/top";
import type { Naming } from "../explorer/words";
import type { Running } from "../ui/protocol";
import type { Session, Wish } from "../ui/session";
import { floats, number } from "../ui/wire";
import type { AttributeState, LocalRequest, LocalResults, LocalView, Wired } from "./protocol";
import { decode, sameParameters, type Asked, type Shown, type ShownPair } from "./results";

export type LocalSession = Session<LocalView, LocalRequest>;

/** What undo and redo cover. */
export type Edit = Pick<Wish<LocalRequest>, "attributes" | "mechanism" | "parameters" | "epsilon" | "output" | "min_count" | "budget" | "example">;

export interface Screen {
  view: LocalView;
  wish: Wish<LocalRequest>;
  naming: Naming;
  /** Records or shares of every label, by attribute. */
  counts: readonly Float64Array[];
  /** Chosen attributes, by position. */
  names: readonly number[];
  mechanism: Mechanism;
  output: Output;
  /** Results for what is asked, or the last ones while those are awaited. */
  shown: Shown | null;
  /** The results are those of something else: awaited, or given up. */
  outdated: boolean;
  /** The chosen pair, as far as it is known. */
  pair: { source: number; secret: number } | null;
  /** In full; null while it is awaited. */
  facts: ShownPair | null;
  /** Every number is awaited. */
  busy: boolean;
  /** Only what all reports say together, and what else comes late. */
  late: boolean;
  waiting: boolean;
  running: Running | null;
  /** What the results belong to instead of what stands in the controls; empty when they belong to that. */
  stale: string;
  disabled: boolean;
}

/** A number as it travels. */
export function wired(value: number): Wired {
  return Number.isFinite(value) ? value : String(value);
}

/** The request that asks for exactly what a view shows. */
export function wishOf(view: LocalView): Wish<LocalRequest> {
  return {
    attributes: chosenOf(view.attributes),
    mechanism: view.mechanism,
    parameters: view.parameters,
    epsilon: view.epsilon,
    output: view.output,
    source: view.source,
    secret: view.secret,
    min_count: view.min_count,
    budget: view.budget,
    example: view.example,
  };
}

function chosenOf(attributes: readonly AttributeState[]): number[] {
  return attributes.flatMap(({ chosen }, k) => (chosen ? [k] : []));
}

export function editOf({ attributes, mechanism, parameters, epsilon, output, min_count, budget, example }: Wish<LocalRequest>): Edit {
  return { attributes, mechanism, parameters, epsilon, output, min_count, budget, example };
}

export function sameEdit(a: Edit, b: Edit): boolean {
  const { parameters: first, ...left } = a;
  const { parameters: second, ...right } = b;
  return sameParameters(first, second) && JSON.stringify(left) === JSON.stringify(right);
}

type Rescale = (results: LocalResults, asked: Asked) => Shown | null;


export function look(session: LocalSession, kept: Stable, rescale: Rescale, running: Running | null = null): Screen {
  const view = session.view();
  const wish = session.desired();
  const { attributes, results } = view;
  const naming = kept.value("naming", {
    names: attributes.map(({ name }) => name),
    labels: attributes.map(({ labels }) => labels),
    noun: view.noun || "record",
  });
  const sizes = naming.labels.map((labels) => labels.length);
  const mechanism: Mechanism = { key: wish.mechanism, epsilon: number(wish.epsilon), parameters: wish.parameters };
  const names = kept.value("names", [...wish.attributes]);
  const asked: Asked = { mechanism, output: wish.output, minCount: wish.min_count, names, sizes, records: view.records };
  const sound = Number.isFinite(wish.min_count) && mechanism.epsilon >= 0;
  const another = wish.example !== view.example;
  const found = results && sound && !another ? rescale(results, asked) : null;
  const waiting = session.busy();
  const shown = found ?? (results && decode(results, asked));
  const busy = waiting && found === null && results !== null;
  const pair = wish.source === null || wish.secret === null || names.length < 2 ? null : kept.value("pair", { source: wish.source, secret: wish.secret });
  const there = shown?.pair ?? null;
  const facts = pair && there && there.source === pair.source && there.secret === pair.secret ? there : null;
  const totals = shown?.totals ?? null;
  return {
    view,
    wish,
    naming,
    counts: attributes.map(({ counts }, k) => kept.read(`counts ${k}`, counts, floats)),
    names,
    mechanism,
    output: wish.output,
    shown,
    outdated: found === null && results !== null,
    pair,
    facts,
    busy,
    late: busy || running !== null || (totals === null ? view.running !== null : totals.awaited),
    waiting,
    running,
    stale: view.stopped === null && !view.current && !busy ? LAST_VALID : "",
    disabled: view.disabled || !session.connected(),
  };
}

/** Where the colours end: the budget; without one that is finite, what the largest report promises. */
export function scaleTop({ key, epsilon }: Mechanism, shown: Shown | null): number {
  const wanted = hasBudget(key) ? epsilon : (shown?.promise ?? 1);
  if (wanted > 0 && Number.isFinite(wanted)) return wanted;
  const most = Math.max(0, ...(shown?.matrix ?? []).filter(Number.isFinite));
  return most > 0 ? most : 1;
}
