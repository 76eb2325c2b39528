/** A declared chart as one drawing: plain values and a width in, an SVG out. Nothing is measured on a page. */
import { around, placeLabels, written, type Place, type Wanted } from "../curves/labels";
import { axisText, rule } from "../ui/axes";
import { s, text } from "../ui/dom";
import { number } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { endsOf, marksOf, NAME_LINE, namesAlong, namesBeside, scaleOf, WIDER, wrapped, type Along, type Ends, type Tick } from "./axis";
import { named, pointsOf, read, type Axis, type Chart, type Level, type Points } from "./declared";
import { boxesOf, drawn, looksOf, placesOf, PROMISED, radiusOf, sample, type Drawn, type Look, type Plot, type Point } from "./marks";

/** Heights of lines of text, of a row of the key and of a row of names, px. */
const [LINE, KEY_ROW, NAME_ROW] = [15, 18, 20];
/** The height of a plot: a share of its width, no less and no more than this, px. */
const [SHARE, LOWEST, HIGHEST] = [0.58, 150, 300];
/** The smallest side of a map, and the largest. */
const [NARROW, TALL] = [100, 480];
/** Between marked values, px: across and up. */
const [ACROSS, UP] = [64, 36];
/** Longest text at a point, px, and how many points have one. */
const [LABEL, MOST_LABELS] = [150, 200];
/** Beyond the last marked value, px. */
const RIGHT = 8;

/** A chart drawn in `width` px. */
export function chart(declared: Chart, width: number): SVGSVGElement {
  const series = declared.series.map(pointsOf);
  const frame = framed(declared, { x: horizontalEnds(declared, series), y: verticalEnds(declared, series) }, width);
  const { plot, left, ends } = frame;
  const looks = looksOf(declared.series);
  const marks = series.map((one, k) => drawn(one, looks[k] as Look, plot));
  const levels = (declared.levels ?? []).flatMap((level) => lineOf(level, ends, plot) ?? []);
  const texts = labels(series, plot, marks, levels);
  const g = s("g", {}, ...grid(declared, frame));
  for (const one of marks) g.append(...one.areas);
  for (const { level, d } of levels) g.append(dashed(level, d));
  for (const one of marks) g.append(...one.lines);
  for (const one of marks) g.append(...one.dots);
  g.append(...texts.nodes);

  const entries = [
    ...series.flatMap((one, k) => (one.name ? [{ name: one.name, mark: sample(one, looks[k] as Look) }] : [])),
    ...[...texts.unplaced, ...unseen(declared, ends)].map(({ name, level }) => ({ name, mark: dashed(level, "M0 0H26") })),
  ];
  const above = s("g", {});
  const top = head(above, declared, entries, width) + 8;
  g.setAttribute("transform", `translate(${left.toFixed(1)} ${top})`);
  const height = (top + plot.height + frame.below).toFixed(1);
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return s("svg", { ...size, role: "img", "aria-label": declared.title, "data-drawing": "chart" }, above, g);
}

/** Key and the label of the vertical axis; returns where they end. */
function head(into: SVGElement, { y: axis }: Chart, entries: readonly Entry[], width: number): number {
  let y = key(into, entries, width) + (entries.length > 0 ? 3 : 0);
  for (const line of wrapped(axis.label, width)) into.append(axisText(0, (y += LINE) - 4, line));
  return y;
}

function dashed({ colour }: Level, d: string): SVGElement {
  return s("path", { d, fill: "none", stroke: `var(--${colour})`, "stroke-width": 1.5, "stroke-dasharray": PROMISED });
}

/** What dots lie between, along the axis that has no names. */
const between = (one: Points, along: boolean): (readonly number[])[] => (along ? [one.low ?? [], one.high ?? []] : []);

function horizontalEnds({ x, y, levels }: Chart, series: readonly Points[]): Ends {
  const values = series.map((one) => [one.x, ...between(one, !!y.names?.length), one.corners?.[0] ?? []]).flat();
  const room = series.some(({ mark }) => mark !== "line");
  return endsOf(x, { values, levels: levelsAlong("x", levels), zero: room && !x.whole, room });
}

