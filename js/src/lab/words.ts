/** What JupyterLab says of leakage documents. Each sentence is looked up in the language of the user once one is set. */
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
  copied: "Copied as Python.",
  noKernel: "Computed in this tab, without a kernel.",
  chooseKernel: "Choose a kernel in the toolbar.",
  needsKernel: "The document holds no page of its model. Choose a kernel in the toolbar to show it.",
  cannotShow: "This document cannot be shown.",
  untouched: "The file stays as it is.",
  openAsText: "Open as text",
  otherFile: "The file has changed on disk, and this tab has changes of its own. Saving asks which of the two stays.",
  load: "Load the file",
  notWritten: "What you see is not in the document yet.",
  PriorExplorer: "Prior knowledge",
  GaussianExplorer: "Gaussian data",
  LocalExplorer: "Local privacy",
  DependenceExplorer: "Dependent tuples",
  AttackExplorer: "Inferred places",
  AnonymityExplorer: "k-anonymity",
  StreamSimulator: "Streams",
};

export type Sentence = keyof typeof ENGLISH;

export const message: Record<Sentence, string> = { ...ENGLISH };

/** From now on all is said in another language. */
export function speak(translate: Translate): void {
  for (const name of Object.keys(ENGLISH) as Sentence[]) message[name] = translate(ENGLISH[name]);
}
