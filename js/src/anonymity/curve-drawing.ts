/** Lines, marks and words of the slack over ε, from the numbers of the results. */
import { boxOf, placeLabels, written, type Box, type Place, type Wanted } from "../curves/labels";
import { rAxis } from "../curves/r-handle";
import { axisText, linear, polyline, rule, ticks, type Scale } from "../ui/axes";
import { s, text, type Attrs } from "../ui/dom";
import { fixed, scientific, tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { mark } from "../ui/marks";
import { along, boundsOf, drawnAt, printedOf, valueAt, violatedFrom, type Shown, type ShownCurve } from "./results";
import { budgetText, eventsLabel, eventWords, slackText } from "./words";

// The logarithmic axis of the slack: powers of ten from 1 down, with a band above 1 that promises nothing.

interface LogAxis {
  /** Least power of ten that is drawn, negative. */
  low: number;
  y: Scale;
  left: number;
  right: number;
  /** y of 1 and of the least value, px. */
  top: number;
  bottom: number;
}

export function logAxis(low: number, left: number, right: number, top: number, bottom: number): LogAxis {
  // What is 0 stands below the foot, what is beyond 1 in the band.
  const y: Scale = (value) => (value > 0 ? Math.min(bottom + 40, top + ((bottom - top) * Math.log10(value)) / low) : bottom + 40);
  return { low, y, left, right, top, bottom };
}

function powerText(power: number): string {
  return power === 0 ? "1" : power > -4 ? fixed(10 ** power, -power) : scientific(10 ** power, 0);
}

/** A line at every power of ten, or at some where there are many; short ticks at 2 and 5 between them. */
export function logLines({ low, y, left, right }: LogAxis): SVGElement[] {
  const out: SVGElement[] = [];
  const every = Math.ceil(-low / 6);
  for (let power = 0; power >= low; power -= 1) {
    const at = y(10 ** power);
    const shown = power % every === 0;
    out.push(shown ? rule(left, at, right, at, { stroke: power === 0 || power === low ? "var(--line2)" : "var(--line)" }) : rule(left - 3, at, left, at));
    if (shown) out.push(axisText(left - 6, at + 4, powerText(power), { "text-anchor": "end" }));
    if (every === 1 && power > low) for (const step of [2, 5]) out.push(rule(left - 3, y(step * 10 ** (power - 1)), left, y(step * 10 ** (power - 1))));
  }
  return out;
}

export interface Plot {
  axis: LogAxis;
  x: Scale;
  /** End of the axis of ε. */
  end: number;
  width: number;
  height: number;
}

/** Top of the band that promises nothing, and of the axis below it, px. */
export const BAND = 12;
const TOP = 34;
const BELOW = 24;
const LEFT = 42;
const RIGHT = 6;

type Points = [number, number][];

export const BOUND_LINE: Attrs = { stroke: "var(--promise)", "stroke-width": 2, "stroke-dasharray": "6 4", fill: "none" };

/** The least power of ten to draw: so that the middle of the exact curve is seen, and the same while ε moves. */
export function lowest({ exact, axis }: Pick<Shown, "exact" | "axis">): number {
  const middle = exact?.drawn[Math.floor(axis.length / 2)] ?? NaN;
  return !(middle < 1e-5) ? -5 : middle < 1e-10 ? -15 : -10;
}

export function plotOf(shown: Shown, width: number, height: number): Plot {
  const end = shown.axis[shown.axis.length - 1] ?? 2.5;
  return { axis: logAxis(lowest(shown), LEFT, width - RIGHT, TOP, height - BELOW), x: linear(0, end, LEFT, width - RIGHT), end, width, height };
}

/** The axes, without the numbers that the line at `at` covers. */
export function drawAxes({ axis, x, end }: Plot, at: number): SVGElement[] {
  const last = `ε = ${tick(end)}`;
  const before = x(end) - textWidth(last) - 8;
  const steps = ticks(0, end, 5).filter((value) => value < end && x(value) + textWidth(tick(value)) / 2 < before);
  return [
    text(0, 10, "δ", { "font-weight": 600, "font-size": 12 }),
    ...logLines(axis),
    ...rAxis(steps, x, at, axis.bottom),
    rule(x(end), axis.bottom, x(end), axis.bottom + 4),
    ...(x(at) < before - 6 ? [axisText(x(end), axis.bottom + 16, last, { "text-anchor": "end" })] : []),
  ];
}

/** Height of a value: what promises nothing stands in the middle of its band. */
export function heightOf({ axis }: Plot, value: number): number {
  return value >= 1 ? Math.max((BAND + TOP) / 2, axis.y(value)) : axis.y(value);
}

/** Points of a line that are on the picture, and the one at which it leaves by the foot. */
function pointsOf(plot: Plot, xs: Float64Array, values: Float64Array): Points {
  const out: Points = [];
  const least = 10 ** plot.axis.low;
  for (let k = 0; k < xs.length; k++) {
    const value = values[k] as number;
    if (Number.isNaN(value)) continue;
    if (value >= least) {
      out.push([plot.x(xs[k] as number), heightOf(plot, value)]);
      continue;
    }
    const before = values[k - 1];
    if (before !== undefined && before >= least && value > 0) {
      const share = Math.log(before / least) / Math.log(before / value);
      out.push([plot.x((xs[k - 1] as number) + share * ((xs[k] as number) - (xs[k - 1] as number))), plot.axis.bottom]);
    } else if (before !== undefined && before >= least) out.push([plot.x(xs[k] as number), plot.axis.bottom]);
    break;
  }
  return out;
}

/** An open arrow at the foot: the line goes on below. */
function leaves(points: Points, plot: Plot, colour: string): SVGElement[] {
  const last = points[points.length - 1];
  if (!last || last[1] < plot.axis.bottom - 0.5) return [];
  return [s("path", { d: `M${(last[0] - 6).toFixed(1)} ${plot.axis.bottom - 9}l6 7l6 -7`, fill: "none", stroke: colour, "stroke-width": 2 })];
}

/** The area between a printed curve and the exact one above it. */
function violatedArea(shown: Shown, printed: ShownCurve, plot: Plot): SVGElement[] {
  const { axis: xs, exact } = shown;
  if (!exact) return [];
  const foot = 10 ** plot.axis.low;
  return printed.violated.map(([from, to]) => {
    const inside = Array.from(xs).filter((x) => x >= from - 1e-12 && x <= to + 1e-12);
    const all = [...new Set([from, ...inside, to])].sort((a, b) => a - b);
    const high: Points = all.map((x) => [plot.x(x), heightOf(plot, Math.max(foot, along(xs, exact.delta, x)))]);
    const low: Points = all.map((x) => [plot.x(x), heightOf(plot, Math.max(foot, along(xs, printed.delta, x) || foot))]);
    return s("path", { d: `${polyline([...high, ...low.reverse()])}Z`, fill: "var(--overtint)", class: "kx-violated" });
  });
}

/** "Theorem 6 corrected: threshold tests only": the name of a bound with its events. */
export function boundName({ key, label, events }: ShownCurve): string {
  const theorem = /Theorem \d/.exec(label)?.[0];
  return `bound, ${theorem ? `${theorem} corrected` : label || key}: ${eventWords(events)}`;
}

export interface Drawing {
  below: SVGElement[];
  above: SVGElement[];
  /** What found no place in the picture. */
  words: string[];
}

export function drawCurves(shown: Shown, epsilon: number, plot: Plot): Drawing {
  const { axis: xs, exact } = shown;
  const { axis, x } = plot;
  const bounds = boundsOf(shown).filter(({ why }) => why === null);
  const printed = printedOf(shown);
  const below: SVGElement[] = [];
  const lines: Points[] = [];
  if (printed) below.push(...violatedArea(shown, printed, plot));
  const boundLines = bounds.map((curve) => pointsOf(plot, xs, curve.drawn));
  boundLines.forEach((points) => {
    below.push(s("path", { d: polyline(points), ...BOUND_LINE }), ...leaves(points, plot, "var(--promise)"));
    const last = points[points.length - 1];
    // The bracket of a bound ends its line.
    if (last && last[1] < axis.bottom - 0.5)
      below.push(
        s("path", {
          d: `M${(last[0] - 8).toFixed(1)} ${last[1].toFixed(1)}h8M${last[0].toFixed(1)} ${(last[1] - 7).toFixed(1)}v14`,
          stroke: "var(--promise)",
          "stroke-width": 2,
          fill: "none",
        }),
      );
    lines.push(points);
  });
  const exactLine = exact && exact.why === null ? pointsOf(plot, xs, exact.drawn) : [];
  if (exactLine.length > 0) {
    below.push(
      s("path", { d: polyline(exactLine), stroke: "var(--ink)", "stroke-width": 2.5, fill: "none", class: "kx-exact" }),
      ...leaves(exactLine, plot, "var(--ink)"),
    );
    lines.push(exactLine);
  }
  if (printed) below.push(...printedMarks(printed, xs, plot, lines));

  const inside = epsilon <= plot.end;
  const at = x(Math.min(epsilon, plot.end));
  const over: SVGElement[] = [];
  const numbers: Wanted[] = [];
  const value = (key: string, found: number | null, colour: "bound" | "paper" | "exact", shownAs: string): void => {
    if (found === null || Number.isNaN(found) || !inside || found < 10 ** axis.low) return;
    const y = heightOf(plot, found);
    over.push(colour === "bound" ? s("circle", { cx: at, cy: y, r: 3, fill: "var(--promise)" }) : mark(colour, at, y, colour === "paper" ? 4 : 5));
    const right: Place[] = [-7, 15, -18, 26].map((dy) => ({ x: at + 9, y: y + dy, anchor: "start" }));
    const left: Place[] = [15, -7, 26, -18].map((dy) => ({ x: at - 9, y: y + dy, anchor: "end" }));
    numbers.push({ key, text: shownAs, bold: colour === "exact", mark: [at, y], places: colour === "bound" ? [...right, ...left] : [...left, ...right] });
  };
  const exactNow = exact ? valueAt(shown, exact, epsilon) : null;
  value("exact", exactNow, "exact", exactNow === null ? "" : slackText(exactNow));
  bounds.forEach((curve, k) => {
    const now = drawnAt(shown, curve, epsilon);
    value(`bound ${k}`, now, "bound", slackText(now, true));
  });
  const printedNow = printed ? valueAt(shown, printed, epsilon) : null;
  value("printed", printedNow, "paper", printedNow === null ? "" : slackText(printedNow));

  const frame: Box = { x0: axis.left + 2, y0: BAND, x1: axis.right, y1: axis.bottom - 2 };
  const band: Box = { x0: axis.left + 8, y0: BAND, x1: axis.left + 172, y1: TOP - 2 };
  const placedNumbers = placeLabels(numbers, { curves: lines, verticals: [at], boxes: [band], frame });
  const taken = [band, ...boxesOf(numbers, placedNumbers.places)];

  const names: Wanted[] = [];
  if (exactLine.length > 0)
    names.push({
      key: "exact",
      text: "exact",
      bold: true,
      places: beside(exactLine, [0.24, 0.4, 0.55, 0.7, 0.12, 0.85], true),
    });
  bounds.forEach((curve, k) =>
    names.push({
      key: `bound ${k}`,
      text: boundName(curve),
      bold: true,
      places: beside(boundLines[k] as Points, [0.97, 0.6, 0.75, 0.5, 0.4, 0.3], false),
    }),
  );
  const region = printed?.violated[0];
  const free = { curves: lines, verticals: [at], frame };
  const placedNames = placeLabels(names, { ...free, boxes: taken });
  // A name that is too long for its line is said in short there, and in full below.
  const short = names
    .filter(({ key }) => key !== "exact" && !placedNames.places.get(key))
    .map((one): Wanted => ({
      ...one,
      text: `bound, ${eventsLabel((bounds[Number(one.key.slice(6))] as ShownCurve).events)}`,
    }));
  const placedShort = placeLabels(short, { ...free, boxes: [...taken, ...boxesOf(names, placedNames.places)] });
  const words: string[] = names
    .filter(({ key }) => key !== "exact" && !placedNames.places.get(key))
    .map(({ text: name }) => `${name[0]?.toUpperCase()}${name.slice(1)}`);
  const after = [...taken, ...boxesOf(names, placedNames.places), ...boxesOf(short, placedShort.places)];
  if (printed && region) {
    const [from, to] = region;
    const [left, right] = [x(from), x(Math.min(to, plot.end))];
    below.push(
      rule(left, heightOf(plot, Math.max(10 ** axis.low, along(xs, exact?.delta ?? [], from))) + 6, left, axis.bottom, {
        stroke: "var(--over)",
        "stroke-dasharray": "2 3",
      }),
    );
    const said = [
      { text: "▲ violated here", bold: true },
      {
        text: `exact is above, from ε = ${budgetText(violatedFrom(printed) ?? from)}${to < plot.end - 1e-9 ? ` to ${fixed(to, 2)}` : ""}`,
        bold: false,
      },
    ];
    const wide = Math.max(...said.map((one) => textWidth(one.text, 11, one.bold)));
    const middle = axis.bottom - (axis.bottom - axis.top) * 0.27;
    const room = [middle, middle + 40, middle - 60, axis.bottom - 40]
      .map((y): Box => ({ x0: right - 4 - wide, x1: right - 4, y0: y - 10, y1: y + 18 }))
      .find(
        (box) =>
          box.x0 > left + 6 &&
          !(at > box.x0 - 4 && at < box.x1 + 4) &&
          !after.some((other) => meet(box, other)) &&
          !crossed(box, lines),
      );
    if (room)
      said.forEach((one, k) =>
        below.push(
          text(room.x1, room.y0 + 10 + 15 * k, one.text, {
            "text-anchor": "end",
            "font-weight": one.bold ? 600 : 400,
            style: "fill:var(--over)",
          }),
        ),
      );
    else words.push(`▲ ${said[1]?.text.replace("exact is above", "The theorem as printed is violated")}`);
  }
  const promise = "var(--promise)";
  const colours = Object.fromEntries([...bounds.keys()].map((k) => [`bound ${k}`, promise]));
  return {
    below: [...below, ...written(names, placedNames.places, colours), ...written(short, placedShort.places, colours)],
    above: [...over, ...written(numbers, placedNumbers.places, { printed: "var(--paper)" })],
    words,
  };
}

function meet(a: Box, b: Box): boolean {
  return a.x0 < b.x1 + 4 && b.x0 < a.x1 + 4 && a.y0 < b.y1 + 2 && b.y0 < a.y1 + 2;
}

function crossed(box: Box, lines: readonly Points[]): boolean {
  return lines.some((line) => line.some(([x, y]) => x > box.x0 - 6 && x < box.x1 + 6 && y > box.y0 - 3 && y < box.y1 + 3));
}

function boxesOf(wanted: readonly Wanted[], places: ReadonlyMap<string, Place | null>): Box[] {
  return wanted.flatMap(({ key, text: content, bold }) => {
    const place = places.get(key);
    return place ? [boxOf(place, textWidth(content, 11, bold))] : [];
  });
}

/** Places above or below a line at some shares of its length. */
function beside(points: Points, shares: readonly number[], under: boolean): Place[] {
  if (points.length === 0) return [];
  return shares.flatMap((share): Place[] => {
    const [x, y] = points[Math.round(share * (points.length - 1))] as [number, number];
    const end: Place[] = [{ x: x - 2, y: y - 9, anchor: "end" }, { x: x - 2, y: y + 18, anchor: "end" }];
    const start: Place[] = [{ x: x + 10, y: y - 8, anchor: "start" }, { x: x + 10, y: y - 20, anchor: "start" }];
    return under ? [end[1] as Place, { x: x - 8, y: y + 12, anchor: "end" }, ...start, end[0] as Place] : [end[0] as Place, ...start, end[1] as Place];
  });
}

/** A hairline with diamonds at even steps. */
function printedMarks(printed: ShownCurve, xs: Float64Array, plot: Plot, lines: Points[]): SVGElement[] {
  const points = pointsOf(plot, xs, printed.delta);
  const out: SVGElement[] = [
    s("path", { d: polyline(points), stroke: "var(--paper)", "stroke-width": 1, "stroke-opacity": 0.55, fill: "none" }),
    ...leaves(points, plot, "var(--paper)"),
  ];
  const least = 10 ** plot.axis.low;
  for (let k = 5; k < xs.length; k += 5) {
    const value = printed.delta[k] as number;
    if (value >= least) out.push(mark("paper", plot.x(xs[k] as number), heightOf(plot, value), 3.6));
  }
  lines.push(points);
  return out;
}

/** The band above 1. */
export function vacuousBand({ axis, width }: Plot, pattern: string): SVGElement[] {
  return [
    s(
      "defs",
      {},
      s(
        "pattern",
        { id: pattern, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("rect", { width: 1, height: 6, fill: "var(--line2)" }),
      ),
    ),
    s("rect", {
      x: axis.left,
      y: BAND,
      width: Math.max(0, width - RIGHT - axis.left),
      height: TOP - BAND,
      fill: `url(#${pattern})`,
    }),
  ];
}

const VACUOUS = "vacuous: promises nothing";

/** Its words, over lines that run through it, the hand's among them. */
export function vacuousWords({ axis }: Plot): SVGElement[] {
  return [
    s("rect", { x: axis.left + 8, y: BAND + 1, width: textWidth(VACUOUS) + 12, height: TOP - BAND - 2, fill: "var(--bg)" }),
    text(axis.left + 14, BAND + 15, VACUOUS, { style: "fill:var(--ink2)" }),
  ];
}

/** What a screen reader hears of all curves at an ε. */
export function spokenCurves(shown: Shown, epsilon: number): string {
  const { exact } = shown;
  const now = exact ? valueAt(shown, exact, epsilon) : null;
  const parts = [now === null ? `exact slack ${exact?.why ?? "not computed"}` : `exact slack ${slackText(now)}`];
  for (const curve of boundsOf(shown)) {
    const value = drawnAt(shown, curve, epsilon);
    if (curve.why === null && !Number.isNaN(value))
      parts.push(`bound for ${eventsLabel(curve.events)} ${slackText(value, true)}${value >= 1 ? ", vacuous" : ""}`);
  }
  const printed = printedOf(shown);
  const value = printed ? valueAt(shown, printed, epsilon) : null;
  if (printed && value !== null) parts.push(`${printed.label} as printed ${slackText(value)}`);
  return parts.join(", ");
}
