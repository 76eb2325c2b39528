/**
 * The answers of Python to a page about local privacy, computed in the page: what the hand set becomes the next view.
 * Inputs that make no sense become the view's fault, and the results of the last ones stay.
 */
import type { AttributeState, LocalRequest, LocalResults, LocalView } from "../local/protocol";
import type { Fault } from "../ui/protocol";
import { fixed } from "../ui/format";
import { floats, number, toBytes } from "../ui/wire";
import { askedInputs } from "./asked-inputs";
import { amountFault, InputFault } from "./faults";
import { faultTogether, hasBudget, matrixFault, OWN, parametersOf, type Mechanism, type Parameters } from "./local-mechanisms";
import { firstPlace } from "./local-pair";
import { localResults } from "./local-results";
import type { LocalTables } from "./local-tables";
import { localMatrix, type LocalRelease } from "./local-totals";

/** The user's own view while the example stands in its place, by the page's tables. */
const own = new WeakMap<LocalTables, LocalView>();
/** The budget that was set before a mechanism whose budget follows from its parameters. */
const setBudget = new WeakMap<LocalTables, LocalView["epsilon"]>();
const PARITY_CELLS = Float64Array.of(0.25, 0, 0, 0.25, 0, 0.25, 0.25, 0);

/** Two fair bits and whether they differ: the counterexample to the sum. */
const PARITY: LocalTables = {
  sizes: [2, 2, 2],
  blocks: parityBlocks(),
  joint: { shape: [2, 2, 2], cells: PARITY_CELLS },
  counted: false,
  missing: false,
  read: new Map(),
};

/** Halves on the diagonal blocks; every two of the three bits are independent. */
function parityBlocks(): Float64Array {
  return Float64Array.from({ length: 36 }, (_, k) => {
    const [row, column] = [Math.floor(k / 6), k % 6];
    if (Math.floor(row / 2) !== Math.floor(column / 2)) return 0.25;
    return row === column ? 0.5 : 0;
  });
}

function parityAttributes(): AttributeState[] {
  const counts = toBytes(Float64Array.of(0.5, 0.5));
  return ["bit 1", "bit 2", "parity"].map((name) => ({ name, labels: ["0", "1"], counts, chosen: true }));
}

function parameterFault(text: string, name: string): InputFault {
  return new InputFault(text, { kind: "parameter", name });
}

/** The next view; what the request does not carry stays. */
export function localAnswer(view: LocalView, request: Partial<LocalRequest>, tables: LocalTables): LocalView {
  const moved = request.example !== undefined && request.example !== view.example;
  const table = moved ? withExample(view, request.example as LocalView["example"], tables) : view;
  const asked = asks(
    withBudget(table, request, tables),
    moved ? { ...request, attributes: undefined, min_count: undefined, source: undefined, secret: undefined } : request,
  );
  const here = asked.example === "xor" ? PARITY : tables;
  const { release, goal, fault } = sound(asked, here, moved ? null : view.results);
  const pair = pairOf(asked, release, here);
  const results = localResults(here, release, pair, goal);
  return {
    ...asked,
    epsilon: hasBudget(asked.mechanism) ? asked.epsilon : results.epsilon,
    source: pair?.source ?? null,
    secret: pair?.secret ?? null,
    fault,
    current: fault === null,
    results,
  };
}

function withBudget(view: LocalView, request: Partial<LocalRequest>, tables: LocalTables): LocalView {
  const followed = !hasBudget(view.mechanism);
  const next = request.mechanism ?? view.mechanism;
  if (!followed) setBudget.set(tables, view.epsilon);
  // A page that opens with a channel has the budget that stood before in it.
  const before = setBudget.get(tables) ?? view.parameters.channel?.epsilon ?? view.epsilon;
  return followed && hasBudget(next) ? { ...view, epsilon: before } : view;
}

function withExample(view: LocalView, example: LocalView["example"], tables: LocalTables): LocalView {
  if (example === "xor") {
    own.set(tables, view);
    return {
      ...view,
      example,
      title: "2 bits and their parity",
      records: null,
      attributes: parityAttributes(),
      min_count: 0,
      missing: { rule: "none", count: 0 },
      source: 0,
      secret: 2,
    };
  }
  const mine = own.get(tables);
  if (!mine) return { ...view, example: "" };
  const { title, records, attributes, min_count, missing, source, secret } = mine;
  return { ...view, example: "", title, records, attributes, min_count, missing, source, secret };
}

/** What stands in the controls, sound or not. */
function asks(view: LocalView, request: Partial<Record<keyof LocalRequest, unknown>>): LocalView {
  const wish = request as Partial<LocalRequest>;
  const listed = wish.attributes;
  const key = view.mechanisms.some((one) => one.key === wish.mechanism) ? (wish.mechanism as string) : view.mechanism;
  const can = view.mechanisms.find((one) => one.key === key)?.inferred ?? true;
  const set = askedInputs("local_explorer", view, wish);
  return {
    ...view,
    ...set,
    attributes: listed ? view.attributes.map((attribute, k) => ({ ...attribute, chosen: listed.includes(k) })) : view.attributes,
    mechanism: key,
    parameters: wish.parameters ?? (key === view.mechanism ? view.parameters : {}),
    epsilon: wish.epsilon ?? view.epsilon,
    output: can ? (set.output ?? view.output) : "raw",
    source: wish.source === undefined ? view.source : wish.source,
    secret: wish.secret === undefined ? view.secret : wish.secret,
  };
}

interface Sound {
  release: LocalRelease;
  goal: number | null;
  fault: Fault | null;
}

