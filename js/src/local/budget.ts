/** The budget of each report: a slider, and a field that takes infinity too. */
import { niceCeiling } from "../ui/axes";
import type { Component } from "../ui/dom";
import type { NumberEntryProps } from "../ui/number-entry";
import { apartTicks, budgetText, budgetWithin, ENTRY, readBudget, refuseBudget, wholeNumber } from "../ui/scale";
import { createSliderField, type SliderFieldEvents, type SliderFieldProps, type SliderProps } from "../ui/slider";

export interface BudgetProps {
  value: number;
  /** It follows from other parameters. */
  fixed: boolean;
  disabled: boolean;
}

/** Where a track of budgets ends: at 4, or at a round number above a larger one; it does not shrink under a thumb. */
export function trackEnd(end: number, value: number): number {
  if (!Number.isFinite(value) || value <= end) return Math.max(4, end);
  return niceCeiling(value, [1, 2, 4, 8, 10]);
}

export function createBudget(initial: BudgetProps, events: SliderFieldEvents): Component<BudgetProps> {
  let props = initial;
  let end = trackEnd(4, initial.value);
  let dragged = false;
  const field = createSliderField(fieldProps(), {
    onChange(value, how) {
      dragged = !how.commit;
      events.onChange(value, how);
    },
    onRefused: events.onRefused,
  });

  function fieldProps(): SliderFieldProps {
    const label = props.fixed ? "ε of one report, follows from f, p, q" : "Budget ε, nats per report";
    return { label, slider: sliderProps(), entry: entryProps(), stays: `The budget stays ${budgetText(props.value)}` };
  }

  function sliderProps(): SliderProps {
    const { value, disabled, fixed } = props;
    const ticks = apartTicks([0, end / 2, end], false);
    return {
      value: Math.min(end, value),
      min: 0,
      max: end,
      log: false,
      label: "Budget ε, nats per report",
      valueText: `ε = ${budgetText(value)}`,
      ticks,
      disabled: disabled || fixed,
    };
  }

  function entryProps(): NumberEntryProps {
    const { value, disabled, fixed } = props;
    const format = (budget: number): string => budgetWithin(budget, budgetText(budget));
    return {
      label: "Budget ε as a number",
      value,
      format,
      title: wholeNumber(value, format(value)),
      refuse: refuseBudget,
      read: readBudget,
      disabled: disabled || fixed,
      width: ENTRY,
    };
  }

  return {
    el: field.el,
    update(next) {
      props = next;
      // An infinite budget stands at the end of whatever range there was.
      end = trackEnd(dragged || !Number.isFinite(props.value) ? end : 4, props.value);
      field.update(fieldProps());
    },
    destroy: () => field.destroy(),
  };
}
