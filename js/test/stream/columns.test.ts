import { describe, expect, it } from "vitest";
import { faded, PixelColumns, Way, type Brush } from "../../src/stream/brush";
import { columnsOfBelief, columnsOfHeat, columnsOfLeakage, columnsOfSymbols, type ColumnPicture } from "../../src/stream/paint-columns";
import { isDense, plotLayout, spanOf, stretches } from "../../src/stream/plot-layout";
import { StepRecord } from "../../src/stream/step-record";

const INK = 0xff000000;
const PIXELS = { ink: INK, ink2: 0xff010101, over: 0xff020202, promise: 0xff030303 };
const brush = { pixel: (name: keyof typeof PIXELS) => PIXELS[name] } as unknown as Brush;
const alpha = (pixel: number | undefined): number => (pixel ?? 0) >>> 24;
/** One column of an image from top to bottom. */
const column = (image: PixelColumns, k: number): number[] => Array.from({ length: image.rows }, (_, row) => image.pixels[row * image.columns + k] as number);

describe("columns of pixels", () => {
  it("are filled between two heights; ends within a pixel are as faint as the part they cover", () => {
    const image = new PixelColumns();
    image.begin(10, 5, 3, 13, 1);
    image.bar(1, 6.25, 9.5, INK);
    expect(column(image, 1).map(alpha)).toEqual([0, 191, 255, 255, 128, 0, 0, 0]);
    image.bar(2, 7.25, 7.75, INK);
    expect(column(image, 2).map(alpha)).toEqual([0, 0, 128, 0, 0, 0, 0, 0]);
    expect(column(image, 0).every((pixel) => pixel === 0)).toBe(true);
  });
  it("take no harm from what lies outside, is no number or has no height", () => {
    const image = new PixelColumns();
    image.begin(0, 0, 2, 4, 2);
    for (const [top, bottom] of [[NaN, 2], [3, 1], [9, 12], [-5, -1], [2, 2]] as const) image.bar(0, top, bottom, INK);
    image.bar(-1, 0, 4, INK);
    image.bar(2, 0, 4, INK);
    expect(image.pixels.every((pixel) => pixel === 0)).toBe(true);
    image.bar(0, -9, 9, INK);
    expect(column(image, 0)).toEqual(Array.from({ length: 8 }, () => INK));
  });
  it("have as many rows as the device has pixels, and begin anew with nothing drawn", () => {
    const image = new PixelColumns();
    image.begin(0, 1, 2, 3, 1.5);
    expect([image.first, image.rows]).toEqual([1, 4]);
    image.block(1, 1, 2, INK);
    expect(column(image, 1)).toEqual([0, INK, 0, 0]);
    image.begin(0, 1, 2, 3, 1.5);
    expect(column(image, 1)).toEqual([0, 0, 0, 0]);
  });
  it("keep the stronger of two ends that meet in a pixel", () => {
    const image = new PixelColumns();
    image.begin(0, 0, 1, 2, 1);
    image.bar(0, 0.25, 1, INK);
    image.bar(0, 0, 0.25, PIXELS.over);
    expect(image.pixels[0]).toBe(faded(INK, 0.75));
  });
});

