import { describe, expect, it } from "vitest";
import { heard } from "../../src/ui/wire";
import type { Model } from "../../src/ui/session";

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
