/** The answers of Python to a page of dependent tuples, computed in the page. */
import type { DependenceRequest, DependenceView, Knowing } from "../dependence/protocol";
import { floats, toBytes } from "../ui/codec";
import type { Bytes } from "../ui/protocol";
import { askedCore, computed, isShown, queryOf, type DependenceCore } from "./dependence-core";
import { prepared } from "./dependence-prepared";
import { resultsState, solved, type Solved } from "./dependence-results";
import type { Compared } from "./dependence-scales";
import { shownTable, tableOf, type DependentQuery, type EmbeddedTable, type EmbeddedWhole } from "./dependence-table";
import { InputFault, wiredNumber } from "./faults";

/** Rows of a table that can be edited. */
const EDITABLE = 512;
const EDITED = "Edited from ";

/** What a view does not say; see `dependence_embedded` in Python. */
export interface EmbeddedDependence {
  table: EmbeddedTable;
  /** The inputs of the results that stand; null where they belong to another table. */
  sound: { probabilities: Bytes; query: string; epsilon: number; mechanism: Compared; knowing: Knowing; known: number[] } | null;
  examples: Record<string, EmbeddedWhole>;
  own: { table: EmbeddedWhole; entries: Bytes; query: string } | null;
}

/** Whether there is something to compute from. */
export function isEmbedded(embedded: Record<string, unknown>): boolean {
  return embedded["table"] !== undefined;
}

/** The explorer as it stands in a view. */
export function coreOf(view: DependenceView, embedded: Record<string, unknown>): DependenceCore {
  const { table: rest, sound, examples, own } = embedded as unknown as EmbeddedDependence;
  const made = new Map(Object.entries(examples).map(([key, whole]) => [key, tableOf(whole)]));
  const table = { ...shownTable(view.model, rest), note: made.get(view.example)?.note ?? "" };
  if (view.example !== "") made.set(view.example, table);
  const core: DependenceCore = {
    table,
    entries: floats(view.model.probabilities),
    value: sound ? floats(sound.probabilities) : table.given,
    examples: made,
    example: view.example,
    own: own && { table: tableOf(own.table), entries: floats(own.entries), query: own.query },
    query: view.query,
    epsilon: wiredNumber(view.epsilon),
    mechanism: view.mechanism,
    coefficient: view.coefficient,
    knowing: view.knowing,
    known: view.known,
    alpha: wiredNumber(view.alpha),
    paper: view.paper,
    tuple: view.tuple,
    other: view.other,
    solved: null,
    published: view.results === null ? null : table,
    fault: view.fault,
  };
  return sound ? { ...core, solved: stood(core, sound) } : computed(core);
}

/** The results that stand, computed again: they stay where what is asked next makes no sense. */
function stood(core: DependenceCore, { epsilon, mechanism, knowing, known, query }: NonNullable<EmbeddedDependence["sound"]>): Solved | null {
  const asked = core.table.queries.find(({ key }) => key === query) ?? queryOf(core);
  try {
    return solved({ on: prepared(core.table, asked, core.value), epsilon, mechanism, knowing, known });
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return null;
  }
}

/** The explorer after what the hand set, and its view. */
export function dependenceAnswer(
  view: DependenceView,
  core: DependenceCore,
  request: Partial<DependenceRequest>,
): { core: DependenceCore; view: DependenceView } {
  const next = askedCore(core, request);
  return { core: next, view: dependenceView(view, next) };
}

/** The explorer with all that was awaited, and its view. */
export function computedView(view: DependenceView, core: DependenceCore): { core: DependenceCore; view: DependenceView } {
  const next = computed(core);
  return { core: next, view: dependenceView(view, next) };
}

/** Why nothing can be computed about a table: every query of it has too many outputs. */
export function whyNotInPage({ table, value, solved: found }: DependenceCore): string | null {
  const fits = (query: DependentQuery): boolean => {
    try {
      prepared(table, query, value);
      return true;
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      return false;
    }
  };
  return found !== null || table.queries.some(fits) ? null : "Its outputs are too many to compute with in this page: they need a kernel.";
}

/** The view of an explorer; what never changes in a page is taken from another view of it. */
export function dependenceView(view: DependenceView, core: DependenceCore): DependenceView {
  const { table, value } = core;
  const shown = isShown(core);
  const edited = !sameNumbers(value, table.given);
  const query = queryOf(core);
  return {
    ...view,
    title: edited ? editedTitle(table.title) : table.title,
    noun: table.noun,
    subject: query.subject,
    model: {
      tuples: [...table.tuples],
      support: new DataView(table.codes.slice().buffer),
      probabilities: toBytes(core.entries),
      loaded: toBytes(table.given),
      editable: table.rows <= EDITABLE,
      blocks: blocksIn(view, core, shown),
      note: core.solved === null ? view.model.note : noteOf(core, edited),
    },
    example: core.example,
    query: core.query,
    queries: table.queries.filter((one) => one.listed || isGiven(one, core.query)).map(({ key, label }) => ({ key, label })),
    mechanism: core.mechanism,
    coefficient: core.coefficient,
    epsilon: Number.isFinite(core.epsilon) ? core.epsilon : String(core.epsilon),
    knowing: core.knowing,
    known: [...core.known],
    tuple: shown ? core.tuple : 0,
    other: shown ? core.other : table.sizes.length === 1 ? null : 1,
    alpha: core.alpha,
    paper: core.paper,
    fault: core.fault,
    running: null,
    stopped: null,
    current: core.fault === null,
    results: !shown ? null : core.solved === null ? view.results : resultsState(core.solved, core.tuple),
  };
}

/** A query that was given in Python stands in the menu while it is picked. */
function isGiven({ key }: DependentQuery, picked: string): boolean {
  return key === "given" && picked === "given";
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a === b || (a.length === b.length && a.every((x, k) => x === b[k]));
}

function editedTitle(title: string): string {
  return title === "" || title.startsWith(EDITED) ? title : EDITED + title;
}

/** The block of every tuple, as far as it is known. */
function blocksIn(view: DependenceView, { table, solved: found }: DependenceCore, shown: boolean): number[] {
  if (!shown) return table.sizes.map(() => 0);
  if (found === null) return view.model.blocks;
  const { on } = found.inputs;
  return Array.from({ length: on.law.n }, (_, j) => on.blocks.findIndex((block) => block.includes(j)));
}

function noteOf(core: DependenceCore, edited: boolean): string {
  const { table, solved: found } = core;
  if (core.example !== "" && isShown(core) && !edited) return table.note;
  const blocks = found?.inputs.on.blocks.length ?? 0;
  if (blocks === 1) return table.sizes.length > 1 ? "One block: no part of the tuples is independent of the rest." : "";
  return `${blocks} blocks, independent of each other by this table.`;
}
