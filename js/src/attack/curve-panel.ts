/**
 * What both curves against the budget share: how lines look, the axis and its handle, the panel, and words where there
 * are none.
 */
import { drawHandle } from "../curves/r-handle";
import { axisText, rule, ticks, valueAxis, type Scale } from "../ui/axes";
import { become, component, h, renew, s, setAttr, setAttrs, setText, type Attrs, type Component } from "../ui/dom";
import { fixed, tick } from "../ui/format";
import { dragIn, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import { fromShare, listenShare, round3, toShare, type Change } from "../ui/slider";
import type { Curves, Mean } from "./results";
import { NEEDS_KERNEL } from "./screen";
import { amountText } from "./words";

// How the lines of both attacks look, everywhere: colour and dashes.

export type Series = "one" | "two" | "printed" | "bound";

export const LINES: Record<Series, Attrs> = {
  one: { stroke: "var(--a)", "stroke-width": 2, "stroke-dasharray": "5 2.5", fill: "none" },
  two: { stroke: "var(--b)", "stroke-width": 2, fill: "none" },
  printed: { stroke: "var(--paper)", "stroke-width": 1.5, "stroke-dasharray": "2 2", fill: "none" },
  bound: { stroke: "var(--promise)", "stroke-width": 1.5, "stroke-dasharray": "4 3", fill: "none" },
};

/** A short piece of a line, to stand in text. */
export function lineSample(series: Series): SVGSVGElement {
  return s("svg", { viewBox: "0 0 24 8", width: 24, height: 8, class: "line-sample", "aria-hidden": "true" }, s("path", { d: "M1 4H23", ...LINES[series] }));
}

/** The value of a line at the budget. */
export function dot(x: number, y: number, series: "one" | "two"): SVGElement {
  return s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 4, fill: series === "one" ? "var(--a)" : "var(--b)", stroke: "var(--bg)" });
}

// The logarithmic axis of budgets below both curves, and the line that is dragged along it.

export interface BudgetAxis {
  low: number;
  high: number;
  /** The same in px. */
  left: number;
  right: number;
  /** y of the axis, and width of the picture, px. */
  bottom: number;
  width: number;
}

export function budgetScale({ low, high, left, right }: BudgetAxis): Scale {
  return (epsilon) => left + toShare(epsilon, low, high, true) * (right - left);
}

/** Powers of ten with their labels, the last one named, except those that the grip covers or that would meet. */
export function budgetTicks(axis: BudgetAxis, at: number): SVGElement[] {
  const x = budgetScale(axis);
  const out: SVGElement[] = [];
  const last = `ε = ${tick(axis.high)}`;
  const lastLeft = axis.right + 4 - textWidth(last);
  const free = (from: number, to: number): boolean => to < x(at) - 8 || from > x(at) + 8;
  out.push(rule(x(axis.high), axis.bottom, x(axis.high), axis.bottom + 4));
  if (free(lastLeft, axis.right + 4)) out.push(axisText(axis.right + 4, axis.bottom + 16, last, { "text-anchor": "end" }));
  let edge = -Infinity;
  for (let power = Math.ceil(Math.log10(axis.low) - 1e-9); 10 ** power < axis.high * (1 - 1e-9); power++) {
    const value = Number((10 ** power).toPrecision(3));
    const half = textWidth(tick(value)) / 2;
    out.push(rule(x(value), axis.bottom, x(value), axis.bottom + 4));
    if (x(value) + half > lastLeft - 8 || x(value) - half < edge + 8 || !free(x(value) - half, x(value) + half)) continue;
    edge = x(value) + half;
    out.push(axisText(x(value), axis.bottom + 16, tick(value), { "text-anchor": "middle" }));
  }
  return out;
}

export interface BudgetHandle {
  readonly el: SVGGElement;
  /** null while there is nothing to move along. */
  update(axis: BudgetAxis | null, epsilon: number, disabled: boolean): void;
}

/** Dragged anywhere in the picture, moved with the keys; `commit` is true at the end of a move. */
export function createBudgetHandle(picture: SVGSVGElement, name: string, onEpsilon: (epsilon: number, how: Change) => void): BudgetHandle {
  let axis: BudgetAxis | null = null;
  let epsilon = 1;
  let before = 1;
  let off = false;
  const el = drawHandle(name, null);

  /** The budget at a share of the axis; the ends are exact. */
  function at({ low, high }: BudgetAxis, share: number): number {
    const value = fromShare(share, low, high, true);
    return share <= 0 || share >= 1 ? value : round3(value);
  }

  const held = dragIn(picture, el, {
    begin() {
      before = epsilon;
      return axis !== null && !off;
    },
    follow(event) {
      if (!axis) return;
      const [px] = placeIn(picture, event, axis.width);
      const next = at(axis, (px - axis.left) / (axis.right - axis.left));
      if (next === epsilon) return;
      epsilon = next;
      onEpsilon(next, { commit: false });
    },
    // A pointer that was taken away gives the gesture up.
    end: (kept) => onEpsilon(kept ? epsilon : before, { commit: true }),
  });
  listenShare(el, () => (axis && !off ? toShare(epsilon, axis.low, axis.high, true) : null), (next) => {
    if (axis) onEpsilon(at(axis, next), { commit: true, pressed: true });
  });

  return {
    el,
    update(next, value, disabled) {
      axis = next;
      off = disabled;
      if (!held()) epsilon = value;
      el.style.display = next ? "" : "none";
      if (!next) return;
      const text = `ε = ${amountText(value)} nats`;
      become(el, drawHandle(name, { ...next, x: budgetScale(next)(value), value, text, disabled }));
    },
  };
}

