/** A number inside a sentence: drag it sideways, step it with the arrows, or press Enter and type. */
import { h, listen, setAttr, setAttrs, setText, type Component } from "./dom";
import { isTyping } from "./gestures";
import { parseNumber, type Parsed } from "./number-entry";
import { round3, type Change } from "./slider";

export interface DragNumberProps {
  value: number;
  text: string;
  /** The value as it stands in the field; `text` when left out. */
  entryText?: string;
  label: string;
  /** The value in words with its unit. */
  valueText: string;
  disabled: boolean;
  /** What may be typed; the reason is shown when it may not. */
  accept(value: number, typed?: string): { ok: true } | { ok: false; reason: string };
  /** Reads what was typed; plain numbers when left out. */
  read?(text: string): Parsed;
  /** A count, 0 or more: moved by whole steps, not by a factor. */
  whole?: boolean;
}

export interface DragNumberEvents {
  onChange(value: number, how: Change): void;
}

/** Pixels of dragging that multiply the number by ten, and that add one to a count. */
const DECADE = 160;
const ONE = 4;

/** A number dragged by `pixels`: a factor, so that one gesture serves all sizes. */
export function dragged(value: number, pixels: number): number {
  return round3(value * 10 ** (pixels / DECADE));
}

/** The number a key leads to, or null. Arrows 1 %, with Shift 10 %. */
export function stepped(value: number, key: string, shift: boolean): number | null {
  const factor = shift ? 1.1 : 1.01;
  if (key === "ArrowUp" || key === "ArrowRight") return exactStep(value, value * factor);
  if (key === "ArrowDown" || key === "ArrowLeft") return exactStep(value, value / factor);
  if (key === "PageUp") return exactStep(value, value * 1.1);
  if (key === "PageDown") return exactStep(value, value / 1.1);
  return null;
}

/** The count a key leads to, or null: by 1, with Shift by 10. */
function counted(value: number, key: string, shift: boolean): number | null {
  const way = stepped(1, key, shift);
  if (way === null) return null;
  const step = shift || key.startsWith("Page") ? 10 : 1;
  return Math.max(0, value + (way > 1 ? step : -step));
}

function exactStep(from: number, to: number): number {
  const rounded = round3(to);
  return rounded === from ? to : rounded;
}

export function createDragNumber(initial: DragNumberProps, events: DragNumberEvents): Component<DragNumberProps> {
  let props = initial;
  let grip: { x: number; value: number; moved: boolean } | null = null;
  let entry: HTMLInputElement | null = null;
  const number = h("span", { class: "drag-number", role: "spinbutton", tabindex: 0 });
  const el = h("span", { class: "drag-number-frame" }, number);

  function draw(): void {
    setText(number, props.text);
    setAttrs(number, {
      "aria-label": props.label,
      // Infinity is no number to a screen reader: the words say it.
      "aria-valuenow": Number.isFinite(props.value) ? props.value : null,
      "aria-valuetext": props.valueText,
      "aria-disabled": props.disabled ? "true" : null,
      tabindex: props.disabled ? -1 : 0,
      title: props.disabled ? null : "Drag, or press Enter and type",
    });
  }

  /** `typed` replaces what stands there. */
  function edit(typed: string | null = null): void {
    if (entry || props.disabled) return;
    const input = h("input", {
      class: "drag-number-entry",
      "aria-label": props.label,
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
    });
    const reason = h("span", { class: "drag-number-reason", role: "alert" });
    const before = props.entryText ?? props.text;
    input.value = typed ?? before;
    const close = (focus: boolean): void => {
      if (!entry) return;
      entry = null;
      el.classList.remove("drag-number-open");
      input.remove();
      reason.remove();
      number.hidden = false;
      if (focus) number.focus();
    };
    const keep = (focus: boolean): void => {
      if (!entry || input.value.trim() === before) return close(focus);
      const read = (props.read ?? parseNumber)(input.value);
      const verdict = read.ok ? props.accept(read.value, input.value) : read;
      if (read.ok && verdict.ok) {
        close(focus);
        if (read.value !== props.value) events.onChange(read.value, { commit: true });
        return;
      }
      setAttr(input, "aria-invalid", "true");
      setText(reason, verdict.ok ? "" : verdict.reason);
      if (!focus) close(false);
    };
    listen(input, "keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") {
        event.preventDefault();
        keep(true);
      } else if (event.key === "Escape") {
        event.preventDefault();
        close(true);
      }
    });
    listen(input, "blur", () => keep(false));
    entry = input;
    number.hidden = true;
    el.classList.add("drag-number-open");
    el.append(input, reason);
    input.focus();
    if (typed === null) input.select();
  }

  listen(number, "pointerdown", (event) => {
    if (props.disabled || event.button !== 0) return;
    event.preventDefault();
    number.focus({ preventScroll: true });
    number.setPointerCapture(event.pointerId);
    grip = { x: event.clientX, value: props.value, moved: false };
  });
  listen(number, "pointermove", (event) => {
    if (!grip) return;
    const pixels = event.clientX - grip.x;
    if (!grip.moved && Math.abs(pixels) < 3) return;
    grip.moved = true;
    const moved = props.whole ? Math.max(0, grip.value + Math.round(pixels / ONE)) : dragged(grip.value, pixels);
    const value = pixels === 0 ? grip.value : moved;
    if (value !== props.value) {
      props = { ...props, value };
      events.onChange(value, { commit: false });
    }
  });
  const end = (event: Event): void => {
    if (!grip) return;
    const { moved, value } = grip;
    grip = null;
    // A pointer that was taken away gives the gesture up.
    if (event.type !== "pointerup") props = { ...props, value };
    if (moved) events.onChange(props.value, { commit: true });
  };
  listen(number, "pointerup", end);
  listen(number, "pointercancel", end);
  listen(number, "lostpointercapture", end);
  listen(number, "dblclick", () => edit());
  listen(number, "keydown", (event) => {
    if (props.disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      edit();
      return;
    }
    if (isTyping(event) && event.key !== " ") {
      event.preventDefault();
      return edit(event.key);
    }
    const next = (props.whole ? counted : stepped)(props.value, event.key, event.shiftKey);
    if (next === null || !props.accept(next).ok) return;
    event.preventDefault();
    props = { ...props, value: next };
    events.onChange(next, { commit: true, pressed: true });
  });

  draw();
  return {
    el,
    update(next) {
      // While the number is held it shows what the hand asks for; the owner echoes that in `text`.
      props = grip ? { ...next, value: props.value } : next;
      draw();
    },
    destroy() {
      el.remove();
    },
  };
}
