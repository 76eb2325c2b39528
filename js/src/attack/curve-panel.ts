/** What both curves against the budget share: their panel, axes and handle, and words where there are none. */
import { ticks, valueAxis, type Scale } from "../ui/axes";
import { component, h, renew, s, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { textWidth } from "../ui/lettering";
import type { Change } from "../ui/slider";
import { budgetScale, budgetTicks, createBudgetHandle, type BudgetAxis } from "./budget-axis";
import type { Curves, Mean } from "./results";
import { NEEDS_KERNEL } from "./screen";

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
