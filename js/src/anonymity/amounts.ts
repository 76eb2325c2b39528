/** The numbers that are set by a slider and a field: class size, share known, neighbourhood. */
import type { Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { apartTicks, ENTRY } from "../ui/scale";
import { createSliderField, type Change, type SliderFieldEvents, type SliderFieldProps } from "../ui/slider";
import { amountText, readPercent, readWhole, refuseGroup, refuseNeighbours, refuseShare } from "./refusals";

export interface AmountProps {
  value: number;
  /** Records there are. */
  records: number;
  disabled: boolean;
}

/** Largest class size and neighbourhood on a track; beyond them it grows. */
const TRACK = 20;

/** Where the track of a whole number ends. */
function trackEnd(value: number, records: number): number {
  let end = TRACK;
  while (end < value) end *= 5;
  return Math.max(2, Math.min(end, records));
}

/** Slider and field of a whole number; a hand between two numbers means the nearer one. */
function createWhole(
  words: {
    label: string;
    entry: string;
    least: number;
    said(value: number): string;
    refuse(value: number, records: number, typed?: string): string | null;
    stays: string;
  },
  initial: AmountProps,
  events: SliderFieldEvents,
): Component<AmountProps> {
  let props = initial;
  let end = trackEnd(initial.value, initial.records);
  let dragged = false;
  const field = createSliderField(fieldProps(), {
    onChange(value: number, how: Change) {
      dragged = !how.commit;
      // A step of one per cent of the track may be less than one.
      const way = Math.sign(value - props.value);
      const near = Math.round(value);
      const next = how.pressed && near === props.value ? near + way : near;
      events.onChange(how.pressed ? Math.max(Math.min(words.least, props.value), Math.min(end, next)) : next, how);
    },
    onRefused: events.onRefused,
  });

  function fieldProps(): SliderFieldProps {
    const { value, records, disabled } = props;
    const min = Math.min(words.least, value);
    const ticks = [min, end >= 10 * 2 ? end / 2 : Math.round((min + end) / 2), end];
    return {
      label: words.label,
      slider: {
        value,
        min,
        max: end,
        log: false,
        label: words.label,
        valueText: words.said(value),
        ticks: apartTicks([...new Set(ticks)], false),
        disabled,
      },
      entry: {
        label: words.entry,
        value,
        format: amountText,
        refuse: (next, typed) => words.refuse(next, records, typed),
        read: readWhole,
        disabled,
        width: ENTRY,
      },
      stays: `${words.stays} ${amountText(value)}`,
    };
  }

  return {
    el: field.el,
    update(next) {
      props = next;
      // A track does not change under a thumb.
      const wanted = trackEnd(next.value, next.records);
      end = dragged ? Math.max(end, wanted) : wanted;
      field.update(fieldProps());
    },
    destroy: () => field.destroy(),
  };
}

export function createGroupSize(initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> {
  return createWhole(
    {
      label: "Least class size k",
      entry: "Least class size k as a number",
      least: 2,
      said: (value) => `k = ${value}`,
      refuse: refuseGroup,
      stays: "k stays",
    },
    initial,
    events,
  );
}

export function createNeighbourhood(initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> {
  return createWhole(
    {
      label: "Largest neighbourhood, II and IV",
      entry: "Largest neighbourhood as a number",
      least: 1,
      said: (value) => (value === 1 ? "1 record" : `${fixed(value, 0)} records`),
      refuse: refuseNeighbours,
      stays: "The neighbourhood stays",
    },
    initial,
    events,
  );
}

/** The share of the records known: from 0 to 1 outside, in per cent for the hand. */
export function createShare(initial: Omit<AmountProps, "records">, events: SliderFieldEvents): Component<Omit<AmountProps, "records">> {
  const label = "Share known";
  const field = createSliderField(fieldProps(initial), {
    onChange: (value, how) => events.onChange((how.commit ? value : Math.round(value)) / 100, how),
    onRefused: events.onRefused,
  });

  function fieldProps({ value: share, disabled }: Omit<AmountProps, "records">): SliderFieldProps {
    const value = Number((share * 100).toPrecision(12));
    const format = (percent: number): string => `${amountText(Number(percent.toFixed(2)))} %`;
    return {
      label,
      slider: { value, min: 0, max: 100, log: false, label, valueText: format(value), ticks: apartTicks([0, 50, 100], false), disabled },
      entry: { label: "Share known in per cent", value, format, refuse: refuseShare, read: readPercent, disabled, width: ENTRY },
      stays: `The share stays ${format(value)}`,
    };
  }

  return { el: field.el, update: (next) => field.update(fieldProps(next)), destroy: () => field.destroy() };
}
