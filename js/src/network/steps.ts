/** Steps of a stream, each released with a budget of its own: bars that are dragged, and what all releases say about each step. */
import { isOver, nameOf } from "../explorer/words";
import { axisText, linear, niceCeiling, polyline, rule, ticks, valueAxis, type Scale } from "../ui/axes";
import { button, component, h, layered, listen, renew, s, setAttrs, setText, type Attrs, type Component } from "../ui/dom";
import { leakage, nats, parameter } from "../ui/format";
import { followPointer, placeIn } from "../ui/gestures";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { entryText, refuseGoal } from "../ui/scale";
import { keyShare, round3, type Change } from "../ui/slider";
import { number } from "../ui/wire";
import type { PanelProps } from "./panels";

export interface StepsProps extends PanelProps {
  goal: number;
  /** As they stand under the hand. */
  budgets: readonly number[];
}

export interface StepsEvents {
  onBudgets(budgets: number[], how: Change): void;
  onGoal(goal: number): void;
  onRefused(reason: string | null): void;
}

const [LEFT, RIGHT, TOP, BOTTOM, HEIGHT] = [40, 8, 8, 190, 214];

interface Frame {
  x: Scale;
  y: Scale;
  /** Width of a bar, and the largest value of the axis. */
  bar: number;
  most: number;
}

function frameOf({ width, budgets, goal, results }: StepsProps): Frame {
  const totals = results?.temporal?.total.map(number).filter(Number.isFinite) ?? [];
  const most = niceCeiling(Math.max(goal, ...budgets.filter(Number.isFinite), ...totals) * 1.05);
  const slot = (width - LEFT - RIGHT) / Math.max(1, budgets.length);
  return { x: linear(0, 1, LEFT + slot / 2, LEFT + 1.5 * slot), y: linear(0, most, BOTTOM, TOP), bar: Math.max(2, slot - 3), most };
}

/** Axis, the goal, and lines: from the past, from the future, both, and exactly. */
export function drawLines(props: StepsProps): SVGElement[] {
  const { results, goal, width, naming, budgets } = props;
  const { x, y, most } = frameOf(props);
  const found = results?.temporal;
  const line = (values: readonly (number | string)[], attrs: Record<string, string | number>): SVGElement =>
    s("path", { d: polyline(values.map((one, t) => [x(t), y(Math.min(most, number(one)))] as const)), fill: "none", "stroke-width": 1.5, ...attrs });
  const ends = [0, budgets.length - 1].map((t, k) => axisText(x(t), BOTTOM + 16, nameOf(naming, t, 16), { "text-anchor": k ? "end" : "start" }));
  return [
    ...ends,
    valueAxis(ticks(0, most, 4), y, LEFT, width - RIGHT),
    rule(LEFT, y(goal), width - RIGHT, y(goal), { stroke: "var(--promise)", "stroke-width": 1.5, "stroke-dasharray": "4 3" }),
    axisText(width - RIGHT, y(goal) - 4, `at most ${parameter(goal)}`, { "text-anchor": "end" }),
    ...(found
      ? [
          line(found.backward, { stroke: "var(--a)", "stroke-dasharray": "2 2" }),
          line(found.forward, { stroke: "var(--b)", "stroke-dasharray": "5 2.5" }),
          line(found.total, { stroke: "var(--promise)", "stroke-width": 2 }),
          ...(found.exact ? [line(found.exact, { stroke: "var(--ink)", "stroke-width": 2 })] : []),
        ]
      : []),
  ];
}

/** One bar, and the ground above it, which takes the hand too. */
function drawBar({ budgets }: StepsProps, { x, y, bar, most }: Frame, t: number, attrs: Attrs): SVGElement {
  const top = y(Math.min(most, budgets[t] as number));
  const box = { x: (x(t) - bar / 2).toFixed(1), width: bar.toFixed(1) };
  return s(
    "g",
    { "data-step": t, role: "slider", "aria-valuemin": 0, "aria-valuemax": most, ...attrs },
    s("rect", { ...box, y: TOP, height: BOTTOM - TOP, fill: "transparent" }),
    s("rect", { ...box, y: top.toFixed(1), height: Math.max(1, BOTTOM - top).toFixed(1), fill: "var(--sel)", stroke: "var(--brand)", "stroke-width": 1 }),
  );
}

function sample(stroke: string, dashes: string, words: string): HTMLElement {
  const line = s("path", { d: "M0 4H22", stroke, "stroke-width": 2, "stroke-dasharray": dashes });
  return h("span", {}, s("svg", { width: 22, height: 8, "aria-hidden": "true" }, line), ` ${words}`);
}

