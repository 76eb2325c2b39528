/** The promise ε as a field: a slider on a logarithmic track, and a number beside it. */
import type { Component } from "../ui/dom";
import { budgetText, budgetWithin, ENTRY, refuseNoiseBudget, TRACK, trackTicks, wholeNumber, widen } from "../ui/scale";
import { createSliderField, type SliderFieldEvents, type SliderFieldProps } from "../ui/slider";

export interface BudgetProps {
  value: number;
  disabled: boolean;
}

export function createBudget(initial: BudgetProps, events: SliderFieldEvents): Component<BudgetProps> {
  let track = widen(TRACK, initial.value);
  const field = createSliderField(fieldProps(initial), events);

  function fieldProps({ value, disabled }: BudgetProps): SliderFieldProps {
    const text = budgetText(value);
    const format = (budget: number): string => budgetWithin(budget, budgetText(budget));
    return {
      label: "Budget ε, nats",
      slider: { value, ...track, log: true, label: "Budget ε, nats", valueText: `ε = ${text}`, ticks: trackTicks(track), disabled },
      entry: { label: "Budget ε as a number", value, format, title: wholeNumber(value, format(value)), refuse: refuseNoiseBudget, disabled, width: ENTRY },
      stays: `The budget stays ${text}`,
    };
  }

  return {
    el: field.el,
    update(next) {
      // It never shrinks under a thumb.
      track = widen(track, next.value);
      field.update(fieldProps(next));
    },
    destroy: () => field.destroy(),
  };
}
