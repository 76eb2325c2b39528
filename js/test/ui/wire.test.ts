/** What travels: what Python said, and what is taken for a view and what is not, of every kind of shape (shapes.mjs). */
import { describe, expect, it } from "vitest";
import type { Model } from "../../src/ui/session";
import { heard, misfit, type Shape } from "../../src/ui/wire";

function holding(value: unknown): Model {
  return { get: () => value, set() {}, save_changes() {}, on() {}, off() {} };
}

describe("what Python said", () => {
  it("has null where a host lost None, however deep", () => {
    const view = {
      ack: { origin: "a", __none__: ["why"] },
      steps: [{ x: 1 }, { __none__: ["x"] }],
      __none__: ["stopped", "fault"],
    };
    expect(heard(holding(view), "_view")).toStrictEqual({
      ack: { origin: "a", why: null },
      steps: [{ x: 1 }, { x: null }],
      stopped: null,
      fault: null,
    });
  });

  it("stays the same object, so that a view is drawn once", () => {
    const view = { revision: 1, __none__: ["ack"] };
    const model = holding(view);
    expect(heard(model, "_view")).toBe(view);
    expect(heard(model, "_view")).toStrictEqual({ revision: 1, ack: null });
  });

  it("leaves numbers in bytes, null itself, and a trait that is not there", () => {
    const bytes = new DataView(new ArrayBuffer(8));
    expect(heard(holding({ bytes, ack: null }), "_view")).toStrictEqual({ bytes, ack: null });
    expect(heard(holding(undefined), "_late")).toBeUndefined();
  });
});

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