export function createSteps(initial: StepsProps, events: StepsEvents): Component<StepsProps> {
  let props = initial;
  let at = 0;
  const [picture, lower, upper] = layered({ class: "nw-steps", role: "group", "aria-label": "Budgets by step" }, {}, { style: "pointer-events:none" });
  const goal = createNumberEntry(goalProps(), {
    onCommit: events.onGoal,
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The goal stays ${parameter(props.goal)}.`),
  });
  const fill = button("Fill to the goal");
  const note = h("p", { class: "small", "aria-live": "polite" });
  const exactly = sample("var(--ink)", "none", "exact");
  const key = h(
    "p",
    { class: "small nw-samples" },
    sample("var(--a)", "2 2", "from the past"),
    sample("var(--b)", "5 2.5", "from the future"),
    sample("var(--promise)", "none", "both: a bound"),
    exactly,
  );
  const words = h("p", { class: "px-goal" }, "All releases say about each step at most ", goal.el, " nats: ", fill);
  const head = h("h3", { class: "panel-head" }, h("span", {}, "Budgets by step, nats"));
  const el = h("section", { class: "panel px-result nw-wide", "aria-label": "Steps" }, head, words, picture, key, note);

  function goalProps(): NumberEntryProps {
    const { goal: now, disabled } = props;
    return { label: "What all releases may say about a step, nats", value: now, format: entryText, refuse: refuseGoal, disabled, width: 56 };
  }

  listen(fill, "click", () => {
    const plan = props.results?.temporal?.plan;
    if (plan) events.onBudgets(plan.budgets.map(number), { commit: true });
  });

  function set(t: number, value: number, how: Change): void {
    const next = [...props.budgets];
    next[t] = value;
    props = { ...props, budgets: next };
    events.onBudgets(next, how);
  }

  listen(picture as unknown as Element, "pointerdown", (event) => {
    const bar = (event.target as Element).closest("[data-step]");
    if (!bar || props.disabled || event.button !== 0) return;
    event.preventDefault();
    at = Number(bar.getAttribute("data-step"));
    (bar as SVGElement).focus({ preventScroll: true });
    const before = props.budgets[at] as number;
    // The axis stays where it is while a bar is held.
    const { most } = frameOf(props);
    const value = (moved: PointerEvent): number => {
      const [, y] = placeIn(picture, moved, props.width);
      return round3(Math.min(most, Math.max(0, (most * (BOTTOM - y)) / (BOTTOM - TOP))));
    };
    set(at, value(event), { commit: false });
    followPointer(event, {
      active: () => true,
      move: (moved) => set(at, value(moved), { commit: false }),
      end: (_, kept) => set(at, kept ? (props.budgets[at] as number) : before, { commit: true }),
    });
  });

  listen(picture as unknown as Element, "keydown", (event) => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const { most } = frameOf(props);
    const last = props.budgets.length - 1;
    if (way !== 0) {
      at = Math.min(last, Math.max(0, at + way));
      draw();
      (lower.querySelector(`[data-step="${at}"]`) as SVGElement | null)?.focus({ preventScroll: true });
    } else {
      const share = keyShare(event.key, event.shiftKey, Math.min(1, (props.budgets[at] as number) / most));
      if (share === null || props.disabled) return;
      set(at, round3(share * most), { commit: true, pressed: true });
    }
    event.preventDefault();
  });

  function draw(): void {
    const { naming, budgets, results, disabled, width, busy, view } = props;
    if (at >= budgets.length) at = 0;
    const found = results?.temporal ?? null;
    const frame = frameOf(props);
    setAttrs(picture, { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT });
    const bars = budgets.map((budget, t) =>
      drawBar(props, frame, t, {
        tabindex: disabled ? -1 : t === at ? 0 : -1,
        "aria-label": `Budget of ${nameOf(naming, t)}`,
        "aria-valuenow": Number.isFinite(budget) ? budget : frame.most,
        "aria-valuetext": `${parameter(budget)} nats${found ? `, says at most ${nats(number(found.total[t]))}` : ""}`,
        "aria-disabled": disabled ? "true" : null,
      }),
    );
    renew(lower, ...bars);
    renew(upper, ...drawLines(props));
    goal.update(goalProps());
    fill.disabled = disabled || !found?.plan;
    exactly.hidden = !found?.exact;
    setText(note, found ? summary(found.total.map(number), found.exact?.map(number) ?? null) : view.show === "temporal" && busy ? "Being computed." : NO_STEPS);
  }

  /** The step about which most is said. */
  function summary(total: readonly number[], exact: readonly number[] | null): string {
    const worst = total.reduce((best, one, t) => (one > (total[best] as number) ? t : best), 0);
    const over = isOver(total[worst] as number, props.goal);
    const exactWords = exact ? `, exactly ${leakage(exact[worst] as number)}` : "";
    const verdict = over ? "That is above the goal." : "The goal is kept.";
    return `Most is said about ${nameOf(props.naming, worst)}: at most ${nats(total[worst] as number)} nats${exactWords}. ${verdict}`;
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, goal);
}

const NO_STEPS = "There are no steps here: a stream is a line of tuples, each joined to the next, all with as many labels.";
