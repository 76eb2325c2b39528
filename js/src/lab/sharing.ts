/**
 * A document that several people edit at once. What a hand changes is written name by name, and of lists cell by cell, so
 * that nobody's other edits go; the text is changed where it has to be another one. Where two people write the same place
 * before they hear of each other their texts run together: what each of them meant is noted beside the text, and there
 * the last of the two stands for both.
 */
import type { DocumentRegistry } from "@jupyterlab/docregistry";
import type { Json, Parts } from "./document";

type SharedFile = DocumentRegistry.ICodeModel["sharedModel"];
/** By name, or name/cell; what is not set is undefined. */
export type Changes = ReadonlyMap<string, Json | undefined>;
/** Of a name that is a list of cells how it was given, null where it was not; undefined of any other. */
export type Given = (name: string) => Json[] | null | undefined;

// Changes of settings.

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
const listOf = (settings: Record<string, Json | undefined>, name: string, given: Given): Json[] | null => {
  const list = settings[name] ?? given(name) ?? null;
  return Array.isArray(list) ? list : null;
};

/** What became another one. Where most cells did, as where a sum is kept, the table is one edit. */
export function changesOf(before: Parts, after: Parts, given: Given): Map<string, Json | undefined> {
  const found = new Map<string, Json | undefined>();
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [listOf(before, name, given), listOf(after, name, given)];
    const cells = given(name) !== undefined && old !== null && old.length === now?.length ? now.flatMap((cell, k) => (same(cell, old[k]) ? [] : [k])) : null;
    if (cells !== null && cells.length <= (now as Json[]).length / 2) for (const k of cells) found.set(`${name}/${k}`, now?.[k]);
    else if (cells !== null || !same(before[name], after[name])) found.set(name, after[name]);
  }
  return found;
}

/** What stands in settings where changes are. */
export function standing(settings: Parts, changes: Changes, given: Given): Map<string, Json | undefined> {
  return new Map(
    [...changes.keys()].map((place) => {
      const [name = "", cell] = place.split("/");
      return [place, cell === undefined ? settings[name] : listOf(settings, name, given)?.[Number(cell)]];
    }),
  );
}

/** Settings with changes, in the order of `names`; a list that is as it was given is left out. */
export function withChanges(settings: Parts, changes: Changes, given: Given, names: readonly string[]): Parts {
  const next: Record<string, Json | undefined> = { ...settings };
  const copied = new Map<string, Json[]>();
  for (const [place, value] of changes) {
    const [name = "", cell] = place.split("/");
    if (cell === undefined) {
      next[name] = value;
      copied.delete(name);
      continue;
    }
    const list = copied.get(name) ?? listOf(next, name, given)?.slice();
    // A list of another length is another table: its cells are not these.
    if (list === undefined || value === undefined || Number(cell) >= list.length) continue;
    list[Number(cell)] = value;
    next[name] = list;
    copied.set(name, list);
  }
  const kept = names.filter((name) => next[name] !== undefined && !(given(name) && same(next[name], given(name) as Json)));
  return Object.fromEntries(kept.map((name) => [name, next[name] as Json]));
}

// Changes of the text.

const WORD = /[\w.+-]/;

/** What to replace in a text so that it becomes another one, from its end on: words that stay are not touched. */
export function spans(old: string, text: string): [begin: number, end: number, text: string][] {
  let [begin, end] = [0, 0];
  const least = Math.min(old.length, text.length);
  while (begin < least && old[begin] === text[begin]) begin++;
  while (end < least - begin && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  if (begin === Math.max(old.length, text.length)) return [];
  // A number is replaced as a whole.
  while (begin > 0 && WORD.test(old[begin - 1] as string)) begin--;
  while (end > 0 && WORD.test(old[old.length - end] as string)) end--;
  const words = (of: string): string[] => of.slice(begin, of.length - end).match(/[\w.+-]+|[^\w.+-]/g) ?? [];
  const [from, to] = [words(old), words(text)];
  if (from.length !== to.length) return [[begin, old.length - end, text.slice(begin, text.length - end)]];
  const found: [number, number, string][] = [];
  let at = begin;
  from.forEach((word, k) => {
    if (word !== to[k]) found.push([at, at + word.length, to[k] as string]);
    at += word.length;
  });
  return found.reverse();
}

// Beside the text.

/** Who wrote it, and what. */
type Note = [author: number, value?: Json];

interface Noted {
  get(place: string): Note | undefined;
  set(place: string, value: Note): void;
  observe(hear: (event: { keysChanged: Set<string>; transaction: { local: boolean } }) => void): void;
  unobserve(hear: (event: { keysChanged: Set<string>; transaction: { local: boolean } }) => void): void;
}

/** What people meant by their edits, as it travels with the document: of two at once one stands, for all the same one. */
export class Notes {
  private readonly noted: Noted;
  private readonly me: number;
  private readonly heard = new Set<string>();

  constructor(model: SharedFile) {
    const { ydoc } = model as unknown as { ydoc: { clientID: number; getMap(name: string): Noted } };
    this.me = ydoc.clientID;
    this.noted = ydoc.getMap("pdp-widgets");
    this.noted.observe(this.hear);
  }

  /** What others have noted since this was asked. */
  taken(): Changes {
    const found = new Map([...this.heard].map((place) => [place, this.noted.get(place)?.[1]]));
    this.heard.clear();
    return found;
  }

  note(changes: Changes): void {
    for (const [place, value] of changes) this.noted.set(place, value === undefined ? [this.me] : [this.me, value]);
  }

  /** Whether it is this page that mends a text in which edits ran together: were it two, their mending would too. */
  leads(theirs: Changes): boolean {
    return [...theirs.keys()].every((place) => (this.noted.get(place)?.[0] ?? 0) <= this.me);
  }

  dispose(): void {
    this.noted.unobserve(this.hear);
  }

  private readonly hear = ({ keysChanged, transaction }: { keysChanged: Set<string>; transaction: { local: boolean } }): void => {
    if (!transaction.local) keysChanged.forEach((place) => this.heard.add(place));
  };
}

/** Undo in a shared document: a person takes back what she has done, where nobody has changed it since. */
export class Trail {
  private readonly ways: Record<"undo" | "redo", { to: Changes; from: Changes }[]> = { undo: [], redo: [] };

  record(from: Changes, to: Changes): void {
    this.ways.undo.push({ to: from, from: to });
    this.ways.redo.length = 0;
  }

  can(way: "undo" | "redo"): boolean {
    return this.ways[way].length > 0;
  }

  /** The changes that take the last step back, or do it again. */
  step(way: "undo" | "redo", now: (changes: Changes) => Changes): Changes {
    const step = this.ways[way].pop();
    if (step === undefined) return new Map();
    this.ways[way === "undo" ? "redo" : "undo"].push({ to: step.from, from: step.to });
    const there = now(step.from);
    return new Map([...step.to].filter(([place]) => same(there.get(place), step.from.get(place))));
  }
}
