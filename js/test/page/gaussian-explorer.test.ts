// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import type { GaussianView } from "../../src/gaussian/protocol";
import gaussianExplorer from "../../src/page/gaussian-explorer";
import { firstView, results } from "../gaussian/house";

vi.mock("../../src/gaussian/styles", () => ({ STYLES: [] }));

const opened = (view: GaussianView): GaussianView => gaussianExplorer.opened!(view, {});

describe("a state of Gaussian data that a page opens", () => {
  it("aims at what was promised when it lacks a goal, and at 1 nat where that was nothing", () => {
    const { goal: _goal, kept: _kept, ...before } = firstView();
    expect(opened({ ...before, results: results(2) } as GaussianView)).toMatchObject({ goal: 0.5, kept: "" });
    expect(opened({ ...before, results: results(1, 0) } as GaussianView).goal).toBe(1);
    expect(opened({ ...before, results: null } as GaussianView).goal).toBe(1);
    expect(opened({ ...firstView(), goal: 0.25 }).goal).toBe(0.25);
  });

  it("is computed where it was awaited", () => {
    const view = opened({ ...firstView(), scale: 2, running: { number: 3, paper: false } });
    expect(view).toMatchObject({ running: null, stopped: null, current: true, results: { scale: 2, promise: 0.5 } });
  });

  it("says what old results belong to where only a kernel could compute others", () => {
    const large = firstView();
    const many = { ...large, matrix: { ...large.matrix!, names: Array.from({ length: 17 }, (_, k) => `x${k}`) } };
    const given = { stopped: "Cancelled.", kept: "scale 1.00", current: false };
    expect(opened({ ...many, ...given })).toMatchObject(given);
    expect(opened({ ...many, running: { number: 3, paper: false } })).toMatchObject({ running: null, stopped: "", kept: "", current: false });
    expect(opened(many)).toMatchObject({ stopped: null, current: true });
  });
});
