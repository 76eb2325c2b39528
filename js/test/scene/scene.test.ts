/** Declared charts and cells as drawings, and their numbers as tables. */
import { describe, expect, it } from "vitest";
import { endsOf, marksOf, namesAlong, wrapped } from "../../src/scene/axis";
import { cells } from "../../src/scene/cells";
import { chart } from "../../src/scene/chart";
import { numbers, powerOfTen, type Cells, type Chart, type Level, type Series } from "../../src/scene/declared";
import { cutArea, looksOf, pieces, thinned, type Plot, type Point } from "../../src/scene/marks";

const line = (given: Partial<Series> = {}): Series => ({ name: "half", x: [0, 1, 2], y: [0, 0.5, 1], mark: "line", ...given });
const declared = (series: readonly Series[], more: Partial<Chart> = {}): Chart => ({
  kind: "chart",
  title: "Halves",
  series,
  x: { label: "step" },
  y: { label: "leakage, nats" },
  ...more,
});
const table = (more: Partial<Cells> = {}): Cells => ({ kind: "cells", title: "Pairs", rows: ["a", "b"], columns: ["c", "d"], values: [[0, 1], [null, "Infinity"]], ...more });
const words = (svg: SVGSVGElement): string[] => [...svg.querySelectorAll("text")].map((one) => one.textContent ?? "");
const paths = (svg: SVGSVGElement): string => [...svg.querySelectorAll("path")].map((one) => one.getAttribute("d")).join("");

describe("ends of an axis", () => {
  const ends = (values: number[], more = {}, levels: number[] = []): readonly number[] => endsOf({ label: "", ...more }, { values: [values], levels });
  it.each([
    ["at 0 where that is near", [1, 5], {}, [0, 5.16]],
    ["beside values far from 0", [4, 5], {}, [3.96, 5.04]],
    ["below 0 as well", [-5, -1], {}, [-5.16, 0]],
    ["as declared", [1, 5], { low: -1, high: 2 }, [-1, 2]],
    ["one as declared", [1, 5], { low: 3 }, [3, 5.16]],
    ["whatever is infinite or none", [NaN, Infinity, 2, 4], {}, [1.92, 4.08]],
    ["around a single value", [8], {}, [0, 10]],
    ["with nothing to show", [], {}, [0, 1]],
    ["at whole powers", [-2.5, -0.5], { powers: true }, [-3, 0]],
    ["around its names", [0, 1], { names: ["Ann", "Bob", "Cleo"] }, [-0.5, 2.5]],
  ])("%s", (_, values, axis, [low, high]) => {
    const [from, to] = ends(values, axis);
    expect(from).toBeCloseTo(low as number, 1);
    expect(to).toBeCloseTo(high as number, 1);
  });

  it("reach levels that are near, not those that would leave nothing to see", () => {
    expect(ends([0, 1], {}, [2])[1]).toBeGreaterThan(2);
    expect(ends([0, 1], {}, [50])[1]).toBeLessThan(2);
    expect(ends([], {}, [50])[1]).toBeGreaterThan(50);
  });

  it.each([[[0, 1.7e308, -1.7e308]], [[1e-300, 3e-300]], [[5e-324]], [[1e300]], [[1, 1 + 1e-15]]])("are numbers in order for %s", (values) => {
    const [low, high] = ends(values) as [number, number];
    expect(Number.isFinite(low) && Number.isFinite(high) && low < high).toBe(true);
    const marks = marksOf({ label: "" }, [low, high], 5);
    expect(new Set(marks.map(({ text }) => text)).size).toBe(marks.length);
  });
});