describe("a dense picture", () => {
  const layout = plotLayout(944, 2, 1);
  const frame = layout.lanes[0]!;
  const span = spanOf(2000, 2000);
  /** A record of 2,000 steps, of two states or more. */
  function pictured(states: number, fill: (record: StepRecord) => void): [PixelColumns, ColumnPicture, StepRecord] {
    const record = new StepRecord(states, 1);
    record.count = 2000;
    record.promise.fill(0.5);
    fill(record);
    const image = new PixelColumns();
    image.begin(layout.left, layout.true, Math.floor(layout.right - layout.left), layout.sum, 1);
    return [image, { layout, record, states: Array.from({ length: states }, (_, k) => `${k}`), parts: stretches(layout, span, 1, 2000), top: 1 }, record];
  }
  const at = (image: PixelColumns, k: number, y: number): number => column(image, k)[Math.floor(y) - image.first] as number;

  it("has columns where a step has less than 3 px, and one of each step or several of it where there are fewer steps than pixels", () => {
    expect([60, 200, 2000].map((zoom) => isDense(layout, spanOf(zoom, zoom)))).toEqual([false, false, true]);
    const narrow = plotLayout(520, 2, 1);
    expect(isDense(narrow, spanOf(200, 200))).toBe(true);
    const parts = stretches(narrow, spanOf(500, 200), 301, 500);
    expect(parts.length).toBe(Math.floor(narrow.right - narrow.left));
    expect(parts.every(({ from, to, width }) => from === to && width === 1)).toBe(true);
    expect(new Set(parts.map(({ from }) => from)).size).toBe(200);
  });
  it("shows the share of the second of two states, and underlines what is wrong", () => {
    const [image, picture, record] = pictured(2, (made) => made.symbols.fill(1, 1000));
    const truth = new Uint16Array(2000);
    columnsOfSymbols(brush, image, picture, layout.true, record.symbols, truth);
    const first = picture.parts.find(({ from }) => from > 1000)!;
    const k = first.x - layout.left;
    expect([at(image, k, layout.true), at(image, k, layout.true + layout.strip + 2)]).toEqual([PIXELS.ink2, INK]);
    expect([at(image, 0, layout.true), at(image, 0, layout.true + layout.strip + 2)]).toEqual([0, 0]);
  });
  it("draws a belief from its least to its largest value and leaves no gap to the column before", () => {
    const [image, picture, record] = pictured(2, (made) => made.lanes[0]!.belief.forEach((_, k, all) => (all[k] = k < 2000 ? 0 : 1)));
    const lane = record.lanes[0]!;
    columnsOfBelief(brush, image, picture, lane, frame, (k) => lane.belief[k * 2 + 1] as number);
    const first = picture.parts.find(({ from, to }) => to > 1000 || from > 1000)!.x - layout.left;
    const middle = frame.belief + layout.beliefHeight / 2;
    expect([first - 1, first, first + 1].map((k) => at(image, k, middle))).toEqual([0, INK, 0]);
    lane.over.fill(1, 1500, 1501);
    lane.belief[2 * 1500 + 1] = 0;
    image.begin(layout.left, layout.true, image.columns, layout.sum, 1);
    columnsOfBelief(brush, image, picture, lane, frame, (k) => lane.belief[k * 2 + 1] as number);
    const broken = picture.parts.find(({ to }) => to >= 1501)!.x - layout.left;
    expect([broken - 2, broken - 1, broken].map((k) => at(image, k, middle))).toEqual([0, PIXELS.over, PIXELS.over]);
  });
  it("has bars of leakage up to the promise and above it, and none of a lane that ended", () => {
    const [image, picture, record] = pictured(2, (made) => {
      made.lanes[0]!.leakage.fill(0.25, 0, 700).fill(0.75, 700, 1400).fill(NaN, 1400);
    });
    columnsOfLeakage(brush, image, picture, record.lanes[0]!, frame);
    const height = (share: number): number => frame.leakage + (1 - share) * layout.leakHeight;
    const heights = [0.1, 0.4, 0.6, 0.9].map(height);
    const inside = faded(PIXELS.promise, 0.42);
    expect(heights.map((y) => at(image, 10, y))).toEqual([inside, 0, 0, 0]);
    expect(heights.map((y) => at(image, 350, y))).toEqual([inside, inside, PIXELS.over, 0]);
    expect(heights.map((y) => at(image, image.columns - 1, y))).toEqual([0, 0, 0, 0]);
  });
  it("has a colour for each belief in each state", () => {
    const [image, picture, record] = pictured(5, (made) => made.lanes[0]!.belief.forEach((_, k, all) => (all[k] = (k % 5) / 4)));
    const scale = Uint32Array.from({ length: 256 }, (_, k) => 0xff000000 + k);
    columnsOfHeat(image, picture, record.lanes[0]!, frame, scale);
    const row = layout.beliefHeight / 5;
    expect([0, 1, 2, 3, 4].map((state) => at(image, 3, frame.belief + (4.5 - state) * row) & 255)).toEqual([0, 64, 128, 191, 255]);
  });
});

describe("a line through many points", () => {
  const through = (y: (x: number) => number): [number, number][] => {
    const corners: [number, number][] = [];
    const path = { moveTo: (x: number, h: number) => corners.push([x, h]), lineTo: (x: number, h: number) => corners.push([x, h]) };
    const way = new Way(path, 0, y(0));
    for (let x = 1; x <= 500; x++) way.to(x, y(x));
    way.end();
    return corners;
  };
  it.each([
    ["straight", (x: number) => x / 3],
    ["bent", (x: number) => x ** 2 / 900],
    ["rough", (x: number) => x / 2 + 8 * Math.sin(x)],
    ["steep", (x: number) => (x > 250 ? 100 : 0)],
  ])("passes all of a %s one by less than a quarter of a pixel", (_, y) => {
    const corners = through(y);
    expect(corners[0]).toEqual([0, y(0)]);
    expect(corners.at(-1)).toEqual([500, y(500)]);
    let j = 0;
    for (let x = 0; x <= 500; x++) {
      while (corners[j + 1]![0] < x) j += 1;
      const [[x0, y0], [x1, y1]] = [corners[j]!, corners[j + 1]!];
      expect(Math.abs(y0 + ((x - x0) / (x1 - x0)) * (y1 - y0) - y(x))).toBeLessThan(0.25);
    }
  });
  it("has few corners where it is nearly straight", () => {
    expect(through((x) => x / 3).length).toBe(2);
    expect(through((x) => x ** 2 / 900).length).toBeLessThan(30);
  });
});
