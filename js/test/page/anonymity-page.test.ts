/** The explorer of k-anonymity in a page: answers at once, and leaves records out a moment later. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnonymityRequest, AnonymityView } from "../../src/anonymity/protocol";
import anonymity from "../../src/page/anonymity-explorer";
import { PageModel } from "../../src/page/page-model";
import { floats, toBytes } from "../../src/ui/wire";
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

  it("takes no words of a saved state for why something is fixed", () => {
    for (const view of [clinicView({ fixed: "<b>Nothing</b> can be changed." }), { ...clinicView({ fixed: "x" }), running: { number: 3, paper: false } }]) {
      const model = opened(view);
      expect(model.view.fixed).toBeUndefined();
      ask(model, { k: 7 });
      expect(model.view).toMatchObject({ k: 7, current: true });
      expect(model.view.fixed).toBeUndefined();
    }
  });

  it("leaves tables that are too large to a kernel", () => {
    expect(opened({ ...clinicView(), sampled: [0, 1, 2] }).reason).toContain("up to 2,000 records");
  });

  describe("without its records", () => {
    /** How often each value occurs, as Python embeds it. */
    function laws(view: AnonymityView, most = Infinity): Record<string, unknown> {
      const columns = view.columns.map(({ values: bytes }) => {
        const values = floats(bytes);
        const known = Float64Array.from(new Set(values)).sort();
        return known.length > most ? null : { values: toBytes(known), counts: toBytes(known.map((value) => values.filter((one) => one === value).length)) };
      });
      return { published: view.records, columns };
    }

    /** Three records of the clinic travel. */
    function sample(view: AnonymityView): AnonymityView {
      return { ...view, sampled: [0, 1, 2], columns: view.columns.map((column) => ({ ...column, values: toBytes(floats(column.values).slice(0, 3)) })) };
    }

    it("computes from laws all that does not put others into classes", () => {
      const view = clinicView();
      const whole = opened();
      const model = opened(sample(view), { laws: laws(view) });
      expect(model.reason).toBeNull();
      expect(model.view.fixed).toBe(
        "As saved: this page does not have all 100 patients, and others can be put into classes with a kernel only.",
      );
      for (const wish of [
        { epsilon: 0.4 },
        { release: "sum:age" },
        { known: 0.6, level: "IV", neighbours: 2 },
        { neighbour: "presence" },
        { release: "suppressed:no", n: 250 },
        { release: "records:yes", level: "III" },
        { events: "interval", release: "count:no", delta1: 0.2 },
      ] as Partial<AnonymityRequest>[]) {
        ask(model, wish);
        ask(whole, wish);
        const [found, wanted] = [model.view.results!, whole.view.results!];
        expect(found.curves, JSON.stringify(wish)).toEqual(wanted.curves);
        expect([
          found.unknown,
          found.share,
          found.shift,
          found.nothing_known,
          found.spread,
          found.ratio,
          found.known,
          found.printed,
          found.recipe,
        ]).toEqual([
          wanted.unknown,
          wanted.share,
          wanted.shift,
          wanted.nothing_known,
          wanted.spread,
          wanted.ratio,
          wanted.known,
          wanted.printed,
          wanted.recipe,
        ]);
        expect([found.classes, found.closeness]).toEqual([view.results!.classes, view.results!.closeness]);
        expect(model.view).toMatchObject({ fault: null, current: true, running: null, releases: whole.view.releases });
      }
    });

    it("leaves k, quasi-identifiers and the secret as they are", () => {
      const view = clinicView();
      const model = opened(sample(view), { laws: laws(view) });
      ask(model, { k: 9, quasi: [0], secret: null, epsilon: 2 });
      expect(model.view).toMatchObject({ k: 5, quasi: [0, 1], secret: 2, epsilon: 2, current: true });
      expect(model.view.results).toMatchObject({ k: 5, epsilon: 2 });
      ask(model, { n: 3 });
      expect(model.view.fault!.text).toContain("n is 3; give a whole number of records from k = 5");
    });

    it("names a release whose law is too long for it", () => {
      const view = clinicView();
      const model = opened(sample(view), { laws: laws(view, 3) });
      ask(model, { release: "sum:weight" });
      expect(model.view.fault).toEqual({ text: "weight has too many different values for this page: this release needs a kernel.", where: { kind: "parameter", name: "release" } });
      expect(model.view.results!.curves[0]!.at).toBe(view.results!.curves[0]!.at);
      ask(model, { release: "count:no" });
      expect(model.view.fault).toBeNull();
    });

    it("needs a kernel where what it embeds is not what it should be", () => {
      const view = sample(clinicView());
      for (const wrong of [null, 3, {}, { published: 100, columns: [] }, { published: 100, columns: "abc" }]) expect(opened(view, { laws: wrong }).reason).toContain("needs a kernel");
      expect(opened({ ...view, release: "count:nobody" }, { laws: laws(clinicView()) }).reason).toContain("needs a kernel");
    });
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
