/**
 * The answers of Python to a page about k-anonymity, computed in the page: what the hand set becomes the next view.
 * Inputs that make no sense become the view's fault, and the results of the last ones stay.
 */
import { MOST_RELEASED } from "../anonymity/amounts";
import type { AnonymityRequest, AnonymityResults, AnonymityView, Wired } from "../anonymity/protocol";
import { readingLabel, releaseLabel } from "../anonymity/words";
import { count, fixed } from "../ui/format";
import { askedInputs } from "./asked-inputs";
import { readingsOf } from "./anonymity-curves";
import type { AnonymityInputs } from "./anonymity-exact";
import { lawIn, publishedRows, releaseIn, releasesOf, type Column, type Release } from "./anonymity-release";
import { anonymityResults, classesIn, groupsKey, MOST_REMOVED, removalSteps, type AnonymityPage, type Removals } from "./anonymity-results";
import { amount, InputFault, short, shown } from "./faults";

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

type Named = Pick<
  AnonymityView,
  | "quasi"
  | "secret"
  | "k"
  | "release"
  | "n"
  | "neighbour"
  | "group_change"
  | "shift"
  | "level"
  | "known"
  | "neighbours"
  | "epsilon"
  | "events"
  | "delta1"
  | "printed"
  | "reading"
>;

function inputsOf(view: Named): AnonymityInputs {
  const { quasi, secret, release, neighbour, level, events, printed, reading } = view;
  return {
    quasi,
    secret,
    release,
    neighbour,
    level,
    events,
    printed,
    reading,
    k: wired(view.k),
    n: view.n == null ? null : wired(view.n),
    neighbours: wired(view.neighbours),
    groupChange: wired(view.group_change),
    shift: view.shift === null ? null : wired(view.shift),
    known: wired(view.known),
    epsilon: wired(view.epsilon),
    delta1: view.delta1 == null ? null : wired(view.delta1),
  };
}

/** Results of a saved view belong to these inputs, where others stand in its controls. */
export function belongTo(results: AnonymityResults, sound: Named): void {
  belongs.set(results, inputsOf(sound));
}

function soundOf(view: AnonymityView): AnonymityInputs | null {
  return view.results && (belongs.get(view.results) ?? inputsOf(view));
}

/** Controls that are set back together: what one offers depends on the others. */
const OF_COLUMNS: readonly (keyof AnonymityInputs)[] = ["release", "level", "reading", "secret", "quasi"];
/** Faults of one request: more than there are inputs would be found for ever. */
const MOST_FAULTS = 20;

/** The next view; what the request does not carry stays. */
export function anonymityAnswer(view: AnonymityView, request: Partial<AnonymityRequest>, page: AnonymityPage): AnonymityView {
  const sound = soundOf(view);
  const asked = asks(view, request, page);
  const faults: InputFault[] = [];
  let wanted = inputsOf(asked);
  for (;;) {
    try {
      const results = computed(wanted, page);
      belongs.set(results, wanted);
      const fault = faults[0]?.fault ?? null;
      return { ...asked, fault, running: null, stopped: null, current: fault === null, results };
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      faults.push(error);
      if (!sound || faults.length > MOST_FAULTS)
        return {
          ...asked,
          fault: faults[0]?.fault ?? null,
          running: null,
          stopped: null,
          current: false,
          results: null,
        };
      const name = error.where?.name ?? "";
      // No class is larger than all: it is the other of the two that changed.
      const back = setBack(name === "n" && Object.is(wanted.n, sound.n) ? "k" : name);
      // What is wrong in one control stands in the way of nothing else.
      if (back.every((part) => sameInput(wanted[part], sound[part]))) wanted = sound;
      else wanted = { ...wanted, ...Object.fromEntries(back.map((part) => [part, sound[part]])) };
    }
  }
}

const PARTS = ["k", "n", "neighbour", "shift", "known", "neighbours", "epsilon", "events", "delta1", "printed"] as const;

/** The inputs that a fault sets back: the one that it is about, and those that belong to it; none where it names none. */
function setBack(name: string): readonly (keyof AnonymityInputs)[] {
  if (OF_COLUMNS.some((part) => part === name)) return OF_COLUMNS;
  const part = name === "group_change" ? "groupChange" : PARTS.find((one) => one === name);
  return part === undefined ? [] : [part];
}

function sameInput(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (Array.isArray(one) && Array.isArray(other) && one.join() === other.join());
}

function fault(text: string, name: string): InputFault {
  return new InputFault(text, { kind: "parameter", name });
}

