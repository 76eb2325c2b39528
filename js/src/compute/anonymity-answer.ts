/**
 * The answers of Python to a page about k-anonymity, computed in the page: what the hand set becomes the next view.
 * Inputs that make no sense become the view's fault, and the results of the last ones stay.
 */
import { readingLabel, releaseLabel } from "../anonymity/names";
import type { AnonymityRequest, AnonymityResults, AnonymityView, Wired } from "../anonymity/protocol";
import { readingsOf } from "./anonymity-curves";
import type { AnonymityInputs } from "./anonymity-inputs";
import { releasesOf, type Release } from "./anonymity-release";
import { MOST_REMOVED, removalSteps } from "./anonymity-removals";
import { anonymityResults, classesIn, groupsKey, type AnonymityPage, type Removals } from "./anonymity-results";
import type { Column } from "./anonymity-table";
import { general, InputFault } from "./faults";

/** Records up to which a page computes everything. */
export const MOST_RECORDS = 2000;

/** What results belong to, where the view does not say it: its controls may hold what was refused. */
const belongs = new WeakMap<AnonymityResults, AnonymityInputs>();

/** A number as it came; NaN for what is none. */
function wired(value: unknown): number {
  return typeof value === "number" || value === "Infinity" || value === "-Infinity" ? Number(value) : NaN;
}

/** A number as it travels. */
function sent(value: unknown): Wired {
  const read = wired(value);
  return Number.isFinite(read) ? read : String(read);
}

function inputsOf(view: AnonymityView): AnonymityInputs {
  const { quasi, secret, k, release, neighbour, level, neighbours, events, printed, reading } = view;
  return {
    quasi,
    secret,
    k,
    release,
    neighbour,
    level,
    neighbours,
    events,
    printed,
    reading,
    groupChange: wired(view.group_change),
    shift: view.shift === null ? null : wired(view.shift),
    known: wired(view.known),
    epsilon: wired(view.epsilon),
    slack: view.slack === null ? null : wired(view.slack),
  };
}

/** The next view; what the request does not carry stays. */
export function anonymityAnswer(view: AnonymityView, request: Partial<AnonymityRequest>, page: AnonymityPage): AnonymityView {
  const asked = asks(view, request, page);
  const last = view.results && (belongs.get(view.results) ?? inputsOf(view));
  try {
    const wanted = inputsOf(asked);
    const results = computed(wanted, asked, page);
    belongs.set(results, wanted);
    return { ...asked, fault: null, running: null, stopped: null, current: true, results };
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    const results = view.results;
    if (results && last) belongs.set(results, last);
    return { ...asked, fault: error.fault, running: null, stopped: null, current: false, results };
  }
}

function fault(text: string, name: string): InputFault {
  return new InputFault(text, { kind: "parameter", name });
}

function computed(wanted: AnonymityInputs, view: AnonymityView, page: AnonymityPage): AnonymityResults {
  const { k, epsilon, known, neighbours, groupChange, shift, slack } = wanted;
  if (!(epsilon >= 0)) throw fault(`epsilon is ${general(epsilon)}; it must be a number of nats, 0 or more.`, "epsilon");
  if (!(known >= 0 && known <= 1)) throw fault(`known is ${general(known)}; it is a share, 0 to 1.`, "known");
  if (!Number.isInteger(neighbours) || neighbours < 1) throw fault(`neighbours is ${general(neighbours)}; give a whole number, 1 or more.`, "neighbours");
  if (!(groupChange > 0 && groupChange < Infinity)) throw fault(`group_change is ${general(groupChange)}; it must be a positive finite number.`, "group_change");
  if (shift !== null && !Number.isFinite(shift)) throw fault(`shift is ${general(shift)}; it must be a finite number, or None.`, "shift");
  if (slack !== null && !(slack > 0 && slack < 1)) throw fault(`slack is ${general(slack)}; it must lie between 0 and 1, or be None.`, "slack");
  if (!Number.isInteger(k) || k < 1) throw fault(`k is ${general(k)}; give a whole number, 1 or more.`, "k");
  const classes = classesIn(page, wanted);
  if (!classes) throw fault(`There are ${page.table.records} records, fewer than k = ${k}; choose a smaller k.`, "k");
  const release = releasesOf(page.table, wanted.secret).find(({ choice }) => choice.key === wanted.release)?.release as Release;
  return anonymityResults(page, wanted, classes, release, view.drawn);
}

