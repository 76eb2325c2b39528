/** How likely an error larger than α is, by mechanism, with α to be dragged; the table below is the key. */
import { createRHandle, rAxis } from "../curves/r-handle";
import { linear, niceCeiling, polyline, ticks, valueAxis } from "../ui/axes";
import { component, h, renew, s, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { probability, tick } from "../ui/format";
import type { Change } from "../ui/slider";
import { createMechanismTable, curveOf } from "./mechanism-table";
import type { Coefficient, MechanismChoice } from "./protocol";
import type { Shown, ShownMechanism } from "./results";

export interface AccuracyProps {
  shown: Shown | null;
  mechanism: MechanismChoice["key"];
  coefficient: Coefficient;
  epsilon: number;
  alpha: number;
  busy: boolean;
  disabled: boolean;
  width: number;
}

export interface AccuracyEvents {
  onAlpha(alpha: number, how: Change): void;
  /** Key of a row: "dpm_exact", "baseline". */
  onMechanism(key: string): void;
}

const HEIGHT = 158;
const LEFT = 30;
const BOTTOM = HEIGHT - 24;
const TOP = 8;
const SAMPLES = 60;
const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Key of the mechanism in use among the rows. */
export function rowKey(mechanism: MechanismChoice["key"], coefficient: Coefficient): string {
  return mechanism === "dpm" ? `dpm_${coefficient}` : mechanism;
}

/** Where the axis of α ends: curves in use come close to 0 there, and α has a place on it. */
export function alphaEnd(scales: readonly number[], alpha: number): number {
  const widest = Math.max(...scales.filter((scale) => Number.isFinite(scale) && scale > 0), 0);
  return Math.max(niceCeiling(2.6 * (widest || 1), STEPS), niceCeiling(alpha > 0 && Number.isFinite(alpha) ? alpha : 1, STEPS));
}

export function createAccuracy(initial: AccuracyProps, events: AccuracyEvents): Component<AccuracyProps> {
  let props = initial;
  const what = h("span", { class: "muted" });
  const note = h("span", { class: "muted nowrap" });
  const drawn = s("g", {});
  const dots = s("g", {});
  const svg = s("svg", { class: "density-svg dx-curve", role: "group" });
  const handle = createRHandle(svg, events.onAlpha, { name: "Error α", sign: "α" });
  svg.append(drawn, handle.el, dots);
  const table = createMechanismTable(tableProps(), { onMechanism: events.onMechanism });
  const words = h("p", { class: "small muted" });
  const el = h(
    "section",
    { class: "panel dx-accuracy", "aria-label": "Accuracy" },
    h("h3", { class: "panel-head" }, h("span", {}, "Accuracy ", what), note),
    svg,
    words,
    table.el,
  );

  function tableProps() {
    const { shown, mechanism, coefficient, epsilon, alpha, busy, disabled } = props;
    return { shown, chosen: rowKey(mechanism, coefficient), epsilon, alpha, busy, disabled };
  }

  function curves(shown: Shown): { row: ShownMechanism; look: NonNullable<ReturnType<typeof curveOf>> }[] {
    const key = rowKey(props.mechanism, props.coefficient);
    const all = shown.mechanisms.flatMap((row) => {
      const look = curveOf(row.key, key);
      return look ? [{ row, look }] : [];
    });
    // What is in use is a full line: dashes on top of it show where others are equal.
    return all.sort((a, b) => Number(b.row.key === key) - Number(a.row.key === key));
  }

  function draw(): void {
    const { shown, alpha, busy, disabled, width } = props;
    setText(what, shown && !shown.scalar ? "P(|error of one number| > α)" : "P(|error| > α)");
    const there = shown !== null && !busy;
    setText(note, there && !disabled ? "drag α" : "");
    svg.style.visibility = there ? "" : "hidden";
    setAttrs(svg, { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` });
    table.update(tableProps());
    setText(words, shown ? "" : "No results yet.");
    if (!shown || busy) return;
    const lines = curves(shown);
    const end = alphaEnd(lines.map(({ row }) => row.scale), alpha);
    const x = linear(0, end, LEFT, width - 8);
    const y = linear(0, 1, BOTTOM, TOP);
    const at = Math.min(end, alpha);
    const chance = (scale: number, a: number): number => Math.exp(-a / scale);
    const paths = lines.map(({ row, look }) => {
      const points = Array.from({ length: SAMPLES + 1 }, (_, k): [number, number] => [x((end * k) / SAMPLES), y(chance(row.scale, (end * k) / SAMPLES))]);
      return s("path", { d: polyline(points), fill: "none", stroke: look.colour, "stroke-width": look.width, "stroke-dasharray": look.dash });
    });
    renew(drawn, valueAxis([0, 0.5, 1], y, LEFT, width - 8), ...rAxis(ticks(0, end, 4), x, at, BOTTOM), ...paths);
    renew(
      dots,
      ...lines.map(({ row, look }) =>
        s("circle", { cx: x(at), cy: y(chance(row.scale, at)), r: 4, fill: look.colour, stroke: "var(--bg)" }),
      ),
    );
    setAttr(
      svg,
      "aria-label",
      `Chance of an error above α = ${tick(alpha)}: ${lines.map(({ row }) => `${row.label} ${probability(chance(row.scale, alpha))}`).join(", ")}`,
    );
    handle.update({ r: at, low: 0, high: end, left: LEFT, right: width - 8, width, bottom: BOTTOM, disabled });
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  }, table);
}
