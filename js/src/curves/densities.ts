/** The densities of r given each label, and below them the log ratio of the attained pair. */
import { linear, polyline, rule, valueAxis, type Scale } from "../ui/axes";
import { component, h, renew, s, setAttr, setAttrs, setText, text, type Component } from "../ui/dom";
import { fixed, leakage, tick } from "../ui/format";
import { fit, inQuotes, textWidth } from "../ui/lettering";
import { mark } from "../ui/marks";
import { leakageUnit } from "../ui/preferences";
import type { Chosen, Mixture } from "../ui/protocol";
import { frameOf, lineSample, ratioPanel, series, type Frame } from "./frame";
import { around, type Box, boxOf, placeLabels, written, type Obstacles, type Wanted } from "./labels";
import { centresOf, density, feasible, logRatio } from "./mixture";
import { createRHandle, rAxis } from "./r-handle";

export { rDecimals } from "./r-handle";

export interface DensitiesProps {
  /** null while there is nothing to show. */
  chosen: Chosen | null;
  /** The scale the results belong to. */
  scale: number;
  names: string[];
  labels: string[][];
  r: number;
  showPaper: boolean;
  width: number;
  /** What the heading's right side says; by default how to use the handle. */
  note: string;
  /** Numbers are awaited: the curves fade and carry none. */
  busy: boolean;
  disabled: boolean;
  /** What stands here when there is nothing to draw. */
  emptyText?: string;
}

export interface DensitiesEvents {
  onR(r: number): void;
}

const LEFT = 40;
const RIGHT = 10;
const UPPER = 92;
const LOWER = 120;
/** Between the lowest value and the axis, px: there is room for a line of words. */
const FOOT = 14;
const GAP = 30;
/** Labels that are not in ink. */
const COLOURS: Record<string, string> = { promise: "var(--promise)", paper: "var(--paper)", end: "var(--ink2)" };
/** The numbers of the axis of r stand within. */
const HEIGHT = UPPER + GAP + LOWER + 14;

