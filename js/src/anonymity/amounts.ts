/** Numbers that are set: what is refused before it is sent, fields that may be empty, and sliders with a field. */
import { h, listen, setAttrs, type Component } from "../ui/dom";
import { fixed, parameter } from "../ui/format";
import { isTyping } from "../ui/gestures";
import { clip } from "../ui/lettering";
import { parseNumber, quoted, type Parsed } from "../ui/number-entry";
import { apartTicks, ENTRY } from "../ui/scale";
import { createSliderField, type Change, type SliderFieldEvents, type SliderFieldProps } from "../ui/slider";

// What is refused before it is sent, and why; and how shares are read.

export type Verdict = { ok: true } | { ok: false; reason: string };

const verdict = (reason: string | null): Verdict => (reason === null ? { ok: true } : { ok: false, reason });
const typedText = (typed: string): string => clip(typed.trim(), 24);

/** A number as it stands in an entry. */
export function amountText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", "−");
  return parameter(value).replace(/,/g, "").replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

export function refuseBudget(value: number, typed = amountText(value)): string | null {
  return value >= 0 ? null : `The budget ${typedText(typed)} is refused. Enter a number of nats, 0 or more.`;
}

/** A class has at least one record, and at most all. */
function refuseGroup(value: number, records: number, typed = amountText(value)): string | null {
  if (Number.isInteger(value) && value >= 1 && value <= Math.max(1, records)) return null;
  return `The class size ${typedText(typed)} is refused. Enter a whole number from 1 to ${fixed(records, 0)}, the records that can be published.`;
}

/** Records that a release can be of. */
export const MOST_RELEASED = 1e12;

/** A release is of k records or more; also of more than the table has. */
export function refuseCount(value: number, k: number, typed = amountText(value)): string | null {
  if (Number.isInteger(value) && value >= k && value <= MOST_RELEASED) return null;
  return `The number of records ${typedText(typed)} is refused. Enter a whole number from k = ${fixed(k, 0)} to ${fixed(MOST_RELEASED, 0)}, or leave it empty.`;
}

function refuseShare(value: number, typed = `${amountText(value)} %`): string | null {
  return value >= 0 && value <= 100 ? null : `The share ${typedText(typed)} is refused. Enter 0 to 100 %.`;
}

function refuseNeighbours(value: number, records: number, typed = amountText(value)): string | null {
  if (Number.isInteger(value) && value >= 1 && value <= Math.max(1, records)) return null;
  return `The neighbourhood ${typedText(typed)} is refused. Enter a whole number from 1 to ${fixed(records, 0)}, the records that can be published.`;
}

export function refuseAbove(value: number, what: string, typed = amountText(value)): string | null {
  return value > 0 && Number.isFinite(value) ? null : `The ${what} ${typedText(typed)} is refused. Enter a number above 0.`;
}

export function refuseShift(value: number, typed = amountText(value)): string | null {
  return Number.isFinite(value) ? null : `The change ${typedText(typed)} is refused. Enter a finite number, or leave it empty.`;
}

export function refuseSlack(value: number, typed = amountText(value)): string | null {
  return value > 0 && value < 1 ? null : `The slack ${typedText(typed)} is refused. Enter a number between 0 and 1, or leave it empty.`;
}

export const acceptBudget = (value: number, typed?: string): Verdict => verdict(refuseBudget(value, typed));
export const acceptGroup = (value: number, records: number, typed?: string): Verdict => verdict(refuseGroup(value, records, typed));
export const acceptShare = (value: number, typed?: string): Verdict => verdict(refuseShare(value, typed));
export const acceptNeighbours = (value: number, records: number, typed?: string): Verdict => verdict(refuseNeighbours(value, records, typed));

/** The field is in per cent: its sign may be left out. */
export function readPercent(text: string): Parsed {
  return parseNumber(text.trim().replace(/%$/, ""));
}

/** A whole number: a comma or a blank before three digits parts thousands, as where such numbers are shown; a point could be either. */
export function readWhole(text: string): Parsed {
  const body = text.trim();
  if (/^\d{1,3}(\.\d{3})+$/.test(body)) return { ok: false, reason: `${quoted(text)} has two readings. Leave out the point.` };
  if (body !== "" && !/[\d∞]/.test(body)) return { ok: false, reason: `${quoted(text)} is not a number. Enter a whole number such as 200.` };
  return parseNumber(/^\d{1,3}([,\s]\d{3})+$/.test(body) ? body.replace(/[,\s]/g, "") : body);
}

/** ∞ and its words are a budget too. */
export function readBudget(text: string): Parsed {
  return /^(∞|inf(inity)?|infinite)$/i.test(text.trim()) ? { ok: true, value: Infinity } : parseNumber(text);
}

// A number that may be left out: then the field is empty and says in grey what stands in its place.

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

// The numbers that are set by a slider and a field: class size, share known, neighbourhood.

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
