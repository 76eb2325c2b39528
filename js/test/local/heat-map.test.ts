// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHeatMap, type HeatMapProps } from "../../src/local/heat-map";
import { createFills, frameOf, HEAD, levelOf } from "../../src/local/heat-map-cells";
import { createScatter } from "../../src/local/scatter";
import type { Shown } from "../../src/local/results";
import { createAfterPaint } from "../../src/ui/explorer-shell";
import { fit } from "../../src/ui/lettering";

const N = 14;
const names = Array.from({ length: N }, (_, k) => k);
const naming = { names: names.map((k) => `a${k}`), labels: names.map(() => ["x", "y"]), noun: "record" };

/** Cells with one value each, as far as the map reads them. */
function shownOf(value: (place: number) => number): Shown {
  return { matrix: Float64Array.from({ length: N * N }, (_, k) => value(k)), own: new Float64Array(N).fill(1), totals: null } as unknown as Shown;
}

function propsOf(shown: Shown, more: Partial<HeatMapProps> = {}): HeatMapProps {
  return { naming, names, shown, output: "raw", pair: { source: 0, secret: 1 }, top: 1, busy: false, late: false, dark: false, disabled: false, width: 560, ...more };
}

/** A canvas that notes how many rectangles each colour has; jsdom has none. */
class Surface {
  fillStyle = "";
  private counts = new Map<string, number>();
  setTransform(): void {}
  clearRect(): void {
    this.counts.clear();
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    expect([x, y, width, height].every((part) => part > 0)).toBe(true);
    this.counts.set(this.fillStyle, (this.counts.get(this.fillStyle) ?? 0) + 1);
  }
  measureText(text: string): { width: number } {
    return { width: 5.5 * text.length };
  }
  /** How many cells each colour has. */
  cells(): number[] {
    return [...this.counts.values()];
  }
}

/** Surfaces of the canvases in the order in which they were asked for one. */
let surfaces: Surface[] = [];
/** That of the map that was made last. */
const drawn = (): number[] => surfaces.at(-1)!.cells();