/** What stands in the controls, sound or not; what is no choice at all is passed over. */
function asks(view: AnonymityView, request: Partial<AnonymityRequest>, page: AnonymityPage): AnonymityView {
  const { columns } = page.table;
  const column = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) < columns.length;
  const among = <T extends string>(offered: readonly T[], value: unknown, now: T): T => (offered.includes(value as T) ? (value as T) : now);
  const amount = (name: "group_change" | "known" | "epsilon"): Wired => sent(request[name] === undefined ? view[name] : request[name]);
  const optional = (name: "shift" | "slack"): Wired | null => {
    const value = request[name] === undefined ? view[name] : request[name];
    return value === null ? null : sent(value);
  };
  const whole = (name: "k" | "neighbours"): number => (typeof request[name] === "number" ? (request[name] as number) : view[name]);
  const list = request.quasi;
  const quasi = Array.isArray(list) && list.length > 0 && list.every(column) && new Set(list).size === list.length ? list : view.quasi;
  const secret = request.secret === null || (column(request.secret) && !quasi.includes(request.secret)) ? request.secret : view.secret !== null && quasi.includes(view.secret) ? null : view.secret;
  const level = among(["I", "II", "III", "IV"] as const, request.level, view.level);
  const offered = releasesOf(page.table, secret);
  const keys = offered.map(({ choice }) => choice.key);
  const release = keys.includes(request.release as string) ? (request.release as string) : keys.includes(view.release) ? view.release : defaultRelease(page, quasi, secret, keys);
  const kind = offered.find(({ choice }) => choice.key === release)?.release.kind ?? "sum";
  const readings = readingsOf(kind, level);
  const wished = (request.reading as string) ?? view.reading;
  const secretName = secret === null ? null : (columns[secret] as Column).name;
  const [first, second] = view.drawn;
  const stays = quasi.includes(first) && (second === null ? quasi.length === 1 : quasi.includes(second));
  return {
    ...view,
    quasi,
    secret,
    drawn: stays ? view.drawn : [quasi[0] as number, quasi[1] ?? null],
    k: whole("k"),
    release,
    releases: keys.map((key) => ({ key, label: releaseLabel(key, secretName) })),
    neighbour: among(["value", "presence"] as const, request.neighbour, view.neighbour),
    group_change: amount("group_change"),
    shift: optional("shift"),
    level,
    known: amount("known"),
    neighbours: whole("neighbours"),
    epsilon: amount("epsilon"),
    events: among(["all", "interval", "halfline"] as const, request.events, view.events),
    slack: optional("slack"),
    printed: typeof request.printed === "boolean" ? request.printed : view.printed,
    reading: readings.includes(wished) ? wished : (readings[0] ?? ""),
    readings: readings.map((key) => ({ key, label: readingLabel(key, level) })),
  };
}

/** The count of the rarest value of the secret; without one the sum of the first numeric quasi-identifier. */
function defaultRelease({ table }: AnonymityPage, quasi: readonly number[], secret: number | null, keys: readonly string[]): string {
  const counts = releasesOf(table, secret).filter(({ release }) => release.kind === "count");
  if (counts.length > 0) {
    const values = (table.columns[secret as number] as Column).values;
    const times = (value: number | null): number => values.reduce((sum, x) => sum + (x === value ? 1 : 0), 0);
    return counts.reduce((rare, next) => (times(next.release.value) < times(rare.release.value) ? next : rare)).choice.key;
  }
  const numeric = quasi.find((j) => (table.columns[j] as Column).labels === null);
  return numeric === undefined ? (keys[0] ?? "") : `sum:${(table.columns[numeric] as Column).name}`;
}

/** Whether changes without a record are missing and this page computes them in the time after an answer. */
export function isLate({ results, fault }: AnonymityView, { table }: AnonymityPage): boolean {
  return results !== null && fault === null && results.removals === null && table.records <= MOST_REMOVED && table.records - results.suppressed > results.k;
}

/** Leaves out one record after the other; yields the share done, and the results with what was found at the end. */
export function* lateResults(view: AnonymityView, page: AnonymityPage): Generator<number, AnonymityResults> {
  const results = view.results as AnonymityResults;
  const inputs = belongs.get(results) ?? inputsOf(view);
  const classes = classesIn(page, inputs);
  const removals: Removals | null = classes && (yield* removalSteps(page.table, inputs.quasi, inputs.k, classes));
  if (removals) page.removals.set(groupsKey(inputs), removals);
  const made = { ...results, removals };
  belongs.set(made, inputs);
  return made;
}

/** Changes that were published belong to the groups of the page as it was saved. */
export function adopt(view: AnonymityView, page: AnonymityPage): void {
  if (view.results?.removals) page.removals.set(groupsKey(belongs.get(view.results) ?? inputsOf(view)), view.results.removals);
}
