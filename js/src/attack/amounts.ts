/** The three amounts that are set by a slider and a field: the budget, the weight of friends, the share known. */
import type { Component } from "../ui/dom";
import { apartTicks, budgetWithin, ENTRY, refuseNoiseBudget, wholeNumber, widen, type Track } from "../ui/scale";
import { createSliderField, type SliderFieldEvents, type SliderFieldProps } from "../ui/slider";
import { amountText, readShare, refuseShare, refuseWeight } from "./words";

export interface AmountProps {
  value: number;
  disabled: boolean;
}

interface AmountKind {
  label: string;
  /** Of the entry. */
  entry: string;
  track: Track;
  middle: number;
  said(value: number): string;
  refuse(value: number, typed?: string): string | null;
  stays(value: number): string;
}

const BUDGET: AmountKind = {
  label: "Budget ε, nats",
  entry: "Budget ε as a number",
  track: { min: 0.1, max: 400 },
  middle: 10,
  said: (value) => `ε = ${amountText(value)}`,
  refuse: refuseNoiseBudget,
  stays: (value) => `The budget stays ${amountText(value)}`,
};

const WEIGHT: AmountKind = {
  label: "Friends’ weight (attack 2)",
  entry: "Friends’ weight as a number",
  track: { min: 1, max: 100 },
  middle: 10,
  said: (value) => `${amountText(value)} times`,
  refuse: refuseWeight,
  stays: (value) => `The weight stays ${amountText(value)}`,
};

function createAmount(kind: AmountKind, initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> {
  let props = initial;
  let track = widen(kind.track, initial.value);
  let dragged = false;
  const field = createSliderField(fieldProps(), {
    onChange(value, how) {
      dragged = !how.commit;
      events.onChange(value, how);
    },
    onRefused: events.onRefused,
  });

  function fieldProps(): SliderFieldProps {
    const { value, disabled } = props;
    const { min, max } = track;
    const { label, entry, refuse } = kind;
    const format = (amount: number): string => budgetWithin(amount, amountText(amount));
    return {
      label,
      slider: { value, min, max, log: true, label, valueText: kind.said(value), ticks: apartTicks([min, kind.middle, max], true), disabled },
      entry: { label: entry, value, format, title: wholeNumber(value, format(value)), refuse, disabled, width: ENTRY },
      stays: kind.stays(value),
    };
  }

  return {
    el: field.el,
    update(next) {
      props = next;
      // A track does not shrink under a thumb.
      track = widen(dragged ? track : kind.track, props.value);
      field.update(fieldProps());
    },
    destroy: () => field.destroy(),
  };
}

export const createBudget = (initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> => createAmount(BUDGET, initial, events);
export const createWeight = (initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> => createAmount(WEIGHT, initial, events);

/** The share of the other users whose place is known: from 0 to 1 outside, in per cent for the hand. */
export function createShare(initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> {
  const label = "Share of other users known";
  const field = createSliderField(fieldProps(initial), { onChange: (percent, how) => events.onChange(percent / 100, how), onRefused: events.onRefused });

  function fieldProps({ value: share, disabled }: AmountProps): SliderFieldProps {
    const value = Number((share * 100).toPrecision(12));
    const format = (percent: number): string => `${amountText(Number(percent.toFixed(2)))} %`;
    return {
      label,
      slider: { value, min: 0, max: 100, log: false, label, valueText: format(value), ticks: apartTicks([0, 50, 100], false), disabled },
      entry: { label: "Share known in per cent", value, format, refuse: refuseShare, read: readShare, disabled, width: ENTRY },
      stays: `The share stays ${format(value)}`,
    };
  }

  return { el: field.el, update: (next) => field.update(fieldProps(next)), destroy: () => field.destroy() };
}
