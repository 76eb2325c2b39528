/**
 * A drawing is a function from values to nodes: who reacts to a hand is other code.
 *
 * Pieces are what begins at the margin of a source: functions, classes, constants. A piece draws when it makes nodes of
 * SVG itself, with `s` and `text` of ui/dom or what ui/axes makes of them. A piece listens or measures when it does so
 * itself, or calls an exported helper that does; a part that a `create...` function makes listens for itself. No piece
 * may do both. Empty pictures for who listens are made by `layer` and `layered`.
 */
import { describe, expect, it } from "vitest";

declare global {
  interface ImportMeta {
    glob(pattern: string, how: { query: "?raw"; import: "default"; eager: true }): Record<string, string>;
  }
}

const SOURCES = import.meta.glob("../../src/**/*.ts", { query: "?raw", import: "default", eager: true });

const MAKERS: Record<string, readonly string[]> = { dom: ["s", "text"], axes: ["rule", "axisText", "valueAxis"] };
const HEARS = ["addEventListener", "setPointerCapture"];
const MEASURES = ["getBoundingClientRect", "getClientRects", "getBBox", "getComputedTextLength", "getScreenCTM"];
const SIZES = /\.(offset|client|scroll)(Width|Height|Left|Top)\b/;

interface Piece {
  file: string;
  /** Its first line. */
  head: string;
  code: string;
  /** Names that make nodes in its file. */
  makers: readonly string[];
}

function calls(code: string, names: Iterable<string>): boolean {
  return [...names].some((name) => new RegExp(`\\b${name}(<[^>(]*>)?\\(`).test(code));
}

/** Called by its own name: `brush.text(` is another function. */
function draws({ code, makers }: Piece): boolean {
  return makers.some((name) => new RegExp(`(?<![\\w.$])${name}\\(`).test(code));
}

function piecesOf(file: string, source: string): Piece[] {
  const code = source.replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
  const makers = [...code.matchAll(/^import \{([^}]*)\} from ".*\/(dom|axes)";$/gm)].flatMap(([, names = "", from = ""]) =>
    names.split(",").map((name) => name.trim()).filter((name) => MAKERS[from]?.includes(name)),
  );
  // A line that closes or goes on belongs to what began before it.
  const parts = code.split(/^(?=[a-z])/m).filter((part) => !part.startsWith("import "));
  return parts.map((part) => ({ file, head: part.split("\n")[0] as string, code: part, makers }));
}

const PIECES = Object.entries(SOURCES).flatMap(([file, source]) => piecesOf(file.replace("../../", ""), source));

/** All names by which something listens or measures. */
function hearing(): Set<string> {
  const names = new Set([...HEARS, ...MEASURES]);
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { code } of PIECES) {
      const name = /^export (?:async )?(?:function|const) (\w+)/.exec(code)?.[1];
      if (name && !name.startsWith("create") && (calls(code, names) || SIZES.test(code))) names.add(name);
    }
  }
  return names;
}

describe("drawings", () => {
  const names = hearing();
  const drawing = PIECES.filter(draws);

  it("are free of listeners and of measuring", () => {
    expect(drawing.filter(({ code }) => calls(code, names) || SIZES.test(code)).map(({ file, head }) => `${file}: ${head}`)).toEqual([]);
  });

  it("are found, and so is what listens", () => {
    expect(drawing.length).toBeGreaterThan(100);
    expect([...names]).toEqual(expect.arrayContaining(["listen", "placeIn", "dragIn", "listenShare", "attachHand", "followPointer"]));
  });
});
