/**
 * Numbers as people type them, the field they type them into, and a row of such fields: one weight for each tuple.
 */
import { h, icon, listen, setAttr, setAttrs, setText, WARN, type Component } from "./dom";
import { isTyping } from "./gestures";
import { clip, isolate } from "./lettering";

// Numbers as people type them, and the field they type them into.

export type Parsed = { ok: true; value: number } | { ok: false; reason: string };

/** Elsewhere a comma before three digits parts thousands: who types one is told how it was read. */
const DOUBTFUL = /^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$/;

/** How long it stands, ms. */
const READ_FOR = 8000;

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** What was typed, in quotes and short enough for a sentence. */
export function quoted(text: string): string {
  return `"${clip(text.trim(), 24)}"`;
}

/**
 * Reads one number. A comma is the decimal sign; text with both signs, or with several commas, has
 * no single reading and is refused. Fractions (1/3) and per cent (25 %) are read too.
 */
export function parseNumber(text: string): Parsed {
  const shown = quoted(text);
  let body = text.replace(/[\s\u00a0\u2009\u202f]+/g, " ").trim().replace(/[−–]/g, "-");
  if (body === "") return { ok: false, reason: "The entry is empty. Enter a number such as 0.25." };
  const parts = body.split("/");
  if (parts.length === 2) {
    const over = parseNumber(parts[0] as string);
    const under = parseNumber(parts[1] as string);
    if (!over.ok || !under.ok) return { ok: false, reason: `${shown} is not a number. Enter a fraction such as 1/3.` };
    if (under.value === 0) return { ok: false, reason: `${shown} divides by zero.` };
    const value = over.value / under.value;
    return Number.isFinite(value) ? { ok: true, value } : { ok: false, reason: `${shown} is too large.` };
  }
  const percent = body.endsWith("%");
  if (percent) body = body.slice(0, -1).trim();
  const commas = body.split(",").length - 1;
  if (commas > 0 && body.includes(".")) {
    return { ok: false, reason: `${shown} has both a comma and a point. Use one decimal sign and no thousands sign.` };
  }
  if (commas > 1) return { ok: false, reason: `${shown} has several commas. A comma is the decimal sign; leave out thousands signs.` };
  body = body.replace(",", ".");
  if (!PLAIN.test(body)) return { ok: false, reason: `${shown} is not a number. Enter a number such as 0.25.` };
  const value = Number(body) / (percent ? 100 : 1);
  if (!Number.isFinite(value)) return { ok: false, reason: `${shown} is too large.` };
  return { ok: true, value };
}

export interface NumberEntryProps {
  /** Accessible name. */
  label: string;
  value: number;
  /** How the value reads while the field is not being edited. */
  format(value: number): string;
  /** Why a number that parses is still refused, in plain words; null when it is fine. */
  refuse?(value: number, typed: string): string | null;
  /** Reads what was typed; plain numbers when left out. */
  read?(text: string): Parsed;
  disabled?: boolean;
  /** Shown where the pointer rests: the whole value, where the field has no room for it. */
  title?: string | null;
  /** Width in pixels; 64 when left out. */
  width?: number;
}

export interface NumberEntryCallbacks {
  onCommit(value: number): void;
  /** The reason to show, or null when the field is in order again. */
  onRefused?(reason: string | null): void;
}

