/**
 * A slider on a straight or logarithmic track, and a number as a field with one. The keyboard reaches every end
 * exactly.
 */
import { h, listen, setAttrs, setText, type Component } from "./dom";
import { isModified } from "./gestures";
import { createNumberEntry, type NumberEntryProps } from "./number-entry";

// A slider on a straight or logarithmic track. The keyboard reaches every end exactly.

export interface SliderProps {
  value: number;
  min: number;
  max: number;
  log: boolean;
  /** What is set, for screen readers. */
  label: string;
  /** The value in words with its unit. */
  valueText: string;
  ticks: { value: number; text: string }[];
  disabled: boolean;
}

export interface SliderEvents {
  /** Called on every move with commit false, once at the end with commit true. */
  onChange(value: number, how: Change): void;
}

export interface Change {
  commit: boolean;
  /** One press of a key, of which several in a row are one act. */
  pressed?: boolean;
}

/** Where on the track (0 to 1) a value lies. */
export function toShare(value: number, min: number, max: number, log: boolean): number {
  const share = log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
}

/** The value at a place of the track; the ends are exact. */
export function fromShare(share: number, min: number, max: number, log: boolean): number {
  if (share <= 0) return min;
  if (share >= 1) return max;
  return log ? min * (max / min) ** share : min + (max - min) * share;
}

/** Three significant digits: a hand on a track of some hundred pixels means no more. */
export function round3(value: number): number {
  return value === 0 ? 0 : Number(value.toPrecision(3));
}

const STEP: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/** The place a key leads to, or null when the key means nothing to a slider. 1 %, with Shift 10 %. */
export function keyShare(key: string, shift: boolean, share: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return 1;
  const step = STEP[key];
  if (step === undefined) return null;
  return Math.min(1, Math.max(0, share + (step * (shift && Math.abs(step) === 1 ? 10 : 1)) / 100));
}

/** Keys on a handle that stands at a share of its track, or at null while it cannot be moved. */
export function listenShare(handle: Element, share: () => number | null, go: (share: number, key: string) => void): void {
  listen(handle as HTMLElement, "keydown", (event) => {
    const from = isModified(event) ? null : share();
    const next = from === null ? null : keyShare(event.key, event.shiftKey, from);
    if (next === null) return;
    event.preventDefault();
    go(next, event.key);
  });
}

export function createSlider(initial: SliderProps, events: SliderEvents): Component<SliderProps> {
  let props = initial;
  let held: number | null = null;
  /** The value before the gesture, which a pointer that is taken away brings back. */
  let before = initial.value;
  const fill = h("div", { class: "slider-fill" });
  const thumb = h("div", { class: "slider-thumb", role: "slider", tabindex: 0 });
  const track = h("div", { class: "slider-track" }, fill, thumb);
  const scale = h("div", { class: "slider-ticks", "aria-hidden": "true" });
  const el = h("div", { class: "slider" }, track, scale);

  const shown = (): number => held ?? props.value;

  function draw(): void {
    const { min, max, log } = props;
    const percent = `${(toShare(shown(), min, max, log) * 100).toFixed(3)}%`;
    fill.style.width = percent;
    thumb.style.left = percent;
    setAttrs(thumb, {
      "aria-label": props.label,
      "aria-valuemin": min,
      "aria-valuemax": max,
      "aria-valuenow": shown(),
      "aria-valuetext": props.valueText,
      "aria-disabled": props.disabled ? "true" : null,
      tabindex: props.disabled ? -1 : 0,
    });
    el.classList.toggle("slider-disabled", props.disabled);
    scale.replaceChildren(
      ...props.ticks.map((t) => {
        const share = toShare(t.value, min, max, log);
        const mark = h("span", {}, t.text);
        mark.style.left = `${share * 100}%`;
        mark.dataset["end"] = share <= 0.02 ? "start" : share >= 0.98 ? "end" : "";
        return mark;
      }),
    );
  }

  function emit(value: number, commit: boolean, pressed = false): void {
    held = commit ? null : value;
    if (commit) props = { ...props, value };
    draw();
    events.onChange(value, pressed ? { commit, pressed } : { commit });
  }

  function at(event: PointerEvent): number {
    const box = track.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    const value = fromShare(share, props.min, props.max, props.log);
    return share <= 0 || share >= 1 ? value : round3(value);
  }

  listen(track, "pointerdown", (event) => {
    if (props.disabled || event.button !== 0) return;
    event.preventDefault();
    thumb.focus({ preventScroll: true });
    track.setPointerCapture(event.pointerId);
    before = props.value;
    emit(at(event), false);
  });
  listen(track, "pointermove", (event) => {
    if (held === null || props.disabled) return;
    const value = at(event);
    if (value !== held) emit(value, false);
  });
  const end = (event: Event): void => {
    if (held !== null) emit(event.type === "pointerup" ? held : before, true);
  };
  listen(track, "pointerup", end);
  listen(track, "pointercancel", end);
  listen(track, "lostpointercapture", end);

  const share = (): number => toShare(shown(), props.min, props.max, props.log);
  listenShare(thumb, () => (props.disabled ? null : share()), (next) => {
    const value = fromShare(next, props.min, props.max, props.log);
    emit(next <= 0 || next >= 1 ? value : round3(value), true, true);
  });

  draw();
  return {
    el,
    update(next) {
      props = next;
      // What the finger holds is not moved by what arrives.
      if (props.disabled) held = null;
      draw();
    },
    destroy() {
      el.remove();
    },
  };
}

// A number as a field: its label, and below it a slider beside a number entry.

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
