/** The budget of each report: a slider, and a field that takes infinity too. */
import { niceCeiling } from "../ui/axes";
import type { Component } from "../ui/component";
import { h, setText } from "../ui/dom";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { createSlider, type Change, type SliderProps } from "../ui/slider";
import { tick } from "../ui/format";
import { budgetText, readBudget, refuseBudget } from "./words";

export interface BudgetProps {
  value: number;
  /** It follows from other parameters. */
  fixed: boolean;
  disabled: boolean;
}

export interface BudgetEvents {
  onChange(value: number, how: Change): void;
  /** Why what was typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
}

/** Where a track of budgets ends: at 4, or at a round number above a larger one; it does not shrink under a thumb. */
export function trackEnd(end: number, value: number): number {
  if (!Number.isFinite(value) || value <= end) return Math.max(4, end);
  return niceCeiling(value, [1, 2, 4, 8, 10]);
}

export function createBudget(initial: BudgetProps, events: BudgetEvents): Component<BudgetProps> {
  let props = initial;
  let end = trackEnd(4, initial.value);
  let dragged = false;
  const label = h("span", { class: "label" });
  const slider = createSlider(sliderProps(), {
    onChange(value, how) {
      dragged = !how.commit;
      events.onChange(value, how);
    },
  });
  const entry = createNumberEntry(entryProps(), {
    onCommit: (value) => events.onChange(value, { commit: true }),
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The budget stays ${budgetText(props.value)}.`),
  });
  const el = h("div", { class: "px-field px-scale" }, label, h("div", { class: "px-scale-row" }, slider.el, entry.el));

  function sliderProps(): SliderProps {
    const { value, disabled, fixed } = props;
    const ticks = [0, end / 2, end].map((at) => ({ value: at, text: tick(at) }));
    return { value: Math.min(end, value), min: 0, max: end, log: false, label: "Budget ε, nats per report", valueText: `ε = ${budgetText(value)}`, ticks, disabled: disabled || fixed };
  }

  function entryProps(): NumberEntryProps {
    const { value, disabled, fixed } = props;
    return { label: "Budget ε as a number", value, format: budgetText, refuse: refuseBudget, read: readBudget, disabled: disabled || fixed };
  }

  function draw(): void {
    // An infinite budget stands at the end of whatever range there was.
    end = trackEnd(dragged || !Number.isFinite(props.value) ? end : 4, props.value);
    setText(label, props.fixed ? "ε of one report, follows from f, p, q" : "Budget ε, nats per report");
    slider.update(sliderProps());
    entry.update(entryProps());
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      slider.destroy();
      entry.destroy();
      el.remove();
    },
  };
}
