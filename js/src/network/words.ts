/** What the explorer of networks says: about itself, and who learns how much, in sentences. */
import { isOver, moreThanPromised, plural, told, toldLabel, type Naming, type Said } from "../explorer/words";
import { count, leakage, list, nats } from "../ui/format";
import type { HeadWords } from "../ui/head";
import type { AdversaryKind, NetworkView } from "./protocol";
import type { Subject } from "./screen";

export const HEAD: HeadWords = {
  name: "Networks",
  about: [
    "A number about many tuples that are correlated is published with Laplace noise. The noise promises that no tuple leaks more than the promise; " +
      "it does where nothing depends on anything else.",
    "Leakage is the largest change of the log odds of two labels of a tuple that any published number can cause, in nats. Colours say how much each " +
      "tuple leaks, and a ring that it is more than promised.",
    "Click a tuple to attack it. Click with Shift, or press K, to know it: then choose its label. Labels that cannot occur with what is known are off. " +
      "Zoom with the wheel and Ctrl, or with + and −; drag to move.",
  ],
  legend: [
    ["exact", "exact: by elimination, for one adversary or the worst of all"],
    ["bound", "a bound: the worst adversary was not found exactly"],
    ["promise", "promise: what the noise guarantees for one tuple on its own"],
    ["over", "leaks more than promised"],
  ],
  equation: "concepts#networks",
  paper:
    "S. Song, Y. Wang, K. Chaudhuri: Pufferfish Privacy Mechanisms for Correlated Data. Y. Cao, M. Yoshikawa, Y. Xiao, L. Xiong: Quantifying " +
    "Differential Privacy under Temporal Correlations.",
};

export const ADVERSARIES: readonly { value: AdversaryKind; text: string }[] = [
  { value: "none", text: "Knows none" },
  { value: "mine", text: "Chosen" },
  { value: "worst", text: "Worst" },
];

export const SHOWN = [
  { value: "network", text: "Network" },
  { value: "quilts", text: "Quilts" },
  { value: "temporal", text: "Steps" },
] as const;

/** Rows of the table of noise. */
export const MECHANISMS: Readonly<Record<string, string>> = {
  entry: "Plain differential privacy",
  group: "Group privacy",
  "approximate quilts": "Quilts, approximate",
  quilts: "Markov quilts",
  "quilts as printed": "Markov quilts as printed",
  wasserstein: "Wasserstein",
  least: "Least, nobody knows any",
  "least for anyone": "Least for anyone",
};

/** More known values than this are counted. */
const LISTED = 3;

const values = (naming: Naming, known: Subject["known"]): string[] =>
  known.map(([j, v]) => `${told(naming, j, 24)} is ${toldLabel(naming, j, v, 24)}`);

/** "The worst adversary, who knows that hour 4 is 1 and hour 9 is 0,". */
export function who(naming: Naming, adversary: AdversaryKind, { known }: Subject): string {
  const few = known.length <= LISTED;
  const many = count(known.length, naming.noun, plural(naming.noun));
  const what = known.length === 0 ? `none of the other ${plural(naming.noun)}` : few ? `that ${list(values(naming, known))}` : many;
  if (adversary === "worst") return `The worst adversary, who knows ${what}${known.length ? " and all beyond" : ""},`;
  return `Someone who knows ${what}`;
}

/** The second sentence of the lead. */
export function truth(naming: Naming, adversary: AdversaryKind, target: number, subject: Subject, promise: number, busy: boolean): Said {
  const before = `${who(naming, adversary, subject)} learns ${subject.exact ? "up to" : "at most"} `;
  const about = ` about ${told(naming, target)}`;
  if (busy) return { before, number: "…", after: `${about}.`, over: false };
  if (subject.determined) return { before: `${who(naming, adversary, subject)} has nothing left to learn${about}.`, number: "", after: "", over: false };
  const over = isOver(subject.value, promise);
  const least = subject.exact ? "" : `, and at least ${leakage(subject.lower)}`;
  const verdict = over ? moreThanPromised(subject.value, promise) : "the promise holds";
  return { before, number: `${nats(subject.value, promise)} nats`, after: `${about}${least}: ${verdict}.`, over };
}

/** What does not matter, in words. */
export function beyondWords(naming: Naming, { known, beyond, unknown }: Subject): string {
  if (known.length === 0) return `Nothing is known: every ${naming.noun} joined to it matters.`;
  const matter = unknown.length - 1;
  const inside = matter === 0 ? "nothing else" : count(matter, `unknown ${naming.noun}`, `unknown ${plural(naming.noun)}`);
  const rest = beyond.length === 0 ? "" : ` The ${count(beyond.length, naming.noun, plural(naming.noun))} beyond do not matter: knowing them changes nothing.`;
  const edge = `${list(values(naming, known.slice(0, LISTED)))}${known.length > LISTED ? " and more" : ""}`;
  return `What is learned comes from the ${naming.noun} itself and ${inside}, up to ${edge}.${rest}`;
}

/** How a node is read out. */
export function nodeWords(naming: Naming, view: NetworkView, j: number, value: number, promise: number): string {
  const at = view.known.indexOf(j);
  const state = j === view.target ? "attacked" : at >= 0 ? `known to be ${naming.labels[j]?.[view.values[at] as number] ?? ""}` : "not known";
  const leaks = Number.isNaN(value) ? "" : `, leaks ${nats(value, promise)} nats${isOver(value, promise) ? ", more than promised" : ""}`;
  return `${told(naming, j)}, ${state}${leaks}`;
}
