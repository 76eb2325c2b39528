// @vitest-environment node
import { beforeAll, describe, expect, it } from "vitest";
import { checksum, endOfJson, EXPLORERS, lineOf, literal, pageOf, parsed, pythonOf, requestFor, settingsOf, textOf, type Known, type Parts } from "../../src/lab/document";
import { newDocument } from "../../src/lab/new-documents";
import { PageModel, readState, type Joined } from "../../src/page/page-model";
import type { StreamView } from "../../src/stream/protocol";
import type { AnyRequest, AnyView } from "../../src/ui/session";
import { sameBytes } from "../../src/ui/wire";

const NAMES = Object.keys(EXPLORERS);

declare global {
  interface ImportMeta {
    glob(files: string, options: object): Record<string, string>;
  }
}
/** tests/widgets/test_document.py holds Python to it. */
const LINES = Object.values(import.meta.glob("./lines.json", { query: "?raw", import: "default", eager: true }))[0] as string;
const FILES = import.meta.glob("../../src/lab/new/*.json", { query: "?raw", import: "default", eager: true });
const fileOf = (name: string): string => FILES[`../../src/lab/new/${name}.leakage.json`] as string;

async function gzipped(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return btoa([...new Uint8Array(await new Response(stream).arrayBuffer())].map((byte) => String.fromCharCode(byte)).join(""));
}

describe("the text of a document", () => {
  it.each(NAMES)("of a new %s is that of Python, line by line", async (name) => {
    expect(textOf(parsed(fileOf(name)))).toBe(fileOf(name));
    expect(await newDocument(name)).toBe(fileOf(name));
  });

  it("is Python too, but for the page", () => {
    const text = pythonOf(parsed(fileOf("PriorExplorer")));
    expect(text).toContain('"show_paper": False');
    expect(text).toContain('"threshold": None');
    expect(text).not.toContain('"page"');
  });

  it("is that of Python for any signs and numbers", () => {
    expect(`${literal(JSON.parse(LINES) as never)}\n`).toBe(LINES);
  });

  it("breaks long lists into rows of ten", () => {
    expect(literal({ a: [1, "b", null], c: [], d: {} })).toBe('{\n  "a": [1, "b", null],\n  "c": [],\n  "d": {}\n}');
    expect(literal(Array.from({ length: 21 }, () => 123456)).split("\n")).toHaveLength(5);
  });
});

describe("what is wrong with a document", () => {
  const text = fileOf("PriorExplorer");
  const changed = (from: string, to: string): string => {
    expect(text).toContain(from);
    return text.replace(from, to);
  };

  it.each([
    ["an end too early", () => text.slice(0, 300), /^Line \d+: this is no JSON/],
    ["nothing", () => " \n", /empty/],
    ["another file", () => '{"a": 1}', /^Line 1, the document: this is no leakage document/],
    ["a list", () => "[]", /no leakage document/],
    ["a newer version", () => changed('"version": 1', '"version": 7'), /^Line 3, version: it is 7, of pdp_widgets/],
    ["no version", () => changed('"version": 1', '"version": "1"'), /^Line 3, version/],
    ["another explorer", () => changed('"PriorExplorer"', '"__proto__"'), /^Line 5, explorer/],
    ["a model that is none", () => '{"format": "pdp-widgets-leakage", "version": 1, "explorer": "PriorExplorer", "model": 1, "settings": {}}', /model: it is an object/],
    ["a setting of another kind", () => changed('"known": []', '"known": [-1]'), /settings\.known: it is \[-1\]; it is a list of whole numbers/],
    ["a setting there is not", () => changed('"keep_sum"', '"constructor"'), /settings\.constructor: PriorExplorer has no such setting/],
    ["far too much", () => `"${"x".repeat(2 ** 24)}"`, /at most 16777216 are read/],
  ])("%s is told with its place", (_, make, said) => {
    expect(() => parsed(make())).toThrow(said);
  });

  it.each([
    ['{"a": 1,\n"b": 2,\n}\n\n', 2],
    ['{"a": 1\n"b": 2}\n\n', 1],
    ['[1,\n2,\n]\n\n', 2],
    ['{\n"a": nul\n}\n', 1],
    ['{"a":\n"x\ny"\n}\n', 1],
    ['{"a":\n"x\\q"\n}\n', 1],
    ['{"a": 01\n}\n', 0],
    ['{a: 1\n}\n', 0],
    ['{"a": [}\n]\n', 0],
    ['{"a": NaN\n}\n', 0],
    ['{}\n{}\n', 1],
    ['{\n"a": "b', 1],
    ["[[[\n1", 1],
    ['{"a"\n1}\n', 1],
    ['// words\n{}\n', 0],
  ])("%j ends being JSON on its line", (text, lines) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(text.slice(0, endOfJson(text)).split("\n").length - 1).toBe(lines);
  });

  it("has no end where JSON has none, also in a text of millions of signs", () => {
    for (const text of [LINES, fileOf("PriorExplorer"), '"\\u00e9\\n" ', "-1.5e+3", `["${"é😀".repeat(2 ** 20)}"]`]) {
      expect(JSON.parse(text)).not.toBeUndefined();
      expect(endOfJson(text)).toBe(text.length);
    }
  });

  it("finds the line of a place, whatever stands in texts before it", () => {
    const tricky = '{\n "a": {"settings": "}{,:\\" settings"},\n "settings": {\n  "x": 1,\n  "y": [\n   2]\n }\n}';
    expect([["settings"], ["settings", "y"], ["a"], ["settings", "z"]].map((path) => lineOf(tricky, path))).toEqual([3, 5, 2, 3]);
  });
});