describe("marked values", () => {
  const texts = (axis: object, low: number, high: number, count = 5): string[] => marksOf({ label: "", ...axis }, [low, high], count).map(({ text }) => text);
  it("are whole, powers, names, or as short as tells them apart", () => {
    expect(texts({ whole: true }, 0.5, 3.5)).toEqual(["1", "2", "3"]);
    expect(texts({ powers: true }, -6, 0, 3)).toEqual(["10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]);
    expect(texts({ names: ["Ann", "Bob"] }, -0.5, 1.5)).toEqual(["Ann", "Bob"]);
    expect(texts({}, 0, 1)).toEqual(["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    expect(texts({}, 1e6, 1000002, 2)).toEqual(["1,000,000", "1,000,001", "1,000,002"]);
  });

  it("are written as powers that no float holds", () => {
    expect([powerOfTen(-320), powerOfTen(-320.5), powerOfTen(-0.5), powerOfTen(-Infinity)]).toEqual(["10⁻³²⁰", "3.2e−321", "0.316", "0"]);
  });

  it("have lines of words and names that keep within their room", () => {
    expect(wrapped("one two three", 48)).toEqual(["one two", "three"]);
    expect(wrapped("one two three four five six seven", 40)[1]).toMatch(/…$/);
    expect(namesAlong(["Ann", "Bob"], 60, () => 50)).toMatchObject({ slanted: false, height: 13 });
    expect(namesAlong(["randomized response", "Bob"], 80, () => 50).texts[0]).toEqual(["randomized", "response"]);
    expect(namesAlong(["randomizedresponse", "Bob"], 40, () => 50)).toMatchObject({ slanted: true, every: 1 });
    expect(namesAlong(Array.from({ length: 99 }, (_, k) => `name ${k}`), 4, () => 50).every).toBe(4);
  });
});

describe("marks", () => {
  const plot: Plot = { x: (value) => value, y: (value) => value, width: 100, height: 50, rows: false };
  it("of a line are cut at the ends and broken where there is no number", () => {
    expect(pieces([[-10, 25], [110, 25]], plot)).toEqual([[[0, 25], [100, 25]]]);
    expect(pieces([[10, 20], [20, -20], [30, 20]], plot)).toEqual([[[10, 20], [15, 0]], [[25, 0], [30, 20]]]);
    expect(pieces([[10, 20], [NaN, NaN], [30, 20], [40, 20]], plot)).toEqual([[[10, 20]], [[30, 20], [40, 20]]]);
  });

  it("of an area are cut on all sides", () => {
    const cut = cutArea([[-1e9, -1e9], [1e9, -1e9], [1e9, 1e9], [-1e9, 1e9]], plot);
    expect(new Set(cut.map(String))).toEqual(new Set(["0,0", "100,0", "100,50", "0,50"]));
    expect(cutArea([[-9, 0], [-5, 0], [-5, 9]], plot)).toEqual([]);
  });

  it("of many points keep what px show: ends, lowest and highest", () => {
    const many = Array.from({ length: 100_000 }, (_, k): Point => [k / 1000, k === 777 ? -5 : k === 900 ? 99 : k % 2]);
    const kept = thinned(many);
    expect(kept.length).toBeLessThanOrEqual(400);
    expect(kept).toContainEqual([0.777, -5]);
    expect(kept).toContainEqual([0.9, 99]);
    expect([kept[0], kept[kept.length - 1]]).toEqual([many[0], many[99_999]]);
    expect(kept.every((point, k) => k === 0 || point[0] >= (kept[k - 1] as Point)[0])).toBe(true);
    expect(thinned([[1, 1], [NaN, 1], [NaN, 2], [1, 1]])).toHaveLength(3);
  });

  it("differ in more than colour", () => {
    const lines = looksOf(Array.from({ length: 6 }, () => line()));
    expect(new Set(lines.map(({ dashes }) => dashes)).size).toBe(6);
    expect(lines.slice(0, 5).map(({ colour }) => colour)).toEqual(["var(--a)", "var(--b)", "var(--c)", "var(--d)", "var(--a)"]);
    const dots = looksOf(Array.from({ length: 5 }, () => line({ mark: "dots" })));
    expect(new Set(dots.map(({ shape }) => shape)).size).toBe(5);
    const [promise, own] = looksOf([line({ colour: "promise" }), line({ dashes: "dotted", colour: "a" })]);
    expect([promise?.dashes, own?.dashes]).toEqual(["4 3", "1.5 2.5"]);
    expect(looksOf([line({ colour: "a" }), line()])[1]?.colour).toBe("var(--b)");
  });
});

describe("a chart", () => {
  it("says its axes, key and levels, and hostile labels are text", () => {
    const evil = "</text><script>alert(1)</script>";
    const svg = chart(declared([line({ name: evil }), line({ y: [1, 2, 3] })], { levels: [{ name: "promise", at: 2, along: "y", colour: "promise" }] }), 400);
    expect(svg.querySelector("script")).toBeNull();
    expect(words(svg)).toEqual(expect.arrayContaining(["step", "leakage, nats", "half", evil, "promise"]));
    expect([svg.getAttribute("role"), svg.getAttribute("aria-label"), svg.getAttribute("data-drawing")]).toEqual(["img", "Halves", "chart"]);
  });

  it("names a level that lies beyond its axis in the key", () => {
    const levels = [{ name: "promise", at: 90, along: "y", colour: "promise" }, { name: "none", at: "Infinity", along: "x", colour: "ink" }] as const;
    expect(words(chart(declared([line()], { levels }), 400))).toEqual(expect.arrayContaining(["promise (beyond the axis, 90)", "none (infinite)"]));
    const powers = declared([line({ y: [-3, -2, -1] })], { y: { label: "slack", powers: true }, levels: [{ ...levels[0], at: -90 }] });
    expect(words(chart(powers, 400))).toContain("promise (beyond the axis, 10⁻⁹⁰)");
    const unnamed = [-90, "Infinity", 0.5].map((at) => ({ ...levels[0], name: "", at }) as Level);
    expect(words(chart(declared([line()], { levels: unnamed }), 400)).some((one) => /beyond|infinite/.test(one))).toBe(false);
  });

  it("has a row for each name, the first on top, in two lines where one is long, and cuts what is too long", () => {
    const names = ["Ann", "Bob", "Ann, knowing Bob, Cleo and item 4", "x".repeat(200)];
    const svg = chart(declared([line({ mark: "dots", x: [1, 2, 3], y: [0, 1, 2] })], { y: { label: "tuple", names } }), 300);
    const heights = ["Ann", "Bob"].map((name) => Number([...svg.querySelectorAll("text")].find((one) => one.textContent === name)?.getAttribute("y")));
    expect((heights[1] as number) - (heights[0] as number)).toBe(30);
    expect(words(svg)).toEqual(expect.arrayContaining(["Ann, knowing Bob,", "Cleo and item 4"]));
    expect(words(svg).some((one) => one.endsWith("…") && one.length < 100)).toBe(true);
  });

  it("draws bands, intervals, boxes, sizes, and what is infinite at the edge", () => {
    const band = chart(declared([line({ low: [0, 0.2, null], high: [0.2, 0.6, 1] })]), 400);
    expect(band.querySelector("path[fill-opacity]")).not.toBeNull();
    const dots = chart(declared([line({ mark: "dots", low: [0, 0.4, 0.9], high: [0.1, "Infinity", 1.1], sizes: [2, 9, null] })]), 400);
    expect([...dots.querySelectorAll("g > g > circle, g > circle")].map((one) => one.getAttribute("r"))).toEqual(expect.arrayContaining(["2", "9", "3.5"]));
    const boxes = chart(declared([line({ mark: "boxes", corners: [[1, 2, 3], [1, 1, 1]], labels: ["first", "", ""] })]), 400);
    expect(words(boxes)).toContain("first");
    const above = chart(declared([line({ name: "", mark: "dots", y: [0, "Infinity", 1] })]), 400);
    expect(paths(above)).toMatch(/M[\d.]+ 6L[\d.]+ 0L[\d.]+ 6/);
  });

  it("draws dots as small as they are, and none of size 0", () => {
    const svg = chart(declared([line({ name: "", mark: "dots", sizes: [0.25, 0, 2], labels: ["tiny", "none", ""] })]), 400);
    expect([...svg.querySelectorAll("circle")].map((one) => one.getAttribute("r"))).toEqual(["0.25", "2"]);
    expect(words(svg)).toContain("tiny");
    expect(words(svg)).not.toContain("none");
  });

  it.each([
    ["huge", { x: [0, 1], y: [1.7e308, -1.7e308] }],
    ["tiny", { x: [1e-300, 2e-300], y: [5e-324, 1e-323] }],
    ["a single point", { x: [3], y: [7] }],
    ["nothing", { x: [null, 1], y: [1, null] }],
    ["no points", { x: [], y: [] }],
    ["infinite", { x: ["-Infinity", 1], y: [1, "Infinity"] }],
  ] as [string, Partial<Series>][])("is drawn of %s", (_, given) => {
    for (const mark of ["line", "dots"] as const) {
      for (const equal of [false, true]) {
        const svg = chart(declared([line({ ...given, mark })], { equal }), 300);
        expect(svg.outerHTML).not.toMatch(/NaN|Infinity|undefined/);
        expect(Number(svg.getAttribute("height"))).toBeLessThan(700);
      }
    }
  });

  it("has units of one length on a map", () => {
    const svg = chart(declared([line({ mark: "dots", x: [0, 8], y: [0, 4] })], { equal: true, x: { label: "east", low: 0, high: 8 }, y: { label: "north", low: 0, high: 4 } }), 400);
    const [first, last] = [...svg.querySelectorAll("circle")].slice(-2).map((one) => [Number(one.getAttribute("cx")), Number(one.getAttribute("cy"))]) as [number[], number[]];
    expect((last[0] as number) - (first[0] as number)).toBeCloseTo(2 * ((first[1] as number) - (last[1] as number)), 6);
  });

  it("draws thousands of dots as one mark", () => {
    const many = Array.from({ length: 5000 }, (_, k) => k);
    const svg = chart(declared([line({ name: "", mark: "dots", x: many, y: many.map((k) => Math.sin(k)) })]), 400);
    expect(svg.querySelectorAll("circle")).toHaveLength(0);
    expect(svg.querySelectorAll("path").length).toBeLessThan(5);
  });
});

describe("cells", () => {
  it("say their numbers where there is room, and have no colour where there is none", () => {
    const svg = cells(table({ down: "from", across: "to", key: "leakage, nats" }), 400);
    expect(words(svg)).toEqual(expect.arrayContaining(["a", "b", "c", "d", "from", "to", "0", "1", "–", "∞", "leakage, nats"]));
    expect([...svg.querySelectorAll("path[fill^=rgb]")].map((one) => one.getAttribute("d")?.split("M").length)).toEqual([2, 3]);
  });

  it("say what they are told to, or nothing where they are many", () => {
    expect(words(cells(table({ texts: [["no", "yes"], ["", "<b>"]] }), 400))).toEqual(expect.arrayContaining(["no", "yes", "<b>"]));
    const names = Array.from({ length: 80 }, (_, k) => `name ${k}`);
    const values = names.map((_, i) => names.map((__, k) => i - k));
    const svg = cells(table({ rows: names, columns: names, values, signed: true }), 400);
    expect(words(svg)).not.toContain("0.5");
    expect(words(svg)).toEqual(expect.arrayContaining(["−79", "0", "79"]));
    expect(svg.outerHTML).not.toMatch(/NaN|Infinity/);
  });

  it("start at 0, or at the least value below, which the key says", () => {
    const ends = (values: number[][]): string[] => words(cells(table({ values, key: "nats", texts: [["", ""], ["", ""]] }), 400)).slice(-3);
    expect(ends([[0.37, 0.9], [0.5, 1]])).toEqual(["0", "0.5", "1"]);
    expect(ends([[-0.37, 0.9], [0, 1.013]])).toEqual(["−0.37", "0.3215", "1.013"]);
    expect(ends([[-3.7, -1], [-2, -1]])).toEqual(["−3.7", "−1.85", "0"]);
  });

  it("take extremes", () => {
    for (const values of [[[1.7e308, -1.7e308], [0, 1]], [[5e-324, 0], [0, 0]], [[null, null], [null, null]]]) {
      for (const signed of [true, false]) expect(cells(table({ values, signed }), 300).outerHTML).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

describe("numbers", () => {
  const rows = (given: Chart | Cells): string[][] => numbers(given).rows.map((row) => row.map(({ text }) => text));
  it("have a column for each series where places are shared, with its ends", () => {
    const found = declared([line({ low: [0, 0, 0], high: [1, 1, 1] }), line({ name: "", y: [null, "Infinity", 2] })]);
    expect(rows(found)).toEqual([
      ["step", "half", "half, low", "half, high", "leakage, nats"],
      ["0", "0", "0", "1", ""],
      ["1", "0.500", "0", "1", "∞"],
      ["2", "1.000", "0", "1", "2"],
    ]);
  });

  it("have a row for each point where they are not, or where points have labels", () => {
    const found = declared([line({ mark: "dots", labels: ["first", "", "last"] }), line({ name: "one", x: [9], y: [0.25] })]);
    expect(rows(found)).toEqual([
      ["series", "step", "leakage, nats", "label"],
      ["half", "0", "0", "first"],
      ["half", "1", "0.500", ""],
      ["half", "2", "1.000", "last"],
      ["one", "9", "0.250", ""],
    ]);
  });

  it("say what the sizes of dots stand for", () => {
    const [here, there] = [line({ mark: "dots", sizes: [4, 2, 1], amounts: ["probability", [0.1999, 0.8, 1e-5]] }), line({ name: "guess", x: [0], y: [0] })];
    const [head, ...listed] = rows(declared([here, there]));
    expect(head).toEqual(["series", "step", "leakage, nats", "probability"]);
    expect(listed.map((row) => row[3])).toEqual(["", "0.800", "0.200", "1.0e−5"]);
  });

  it("are those that are told where marks are moved aside", () => {
    const moved = line({ x: [0.9, 1.1], y: [0, 0.5], labels: ["one", ""] });
    const told = { ...moved, x: [1, 1], labels: ["one", "two"] };
    expect(rows(declared([{ ...moved, told }])).slice(1)).toEqual([["half", "1", "0", "one"], ["half", "1", "0.500", "two"]]);
  });

  it("name what axes name", () => {
    const names = ["Ann", "Bob", "Cleo"];
    const upright = declared([line({ x: [0.5, 1, 2], y: [0, 1, 2] }), line({ name: "b", x: [3, 4, 5], y: [0, 1, 2] })], { y: { label: "tuple", names } });
    expect(rows(upright)[1]).toEqual(["Ann", "0.500", "3"]);
    expect(rows(declared([line({ y: [-2, -3, -4] })], { x: { label: "who", names }, y: { label: "slack", powers: true } }))[2]).toEqual(["Bob", "0.001"]);
  });

  const leaks = (names: string[], series: Series[]): string[][] => rows(declared(series, { x: { label: "nats" }, y: { label: "tuple", names } }));
  it("have a row for each name down the side, with what is measured and its ends in units of x", () => {
    expect(leaks(["Ann", "Bob"], [line({ name: "estimate", x: [0.5, 2.25], y: [0, 1], low: [0, 2], high: [1, "Infinity"] })])).toEqual([
      ["tuple", "estimate", "estimate, low", "estimate, high"],
      ["Ann", "0.500", "0", "1"],
      ["Bob", "2.250", "2", "∞"],
    ]);
    const parted = [line({ name: "kept", x: [0.5, 1.5], y: [2, 0], labels: ["most", ""] }), line({ name: "over", x: [3], y: [1] })];
    expect(leaks(["Ann", "Bob", "Cleo"], parted)).toEqual([
      ["tuple", "kept", "kept, label", "over"],
      ["Ann", "1.500", "", ""],
      ["Bob", "", "", "3"],
      ["Cleo", "0.500", "most", ""],
    ]);
    // Labels that repeat the number, and a line that joins what others show, are not listed.
    const joined = [line({ name: "", x: [1, 2.5, null], y: [0, 0, null] }), line({ x: [1], y: [0], labels: ["1"] }), line({ name: "b", x: [-2.5], y: [0], labels: ["−2.5"] })];
    expect(leaks(["Ann"], joined)).toEqual([["tuple", "half", "b"], ["Ann", "1", "−2.500"]]);
    const twice = [line({ name: "", mark: "dots", x: [1, 2, null], y: [0, 0, null] }), line({ name: "own", x: [3], y: [1], low: [2], high: [4] })];
    expect(leaks(["Ann", "Bob"], twice)).toEqual([
      ["series", "tuple", "nats", "low", "high"],
      ["", "Ann", "1", "", ""],
      ["", "Ann", "2", "", ""],
      ["own", "Bob", "3", "2", "4"],
    ]);
  });

  it("write all powers alike", () => {
    const found = rows(declared([line({ x: [0, 1, 2, 3, 4, 5], y: [0, Math.log10(0.9841), -1, -4.64, -320, "-Infinity"] })], { y: { label: "slack", powers: true } }));
    expect(found.slice(1).map((row) => row[1])).toEqual(["1", "0.984", "0.1", "2.3e−5", "1.0e−320", "0"]);
  });

  it("are sixty at most, with both ends, and say so", () => {
    const x = Array.from({ length: 401 }, (_, k) => k);
    const { caption, rows: listed } = numbers(declared([line({ x, y: x })]));
    expect(caption).toBe("Halves (leakage, nats), 60 of 401 points");
    expect([listed.length, listed[1]?.[0]?.text, listed[60]?.[0]?.text]).toEqual([61, "0", "400"]);
  });

  it("of cells are the cells", () => {
    expect(rows(table({ down: "from", across: "to" }))).toEqual([["from \\ to", "c", "d"], ["a", "0", "1"], ["b", "–", "∞"]]);
    const many = Array.from({ length: 70 }, (_, k) => String(k));
    expect(numbers(table({ columns: many, values: [many.map(Number), many.map(Number)] })).caption).toBe("Pairs, 60 of 70 columns");
  });

  it("tell places apart with the digits that this takes", () => {
    const placed = (x: number[], powers = false): (string | undefined)[] =>
      rows(declared([line({ x, y: x.map(() => 1) })], { x: { label: "r", powers } })).slice(1).map(([at]) => at);
    expect(placed([1995.1, 1995.25, 5000])).toEqual(["1,995.1", "1,995.3", "5,000"]);
    expect(placed([1.25, 4999.96, 5000.04])).toEqual(["1.25", "4,999.96", "5,000.04"]);
    expect(placed([1234567.891, 1234567.892])).toEqual(["1,234,567.891", "1,234,567.892"]);
    expect(placed([0.1 + 0.2, 0.3, 1 / 3])).toEqual(["0.3", "0.3", "0.3333"]);
    expect(placed([2, 2.001, -7, -7.001], true)).toEqual(["100", "100.2", "1.00e−7", "9.98e−8"]);
    const boxes = line({ mark: "boxes", x: [1.6], y: [19], corners: [[2.4], [22.5]] });
    expect(rows(declared([boxes]))[1]).toEqual(["half", "1.6", "19", "2.4", "22.5"]);
  });
});
