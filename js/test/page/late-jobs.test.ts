/** What a page computes a moment after its answers, for a widget that only counts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lateJobs, type LateView } from "../../src/page/late-jobs";
import { PageModel, perPage } from "../../src/page/page-model";
import type { AnyRequest } from "../../src/ui/session";

interface View extends LateView {
  upTo: number;
  results: { sum: number; last: boolean } | null;
}

interface Request extends AnyRequest {
  upTo: number;
}

interface Page {
  /** Sums that are known. */
  sums: Map<number, number>;
}

const published: View = { revision: 1, since: 1, ack: null, upTo: 2, results: { sum: 3, last: true }, running: null, stopped: null, disabled: false };
/** The time that one step takes, and the clock that it moves, ms. */
let lasts = 1;
let clock = 0;
const begun = vi.fn();

function* sumUp({ upTo }: View, { sums }: Page): Generator<number | { sum: number; last: boolean }, { sum: number; last: boolean }> {
  begun(upTo);
  let sum = 0;
  for (let k = 1; k <= upTo; k++) {
    sum += k;
    clock += lasts;
    yield 2 * k === upTo ? { sum, last: false } : k / upTo;
  }
  sums.set(upTo, sum);
  return { sum, last: true };
}

let seq = 0;

function opened(saved: Partial<View> = {}, embedded: Record<string, unknown> = { small: true }) {
  const pages = perPage((_: View, held): Page | null => (held["small"] ? { sums: new Map([[2, 3]]) } : null));
  const joined = {
    render: () => () => undefined,
    needsKernel: (view: View, held: Record<string, unknown>) => (pages.of(view, held) === null ? "It is too large." : null),
    ...lateJobs<View, Request, Page>({
      pageOf: pages.of,
      answer(view, { upTo = view.upTo }, { sums }) {
        const sum = sums.get(upTo);
        return { ...view, upTo, results: sum === undefined ? null : { sum, last: true } };
      },
      isLate: ({ results }) => results === null,
      lateResults: sumUp,
      cancelled: "Cancelled. The sum is missing.",
    }),
  };
  return new PageModel<View, Request>(joined, { module: "toy", traits: { _view: { ...published, ...saved } }, embedded });
}

/** Asks, and waits for the answer alone. */
function ask(model: PageModel<View, Request>, upTo: number): void {
  model.set("_request", { origin: "here", seq: ++seq, base: model.view.revision, upTo });
  model.save_changes();
  vi.advanceTimersByTime(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(performance, "now").mockImplementation(() => clock);
  lasts = 1;
  begun.mockClear();
});
afterEach(() => void vi.useRealTimers());

describe("a page that computes beside", () => {
  it("waits for a hand that goes on, and then shows what comes, the rest at the end", () => {
    const model = opened();
    ask(model, 4);
    expect(model.view).toMatchObject({ upTo: 4, results: null, running: { paper: false } });
    vi.advanceTimersByTime(60);
    ask(model, 6);
    vi.advanceTimersByTime(119);
    // The first one waits no more, and the second one not long enough.
    expect(begun.mock.calls).not.toContainEqual([6]);
    const seen: unknown[] = [];
    model.on("change:_view", () => seen.push([model.view.results, model.view.running !== null]));
    vi.runAllTimers();
    expect(seen).toEqual([
      [{ sum: 6, last: false }, true],
      [{ sum: 21, last: true }, false],
    ]);
    // What is known is answered at once.
    ask(model, 6);
    expect(model.view).toMatchObject({ results: { sum: 21 }, running: null });
  });

  it("leaves time for frames, and tells the share that is done", () => {
    const shares: number[] = [];
    const model = opened();
    model.on("change:_progress", () => {
      const { of, share } = model.get("_progress") as { of: number; share: number };
      expect(of).toBe(model.view.running?.number);
      shares.push(share);
    });
    lasts = 6;
    ask(model, 9);
    vi.runAllTimers();
    expect(shares.length).toBeGreaterThan(2);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(model.view.results).toEqual({ sum: 45, last: true });
  });

  it("is ended by a cancel that means this one, and goes on when that is wished", () => {
    const model = opened();
    ask(model, 5);
    const number = model.view.running?.number as number;
    model.send({ cancel: number - 1 });
    model.send({ resume: true });
    expect(model.view.running?.number).toBe(number);
    model.send({ cancel: number });
    vi.runAllTimers();
    expect(model.view).toMatchObject({ running: null, stopped: "Cancelled. The sum is missing.", results: null });
    model.send({ resume: true });
    expect(model.view.stopped).toBeNull();
    vi.runAllTimers();
    expect(model.view).toMatchObject({ running: null, results: { sum: 15 } });
    expect(begun.mock.calls).toEqual([[5]]);
  });

  it("goes on with what a kernel had begun or given up", () => {
    for (const left of [{ running: { number: 77, paper: false } }, { stopped: "Cancelled." }]) {
      const model = opened({ upTo: 3, results: null, ...left });
      expect(model.view).toMatchObject({ stopped: null, running: { paper: false } });
      vi.runAllTimers();
      expect(model.view).toMatchObject({ running: null, results: { sum: 6 } });
    }
    // What was published stands.
    expect(opened().view.results).toBe(published.results);
  });

  it("computes nothing where it needs a kernel, and waits for none", () => {
    const model = opened({ upTo: 3, running: { number: 5, paper: false } }, {});
    expect(model.reason).toBe("It is too large.");
    expect(model.view).toMatchObject({ running: null, disabled: true, results: published.results });
    model.send({ resume: true });
    model.send({ cancel: 5 });
    vi.runAllTimers();
    expect(begun).not.toHaveBeenCalled();
    expect(model.view).toMatchObject({ revision: 1, stopped: null });
  });
});
