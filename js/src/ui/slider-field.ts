/** A number as a field: its label, and below it a slider beside a number entry. */
import type { Component } from "./component";
import { h, setText } from "./dom";
import { createNumberEntry, type NumberEntryProps } from "./number-entry";
import { createSlider, type Change, type SliderProps } from "./slider";

export interface SliderFieldProps {
  label: string;
  slider: SliderProps;
  entry: NumberEntryProps;
  /** "The scale stays 1.00": the end of a refusal. */
  stays: string;
}

export interface SliderFieldEvents {
  onChange(value: number, how: Change): void;
  /** Why what was typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
}

export function createSliderField(initial: SliderFieldProps, events: SliderFieldEvents): Component<SliderFieldProps> {
  let props = initial;
  const label = h("span", { class: "label" }, initial.label);
  const slider = createSlider(initial.slider, { onChange: events.onChange });
  const entry = createNumberEntry(initial.entry, {
    onCommit: (value) => events.onChange(value, { commit: true }),
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} ${props.stays}.`),
  });
  const el = h("div", { class: "px-field px-scale" }, label, h("div", { class: "px-scale-row" }, slider.el, entry.el));
  return {
    el,
    update(next) {
      props = next;
      setText(label, props.label);
      slider.update(props.slider);
      entry.update(props.entry);
    },
    destroy() {
      slider.destroy();
      entry.destroy();
      el.remove();
    },
  };
}
