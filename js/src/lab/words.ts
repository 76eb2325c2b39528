/**
 * What JupyterLab says of leakage documents, as far as it is said before one is opened. Each sentence is looked up in the
 * language of the user once one is set.
 */
import type { LATER } from "./words-later";

type Translate = (text: string) => string;

const ENGLISH = {
  section: "Privacy",
  first: "Privacy under correlation",
  firstCaption: "Opens the first notebook: edit a joint distribution and see what every adversary learns",
  newDocument: "New leakage document: %1",
  copyAsPython: "Copy Explorer as Python",
  copyShort: "Copy as Python",
  undo: "Undo in the document",
  redo: "Redo in the document",
  exploreFrame: "Explore Data Frame of Notebook…",
  exploreFile: "Explore Table from File…",
  insertCode: "Insert Explorer as Python into Notebook",
  exportPage: "Export Explorer as Page",
  exportPicture: "Export Explorer as Picture (SVG)",
  exportLatex: "Export Explorer as LaTeX Table",
  explain: "Explain This Number",
  openWith: "Explorer of Leakage",
  choosing: "The columns of this table are chosen in a dialog.",
  PriorExplorer: "Prior knowledge",
  GaussianExplorer: "Gaussian data",
  LocalExplorer: "Local privacy",
  DependenceExplorer: "Dependent tuples",
  AttackExplorer: "Inferred places",
  AnonymityExplorer: "k-anonymity",
  NetworkExplorer: "Networks",
  StreamSimulator: "Streams",
};

export type Sentence = keyof typeof ENGLISH | keyof typeof LATER;

export const message = { ...ENGLISH } as Record<Sentence, string>;

let translate: Translate = (text) => text;

/** Sentences that are said from now on, in the language that is set. */
export function add(sentences: Record<string, string>): void {
  for (const [name, text] of Object.entries(sentences)) message[name as Sentence] = translate(text);
}

/** From now on all is said in another language. */
export function speak(language: Translate): void {
  translate = language;
  add(ENGLISH);
}

/** A sentence with what it is about, for %1, %2 and so on. */
export function say(name: Sentence, ...about: readonly unknown[]): string {
  return message[name].replace(/%(\d)/g, (sign, place: string) => String(about[Number(place) - 1] ?? sign));
}