/** A refused entry stays as typed, is marked, and the last good value stays in force. */
export function createNumberEntry(first: NumberEntryProps, on: NumberEntryCallbacks): Component<NumberEntryProps> {
  let props = first;
  let editing = false;
  let refused: string | null = null;
  const input = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  const sign = icon(WARN, 12);
  const note = h("span", { class: "ne-note", role: "status" });
  const el = h("span", { class: "ne" }, sign, input, note);

  function draw(): void {
    setAttr(el, "style", `width:${props.width ?? 64}px`);
    setAttrs(input, {
      "aria-label": props.label,
      "aria-invalid": refused !== null ? "true" : null,
      title: refused ?? props.title ?? null,
    });
    setAttr(el, "data-bad", refused !== null);
    input.disabled = props.disabled ?? false;
    if (!editing && refused === null) {
      const text = props.format(props.value);
      if (input.value !== text) input.value = text;
    }
  }

  function setRefused(reason: string | null): void {
    if (reason === refused) return;
    refused = reason;
    on.onRefused?.(reason);
  }

  function commit(): void {
    if (!editing) return;
    editing = false;
    const parsed = (props.read ?? parseNumber)(input.value);
    const reason = parsed.ok ? (props.refuse?.(parsed.value, input.value) ?? null) : parsed.reason;
    setRefused(reason);
    if (parsed.ok && reason === null && DOUBTFUL.test(input.value)) {
      setText(note, `Read as ${weightText(parsed.value)}: a comma is the decimal sign.`);
      setTimeout(() => setText(note, ""), READ_FOR);
    }
    if (parsed.ok && reason === null && !Object.is(parsed.value, props.value)) on.onCommit(parsed.value);
    draw();
  }

  function restore(): void {
    editing = false;
    setRefused(null);
    draw();
    input.select();
  }

  listen(input, "focus", () => {
    setText(note, "");
    input.select();
  });
  listen(input, "input", () => {
    setText(note, "");
    editing = true;
  });
  listen(input, "keydown", (event) => {
    if (event.key === "Enter") {
      commit();
      input.select();
    } else if (event.key === "Escape" && (editing || refused !== null)) {
      event.preventDefault();
      restore();
    } else if (isTyping(event) || event.key === "Backspace") editing = true;
  });
  listen(input, "blur", commit);
  draw();

  return {
    el,
    update(next) {
      // A value that changes from elsewhere settles a refused entry, but never one under the hands.
      if (!Object.is(next.value, props.value) && !editing) setRefused(null);
      props = next;
      draw();
    },
    destroy: () => el.remove(),
  };
}

// One weight for each tuple, under its name: in the header of the table, or beside the query where no table is.

export interface WeightsProps {
  names: readonly string[];
  /** null shows nothing. */
  weights: readonly number[] | null;
  disabled: boolean;
}

export interface WeightsEvents {
  onWeights(weights: number[]): void;
  /** Why a weight as typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
}

/** A weight as it stands in its field: exact, with a true minus sign. */
export function weightText(value: number): string {
  return String(value).replace(/-/g, "−");
}

export function createWeights(initial: WeightsProps, events: WeightsEvents): Component<WeightsProps> {
  let props = initial;
  const el = h("div", { class: "px-weights", role: "group", "aria-label": "Weight of each tuple" });
  let entries: { label: HTMLElement; entry: Component<NumberEntryProps> }[] = [];

  function name(k: number, limit: number): string {
    return isolate(clip(props.names[k] ?? `tuple ${k + 1}`, limit)) || "(no name)";
  }

  function entryProps(k: number): NumberEntryProps {
    return { label: `Weight of ${name(k, 60)}`, value: props.weights?.[k] ?? 0, format: weightText, disabled: props.disabled, width: 56 };
  }

  function draw(): void {
    el.hidden = props.weights === null;
    const n = el.hidden ? 0 : props.names.length;
    if (entries.length !== n) {
      entries.forEach(({ entry }) => entry.destroy());
      entries = Array.from({ length: n }, (_, k) => {
        const entry = createNumberEntry(entryProps(k), {
          onCommit: (value) => events.onWeights(props.names.map((_, j) => (j === k ? value : (props.weights?.[j] ?? 0)))),
          onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The weight stays ${weightText(props.weights?.[k] ?? 0)}.`),
        });
        return { label: h("span", { class: "px-weight-name", "aria-hidden": "true" }), entry };
      });
      el.replaceChildren(...entries.map(({ label, entry }) => h("span", { class: "px-weight" }, label, entry.el)));
    }
    entries.forEach(({ label, entry }, k) => {
      setText(label, name(k, 60));
      setAttr(label, "title", name(k, 300));
      entry.update(entryProps(k));
    });
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      entries.forEach(({ entry }) => entry.destroy());
      el.remove();
    },
  };
}