describe("the page of a document", () => {
  it("is of its model alone", async () => {
    const document = parsed(fileOf("PriorExplorer"));
    expect(JSON.parse((await pageOf(document)) ?? "").module).toBe("prior_explorer");
    expect(await pageOf({ ...document, model: { ...document.model, noun: "answer" } })).toBeNull();
    const { page: _page, ...bare } = document;
    expect(await pageOf(bare as typeof document)).toBeNull();
  });

  it.each([
    ["no base64", () => "?"],
    ["no gzip", () => "AAAA"],
    ["a few bytes that unpack to very many", () => gzipped("a".repeat(2 ** 25))],
  ])("says so where it is %s", async (_, make) => {
    const document = parsed(fileOf("PriorExplorer"));
    const page = { of: checksum(literal(document.model)), state: await make() };
    await expect(pageOf({ ...document, page })).rejects.toThrow("damaged");
  });

  it("has the checksum of zlib", () => {
    expect(checksum("123456789")).toBe(0xcbf43926);
  });
});

/** A document as a tab without a kernel has it. */
async function opened(name: string): Promise<{ joined: Joined; model: PageModel<AnyView, AnyRequest>; known: Known; settings: Parts }> {
  const document = parsed(fileOf(name));
  const known = EXPLORERS[name] as Known;
  const { PAGES } = await import("../../src/lab/pages");
  const joined = await (PAGES[known.module] as (typeof PAGES)[string])();
  const state = readState((await pageOf(document)) ?? "");
  const model = new PageModel(joined, joined.resumed ? joined.resumed(state, document.settings) : state);
  return { joined, model, known, settings: document.settings };
}

describe("settings", () => {
  it.each(NAMES)("of a new %s are those that its page shows", async (name) => {
    const { joined, model, known, settings } = await opened(name);
    const shown = { ...settingsOf(model.view, known), ...(joined.kept?.(model.view, model.embedded) as Parts | undefined) };
    expect(shown).toEqual(settings);
    expect(requestFor(model.view, settings, known)).toEqual({});
  });

  it("are asked for where they are others, cells that are left out as they were given", async () => {
    const { joined, model, known, settings } = await opened("PriorExplorer");
    const cells = Array.from({ length: 32 }, (_, k) => (k === 0 ? 0.5 : 0.5 / 31));
    const request = requestFor(model.view, { ...settings, scale: 2, entries: cells }, known);
    expect(Object.keys(request).sort()).toEqual(["entries", "scale"]);
    const edited = joined.answer(model.view, request as never, model.embedded);
    expect(settingsOf(edited, known)).toEqual({ ...settings, scale: 2, entries: cells });
    const back = joined.answer(edited, requestFor(edited, settings, known) as never, model.embedded);
    expect(settingsOf(back, known)).toEqual(settings);
  });
});

describe("a stream that was edited while it ran", () => {
  let before: StreamView;
  let after: StreamView;

  beforeAll(async () => {
    const { joined, model, known } = await opened("StreamSimulator");
    const ask = (view: AnyView, request: object): AnyView => joined.answer(view, request as never, model.embedded);
    const edited = [{ position: 10 }, { epsilon: 0.5 }].reduce(ask, model.view);
    before = edited as unknown as StreamView;
    const settings = { ...settingsOf(edited, known), ...(joined.kept?.(edited, model.embedded) as Parts) };
    const state = readState((await pageOf(parsed(fileOf("StreamSimulator")))) ?? "");
    after = joined.resumed?.(state, settings).traits["_view"] as StreamView;
  });

  it("is the same run when its document is opened", () => {
    expect(after.changes).toEqual(before.changes);
    expect(after.changes).toHaveLength(1);
    expect([after.position, after.epsilon, after.lanes]).toEqual([before.position, before.epsilon, before.lanes]);
    expect(sameBytes(after.window.symbols, before.window.symbols)).toBe(true);
    expect(sameBytes(after.window.promise, before.window.promise)).toBe(true);
  });
});
