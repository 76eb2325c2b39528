/** Names that a state, a view or a kernel brings are looked up among what is there, not among what every object has. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { queryOf } from "../../src/compute/linear-query";
import { InputFault } from "../../src/compute/faults";
import { createCalibration } from "../../src/local/more";
import { createParameters } from "../../src/local/release";
import { mount, mountAll } from "../../src/page/page";
import prior from "../../src/page/prior-explorer";
import type { PriorView } from "../../src/prior/protocol";

/** What every object answers to: constructor, toString, __proto__ and the like. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

function slotOf(module: string): HTMLElement {
  const slot = document.createElement("div");
  slot.className = "pdp-slot";
  const block = document.createElement("script");
  block.type = "application/json";
  block.textContent = JSON.stringify({ version: 1, package: "0", module, traits: { _view: {} } });
  slot.append(block);
  return slot;
}

afterEach(() => document.body.replaceChildren());

describe.each(INHERITED)("the name %s", (name) => {
  it("is no widget of a page, and the page says so", () => {
    expect(() => mount(slotOf(name))).toThrow(`This page does not know the widget "${name}".`);
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const slot = slotOf(name);
    document.body.append(slot);
    vi.useFakeTimers();
    mountAll(document);
    vi.runAllTimers();
    vi.useRealTimers();
    expect(said).toHaveBeenCalledTimes(1);
    expect(slot.textContent).toContain(`does not know the widget "${name}"`);
    expect(slot.hasAttribute("data-live")).toBe(false);
  });

  it("is no query of a table", () => {
    const spec = { title: "", names: ["Ann"], labels: [["0", "1"]], records: null };
    expect(() => queryOf(name, [1], spec, [{ key: "sum", label: "Sum" }])).toThrow(InputFault);
  });

  it("is no method and no mechanism of local privacy", () => {
    const quiet = { onGoal: () => undefined, onEpsilon: () => undefined, onRefused: () => undefined };
    const method = { key: name, epsilon: 1, leak: 1, exact: true, safe: true, error: null };
    const methods = createCalibration(
      { goal: 1, calibration: { goal: 1, methods: [method], why: null }, records: null, complete: null, epsilon: 1, budget: true, busy: false, disabled: false },
      quiet,
    );
    expect(methods.el.querySelector("tbody th")?.textContent?.split(" ")[0]).toBe(name);
    const parameters = createParameters({ mechanism: name, parameters: {}, disabled: false } as Parameters<typeof createParameters>[0], {
      onChange: () => undefined,
      onRefused: () => undefined,
    });
    expect(parameters.el.hidden).toBe(true);
    methods.destroy();
    parameters.destroy();
  });
});

it("a query given in Python counts only where it stands in the state itself", () => {
  const view = { query: { key: "given" }, table: null, results: null } as unknown as PriorView;
  const inherited = Object.create({ given: {} }) as object;
  expect(prior.needsKernel(view, { queries: inherited })).toBe("The query was given in Python.");
});