export function createDensities(initial: DensitiesProps, events: DensitiesEvents): Component<DensitiesProps> {
  let props = initial;
  let frame: Frame | null = null;
  let drawing: Drawing | null = null;
  let drawnFor: unknown[] = [];

  const note = h("span", { class: "muted" });
  const curves = s("g");
  const words = s("g");
  const picture = s("svg", { class: "density-svg", height: HEIGHT, role: "group" }, curves, words);
  const handle = createRHandle(picture, (r) => events.onR(r));
  picture.append(handle.el);
  const caption = h("p", { class: "small muted density-caption" });
  const empty = h("p", { class: "muted density-empty" });
  const numbers = h("div", { class: "sr-only" });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Densities" },
    h("h3", { class: "panel-head" }, h("span", {}, "Density of the published value r"), note),
    empty,
    picture,
    caption,
    numbers,
  );

  function draw(): void {
    const { chosen, scale, width } = props;
    frame = chosen ? frameOf(chosen, scale) : null;
    const shown = chosen !== null && frame !== null;
    setAttr(picture, "hidden", !shown);
    picture.style.display = shown ? "" : "none";
    empty.hidden = shown;
    setText(empty, shown ? "" : (props.emptyText ?? "Nothing to draw yet."));
    setText(note, props.note);
    picture.classList.toggle("density-busy", props.busy);
    if (!chosen || !frame) return handle.update(null);
    const key = [chosen, scale, width, props.showPaper];
    if (!drawing || key.some((v, k) => v !== drawnFor[k])) {
      drawnFor = key;
      drawing = drawCurves(props, chosen, frame);
      setAttrs(picture, {
        width,
        viewBox: `0 0 ${width} ${HEIGHT}`,
        "aria-label": `Densities of r given ${props.names[chosen.target] ?? ""}, and their log ratio`,
      });
      renew(curves, ...drawing.elements);
      renew(numbers, numberTable(props, chosen, frame));
    }
    const { low, high } = frame;
    handle.update({ r: props.r, low, high, left: LEFT, right: width - RIGHT, width, bottom: drawing.bottom, spared: drawing.title, disabled: props.disabled });
    drawWords(drawing, chosen, frame);
  }

  function drawWords(d: Drawing, chosen: Chosen, f: Frame): void {
    const handleX = d.x(props.r);
    const wanted = props.busy ? d.wanted.filter((w) => w.key.startsWith("label ")) : d.wanted;
    const { places } = placeLabels(wanted, { ...d.obstacles, verticals: [handleX] });
    renew(words, ...written(wanted, places, COLOURS), ...rAxis(f.rTicks, d.x, props.r, d.bottom));
    drawCaption(wanted.filter((w) => places.get(w.key) === null), chosen);
  }

  /** What found no room near its curve is said below. */
  function drawCaption(left: Wanted[], chosen: Chosen): void {
    const parts: (Node | string)[] = [];
    const add = (...nodes: (Node | string)[]): void => {
      if (parts.length) parts.push("; ");
      parts.push(...nodes);
    };
    for (const label of left) {
      const position = label.key.startsWith("label ") ? Number(label.key.slice(6)) : null;
      if (position === null) add(label.text);
      else add(lineSample(position), ` ${label.text}`);
    }
    const never = chosen.mixtures.flatMap((m, k) => (feasible(m) ? [] : [labelText(props, chosen.target, k, 120)]));
    if (never.length) add(`${nameText(props, chosen.target, 100)} cannot be ${never.join(", ")} here`);
    if (parts.length) parts.push(".");
    renew(caption, ...parts);
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

interface Drawing {
  elements: SVGElement[];
  wanted: Wanted[];
  obstacles: Obstacles;
  /** Where the heading of the lower panel stands; null without one. */
  title: Box | null;
  x: Scale;
  /** y of the axis of r. */
  bottom: number;
}

function labelText(props: DensitiesProps, target: number, k: number, width: number): string {
  const label = props.labels[target]?.[k] ?? String(k);
  return inQuotes(label, fit(label, width));
}

function nameText(props: DensitiesProps, target: number, width: number, bold = false): string {
  const name = props.names[target] ?? "";
  return inQuotes(name, fit(name, width, 11, bold));
}

function drawCurves(props: DensitiesProps, chosen: Chosen, frame: Frame): Drawing {
  const { width, scale } = props;
  const right = width - RIGHT;
  const x = linear(frame.low, frame.high, LEFT, right);
  const y = linear(0, frame.densityTop, UPPER, 8);
  const top = UPPER + GAP;
  const bottom = top + LOWER - 8;
  const z = linear(-frame.ratioTop, frame.ratioTop, bottom - FOOT, top);
  const axis = rule(LEFT, bottom, right, bottom);
  const elements: SVGElement[] = [valueAxis(frame.densityTicks, y, LEFT, right), axis];
  const lines: (readonly [number, number])[][] = [];
  const wanted: Wanted[] = [];
  const boxes: Box[] = [];
  let title: Box | null = null;

  const named: Wanted[] = [];
  chosen.mixtures.forEach((m, k) => {
    if (!feasible(m)) return;
    const points = frame.points.map((r) => [x(r), y(density(m, scale, r))] as const);
    elements.push(s("path", { d: polyline(points), ...series(k) }));
    lines.push(points);
    named.push(curveName(props, chosen, k, points));
  });

  const { pair } = frame;
  if (pair) {
    const words = pair.map((k) => labelText(props, chosen.target, k, 70)) as [string, string];
    const heading = `log ratio, ${words[0]} over ${words[1]}, ${leakageUnit()}`;
    const place = { x: LEFT, y: top - 10, anchor: "start" } as const;
    elements.push(text(place.x, place.y, heading, { "font-weight": 600 }));
    title = boxOf(place, textWidth(heading, 11, true));
    boxes.push(title);
    const [over, under] = pair.map((k) => chosen.mixtures[k]) as [Mixture, Mixture];
    const ratio = (r: number): number => logRatio(over, under, scale, r);
    const curve = frame.points.map((r) => [x(r), z(ratio(r))] as const);
    elements.push(
      ...ratioPanel(frame, chosen.promise, z, x, LEFT, right, ratio),
      s("path", { d: polyline(curve), fill: "none", stroke: "var(--ink)", "stroke-width": 2 }),
    );
    lines.push(curve);
    wanted.push(...ratioMarks(props, chosen, frame, x, z, ratio, elements));
  } else {
    elements.push(text(LEFT, top + LOWER / 2, "Only one label is possible: r says nothing more about it.", { style: "fill:var(--ink2)" }));
  }
  const obstacles = { curves: lines, verticals: [], boxes, frame: { x0: LEFT - 4, x1: width, y0: 0, y1: bottom } };
  return { elements, wanted: [...wanted, ...named], obstacles, title, x, bottom };
}

/** "if item 5 is right", near the peak of its curve; shorter where the chart is narrow. */
function curveName(props: DensitiesProps, chosen: Chosen, k: number, points: readonly (readonly [number, number])[]): Wanted {
  const label = labelText(props, chosen.target, k, 120);
  const long = `if ${nameText(props, chosen.target, 140, true)} is ${label}`;
  const content = props.width < 420 || chosen.mixtures.length > 2 || textWidth(long, 11, true) > 170 ? `if ${label}` : long;
  const peak = points.reduce((a, b) => (b[1] < a[1] ? b : a));
  const places = around(peak[0], peak[1], 12);
  // Further along the curve, if the peak is crowded.
  for (const share of [0.3, 0.7, 0.15, 0.85, 0.5]) {
    const p = points[Math.round(share * (points.length - 1))] as readonly [number, number];
    places.push(...around(p[0], p[1], 10).slice(0, 5));
  }
  return { key: `label ${k}`, text: content, bold: true, places };
}

/** Disc where the leakage is attained, diamond at the one end the paper looks at, and their words. */
function ratioMarks(props: DensitiesProps, chosen: Chosen, frame: Frame, x: Scale, z: Scale, ratio: (r: number) => number, elements: SVGElement[]): Wanted[] {
  const wanted: Wanted[] = [];
  const { attained, promise } = chosen;
  const [smin, smax] = frame.inner;
  const narrow = props.width < 420;
  const leftEnd = ratio(smin);
  if (attained) {
    const value = ratio(attained.r);
    const at: [number, number] = [x(attained.r), z(value)];
    elements.push(mark("exact", at[0], at[1]));
    const side = attained.side === "<=" ? "≤" : attained.side === ">=" ? "≥" : "=";
    const lift = value > 0 ? -8 : 16;
    const other = value > 0 ? 16 : -8;
    wanted.push({
      key: "attained",
      text: `${leakage(Math.abs(value), promise)} attained, r ${side} ${tick(attained.r)}`,
      bold: true,
      mark: at,
      places: [
        { x: at[0] + (attained.side === "<=" ? 8 : -9), y: at[1] + lift, anchor: attained.side === "<=" ? "start" : "end" },
        { x: at[0] + 8, y: at[1] + lift, anchor: "start" },
        { x: at[0] - 9, y: at[1] + lift, anchor: "end" },
        { x: at[0], y: at[1] + lift, anchor: "middle" },
        { x: at[0] + 8, y: at[1] + other, anchor: "start" },
        { x: at[0] - 9, y: at[1] + other, anchor: "end" },
      ],
    });
  }
  const attainedLeft = attained !== null && (attained.side === "<=" || attained.r === smin);
  if (props.showPaper && !attainedLeft) {
    elements.push(mark("paper", x(smin), z(leftEnd)));
    wanted.push({
      key: "paper",
      text: `${leakage(Math.abs(leftEnd), chosen.value, promise)}: ${narrow ? "paper looks here" : "the paper looks only here"}`,
      bold: false,
      mark: [x(smin), z(leftEnd)],
      places: around(x(smin), z(leftEnd), 11).map((p, k) => (k === 0 ? { x: x(smin) + 11, y: z(leftEnd) + (leftEnd > 0 ? -8 : 14), anchor: "start" } : p)),
    });
  } else if (attainedLeft) {
    const end = ratio(smax);
    const y = z(end) + (end > 0 ? -8 : 16);
    wanted.push({
      key: "end",
      text: `${leakage(Math.abs(end), promise)} at this end`,
      bold: false,
      places: [
        { x: x(smax) - 4, y, anchor: "end" },
        { x: x(frame.high) - 2, y, anchor: "end" },
        { x: x(smax) + 4, y, anchor: "start" },
      ],
    });
  }
  if (promise > 0) {
    const places = [-1, 1].flatMap((sign) =>
      [-6, 14].flatMap((dy) =>
        [0.77, 0.6, 0.98, 0.42, 0.25].map((share) => ({
          x: LEFT + share * (x(frame.high) - LEFT),
          y: z(sign * promise) + (sign < 0 ? dy : 8 - dy),
          anchor: "end" as const,
        })),
      ),
    );
    wanted.push({ key: "promise", text: `promise ±${leakage(promise)}`, bold: false, places });
  }
  return wanted;
}

/** The same numbers for screen readers, at the corners of the curves. */
function numberTable(props: DensitiesProps, chosen: Chosen, frame: Frame): HTMLTableElement {
  const possible = chosen.mixtures.flatMap((m, k) => (feasible(m) ? [k] : []));
  const name = nameText(props, chosen.target, 200);
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "r"),
    ...possible.map((k) =>
      h("th", { scope: "col" }, `density if ${name} is ${labelText(props, chosen.target, k, 200)}`),
    ),
  );
  const { pair } = frame;
  if (pair) head.append(h("th", { scope: "col" }, `log ratio, ${leakageUnit()}`));
  const rows = centresOf(chosen.mixtures)
    .slice(0, 40)
    .map((r) => {
      const row = h(
        "tr",
        {},
        h("th", { scope: "row" }, tick(r)),
        ...possible.map((k) => h("td", {}, fixed(density(chosen.mixtures[k] as Mixture, props.scale, r), 4))),
      );
      if (pair)
        row.append(
          h(
            "td",
            {},
            fixed(
              logRatio(chosen.mixtures[pair[0]] as Mixture, chosen.mixtures[pair[1]] as Mixture, props.scale, r),
              3,
            ),
          ),
        );
      return row;
    });
  return h("table", {}, h("caption", {}, "Densities and log ratio at their corners"), h("thead", {}, head), h("tbody", {}, ...rows));
}
