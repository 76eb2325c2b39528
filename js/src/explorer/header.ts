/** The head of the explorer: its name, what the data are, and what all this is. */
import type { Component } from "../ui/component";
import { count } from "../ui/format";
import { createHead, type HeadEvents, type HeadProps, type HeadWords } from "../ui/head";
import type { Mark } from "../ui/marks";

export type HeaderProps = HeadProps;
export type HeaderEvents = HeadEvents;

const LEGEND: [Mark, string][] = [
  ["exact", "exact: computed from the table, no approximation"],
  ["promise", "promise: what the noise guarantees for one tuple on its own, GS/λ"],
  ["paper", "paper’s estimate: the chain rule as printed; it may be too low or too high"],
  ["bound", "group bound: holds for every table and every adversary"],
  ["low", "the paper’s estimate is too low here"],
  ["high", "the paper’s estimate is too high here"],
];

const WORDS: HeadWords = {
  name: "Prior knowledge",
  about: [
    "A number is published with Laplace noise. The noise promises that no single tuple leaks more than the promise. When tuples hang together, someone who knows some of them can learn more about another. Here you see how much, exactly, for every such adversary.",
    "Leakage is the largest change of the log odds of two values that any published r can cause, in nats. Edit the table, drag the scale, choose who knows what. A small triangle in the corner of a cell marks a number that is not as it was loaded; above it then says “edited from” the data.",
  ],
  legend: LEGEND,
  paper: "Y. Li, X. Ren, S. Yang, X. Yang: Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis.",
};

/** Tuples that stand for a title, and letters of their names together; more are counted. */
const NAMED = 6;
const LETTERS = 60;

/** What the data are: their title or their tuples, and how many records they come from unless the title says it. */
export function headline(title: string, names: readonly string[], records: number | null): string {
  const of = records === null || title.replace(/\D/g, "").includes(String(records)) ? "" : count(records, "record");
  const all = names.join(", ");
  const named = names.length > NAMED || all.length > LETTERS ? count(names.length, "tuple") : all;
  return [title || named, of].filter(Boolean).join(", ");
}

export const createHeader = (initial: HeaderProps, events: HeaderEvents): Component<HeaderProps> => createHead(WORDS, initial, events);
