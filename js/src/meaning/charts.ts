/** The two curves of what a leakage means: what the best tests find, and how much lies beyond a budget. */
import { createRHandle, rAxis } from "../curves/r-handle";
import { bestTests, hockeyStick, logRatios, missed, onlyUnder, type Law } from "../compute/best-test";
import { delta, leakageOf, worstDelta } from "../compute/meaning";
import { axisText, linear, niceCeiling, polyline, rule, ticks, valueAxis, type Scale } from "../ui/axes";
import { component, h, layered, renew, s, setAttrs, type Component } from "../ui/dom";
import { fixed, tick } from "../ui/format";
import { mark } from "../ui/marks";
import type { Change } from "../ui/slider";
import type { Promised } from "./promise";

/** One adversary, two labels, and what the release promises. */
export interface Ground {
  law: Law;
  /** The label that a false alarm is about, and the one that is looked for. */
  pair: [number, number];
  promise: Promised;
}

export interface ChartProps extends Ground {
  /** Where the line stands. */
  at: number;
  width: number;
  disabled: boolean;
}

const HEIGHT = 212;
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 10, 8, HEIGHT - 40];

/** The look of each curve; the two orders of a pair have the looks of their labels elsewhere. */
const LOOKS = {
  exact: { stroke: "var(--ink)", "stroke-width": 2 },
  promise: { stroke: "var(--promise)", "stroke-width": 1.5, "stroke-dasharray": "4 3" },
  over: { stroke: "var(--a)", "stroke-width": 1.5, "stroke-dasharray": "5 2.5" },
  back: { stroke: "var(--b)", "stroke-width": 1.5, "stroke-dasharray": "2 2" },
};

const curve = (look: keyof typeof LOOKS, d: string): SVGElement => s("path", { d, fill: "none", ...LOOKS[look] });

/** A piece of a curve with its name. */
export function keyOf(look: keyof typeof LOOKS, name: string): HTMLElement {
  const line = s("svg", { viewBox: "0 0 22 8", width: 22, height: 8, class: "line-sample", "aria-hidden": "true" }, curve(look, "M1 4H21"));
  return h("span", { class: "nowrap" }, line, ` ${name}`);
}

/** A picture with a line that is dragged, and what it says. */
function chart(
  name: string,
  sign: string,
  onMove: (at: number, how: Change) => void,
  draw: (props: ChartProps) => Drawn,
): (initial: ChartProps) => Component<ChartProps> {
  return (initial) => {
    const [svg, below, above] = layered({ class: "wm-chart", role: "group" }, {}, {});
    const handle = createRHandle(svg, onMove, { name, sign });
    svg.insertBefore(handle.el, above);
    return component(h("div", {}, svg), initial, (props) => {
      const { said, ground, dots, end } = draw(props);
      setAttrs(svg, { width: props.width, height: HEIGHT, viewBox: `0 0 ${props.width} ${HEIGHT}`, "aria-label": said });
      renew(below, ...ground);
      renew(above, ...dots);
      handle.update({
        r: Math.min(end, props.at),
        low: 0,
        high: end,
        left: LEFT,
        right: props.width - RIGHT,
        width: props.width,
        bottom: BOTTOM,
        disabled: props.disabled,
      });
    });
  };
}

interface Drawn {
  said: string;
  /** Below the line and above it. */
  ground: SVGElement[];
  dots: SVGElement[];
  /** Where the axis ends. */
  end: number;
}

/** The name of an axis below it. */
const below = (x: number, words: string): SVGElement => axisText(x, HEIGHT - 4, words, { "text-anchor": "middle" });

/** How many of the label that is looked for the best test finds, by its false alarms. */
export const createTests = (initial: ChartProps, onMove: (at: number, how: Change) => void): Component<ChartProps> =>
  chart("False alarms", "false alarms", onMove, drawTests)(initial);

function drawTests({ law, pair: [blank, found], promise, at, width }: ChartProps): Drawn {
  const x = linear(0, 1, LEFT, width - RIGHT);
  const y = linear(0, 1, BOTTOM, TOP);
  const hitsAllowed = (alarm: number): number => 1 - promise.missed(blank, found, alarm);
  const turns = [0, ...promise.corners(blank, found).sort((a, b) => a - b), 1];
  const corner: [number, number][] = [[0, 0], ...turns.map((alarm): [number, number] => [alarm, hitsAllowed(alarm)])];
  const path = (points: readonly (readonly [number, number])[]): string => polyline(points.map(([a, b]) => [x(a), y(b)]));
  const now = 1 - missed(law, blank, found, at);
  const points = bestTests(law, blank, found).map(({ alarms, hits }) => [alarms, hits] as const);
  const beyond = [...points, ...turns.map((alarm) => [alarm, 1 - missed(law, blank, found, alarm)] as const)].sort(([a], [b]) => a - b);
  const over = beyond.map(([a, b]) => [a, Math.max(b, hitsAllowed(a))] as const);
  return {
    said: `What the best test finds by its false alarms: with ${percent(at)} false alarms ${percent(now)}`,
    ground: [
      s("path", { d: `${path(corner)}Z`, fill: "var(--tint)" }),
      s("path", { d: `${path([...over, ...[...corner].reverse()])}Z`, fill: "var(--overtint)" }),
      valueAxis([0, 0.5, 1], y, LEFT, width - RIGHT),
      ...rAxis([0, 0.25, 0.5, 0.75, 1], x, at, BOTTOM),
      s("path", { d: path([[0, 0], [1, 1]]), stroke: "var(--line2)", fill: "none" }),
      curve("promise", path(corner)),
      curve("exact", path(points)),
      below((LEFT + width - RIGHT) / 2, "false alarms"),
    ],
    dots: [s("circle", { cx: x(at), cy: y(now), r: 4.5, fill: "var(--ink)", stroke: "var(--bg)" })],
    end: 1,
  };
}