function computed(wanted: AnonymityInputs, page: AnonymityPage): AnonymityResults {
  const { k, epsilon, known, neighbours, groupChange, shift, delta1, quasi } = wanted;
  const { table, summary } = page;
  amount("count", k, "k");
  const offered = offeredIn(page, wanted.secret);
  const release = offered.find(({ key }) => key === wanted.release)?.release;
  if (offered.length === 0) throw fault("There is nothing to count and no column of numbers to add up; name a secret.", "release");
  if (!release) throw fault(`There is no release ${short(wanted.release)}.`, "release");
  amount("shift", shift, "shift");
  amount("share", known, "known");
  amount("neighbours", neighbours, "neighbours");
  amount("positive", groupChange, "group_change");
  const classes = summary ? null : classesIn(page, wanted);
  if (summary ? summary.published < k : !classes) {
    const { rows, suppressed } = summary ? { rows: { length: summary.published }, suppressed: summary.groups.suppressed } : publishedRows(table, quasi);
    const lost = suppressed > 0 ? ` with all quasi-identifiers (${fixed(suppressed, 0)} ${suppressed === 1 ? "has" : "have"} a missing one)` : "";
    throw fault(`There ${rows.length === 1 ? "is" : "are"} ${count(rows.length, "record")}${lost}, fewer than k = ${fixed(k, 0)}; choose a smaller k.`, "k");
  }
  const { n } = wanted;
  if (n !== null && !(Number.isInteger(n) && n >= k && n <= MOST_RELEASED)) {
    throw fault(`n is ${shown(n)}; give a whole number of records from k = ${fixed(k, 0)} to ${fixed(MOST_RELEASED, 0)}, or None for those of the table.`, "n");
  }
  const { name, values } = table.columns[release.column] as Column;
  const law = summary && lawIn(summary, release);
  if (summary && !law) throw fault(`${short(name)} has too many different values for this page: this release needs a kernel.`, "release");
  if (release.value === null && (law ? law.records === 0 : !classes?.rows.some((row) => !Number.isNaN(values[row])))) {
    throw fault(`No published record has a value of ${short(name)}; choose another release.`, "release");
  }
  amount("epsilon", epsilon, "epsilon");
  amount("delta1", delta1, "delta1");
  return anonymityResults(page, wanted, classes, release, [quasi[0] as number, quasi[1] ?? null]);
}

/** What can be published beside the classes. */
function offeredIn({ table, summary }: AnonymityPage, secret: number | null): { key: string; release: Release }[] {
  if (!summary) return releasesOf(table, secret).map(({ choice, release }) => ({ key: choice.key, release }));
  return summary.releases.flatMap((key) => {
    const release = releaseIn(summary, table.columns, secret, key);
    return release ? [{ key, release }] : [];
  });
}

/** What stands in the controls, sound or not; what is no choice at all is passed over. */
function asks(view: AnonymityView, wish: Partial<AnonymityRequest>, page: AnonymityPage): AnonymityView {
  // Without the records others cannot be put into classes.
  const request = page.summary ? { ...wish, quasi: view.quasi, secret: view.secret, k: view.k } : wish;
  const { columns } = page.table;
  const column = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) < columns.length;
  const given = <T>(value: T | undefined, now: T): T => (value === undefined ? now : value);
  const set = askedInputs("anonymity_explorer", view, request, sent);
  const list = request.quasi;
  const quasi = Array.isArray(list) && list.length > 0 && list.every(column) && new Set(list).size === list.length ? list : view.quasi;
  const before = view.secret !== null && quasi.includes(view.secret) ? null : view.secret;
  const wished = given(request.secret, before);
  const secret = wished === null ? null : column(wished) && !quasi.includes(wished) ? wished : before;
  const level = set.level ?? view.level;
  const offered = offeredIn(page, secret);
  const keys = [...new Set(offered.map(({ key }) => key))];
  const release = [request.release, view.release].find((key) => key !== undefined && keys.includes(key)) ?? defaultRelease(page, quasi, secret);
  const kind = offered.find(({ key }) => key === release)?.release.kind ?? "records";
  const readings = readingsOf(kind, level);
  const reading = [request.reading, view.reading].find((key) => key !== undefined && readings.includes(key)) ?? readings[0] ?? "";
  const secretName = secret === null ? null : (columns[secret] as Column).name;
  return {
    ...view,
    ...set,
    quasi,
    secret,
    drawn: [quasi[0] as number, quasi[1] ?? null],
    release,
    releases: keys.map((key) => ({ key, label: releaseLabel(key, secretName) })),
    reading,
    readings: readings.map((key) => ({ key, label: readingLabel(key, level) })),
  };
}

/** The count of the rarest value of the secret that is in a class; without one the sum of the first numeric quasi-identifier. */
function defaultRelease({ table }: AnonymityPage, quasi: readonly number[], secret: number | null): string {
  const offered = releasesOf(table, secret);
  const counts = offered.filter(({ release }) => release.kind === "count");
  if (counts.length > 0) {
    const values = (table.columns[secret as number] as Column).values;
    const keys = quasi.map((j) => (table.columns[j] as Column).values);
    const times = (value: number | null): number =>
      values.reduce((sum, x, row) => sum + (x === value && !keys.some((one) => Number.isNaN(one[row])) ? 1 : 0), 0) ||
      Infinity;
    return counts.reduce((rare, next) => (times(next.release.value) < times(rare.release.value) ? next : rare)).choice
      .key;
  }
  const numeric = quasi.flatMap((j) => offered.find(({ release }) => release.kind === "sum" && release.column === j) ?? [])[0];
  return (numeric ?? offered[0])?.choice.key ?? "";
}

/** Whether changes without a record are missing and this page computes them in the time after an answer. */
export function isLate({ results }: AnonymityView, { table, summary }: AnonymityPage): boolean {
  return results !== null && summary === null && results.removals === null && table.records <= MOST_REMOVED && table.records - results.suppressed > results.k;
}

/** Leaves out one record after the other; yields the share done, and the results with what was found at the end. */
export function* lateResults(view: AnonymityView, page: AnonymityPage): Generator<number, AnonymityResults> {
  const results = view.results as AnonymityResults;
  const inputs = soundOf(view) as AnonymityInputs;
  const classes = classesIn(page, inputs);
  const removals: Removals | null = classes && (yield* removalSteps(page.table, inputs.quasi, inputs.k, classes));
  if (removals) page.removals.set(groupsKey(inputs), removals);
  const made = { ...results, removals };
  belongs.set(made, inputs);
  return made;
}

/** Changes that were published belong to the groups of the page as it was saved. */
export function adopt(view: AnonymityView, page: AnonymityPage): void {
  if (view.results?.removals) page.removals.set(groupsKey(soundOf(view) as AnonymityInputs), view.results.removals);
}