function verticalEnds({ y, levels }: Chart, series: readonly Points[]): Ends {
  const values = series.map((one) => [one.y, ...between(one, !y.names?.length), one.corners?.[1] ?? []]).flat();
  return endsOf(y, { values, levels: levelsAlong("y", levels) });
}

function levelsAlong(axis: "x" | "y", levels: readonly Level[] = []): number[] {
  return levels.filter(({ along }) => along === axis).map(({ at }) => read(at));
}

/** A plot in its frame: what is marked beside it, and the room that this takes, px. */
interface Frame {
  plot: Plot;
  ends: { x: Ends; y: Ends };
  left: number;
  below: number;
  across: Tick[];
  up: Tick[];
  /** Names below the plot, where its horizontal axis has some. */
  names: Along | null;
  /** The lines of the label below. */
  label: string[];
}

function framed({ x, y, equal }: Chart, found: { x: Ends; y: Ends }, width: number): Frame {
  const rows = y.names?.length ?? 0;
  const beside = namesBeside(y.names ?? [], Math.max(40, 0.42 * width));
  const row = Math.max(NAME_ROW, ...beside.map((lines) => NAME_LINE * lines.length + 4));
  const guess = rows ? rows * row : Math.max(LOWEST, Math.min(HIGHEST, SHARE * (width - 50)));
  let up = marksOf(y, found.y, Math.max(2, guess / UP));
  if (rows) up = up.map(({ at }) => ({ at, text: (beside[at] ?? []).join("\n") }));
  const left = Math.max(0, ...up.flatMap((tick) => tick.text.split("\n")).map((line) => textWidth(line) * WIDER)) + 8;
  let [across, tall] = [width - left - RIGHT, guess];
  const ends = { ...found };
  if (equal && !rows) [across, tall] = alike(ends, across);
  const plot: Plot = {
    x: scaleOf(ends.x, 0, across),
    // The first name stands on top.
    y: rows ? scaleOf(ends.y, 0, tall) : scaleOf(ends.y, tall, 0),
    width: across,
    height: tall,
    rows: rows > 0,
  };
  if (equal && !rows) up = marksOf(y, ends.y, Math.max(2, tall / UP));
  const names = x.names?.length ? namesAlong(x.names, across / x.names.length, (k) => left + plot.x(k) - 6) : null;
  const label = wrapped(x.label, width);
  const below = (names ? names.height + 8 : 20) + LINE * label.length + 2;
  return { plot, ends, left, below, across: spaced(x, ends.x, across, names), up, names, label };
}

/** The sides of a plot whose units are as long across as up; ends move apart where one side would be too short. */
function alike(ranges: { x: Ends; y: Ends }, room: number): [across: number, tall: number] {
  const [wide, high] = [ranges.x[1] - ranges.x[0], ranges.y[1] - ranges.y[0]];
  if (!Number.isFinite(wide) || !Number.isFinite(high) || !(wide / high > 0)) return [room, Math.min(TALL, room)];
  const unit = Math.min(room / wide, TALL / high);
  const wider = ([low, end]: Ends, length: number): Ends => [low - (length / unit - (end - low)) / 2, end + (length / unit - (end - low)) / 2];
  if (unit * wide < NARROW) ranges.x = wider(ranges.x, NARROW);
  if (unit * high < NARROW) ranges.y = wider(ranges.y, NARROW);
  return [Math.max(NARROW, unit * wide), Math.max(NARROW, unit * high)];
}

/** Marked values that do not run into each other. */
function spaced(axis: Axis, ends: Ends, width: number, names: Along | null): Tick[] {
  if (names) {
    const marks = marksOf(axis, ends, 1);
    return marks.map(({ at }, k) => ({ at, text: k % names.every === 0 ? (names.texts[at] ?? []).join("\n") : "" }));
  }
  for (let count = Math.max(2, width / ACROSS); ; count /= 1.5) {
    const marks = marksOf(axis, ends, count);
    const wide = Math.max(...marks.map((mark) => textWidth(mark.text) * WIDER)) + 10;
    if (marks.length < 3 || count < 1 || wide * (marks.length - 1) <= width) return marks;
  }
}

