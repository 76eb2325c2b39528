/** A positive amount of the release as a field: slider and number entry side by side. */
import type { Component } from "../ui/dom";
import { parameter } from "../ui/format";
import { clip } from "../ui/lettering";
import type { NumberEntryProps } from "../ui/number-entry";
import { entryText, refuseScale, trackTicks, widen, TRACK } from "../ui/scale";
import { createSliderField, type SliderFieldEvents, type SliderFieldProps, type SliderProps } from "../ui/slider";

export interface AmountProps {
  value: number;
  /** "Change to hide, M, kWh". */
  label: string;
  disabled: boolean;
}

/** What an amount is called, and which values it may take. */
export interface AmountKind {
  /** "scale": in the slider's words. */
  name: string;
  /** "Scale λ as a number". */
  entry: string;
  /** "The scale stays": begins the end of a refusal. */
  stays: string;
  refuse(value: number, typed: string): string | null;
}

export const SCALE: AmountKind = { name: "scale", entry: "Scale λ as a number", stays: "The scale stays", refuse: refuseScale };
export const CHANGE: AmountKind = { name: "change", entry: "Change M as a number", stays: "The change stays", refuse: refuseChange };

/** Why a change is refused, or null; `typed` as it was entered. */
function refuseChange(value: number, typed = parameter(value)): string | null {
  if (value >= 0 && Number.isFinite(value)) return null;
  return `The change ${clip(typed.trim(), 24)} is refused. Enter a number, 0 or more.`;
}

export function acceptChange(value: number, typed?: string): { ok: true } | { ok: false; reason: string } {
  const reason = refuseChange(value, typed);
  return reason === null ? { ok: true } : { ok: false, reason };
}

export function createAmount(kind: AmountKind, initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> {
  let props = initial;
  let track = widen(TRACK, initial.value);
  const field = createSliderField(fieldProps(), events);

  function fieldProps(): SliderFieldProps {
    return { label: props.label, slider: sliderProps(), entry: entryProps(), stays: `${kind.stays} ${parameter(props.value)}` };
  }

  function sliderProps(): SliderProps {
    const { value, disabled } = props;
    return { value, ...track, log: true, label: props.label, valueText: `${kind.name} ${parameter(value)}`, ticks: trackTicks(track), disabled };
  }

  function entryProps(): NumberEntryProps {
    const { value, disabled } = props;
    return { label: kind.entry, value, format: entryText, refuse: kind.refuse, disabled, width: entryText(value).length > 5 ? 84 : 64 };
  }

  return {
    el: field.el,
    update(next) {
      props = next;
      track = widen(track, props.value);
      field.update(fieldProps());
    },
    destroy: () => field.destroy(),
  };
}