/** The least delta that is drawn. */
const FLOOR = 1e-4;
const STEPS = 64;

/** Where the axis of budgets ends: a little beyond what leaks and what was promised; a leakage without end goes on. */
export function budgetEnd({ law, promise }: Pick<Ground, "law" | "promise">): number {
  const leakage = leakageOf(law);
  const { nats } = promise;
  const most = Math.max(Number.isFinite(nats) ? nats : 0, Number.isFinite(leakage) ? leakage : 3 * Math.min(nats, 4));
  return Math.min(40, niceCeiling(1.08 * most || 1, [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]));
}

/** delta by epsilon, for the two orders of the pair and for the worst of all pairs, beside what the promise allows. */
export const createProfile = (initial: ChartProps, onMove: (at: number, how: Change) => void): Component<ChartProps> =>
  chart("Budget at which δ is read", "ε", onMove, drawProfile)(initial);

function drawProfile({ law, pair: [blank, found], promise, at, width }: ChartProps): Drawn {
  const end = budgetEnd({ law, promise });
  const x = linear(0, end, LEFT, width - RIGHT);
  const log: Scale = linear(Math.log10(FLOOR), 0, BOTTOM, TOP);
  const y = (value: number): number => (value > FLOOR ? log(Math.log10(value)) : BOTTOM);
  const budgets = [...Array.from({ length: STEPS + 1 }, (_, k) => (end * k) / STEPS), ...ends(law, found, blank, end), Math.min(end, promise.nats)].sort(
    (a, b) => a - b,
  );
  const path = (f: (epsilon: number) => number): string => {
    const points: [number, number][] = [];
    for (const epsilon of budgets) {
      const value = f(epsilon);
      points.push([x(epsilon), y(value)]);
      if (value <= FLOOR) break;
    }
    return polyline(points);
  };
  const worst = worstOf(law);
  const over = (epsilon: number): number => delta(law, found, blank, epsilon);
  const back = (epsilon: number): number => delta(law, blank, found, epsilon);
  const here = Math.min(at, end);
  const leakage = leakageOf(law);
  return {
    said: `δ by budget ε: ${small(worst(here))} at ε = ${tick(here)}; the promise allows ${small(promise.delta(here))}`,
    ground: [
      ...[1, 0.1, 0.01, 0.001, FLOOR].flatMap((value) => [
        rule(LEFT, y(value), width - RIGHT, y(value), { stroke: value === FLOOR ? "var(--line2)" : "var(--line)" }),
        axisText(LEFT - 6, y(value) + 4, value === FLOOR ? "0.0001" : tick(value), { "text-anchor": "end" }),
      ]),
      ...rAxis(ticks(0, end, 4), x, here, BOTTOM),
      curve("promise", path(promise.delta)),
      curve("exact", path(worst)),
      curve("over", path(over)),
      curve("back", path(back)),
      ...(leakage <= end ? [mark("exact", x(leakage), BOTTOM, 4)] : []),
      below((LEFT + width - RIGHT) / 2, "budget ε, nats"),
    ],
    dots: worst(here) > FLOOR ? [s("circle", { cx: x(here), cy: y(worst(here)), r: 4.5, fill: "var(--ink)", stroke: "var(--bg)" })] : [],
    end,
  };
}

const worsts = new WeakMap<Law, Map<number, number>>();

/** The largest delta of all pairs; of many labels it takes a while, and a line that is dragged asks for the same again. */
function worstOf(law: Law): (epsilon: number) => number {
  const found = worsts.get(law) ?? new Map<number, number>();
  worsts.set(law, found);
  return (epsilon) => {
    const value = found.get(epsilon) ?? worstDelta(law, epsilon);
    found.set(epsilon, value);
    return value;
  };
}

/** Where a curve of the profile meets the ground. */
function ends(law: Law, over: number, under: number, end: number): number[] {
  const most = [[over, under], [under, over]].map(([v, w]) => Math.max(...logRatios(law, v as number, w as number)));
  return most.filter((value) => value > 0 && value < end).flatMap((value) => [value * (1 - 1e-6), value]);
}

/** A chance in per cent. */
export function percent(chance: number): string {
  return `${fixed(100 * chance, 1).replace(/\.0$/, "")}\u00a0%`;
}

/** delta as people read it. */
export function small(value: number): string {
  if (value === 0) return "0";
  if (value < 1e-13) return "< 1e-13";
  return value < 0.001 ? value.toExponential(1).replace("e-", "e−") : fixed(value, 3);
}

export const hitsAt = (law: Law, [blank, found]: [number, number], alarms: number): number => 1 - missed(law, blank, found, alarms);
export const balanced = (law: Law, [blank, found]: [number, number]): number => (1 + hockeyStick(law, found, blank, 1)) / 2;
export const neverEnds = (law: Law, [blank, found]: [number, number]): boolean => onlyUnder(law, found, blank) > 0 || onlyUnder(law, blank, found) > 0;
