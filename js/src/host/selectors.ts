/** Selectors of style sheets, held against a document without a page. States of the hand, such as :hover, never hold. */
import type { StillElement } from "./document";

type Test = (element: StillElement) => boolean;
interface Compound {
  tests: Test[];
  /** How it stands to the one before it. */
  way: " " | ">" | "+" | "~" | "";
}
/** From left to right; the last is the element itself, and `key` a class that it must have, or "<" and its name. */
export type Selector = { parts: Compound[]; weight: number; key: string | null };

const TOKEN = /^(?:([ ]*[>+~][ ]*|[ ]+)|\.([\w-]+)|#([\w-]+)|\[([\w-]+)(?:([~|^$*]?)="?([^"\]]*)"?)?\]|(::?[\w-]+)(\()?|([\w*-]+))/;

/** Parts of a list, cut at its commas outside brackets. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if ("([".includes(text[at] as string)) depth += 1;
    else if (")]".includes(text[at] as string)) depth -= 1;
    else if (text[at] === "," && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, text.slice(from).trim()].filter(Boolean);
}

export function parseSelector(list: string): Selector[] {
  return splitList(list).map(parseOne);
}

function parseOne(source: string): Selector {
  const parts: Compound[] = [{ tests: [], way: "" }];
  let weight = 0;
  let key: string | null = null;
  let rest = source.trim();
  while (rest) {
    const found = TOKEN.exec(rest);
    if (!found) throw new Error(`selector: ${source}`);
    rest = rest.slice(found[0].length);
    const [, way, name, id, attribute, kind, value, pseudo, opens, tag] = found;
    const { tests } = parts[parts.length - 1] as Compound;
    if (way !== undefined) {
      parts.push({ tests: [], way: (way.trim() || " ") as Compound["way"] });
      key = null;
    } else if (name !== undefined) {
      tests.push((el) => el.classes.has(name));
      weight += 100;
      key = name;
    } else if (id !== undefined) {
      tests.push((el) => el.getAttribute("id") === id);
      weight += 10_000;
    } else if (attribute !== undefined) {
      tests.push((el) => holds(el.getAttribute(attribute), kind, value));
      weight += 100;
    } else if (tag !== undefined) {
      if (tag === "*") continue;
      tests.push((el) => el.localName === tag);
      key ??= `<${tag}`;
      weight += 1;
    } else if (opens) {
      const end = closing(rest);
      const inner = parseSelector(rest.slice(0, end));
      rest = rest.slice(end + 1);
      const any: Test = (el) => inner.some((one) => matches(el, one));
      tests.push(pseudo === ":not" ? (el) => !any(el) : pseudo === ":is" || pseudo === ":where" ? any : () => false);
      if (pseudo !== ":where") weight += Math.max(...inner.map((one) => one.weight));
    } else tests.push(PSEUDO[pseudo as string] ?? (() => false));
  }
  return { parts, weight, key };
}

const PSEUDO: Record<string, Test> = {
  ":first-child": (el) => el.parent?.firstElementChild === el,
  ":last-child": (el) => el.parent?.lastElementChild === el,
  ":checked": (el) => el.checked,
  ":disabled": (el) => el.hasAttribute("disabled"),
  ":empty": (el) => el.childNodes.length === 0,
};

function closing(text: string): number {
  let depth = 1;
  let at = 0;
  for (; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")" && --depth === 0) break;
  }
  return at;
}

function holds(has: string | null, kind: string | undefined, value: string | undefined): boolean {
  if (has === null || value === undefined) return has !== null;
  if (kind === "^") return has.startsWith(value);
  if (kind === "$") return has.endsWith(value);
  if (kind === "*") return has.includes(value);
  if (kind === "~") return has.split(" ").includes(value);
  return has === value;
}

export function matches(element: StillElement, { parts }: Selector): boolean {
  return from(element, parts, parts.length - 1);
}

function from(element: StillElement, parts: Compound[], k: number): boolean {
  const { tests, way } = parts[k] as Compound;
  if (!tests.every((test) => test(element))) return false;
  if (k === 0) return true;
  if (way === ">") return element.parent !== null && from(element.parent, parts, k - 1);
  if (way === " ") {
    for (let up = element.parent; up; up = up.parent) if (from(up, parts, k - 1)) return true;
    return false;
  }
  const all = element.parent?.children ?? [];
  const before = all.slice(0, all.indexOf(element));
  return way === "+" ? before.length > 0 && from(before[before.length - 1] as StillElement, parts, k - 1) : before.some((one) => from(one, parts, k - 1));
}
