// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import type { PriorView } from "../../src/prior/protocol";
import page from "../../src/page/prior-explorer";

vi.mock("../../src/explorer/styles", () => ({ STYLES: [] }));

const NAMES = Array.from({ length: 15 }, (_, k) => `x${k + 1}`);
const SAVED = {
  table: { spec: { title: "", names: NAMES, labels: NAMES.map(() => ["0", "1"]), records: null } },
  query: { key: "sum" },
  scale: 2,
  goal: 1,
  show_paper: true,
  running: null,
  stopped: null,
  kept: "",
  current: true,
  results: { scale: 1, promise: 1 },
  late: { enough: 4, sample: null },
} as unknown as PriorView;

describe("a state of a table that is too large for a page", () => {
  it("says what old results belong to where others were awaited", () => {
    const opened = page.opened!({ ...SAVED, running: { number: 3, paper: false } }, {});
    expect(opened).toMatchObject({ running: null, stopped: "", kept: "scale 1.00", current: false });
    expect(page.needsKernel(opened, {})).toContain("a larger one needs a kernel");
  });

  it("keeps saying so where others were given up", () => {
    const given = { stopped: "Cancelled.", kept: "the query Sum", current: false };
    expect(page.opened!({ ...SAVED, ...given }, {})).toMatchObject(given);
  });

  it("is up to date where only the paper's estimate was awaited, and shows none", () => {
    const opened = page.opened!({ ...SAVED, running: { number: 3, paper: true } }, {});
    expect(opened).toMatchObject({ running: null, stopped: null, current: true, show_paper: false });
  });

  it("stays as it was where nothing was awaited", () => {
    expect(page.opened!(SAVED, {})).toEqual(SAVED);
  });
});

describe("the interval of a sample", () => {
  const sampled = { ...SAVED, late: { enough: 4, sample: 5 } };
  const interval = { of: 5, low: 0.9, high: 1.2, level: 0.95, why: null };

  it("is part of the page where it was published with it", () => {
    expect(page.opened!(sampled, {}, { sample: interval }).late.sample).toBe(5);
  });

  it.each([undefined, {}, { sample: { ...interval, of: 4 } }])("is not spoken of where nobody had waited for it: %j", (late) => {
    expect(page.opened!(sampled, {}, late).late).toEqual({ enough: 4, sample: null });
  });

  it("needs a kernel once the state is another one than that it was published for", () => {
    const set = vi.fn();
    const view = { ...sampled, results: { chosen: {} }, late: { enough: 4, sample: 6 } };
    page.hear!({ view, get: () => ({ enough: { of: 4 }, sample: interval }), set } as never, { late: "4/6" });
    expect(set).toHaveBeenCalledWith("_late", expect.objectContaining({ sample: expect.objectContaining({ of: 6, low: null, why: "needs a kernel" }) }));
  });
});
