/**
 * How accurate each mechanism is: how likely an error larger than α is, with α to be dragged, and the table that is
 * the key.
 */
import { createRHandle, rAxis } from "../curves/r-handle";
import { triangle } from "../ui/marks";
import { isOver } from "../explorer/words";
import { linear, niceCeiling, polyline, ticks, valueAxis } from "../ui/axes";
import { component, h, listen, renew, s, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { amount, amountUp, probability, tick } from "../ui/format";
import type { Change } from "../ui/slider";
import type { Coefficient, MechanismChoice } from "./protocol";
import type { Shown, ShownMechanism } from "./results";
import { nats } from "./words";

// Mechanisms side by side: a sample of the curve, the noise, the largest leakage, and the chance of an error.

export interface MechanismTableProps {
  shown: Shown | null;
  /** Key of the row in use. */
  chosen: string;
  epsilon: number;
  alpha: number;
  busy: boolean;
  disabled: boolean;
}

export interface CurveLook {
  colour: string;
  dash: string | null;
  width: number;
}

const LOOKS: Record<string, CurveLook> = {
  lpm: { colour: "var(--ink2)", dash: "2 3", width: 1.5 },
  dpm_mean: { colour: "var(--b)", dash: "5 2.5", width: 2 },
  baseline: { colour: "var(--promise)", dash: "8 3", width: 2 },
  dpm_exact: { colour: "var(--ink2)", dash: "8 3 2 3", width: 1.5 },
};

/** How a mechanism's curve is drawn; null where it has none: more than a few would not be told apart. */
function curveOf(key: string, chosen: string): CurveLook | null {
  if (key === chosen) return { colour: "var(--a)", dash: null, width: 2.5 };
  return LOOKS[key] ?? null;
}

const HOLDS: Record<ShownMechanism["holds"], string> = {
  always: "Keeps the promise always",
  here: "Keeps the promise here",
  no: "Does not keep the promise here",
};

function createMechanismTable(initial: MechanismTableProps, events: { onMechanism(key: string): void }): Component<MechanismTableProps> {
  let props = initial;
  const atHead = h("th", { scope: "col" });
  const body = h("tbody");
  const heads = ["mechanism", "σ", "worst leak"].map((head) => h("th", { scope: "col" }, head));
  const el = h("table", { class: "dx-numbers dx-mechanisms" }, h("thead", {}, h("tr", {}, ...heads, atHead)), body);
  listen(body, "click", (event) => {
    const key = (event.target as Element).closest<HTMLElement>("button[data-key]")?.dataset["key"];
    if (key !== undefined && !props.disabled && key !== props.chosen) events.onMechanism(key);
  });

  function draw(): void {
    const { shown, chosen, epsilon, alpha, busy, disabled } = props;
    el.hidden = shown === null;
    setText(atHead, `at α = ${tick(Number(alpha.toPrecision(3)))}`);
    if (!shown) return;
    const rows = shown.mechanisms.map((row) => {
      const { key, label, scale, largest, holds, why } = row;
      const over = isOver(largest, epsilon) && !busy;
      const title = `${HOLDS[holds]}: ${why}`;
      const button = h("button", { type: "button", class: "dx-mechanism-name", "data-key": key, "aria-pressed": String(key === chosen), title }, label);
      button.disabled = disabled;
      const write = (text: string): string => (busy ? "…" : text);
      return h(
        "tr",
        { "data-on": key === chosen },
        h("th", { scope: "row" }, sample(curveOf(key, chosen)), button),
        h("td", {}, write(key === "calibrated" ? amountUp(scale) : amount(scale))),
        h("td", { class: over ? "over" : null }, over ? triangle("high") : null, `${over ? " " : ""}${write(nats(largest, epsilon))}`),
        h("td", {}, write(probability(Math.exp(-alpha / scale)))),
      );
    });
    renew(body, ...rows);
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

function sample(look: CurveLook | null): SVGSVGElement {
  const line = look && s("line", { x1: 0, x2: 22, y1: 4, y2: 4, style: `stroke:${look.colour}`, "stroke-width": look.width, "stroke-dasharray": look.dash });
  return s("svg", { class: "dx-line-sample", viewBox: "0 0 22 8", width: 22, height: 8, "aria-hidden": "true" }, line);
}

// How likely an error larger than α is, by mechanism, with α to be dragged; the table below is the key.

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
