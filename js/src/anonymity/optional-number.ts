/** A number that may be left out: then the field is empty and says in grey what stands in its place. */
import { h, listen, setAttrs, type Component } from "../ui/dom";
import { isTyping } from "../ui/gestures";
import { parseNumber, type Parsed } from "../ui/number-entry";
import { amountText } from "./refusals";

export interface OptionalNumberProps {
  label: string;
  /** null: left out. */
  value: number | null;
  /** What is meant where it is left out. */
  instead: string;
  refuse(value: number, typed: string): string | null;
  /** Reads what was typed; plain numbers when left out. */
  read?(text: string): Parsed;
  disabled: boolean;
  /** How it reads while it is not edited; a few digits when left out. */
  format?(value: number): string;
  /** Shown where the pointer rests. */
  title?: string | null;
  /** Width of the field in pixels, beside its label; below it and as wide as there is room when left out. */
  width?: number;
}

export function createOptionalNumber(
  initial: OptionalNumberProps,
  on: { onCommit(value: number | null): void; onRefused(reason: string | null): void },
): Component<OptionalNumberProps> {
  let props = initial;
  let editing = false;
  let refused: string | null = null;
  const input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  const field = h("span", { class: "ne" }, input);
  const el = h("label", { class: initial.width === undefined ? "kx-optional" : "kx-optional kx-beside" }, h("span", { class: "label" }, initial.label), field);

  function draw(): void {
    setAttrs(input, {
      "aria-label": props.label,
      placeholder: props.instead,
      "aria-invalid": refused === null ? null : "true",
      title: refused ?? props.title ?? null,
    });
    setAttrs(field, {
      "data-bad": refused !== null,
      style: `width:${props.width === undefined ? "100%" : `${props.width}px`}`,
    });
    input.disabled = props.disabled;
    if (editing || refused !== null) return;
    const text = props.value === null ? "" : (props.format ?? amountText)(props.value);
    if (input.value !== text) input.value = text;
  }

  function refuse(reason: string | null): void {
    if (reason === refused) return;
    refused = reason;
    on.onRefused(reason);
  }

  function commit(): void {
    if (!editing) return;
    editing = false;
    const typed = input.value.trim();
    if (typed === "") {
      refuse(null);
      if (props.value !== null) on.onCommit(null);
      return draw();
    }
    const parsed = (props.read ?? parseNumber)(typed);
    const reason = parsed.ok ? props.refuse(parsed.value, typed) : parsed.reason;
    refuse(reason);
    if (parsed.ok && reason === null && parsed.value !== props.value) on.onCommit(parsed.value);
    draw();
  }

  listen(input, "focus", () => input.select());
  listen(input, "input", () => {
    editing = true;
  });
  listen(input, "keydown", (event) => {
    if (event.key === "Enter") {
      commit();
      input.select();
    } else if (event.key === "Escape" && (editing || refused !== null)) {
      event.preventDefault();
      editing = false;
      refuse(null);
      draw();
      input.select();
    } else if (isTyping(event) || event.key === "Backspace") editing = true;
  });
  listen(input, "blur", commit);
  draw();
  return {
    el,
    update(next) {
      // A value that changes from elsewhere settles a refused entry, but never one under the hands.
      if (next.value !== props.value && !editing) refuse(null);
      props = next;
      draw();
    },
    destroy: () => el.remove(),
  };
}
