/** The explorer of k-anonymity in a page: answers at once, and leaves records out a moment later. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnonymityRequest, AnonymityView } from "../../src/anonymity/protocol";
import anonymity from "../../src/page/anonymity-explorer";
import { PageModel } from "../../src/page/page-model";
import { floats } from "../../src/ui/codec";
import { clinicView } from "../anonymity/clinic";
import { CHANGES } from "../anonymity/sketch";

type AnonymityModel = PageModel<AnonymityView, AnonymityRequest>;
let seq = 0;

function opened(view: AnonymityView = clinicView(), embedded: Record<string, unknown> = {}): AnonymityModel {
  return new PageModel<AnonymityView, AnonymityRequest>(anonymity, { module: "anonymity_explorer", traits: { _view: view }, embedded });
}

/** Asks, and waits for the answer alone. */
function ask(model: AnonymityModel, wish: Partial<AnonymityRequest>): void {
  model.set("_request", { origin: "here", seq: ++seq, base: model.view.revision, ...wish });
  model.save_changes();
  vi.advanceTimersByTime(0);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a published table", () => {
  it("answers at once, and finds what changes without each record a moment later", () => {
    const model = opened();
    expect(model.reason).toBeNull();
    ask(model, { k: 6 });
    expect(model.view).toMatchObject({ k: 6, current: true, fault: null });
    expect(model.view.results?.removals).toBeNull();
    expect(model.view.running).not.toBeNull();
    vi.runAllTimers();
    expect(model.view.running).toBeNull();
    expect(model.view.results?.removals?.largest).toBeGreaterThan(0);
    ask(model, { k: 5 });
    vi.runAllTimers();
    expect([...floats(model.view.results!.removals!.changes)]).toEqual(CHANGES);
    // They do not depend on the budget.
    ask(model, { epsilon: 2 });
    expect(model.view.results?.removals?.largest).toBe(8);
    expect(model.view.running).toBeNull();
  });

  it("can be cancelled and taken up again", () => {
    const model = opened();
    ask(model, { k: 7 });
    model.send({ cancel: model.view.running?.number });
    expect(model.view).toMatchObject({ running: null, stopped: "Cancelled. What changes without each record is missing." });
    vi.runAllTimers();
    expect(model.view.results?.removals).toBeNull();
    model.send({ resume: true });
    vi.runAllTimers();
    expect(model.view.stopped).toBeNull();
    expect(model.view.results?.removals).not.toBeNull();
  });

  it("keeps the last classes where k is too large, and computes what else is asked", () => {
    const model = opened();
    ask(model, { k: 200 });
    expect(model.view.fault?.text).toBe("There are 100 records, fewer than k = 200; choose a smaller k.");
    expect(model.view).toMatchObject({ k: 200, current: false });
    ask(model, { epsilon: 2 });
    expect(model.view.results).toMatchObject({ k: 5, epsilon: 2 });
    ask(model, { k: 4 });
    expect(model.view).toMatchObject({ fault: null, current: true });
  });

  it("knows what its results belong to where something else stands in the controls", () => {
    const view = clinicView();
    const saved: AnonymityView = { ...view, k: 500, fault: { text: "There are 100 records.", where: null }, current: false };
    const { quasi, secret, k, release, neighbour, group_change, shift, level, known, neighbours, epsilon, events, delta1, printed, reading } = view;
    const model = opened(saved, { sound: { quasi, secret, k, release, neighbour, group_change, shift, level, known, neighbours, epsilon, events, delta1, printed, reading } });
    ask(model, { epsilon: 0.5 });
    expect(model.view.results).toMatchObject({ k: 5, epsilon: 0.5 });
    expect(model.view.k).toBe(500);
  });

  it("leaves tables that are too large to a kernel", () => {
    expect(opened({ ...clinicView(), sampled: [0, 1, 2] }).reason).toContain("up to 2,000 records");
  });

  it("says of a sum that is too long for a page that a kernel can compute it", () => {
    const model = opened();
    const wide = model.view.columns.map((column, k) => (k === 0 ? { ...column, values: new DataView(Float64Array.from({ length: 100 }, (_, row) => row * 10 + Number(row === 1)).buffer) } : column));
    const large = opened({ ...clinicView({ columns: wide, release: "sum:age" }) });
    const exact = large.view.results?.curves[0];
    expect(exact?.why).toBe("the sum has too many values for this page: it needs a kernel");
    expect(large.view.results?.curves[1]?.at).toBeGreaterThan(0);
  });
});
