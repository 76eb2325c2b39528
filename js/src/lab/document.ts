/**
 * The text of a leakage document: what stands in it, what is wrong with it and where, and how a view becomes its
 * settings. Lines are written as by pdp_widgets/publish/document.py, so that saving changes no other line.
 */
import type { Bytes } from "../ui/protocol";
import { flags, floats, sameBytes, toBytes } from "../ui/wire";
import kinds from "./kinds.json";
import listed from "./settings.json";
import { add, message, say, type Sentence } from "./words";
import "./words-later";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Parts = { [name: string]: Json };

export const FORMAT = "pdp-widgets-leakage";
export const VERSION = 1;
export const ENDING = ".leakage.json";
/** Characters of a document, and of a page once it is unpacked. */
const MOST = 2 ** 24;

/** Where a setting stands in a view, what it is, and where it stands as given, if that is left out. */
type Place = readonly string[];

export interface Known {
  module: string;
  settings: Record<string, Place>;
}

/** In the words of JSON Schema. */
interface Rule {
  type: string | readonly string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Rule;
}

const KINDS = kinds as Record<string, { rule: Rule; words: string }>;
const kindWords = (kind: string): Sentence => `kind ${kind}` as Sentence;
add(Object.fromEntries(Object.entries(KINDS).map(([kind, { words }]) => [kindWords(kind), words])));

export const EXPLORERS = listed as Record<string, Known>;

export interface LeakageDocument extends Parts {
  explorer: string;
  model: Parts;
  settings: Parts;
}

/** Something is wrong with a document: in words, with line and place where they are known. */
export class DocumentFault extends Error {}

// Lines.

const WIDTH = 100;
const BESIDE = 10;