// What both curves against the budget share: their panel, axes and handle, and words where there are none.

export interface CurveProps {
  curves: Curves | null;
  mean: Mean | null;
  epsilon: number;
  /** The budget is a guarantee. */
  holds: boolean;
  /** The curves are those of something else. */
  busy: boolean;
  /** What stands in place of curves. */
  none: string;
  disabled: boolean;
  width: number;
}

export interface Plot {
  x: Scale;
  y: Scale;
  axis: BudgetAxis;
  top: number;
}

export interface CurveKind {
  name: string;
  unit: string;
  /** Of the picture, for screen readers. */
  handle: string;
  /** Largest value of the axis, a round number. */
  top(curves: Curves): number;
  drawn(props: CurveProps, curves: Curves, plot: Plot): SVGElement[];
  /** Over the handle: the values at the budget. */
  over(props: CurveProps, curves: Curves, plot: Plot): SVGElement[];
  /** Below the picture. */
  words(props: CurveProps): (Node | string)[];
  spoken(props: CurveProps): string;
  /** Hidden columns beside the budget. */
  columns: readonly string[];
  values(curves: Curves, k: number): string[];
}

const HEIGHT = 184;
const TOP = 10;
const BOTTOM = HEIGHT - 26;

export function createCurvePanel(kind: CurveKind, initial: CurveProps, onEpsilon: (epsilon: number, how: Change) => void): Component<CurveProps> {
  let props = initial;
  let listed: Curves | null = null;
  const unit = h("span", { class: "muted" });
  const note = h("span", { class: "muted nowrap" });
  const drawn = s("g", {});
  const over = s("g", { class: "ax-over" });
  const svg = s("svg", { class: "density-svg ax-curve", role: "group" });
  const handle = createBudgetHandle(svg, `Budget ε, ${kind.handle}`, onEpsilon);
  svg.append(drawn, handle.el, over);
  const empty = h("p", { class: "px-empty ax-no-curve" });
  const words = h("div", { class: "small muted ax-curve-words" });
  const rows = h("tbody");
  const head = ["ε", ...kind.columns].map((name) => h("th", { scope: "col" }, name));
  const table = h(
    "div",
    { class: "sr-only" },
    h("table", {}, h("caption", {}, `${kind.name}, ${kind.unit}`), h("thead", {}, h("tr", {}, ...head)), rows),
  );
  const el = h(
    "section",
    { class: "panel ax-curve-panel", "aria-label": kind.name },
    h("h3", { class: "panel-head" }, h("span", {}, `${kind.name} `, unit), note),
    svg,
    empty,
    words,
    table,
  );

  function draw(): void {
    const { curves, epsilon, busy, none, disabled, width } = props;
    setText(unit, `${kind.unit}${curves ? `, mean of ${fixed(curves.users, 0)} users` : ""}`);
    setText(note, curves && !disabled && textWidth(`${kind.name} ${unit.textContent} drag ε`, 12, true) + 8 < width ? "drag ε" : "");
    svg.style.display = curves ? "" : "none";
    empty.hidden = curves !== null;
    setText(empty, none === NEEDS_KERNEL ? "The curves over all users need a kernel." : `The curves over all users: ${none}.`);
    if (!curves) {
      renew(words);
      handle.update(null, epsilon, true);
      return list(null);
    }
    setAttrs(svg, {
      width,
      height: HEIGHT,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      "aria-label": `${kind.name} against the budget: ${busy ? "being computed" : kind.spoken(props)}`,
    });
    setAttr(svg, "data-old", busy);
    const top = kind.top(curves);
    const values = ticks(0, top, 4);
    const left = Math.ceil(Math.max(...values.map((value) => textWidth(fixed(value, value % 1 === 0 ? 0 : 1))))) + 10;
    const [low, high] = [curves.epsilon[0] as number, curves.epsilon[curves.epsilon.length - 1] as number];
    const axis: BudgetAxis = { low, high: high > low ? high : low * 10, left, right: width - 6, bottom: BOTTOM, width };
    const plot: Plot = { x: budgetScale(axis), y: (value) => BOTTOM - (Math.min(top, Math.max(0, value)) / top) * (BOTTOM - TOP), axis, top };
    renew(drawn, valueAxis(values, plot.y, left, axis.right), ...budgetTicks(axis, epsilon), ...kind.drawn(props, curves, plot));
    handle.update(axis, Math.min(axis.high, Math.max(axis.low, epsilon)), disabled);
    renew(over, ...(busy ? [] : kind.over(props, curves, plot)));
    renew(words, ...kind.words(props));
    list(busy ? null : curves);
  }

  function list(curves: Curves | null): void {
    if (curves === listed) return;
    listed = curves;
    renew(
      rows,
      ...Array.from(curves?.epsilon ?? [], (epsilon, k) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, String(epsilon)),
          ...kind.values(curves as Curves, k).map((value) => h("td", {}, value)),
        ),
      ),
    );
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

/** Points of a curve, px. */
export function pointsOf(curves: Curves, values: ArrayLike<number>, { x, y }: Pick<Plot, "x" | "y">): [number, number][] {
  return Array.from(curves.epsilon, (epsilon, k): [number, number] => [x(epsilon), y(values[k] as number)]);
}

/** "≈" before what is read from the curves. */
export function near(mean: Mean): string {
  return mean.half === null ? "≈ " : "";
}
