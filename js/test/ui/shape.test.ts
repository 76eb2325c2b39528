/** What is taken for a view, and what is not: of every kind of shape (shapes.mjs). */
import { expect, it } from "vitest";
import { misfit, type Shape } from "../../src/ui/wire";

const bytes = new DataView(new ArrayBuffer(8));

it.each<[Shape, readonly unknown[], readonly unknown[]]>([
  ["n", [1, NaN, "NaN", "Infinity", "-Infinity"], ["1", null, true, undefined]],
  ["s", ["", "a"], [1, null, undefined]],
  ["b", [true, false], [0, "true", null]],
  ["y", [bytes, bytes.buffer, new Uint8Array(2)], [[1], {}, null]],
  ["0", [null], [undefined, 0, ""]],
  ["?", [null, undefined, 1, {}], []],
  [["n"], [[], [1, "NaN"]], [[1, "a"], {}, null]],
  [{ "()": ["n", "s"] }, [[1, "a"]], [[1], [1, "a", 2], ["a", 1]]],
  [{ "=": ["I", "II", 3] }, ["I", 3], ["III", "3", null]],
  [{ "|": ["0", "n"] }, [null, 2], ["a", undefined]],
  [{ "*": "n" }, [{}, { a: 1, b: 2 }], [{ a: "x" }, [1], null]],
  [{ a: "n", "b?": "s" }, [{ a: 1 }, { a: 1, b: "x" }, { a: 1, more: null }, { a: 1, b: undefined }], [{}, { a: 1, b: null }, [1], bytes]],
  // "number | string": a number on the wire, whose words are those that a number takes.
  [{ value: "n" }, [{ value: 1 }, { value: "Infinity" }], [{ value: "twelve" }]],
])("%j", (shape, good, bad) => {
  for (const value of good) expect(misfit(value, shape)).toBeNull();
  for (const value of bad) expect(misfit(value, shape)).not.toBeNull();
});

it("says where: of several shapes, what came furthest", () => {
  expect(misfit({ a: [{ b: 1 }, { b: "x" }] }, { a: [{ b: "n" }] })).toBe(".a.1.b");
  expect(misfit({ kind: { x: 1, y: "a" } }, { kind: { "|": ["0", { x: "n", y: "n" }] } })).toBe(".kind.y");
});