/** JSON as lines; with `python`, an expression of Python. */
export function literal(value: Json, indent = "", python = false): string {
  const one = (single: Json): string =>
    python && (single === null || typeof single === "boolean")
      ? { null: "None", true: "True", false: "False" }[String(single) as "null"]
      : JSON.stringify(single);
  if (value === null || typeof value !== "object") return one(value);
  const lines = (begin: string, parts: string[], end: string): string =>
    parts.length === 0 ? begin + end : `${begin}\n${indent}  ${parts.join(`,\n${indent}  `)}\n${indent}${end}`;
  const inside = (part: Json): string => literal(part, `${indent}  `, python);
  if (!Array.isArray(value)) return lines("{", Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${inside(part)}`), "}");
  if (value.some((part) => part !== null && typeof part === "object")) return lines("[", value.map(inside), "]");
  const each = value.map(one);
  const line = `[${each.join(", ")}]`;
  // Signs, as Python counts them: some are two units of JavaScript.
  if (line.length <= WIDTH || [...line].length <= WIDTH) return line;
  const rows = Array.from({ length: Math.ceil(each.length / BESIDE) }, (_, k) => each.slice(k * BESIDE, (k + 1) * BESIDE).join(", "));
  return lines("[", rows, "]");
}

export function textOf(document: LeakageDocument): string {
  return `${literal(document)}\n`;
}

/** A cell of Python that makes the explorer again. */
export function pythonOf({ page: _page, ...document }: LeakageDocument): string {
  return `import pdp_widgets as pdp\n\npdp.open(${literal(document, "", true)})\n`;
}

const isParts = (value: unknown): value is Parts => typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a document, or throws what is wrong with it. */
export function parsed(text: string): LeakageDocument {
  if (text.length > MOST) throw new DocumentFault(say("tooLong", text.length, MOST));
  if (text.trim() === "") throw new DocumentFault(message.empty);
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new DocumentFault(say("line", text.slice(0, endOfJson(text)).split("\n").length, message.noJson));
  }
  const fault = (path: string[], words: string): DocumentFault => new DocumentFault(say("at", lineOf(text, path), path.join(".") || message.whole, words));
  if (!isParts(found) || found["format"] !== FORMAT) throw fault([], say("noLeakage", FORMAT));
  const { version, package: newer, explorer, model, settings } = found;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) throw fault(["version"], say("ofVersion", VERSION));
  if (version > VERSION) throw fault(["version"], say("newer", version, String(newer).slice(0, 40), VERSION));
  if (typeof explorer !== "string" || !Object.hasOwn(EXPLORERS, explorer)) throw fault(["explorer"], say("oneOf", Object.keys(EXPLORERS).join(", ")));
  if (!isParts(model)) throw fault(["model"], message.named);
  if (!isParts(settings)) throw fault(["settings"], message.named);
  const table = (EXPLORERS[explorer] as Known).settings;
  for (const [name, value] of Object.entries(settings)) {
    const kind = Object.hasOwn(table, name) ? table[name]?.[1] : undefined;
    if (kind === undefined) throw fault(["settings", name], say("noSetting", explorer, Object.keys(table).join(", ")));
    if (!isKind(value, (KINDS[kind] as (typeof KINDS)[string]).rule))
      throw fault(["settings", name], say("otherKind", JSON.stringify(value).slice(0, 60), message[kindWords(kind)]));
  }
  return { ...found, explorer, model, settings };
}

/** Where a text stops being JSON: browsers tell in different words, and not always. */
export function endOfJson(text: string): number {
  let at = 0;
  const next = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const [found = null] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const isText = (): boolean => {
    if (next(/"/y) === null) return false;
    // One piece at a time: a page is a text of millions of signs.
    while (next(/[^"\\\u0000-\u001f]+/y) !== null || next(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y) !== null);
    return next(/"/y) !== null;
  };
  const open: string[] = [];
  let state: "value" | "first" | "name" | "after" = "value";
  for (;;) {
    next(/[ \t\r\n]+/y);
    const last = open.at(-1);
    if ((state === "first" || state === "after") && last !== undefined && text[at] === last) {
      at++;
      open.pop();
      state = "after";
    } else if (state === "after") {
      if (last === undefined || next(/,/y) === null) return at;
      state = last === "}" ? "name" : "value";
    } else if (last === "}" && state !== "value") {
      if (!isText()) return at;
      next(/[ \t\r\n]+/y);
      if (next(/:/y) === null) return at;
      state = "value";
    } else {
      const begin = next(/[[{]/y);
      if (begin !== null) open.push(begin === "{" ? "}" : "]");
      else if (next(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y) === null && !isText()) return at;
      state = begin === null ? "after" : "first";
    }
  }
}

/** Whether a value is what a setting may be, as `_is` in pdp_widgets/widgets/document.py. */
function isKind(value: Json, rule: Rule): boolean {
  const types = [rule.type].flat();
  if (value === null || typeof value === "boolean") return types.includes(value === null ? "null" : "boolean");
  if (Array.isArray(value)) return types.includes("array") && value.every((one) => isKind(one, rule.items as Rule));
  if (typeof value === "object") return types.includes("object");
  if (typeof value === "string") return types.includes("string") && (rule.pattern === undefined || new RegExp(rule.pattern).test(value));
  if (Number.isSafeInteger(value) && types.includes("integer")) return value >= (rule.minimum ?? 0) && value <= (rule.maximum ?? value);
  return types.includes("number");
}

/** The line on which the value at a path begins, in a text that is JSON. */
export function lineOf(text: string, path: readonly string[]): number {
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
  let [depth, wanted, at] = [0, 0, text.search(/\S/)];
  for (let found = tokens.exec(text); found !== null && wanted < path.length; found = tokens.exec(text)) {
    const [token] = found;
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (depth === wanted + 1 && token.startsWith('"') && JSON.parse(token) === path[wanted] && /^\s*:/.test(text.slice(tokens.lastIndex))) {
      [at, wanted] = [found.index, wanted + 1];
    }
    if (depth < wanted) break;
  }
  return text.slice(0, Math.max(at, 0)).split("\n").length;
}

// The page of a document: what shows its model without a kernel.

/** The state of the page as text, or null where the document has none, or one of another model. */
export async function pageOf({ page, model }: LeakageDocument): Promise<string | null> {
  if (!isParts(page) || typeof page["state"] !== "string" || page["of"] !== checksum(literal(model))) return null;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.from(atob(page["state"]), (sign) => sign.charCodeAt(0));
  } catch {
    throw new DocumentFault(message.pageDamaged);
  }
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += part.value;
      // A few bytes may unpack to any size.
      if (text.length > MOST) throw new RangeError("too large");
    }
  } catch {
    void reader.cancel().catch(() => undefined);
    throw new DocumentFault(message.pageTooLarge);
  }
  return text;
}

/** CRC-32 of a text in UTF-8, as in zlib. */
export function checksum(text: string): number {
  let crc = -1;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

// Settings: from a view, and back to a request.

const at = (view: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], view);

const CELLS: readonly string[] = ["cells", "list", "numbers"];

const word = (value: number): Json => (Number.isFinite(value) ? value : String(value));

/** All that a hand can set, as a view shows it. */
export function settingsOf(view: unknown, { settings }: Known): Parts {
  const found: Parts = {};
  for (const [name, [path = "", kind, given]] of Object.entries(settings)) {
    // No view says it: see `kept` of a page.
    if (kind === "segments") continue;
    const value = at(view, path) ?? null;
    if (value === null && kind !== "position" && kind !== "number" && kind !== "optional") continue;
    if (kind === "cells" || kind === "list") {
      const bytes = value as DataView;
      if (bytes.byteLength > 0 && !(given !== undefined && sameBytes(bytes, at(view, given) as Bytes))) found[name] = Array.from(floats(bytes), word);
    } else if (kind === "flags") {
      const set = flags(value as Bytes);
      if (set.some((one) => one !== 0)) found[name] = [...set];
    } else if (kind === "chosen") {
      found[name] = (value as { chosen: boolean }[]).flatMap(({ chosen }, place) => (chosen ? [place] : []));
    } else if (kind === "keys") {
      found[name] = (value as { key: string }[]).map(({ key }) => key);
    } else {
      found[name] = value as Json;
    }
  }
  return found;
}

/** How the cells of a setting were given, where a view shows it; see `Given` of sharing.ts. */
export function givenIn(view: unknown, { settings }: Known, name: string): Json[] | null | undefined {
  const [path = "", kind = "", given] = Object.hasOwn(settings, name) ? (settings[name] as Place) : [];
  if (kind === "flags") return [...flags((at(view, path) ?? undefined) as Bytes)].map(() => 0);
  if (!CELLS.includes(kind)) return undefined;
  return given === undefined ? null : Array.from(floats(at(view, given) as Bytes), word);
}

/** What has to be asked for so that a view shows these settings; empty when it does. */
export function requestFor(view: unknown, wanted: Parts, known: Known): Record<string, unknown> {
  const now = settingsOf(view, known);
  const request: Record<string, unknown> = {};
  for (const [name, [, kind, given]] of Object.entries(known.settings)) {
    if (kind === "segments") continue;
    let value = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    // What is left out stands as it was given, or is not set.
    if (value === undefined && Object.hasOwn(now, name)) {
      if (given !== undefined) value = Array.from(floats(at(view, given) as Bytes));
      else if (kind === "flags") value = (now[name] as number[]).map(() => 0);
    }
    if (value === undefined || JSON.stringify(value) === JSON.stringify(now[name])) continue;
    if (kind === "cells") request[name] = toBytes(Float64Array.from(value as Json[], Number));
    else if (kind === "flags") request[name] = toBytes(Uint8Array.from(value as number[]));
    else request[name] = value;
  }
  return request;
}