beforeEach(() => {
  surfaces = [];
  vi.stubGlobal("CanvasRenderingContext2D", Surface);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (this: HTMLCanvasElement) {
    const made = new Surface();
    // Texts are measured on one that is not shown.
    if (this.classList.contains("lx-fills")) surfaces.push(made);
    return made as unknown as RenderingContext as never;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("upright names of columns", () => {
  it("are whole where there is height for them", () => {
    const names = ["TV news", "own leaning", "Clinton's leaning", "Dole's leaning", "party", "education", "vote"];
    const frame = frameOf(names, 516);
    expect(frame.upright).toBe(true);
    for (const name of names) expect(fit(name, frame.top - HEAD - 8, 12, true)).toBe(name);
    // One that never ends does not push the cells out of sight.
    expect(frameOf([...names, "x".repeat(400)], 516).top).toBeLessThan(160);
  });
});

describe("the colours of many cells", () => {
  it("are places on one scale, its ends included", () => {
    expect([-1, NaN, 0, 1, 2, Infinity].map((value) => levelOf(value, 1))).toEqual([0, 0, 0, 127, 127, 127]);
    expect(levelOf(5e-324, 5e-324)).toBe(127);
    expect(levelOf(1e308, 1e308)).toBe(127);
  });

  it("have every cell off the diagonal once", () => {
    const fills = createFills();
    fills.place(frameOf(naming.names, 560));
    fills.draw(Float64Array.from({ length: N * N }, (_, k) => k / (N * N)), 1, false);
    const counts = drawn();
    expect(counts.length).toBeGreaterThan(50);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(N * (N - 1));
    fills.draw(null, 1, false);
    expect(drawn()).toEqual([N * (N - 1)]);
    fills.place(null);
    fills.draw(new Float64Array(0), 1, true);
    expect(drawn()).toEqual([]);
    expect(fills.el.hidden).toBe(true);
  });
});

describe("cells without numbers", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("are coloured at once and say their numbers when nothing moves", () => {
    const map = createHeatMap(propsOf(shownOf(() => 0.25)), vi.fn());
    const cell = map.el.querySelector('[data-cell="5"]')!;
    expect(cell.getAttribute("aria-label")).toBe("Report of a0 about a5: 0.250 nats");
    expect(drawn()).toEqual([N * (N - 1)]);
    for (const value of [0.5, 0.75]) {
      map.update(propsOf(shownOf((place) => (place === 5 ? value : 0.25))));
      expect(drawn()).toEqual([N * (N - 1) - 1, 1]);
      expect(cell.getAttribute("aria-label")).toContain("0.250");
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(100);
    expect(cell.getAttribute("aria-label")).toBe("Report of a0 about a5: 0.750 nats");
  });

  it("say the number of the one that is pointed at without waiting", () => {
    const map = createHeatMap(propsOf(shownOf(() => 0.25)), vi.fn());
    map.update(propsOf(shownOf(() => 0.5)));
    const cell = map.el.querySelector('[data-cell="5"]')!;
    cell.dispatchEvent(new MouseEvent("pointerover", { bubbles: true }));
    expect(map.el.querySelector(".lx-readout")!.textContent).toBe("Report of a0 about a5: 0.500 nats");
    expect(cell.getAttribute("aria-label")).toContain("0.500");
  });

  it("say nothing any more when the map is gone", () => {
    const map = createHeatMap(propsOf(shownOf(() => 0.25)), vi.fn());
    map.update(propsOf(shownOf(() => 0.5)));
    map.destroy();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("what is drawn after the next frame", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("is drawn once, as it was asked for last", () => {
    const ran: number[] = [];
    const rest = createAfterPaint();
    for (const k of [1, 2, 3]) rest.ask(() => ran.push(k));
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(ran).toEqual([3]);
    rest.ask(() => ran.push(4));
    vi.advanceTimersByTime(50);
    expect(ran).toEqual([3, 4]);
  });

  it("is not drawn when it is not wanted any more", () => {
    const ran: number[] = [];
    const rest = createAfterPaint();
    rest.ask(() => ran.push(1));
    rest.cancel();
    vi.advanceTimersByTime(50);
    expect(ran).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the scatter of all pairs", () => {
  it("names and chooses the pair whose dot is pointed at", () => {
    const choose = vi.fn();
    const [nmi, pcc] = [0.2, -0.6].map((end) => Float64Array.from({ length: N * N }, (_, k) => (end * k) / (N * N))) as [Float64Array, Float64Array];
    const shown = shownOf((place) => place / (N * N));
    const scatter = createScatter({ naming, names, shown, nmi, pcc, pair: { source: 0, secret: 1 }, top: 1, busy: false, disabled: false, width: 1000 }, choose);
    const said = (): string => scatter.el.querySelector(".lx-pointed-words")!.textContent!;
    expect(said()).toMatch(/^A0 about a1: /);
    const svg = scatter.el.querySelectorAll("svg")[1]!;
    // The dot furthest right and up: the last cell off the diagonal.
    const spot = [...svg.querySelectorAll("path")].flatMap((path) => [...path.getAttribute("d")!.matchAll(/M([\d.]+) ([\d.]+)h/g)]).map(([, x, y]) => [Number(x), Number(y)] as const).sort((a, b) => b[0] - a[0])[0]!;
    const at = { clientX: spot[0] + 2, clientY: spot[1] - 2, bubbles: true };
    svg.dispatchEvent(new MouseEvent("pointermove", at));
    expect(said()).toBe(`A13 about a12: ${(194 / 196).toFixed(3)} nats, mutual information ${((0.2 * 194) / 196).toFixed(3)}, correlation −${((0.6 * 194) / 196).toFixed(3)}`);
    svg.dispatchEvent(new MouseEvent("click", at));
    expect(choose).toHaveBeenCalledWith(13, 12);
    svg.dispatchEvent(new MouseEvent("pointermove", { clientX: 990, clientY: 150, bubbles: true }));
    expect(said()).toMatch(/^A0 about a1: /);
  });
});