/** The inputs that make sense, the last of their kind where one does not, and the first fault. */
function sound(view: LocalView, tables: LocalTables, last: LocalResults | null): Sound {
  const faults: InputFault[] = [];
  let names = view.attributes.flatMap(({ chosen }, k) => (chosen ? [k] : []));
  if (names.length === 0) {
    faults.push(parameterFault("No attribute is chosen; choose one or more.", "attributes"));
    names = last?.names ?? tables.sizes.map((_, k) => k);
  }
  let minCount = number(view.min_count);
  const few = amountFault("min_count", minCount, "min_count");
  if (few !== null) {
    faults.push(few);
    minCount = last?.min_count ?? 0;
  } else if (minCount > 0 && !tables.counted) {
    faults.push(parameterFault("min_count needs records, and the table has probabilities; leave it at 0.", "min_count"));
    minCount = 0;
  }
  const mechanism = soundMechanism(view, tables, names, last, faults);
  // Attributes that the kept channel does not fit are not released by it.
  if (last !== null && misfit(mechanism.parameters, view.attributes, names) !== undefined) names = last.names;
  let goal = view.budget === null ? null : number(view.budget);
  const unmet = goal === null ? null : amountFault("epsilon", goal, "budget");
  if (unmet !== null) {
    faults.push(unmet);
    goal = last?.calibration ? number(last.calibration.goal) : null;
  }
  // A mechanism that was kept has its own output with it.
  const output = mechanism.key === view.mechanism ? view.output : (last?.output ?? "raw");
  return { release: { names, mechanism, output, minCount }, goal, fault: faults[0]?.fault ?? null };
}

function soundMechanism(
  view: LocalView,
  tables: LocalTables,
  names: readonly number[],
  last: LocalResults | null,
  faults: InputFault[],
): Mechanism {
  const kept: Mechanism = last
    ? { key: last.mechanism, epsilon: number(last.epsilon), parameters: last.parameters }
    : { key: "GRR", epsilon: 1, parameters: {} };
  let epsilon = number(view.epsilon);
  const unsound = amountFault("epsilon", epsilon, "epsilon");
  if (unsound !== null) {
    faults.push(unsound);
    epsilon = kept.epsilon;
  }
  const fault =
    view.mechanism === OWN
      ? channelFault(view, names)
      : parametersFault(
          view.mechanism,
          view.parameters,
          names.map((name) => tables.sizes[name] as number),
        );
  if (fault === null) return { key: view.mechanism, epsilon, parameters: view.parameters };
  faults.push(fault);
  return kept;
}

/** "1 row", "4 labels". */
function counted(n: number, noun: string): string {
  return `${fixed(n, 0)} ${noun}${n === 1 ? "" : "s"}`;
}

/** The first attribute that a channel would release, and of which it has not as many rows as there are labels. */
function misfit({ channel }: Parameters, attributes: readonly AttributeState[], names: readonly number[]): number | undefined {
  if (channel == null) return undefined;
  const { attribute, matrix } = channel;
  return names.find((name) => (attribute ?? name) === name && attributes[name]?.labels.length !== matrix.length);
}

/** What is wrong with a channel of one's own, in the words of Python. */
function channelFault({ attributes, parameters }: LocalView, names: readonly number[]): InputFault | null {
  const { channel } = parameters;
  if (channel == null) return parameterFault("There is no channel yet; give its matrix: Channel([[0.9, 0.1], [0.2, 0.8]]).", "mechanism");
  const budget = channel.attribute === null ? null : amountFault("epsilon", number(channel.epsilon), "epsilon");
  if (budget !== null) return budget;
  const wrong = matrixFault(channel.matrix.map((row) => row.map(number)));
  if (wrong !== null) return new InputFault(wrong.text, wrong.where);
  const [rows, other] = [channel.matrix.length, misfit(parameters, attributes, names)];
  if (other === undefined) return null;
  const { name, labels } = attributes[other] as AttributeState;
  return parameterFault(
    `The channel has ${counted(rows, "row")} and ${name} has ${counted(labels.length, "label")}; give one row for each label.`,
    "mechanism",
  );
}

function parametersFault(key: string, parameters: Parameters, sizes: readonly number[]): InputFault | null {
  for (const [name, { kind }] of parametersOf(key)) {
    const value = parameters[name];
    const fault = value == null ? null : amountFault(kind, value, name);
    if (fault !== null) return fault;
  }
  const together = faultTogether(key, parameters, sizes);
  return together && parameterFault(...together);
}

/** The chosen pair; where one of it is not released any more, the pair that leaks most. */
function pairOf(view: LocalView, release: LocalRelease, tables: LocalTables): { source: number; secret: number } | null {
  const { names } = release;
  if (names.length < 2) return null;
  const { source, secret } = view;
  const here = (attribute: number | null): attribute is number => attribute !== null && names.includes(attribute);
  if (here(source) && here(secret) && source !== secret) return { source, secret };
  const [j, k] = firstPlace(localMatrix(tables, release), names.length);
  return { source: names[j] as number, secret: names[k] as number };
}

/** The tables as they are embedded in a page; null where they are too large for it. */
export function localTables(view: LocalView, embedded: Record<string, unknown>): LocalTables | null {
  type Cells = { shape: number[]; cells: DataView } | null;
  const { blocks, joint, gaps, counted } = embedded as { blocks?: DataView | null; joint?: Cells; gaps?: Cells; counted?: boolean };
  const read = (table?: Cells): LocalTables["joint"] => (table ? { shape: table.shape, cells: floats(table.cells) } : null);
  if (!blocks) return null;
  const sizes = view.attributes.map(({ labels }) => labels.length);
  return {
    sizes,
    blocks: floats(blocks),
    joint: read(joint),
    gaps: read(gaps),
    counted: counted === true,
    missing: (view.missing.count ?? 0) > 0,
    saved: view.results,
    read: new Map(),
  };
}