/** Lines and marked values behind what is drawn. */
function grid({ y, equal }: Chart, { plot, left, across, up, names, label }: Frame): SVGElement[] {
  const out: SVGElement[] = [];
  const { width, height } = plot;
  const beside = (y.names?.length ?? 0) > 0;
  for (const mark of up) {
    const at = plot.y(mark.at);
    out.push(rule(0, at, width, at, { stroke: mark.at === 0 && !beside ? "var(--line2)" : "var(--line)" }));
    const look = { "text-anchor": "end", style: `fill:var(--${beside ? "ink" : "ink2"})` };
    const lines = mark.text.split("\n");
    lines.forEach((line, k) => out.push(axisText(-6, at + 4 + (k - (lines.length - 1) / 2) * NAME_LINE, line, look)));
  }
  out.push(rule(0, height, width, height));
  for (const mark of across) {
    const at = plot.x(mark.at);
    if ((beside || equal) && !names) out.push(rule(at, 0, at, height, { stroke: mark.at === 0 ? "var(--line2)" : "var(--line)" }));
    if (!mark.text) continue;
    out.push(rule(at, height, at, height + 4));
    if (names?.slanted) {
      const place = `rotate(-45 ${(at + 3).toFixed(1)} ${(height + 13).toFixed(1)})`;
      out.push(text(at + 3, height + 13, mark.text, { "text-anchor": "end", transform: place }));
      continue;
    }
    for (const [k, line] of mark.text.split("\n").entries()) {
      const half = (textWidth(line) * WIDER) / 2;
      const middle = Math.max(Math.min(at, width + RIGHT + 4 - half), half - left);
      const look = { "text-anchor": "middle", style: `fill:var(--${names ? "ink" : "ink2"})` };
      out.push(axisText(middle, height + 16 + k * NAME_LINE, line, look));
    }
  }
  const from = height + (names ? names.height + 8 : 20);
  // Below the middle of the plot, unless that would leave the drawing.
  const longest = Math.max(0, ...label.map((line) => textWidth(line) * WIDER));
  const middle = Math.min(Math.max(width / 2, longest / 2 - left), Math.max(longest / 2 - left, width + RIGHT - longest / 2));
  label.forEach((line, k) => out.push(axisText(middle, from + LINE * (k + 1) - 2, line, { "text-anchor": "middle" })));
  return out;
}

interface Entry {
  name: string;
  mark: SVGElement;
}

/** The names of series in as many rows as they need; returns where the last one ends. */
function key(into: SVGElement, entries: readonly Entry[], width: number): number {
  const names = entries.map(({ name }) => name);
  let [x, y] = [0, entries.length > 0 ? KEY_ROW : 0];
  for (const { name, mark } of entries) {
    const words = fit(name, (width - 34) / WIDER, 11, false, names);
    const wide = 32 + textWidth(words) * WIDER;
    if (x > 0 && x + wide > width) [x, y] = [0, y + KEY_ROW];
    into.append(s("g", { transform: `translate(${x.toFixed(1)} ${y - 8})` }, mark), text(x + 32, y - 4, words));
    x += wide + 16;
  }
  return y;
}

/** A level on a plot. */
interface Line {
  level: Level;
  d: string;
  points: [Point, Point];
}

function lineOf(level: Level, ends: { x: Ends; y: Ends }, plot: Plot): Line | null {
  const value = read(level.at);
  const [low, high] = ends[level.along];
  if (!(value >= low && value <= high)) return null;
  const { width, height } = plot;
  const [x, y] = [plot.x(value), plot.y(value)];
  const points: [Point, Point] = level.along === "y" ? [[0, y], [width, y]] : [[x, 0], [x, height]];
  const [[x0, y0], [x1, y1]] = points;
  return { level, d: `M${x0.toFixed(1)} ${y0.toFixed(1)}L${x1.toFixed(1)} ${y1.toFixed(1)}`, points };
}

/** A name in the key. */
interface Named {
  name: string;
  level: Level;
}

/** Named levels that lie beyond the ends of their axis: the key says where. */
function unseen({ levels = [], ...axes }: Chart, ends: { x: Ends; y: Ends }): Named[] {
  return levels.flatMap((level) => {
    const value = read(level.at);
    const [low, high] = ends[level.along];
    if (!level.name || Number.isNaN(value) || (value >= low && value <= high)) return [];
    const said = named(axes[level.along], value) ?? number(value, 4);
    return [{ level, name: `${level.name} (${Number.isFinite(value) ? `beyond the axis, ${said}` : "infinite"})` }];
  });
}

/** Where the name of a level would like to stand. */
function besideLine({ level, points: [[x, y], [end]] }: Line, { width, height }: Plot): Place[] {
  if (level.along === "x") {
    return [12, 28, 44, 60, height - 8].flatMap((at): Place[] => [
      { x: x + 5, y: at, anchor: "start" },
      { x: x - 5, y: at, anchor: "end" },
    ]);
  }
  const across: [number, Place["anchor"]][] = [[end - 2, "end"], [4, "start"], [width / 2, "middle"], [width / 4, "middle"], [(3 * width) / 4, "middle"]];
  return [y - 5, y + 13].flatMap((at) => across.map(([place, anchor]): Place => ({ x: place, y: at, anchor })));
}

interface Labels {
  nodes: SVGElement[];
  /** Levels whose names found no room. */
  unplaced: Named[];
}

/** Names of levels and texts at points, where they cover neither each other nor what is drawn. */
function labels(series: readonly Points[], plot: Plot, marks: readonly Drawn[], levels: readonly Line[]): Labels {
  const wanted: Wanted[] = [];
  const colours: Record<string, string> = {};
  levels.forEach((line, k) => {
    if (!line.level.name) return;
    const name = fit(line.level.name, Math.max(60, 0.6 * plot.width) / WIDER, 11, false, levels.map(({ level }) => level.name));
    wanted.push({ key: `level ${k}`, text: name, bold: false, places: besideLine(line, plot) });
    colours[`level ${k}`] = `var(--${line.level.colour})`;
  });
  for (const [n, one] of series.entries()) wanted.push(...atPoints(one, n, plot));
  const curves = [...marks.flatMap(({ taken }) => taken), ...levels.map(({ points }) => points)];
  const frame = { x0: 0, y0: -6, x1: plot.width + RIGHT, y1: plot.height };
  const { places } = placeLabels(wanted, { curves, verticals: [], boxes: [], frame });
  const unplaced = levels.flatMap(({ level }, k) => (places.get(`level ${k}`) === null ? [{ name: level.name, level }] : []));
  return { nodes: written(wanted, places, colours), unplaced };
}

function atPoints(one: Points, n: number, plot: Plot): Wanted[] {
  const texts = one.labels ?? [];
  const boxes = one.corners ? boxesOf(one, plot) : null;
  const places = boxes ? [] : placesOf(one.x, one.y, plot);
  const out: Wanted[] = [];
  for (let k = 0; k < texts.length && out.length < MOST_LABELS; k++) {
    const content = texts[k];
    if (!content) continue;
    const label = { key: `${n} ${k}`, text: fit(content, LABEL, 11, false, texts), bold: false };
    const box = boxes?.[k];
    if (box) {
      const middle = (box.x0 + box.x1) / 2;
      // In its box, or not at all: beside it a text would be that of another one.
      const fits = textWidth(label.text) * WIDER < box.x1 - box.x0 - 4 && box.y1 - box.y0 > 14;
      const lines = [(box.y0 + box.y1) / 2 + 4, box.y0 + 12, box.y1 - 5];
      if (fits) out.push({ ...label, places: lines.map((y) => ({ x: middle, y, anchor: "middle" })) });
    } else if (!boxes) {
      const [x, y] = places[k] as Point;
      const r = radiusOf(one, k);
      const seen = r > 0 && x >= 0 && x <= plot.width && y >= 0 && y <= plot.height;
      if (seen) out.push({ ...label, places: around(x, y, r + 4), mark: [x, y] });
    }
  }
  return out;
}

