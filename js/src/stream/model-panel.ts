/** The law of the stream: its matrix, for two states the chances to stay, and where it starts. */
import {
  Drafts,
  fromWeights,
  isNormalised,
  isProbability,
  normalise,
  readProbability,
  refusal,
  setCell,
  setCells,
  showSum,
  total,
  type Edit,
} from "../table/editing";
import { button, h, listen, setText, type Component } from "../ui/dom";
import { createDragNumber, type DragNumberProps } from "../ui/drag-number";
import { count, fixed, probability } from "../ui/format";
import { createGrid, type Grid, type GridCell, type GridProps } from "../ui/grid";
import { textWidth } from "../ui/lettering";
import type { LineProps } from "../ui/lines";
import { createSliderField, type Change, type SliderFieldProps } from "../ui/slider";
import type { ChangeState, SourceState, StreamView } from "./protocol";
import { chance, chanceWithin, ENTRY, entryChance, sentence, stateText, wholeNumber } from "./words";

// The matrix of a chain that is shown and not edited: read once for each view.

let readOnly: { view: StreamView; numbers: Float64Array } | null = null;

/** A matrix that can be read and not edited. */
export function kept(view: StreamView): Float64Array {
  if (readOnly?.view !== view) {
    const { buffer, byteOffset, byteLength } = view.chain.transitions as DataView;
    readOnly = { view, numbers: new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
  }
  return readOnly.numbers;
}

// Editing a transition matrix: a row sums to 1, and an edit of one cell rescales the others of its row.

/** Rows of n entries each, of which the last may be the law of the first state. */
interface Rows {
  entries: Float64Array;
  n: number;
}

const row = ({ entries, n }: Rows, r: number): Float64Array => entries.slice(r * n, (r + 1) * n);
const unlocked = (n: number): Uint8Array => new Uint8Array(n);

function withRow(rows: Rows, r: number, edit: Edit): Edit {
  if (!edit.ok) return edit;
  const entries = rows.entries.slice();
  entries.set(edit.entries, r * rows.n);
  return { ok: true, entries };
}

/** One cell by the hand. */
export function setEntry(rows: Rows, r: number, c: number, p: number, keepSum: boolean): Edit {
  return withRow(rows, r, setCell(row(rows, r), c, p, unlocked(rows.n), keepSum));
}

/** Scales every row that does not sum to 1. */
export function normaliseRows(rows: Rows): Edit {
  let edit: Edit = { ok: true, entries: rows.entries };
  for (let r = 0; r * rows.n < rows.entries.length && edit.ok; r++) {
    const now = { entries: edit.entries, n: rows.n };
    if (!isNormalised(row(now, r))) edit = withRow(now, r, normalise(row(now, r), unlocked(rows.n)));
  }
  return edit;
}

/** A pasted block: whole rows are read as weights, so that counts can be pasted; parts of rows rescale the rest. */
export function pasteRows(rows: Rows, r: number, c: number, block: readonly (readonly string[])[], keepSum: boolean, drafts: Drafts): Edit {
  const { n } = rows;
  const height = rows.entries.length / n;
  const width = Math.max(...block.map((cells) => cells.length));
  const short = block.findIndex((cells) => cells.length < width);
  if (short >= 0) return { ok: false, title: "The pasted lines differ in length.", text: `Line ${short + 1} has fewer than ${width} cells.` };
  if (r + block.length > height || c + width > n) {
    return {
      ok: false,
      title: `The pasted block has ${block.length} × ${width} cells.`,
      text: `From here ${height - r} × ${n - c} fit (rows × columns, without headings and sums).`,
    };
  }
  let edit: Edit = { ok: true, entries: rows.entries };
  block.forEach((cells, k) => {
    if (!edit.ok) return;
    const now = { entries: edit.entries, n };
    edit = withRow(now, r + k, pasteRow(row(now, r + k), (r + k) * n, c, cells, keepSum, drafts));
  });
  return edit;
}

function pasteRow(entries: Float64Array, offset: number, c: number, cells: readonly string[], keepSum: boolean, drafts: Drafts): Edit {
  const read = cells.map((text) => readProbability(text));
  const values = new Map(read.map(({ value }, k) => [c + k, value]));
  const whole = cells.length === entries.length && read.every(({ value }) => value >= 0 && Number.isFinite(value));
  if (keepSum && whole) {
    const given = Float64Array.from(read, ({ value }) => value);
    return Math.abs(total(given) - 1) <= 1e-12 ? { ok: true, entries: given } : fromWeights(given);
  }
  read.forEach((entry, k) => drafts.keep(offset + c + k, cells[k] as string, entry));
  const sound = [...values.values()].every(isProbability) && entries.every((p, k) => values.has(k) || isProbability(p));
  if (keepSum && sound) return setCells(entries, values, unlocked(entries.length));
  return { ok: true, entries: entries.map((p, k) => values.get(k) ?? p) };
}

/** What is wrong with the rows, the first of it; null where each is a law. */
export function rowFault(
  rows: Rows,
  drafts: Drafts,
  names: { row(r: number): string; cell(r: number, c: number): string },
): { title: string; text: string; normalise: boolean } | null {
  const { entries, n } = rows;
  const bad = entries.findIndex((p) => !isProbability(p));
  if (bad >= 0) {
    const value = entries[bad] as number;
    const reason = drafts.at(bad, value)?.reason ?? `${value} is not a probability. Enter a number from 0 to 1.`;
    const more = entries.filter((p) => !isProbability(p)).length - 1;
    const others = more > 0 ? ` ${more} more ${more === 1 ? "cell is" : "cells are"} marked.` : "";
    return { title: `${names.cell(Math.floor(bad / n), bad % n)}:`, text: reason + others, normalise: false };
  }
  for (let r = 0; r * n < entries.length; r++) {
    const sum = total(row(rows, r));
    if (!isNormalised(row(rows, r))) return { title: `The row ${names.row(r)} sums to ${showSum(sum)}.`, text: "Each row needs a sum of 1.", normalise: true };
  }
  return null;
}

export interface ModelProps {
  /** Changes with the states: what the hand began for other ones is given up. */
  since: number;
  states: readonly string[];
  order: number;
  source: SourceState;
  /** n x n, or n x n x n of second order; null where there are too many to show. */
  transitions: Float64Array | null;
  start: Float64Array;
  loaded: Float64Array;
  editable: boolean;
  changes: readonly ChangeState[];
  disabled: boolean;
}

export interface ModelEvents {
  onChain(next: { transitions?: Float64Array; start?: Float64Array }, how: Change): void;
  /** What is wrong with what stands here; null when nothing is. */
  onMessage(message: LineProps | null): void;
}

/** One step of a drag in a cell: 1 %. */
const DRAG_STEP = 0.01;
/** Width of the column. */
const WIDTH = 232;
/** Up to so many states the columns are roomy, and have three decimals. */
const ROOMY = 2;
const THREE = 3;
/** Cells become no wider. */
const MOST_WIDE = 88;
/** Rows beyond which the matrix scrolls by itself. */
const TALL = 12;

/** What is released where symbols are not drawn, and what waits. */
export function sourceWords({ kind, text, note, waiting }: SourceState): string {
  if (kind === "chain") return "";
  const what = kind === "live" ? `Released as it comes: ${text || "a live source"}.` : `Released: ${text || "given symbols"}.`;
  const wait = waiting ? `${count(waiting, "value")} wait${waiting === 1 ? "s" : ""} to be shown.` : "";
  return [what, wait, note || "This is what the adversary takes for its law."].filter(Boolean).join(" ");
}

export function createModelPanel(initial: ModelProps, on: ModelEvents): Component<ModelProps> {
  let props = initial;
  let drafts = new Drafts();
  let keep = true;
  let note: LineProps | null = null;
  let dragged: { entries: Float64Array; index: number } | null = null;
  const n = (): number => props.states.length;
  /** With more than two states the law of the first one is a row of its own. */
  const startRow = (): boolean => props.editable && n() > 2;
  const rows = (): Rows => {
    const moves = props.transitions ?? new Float64Array(0);
    if (!startRow()) return { entries: moves, n: n() };
    const entries = new Float64Array(moves.length + n());
    entries.set(moves);
    entries.set(props.start, moves.length);
    return { entries, n: n() };
  };

  const grid: Grid = createGrid(gridProps(), {
    editText: (r, c) => {
      const { entries } = rows();
      const k = r * n() + c;
      return drafts.at(k, entries[k] as number)?.text ?? String(entries[k]);
    },
    onCommit(r, c, text) {
      const entry = readProbability(text);
      drafts.keep(r * n() + c, text, entry);
      apply(setEntry(rows(), r, c, entry.value, keep));
    },
    onBlock: (r, c, block) => apply(pasteRows(rows(), r, c, block, keep, drafts)),
    onDrag: dragCell,
    onEscape() {
      say(null);
    },
  });
  const kept = h("input", { type: "checkbox" });
  kept.checked = true;
  const normalise = button("Normalise");
  const actions = h("div", { class: "sx-matrix-actions" }, h("label", { class: "sx-check small muted" }, kept, "rows keep the sum 1"), normalise);
  const sliders = [0, 1].map((k) => createSliderField(stayProps(k), {
    onChange: (value, how) => setStay(k, value, how),
    onRefused: (reason) => say(reason === null ? null : { kind: "error", title: "", text: reason }),
  }));
  const start = createDragNumber(startProps(), { onChange: (value, how) => on.onChain({ start: Float64Array.of(1 - value, value) }, how) });
  const startName = h("dt");
  const changed = h("p", { class: "small muted sx-changed" });
  const many = h("p", { class: "small muted" });
  const stays = h("div", { class: "sx-stays" }, ...sliders.map(({ el }) => el));
  const startLine = h("dl", { class: "px-promise" }, h("div", {}, startName, h("dd", {}, start.el)));
  const source = h("p", { class: "small muted sx-source" });
  const el = h(
    "section",
    { class: "panel sx-model", "aria-label": "Model" },
    h("h3", { class: "panel-head" }, "Model", h("span", { class: "muted" }, "transition probabilities")),
    source,
    grid.el,
    actions,
    many,
    stays,
    changed,
    startLine,
  );
  listen(kept, "change", () => {
    keep = kept.checked;
    draw();
  });
  listen(normalise, "click", () => apply(normaliseRows(rows())));

  function say(message: LineProps | null): void {
    note = message;
    speak();
  }

  /** First what the hand just tried, then what is wrong with the rows. */
  function speak(): void {
    if (note) return on.onMessage(note);
    if (!props.editable) return on.onMessage(null);
    const name = (k: number): string => stateText(props.states, k);
    const names = {
      row: (r: number) => (r < n() ? `from ${name(r)}` : "start"),
      cell: (r: number, c: number) => (r < n() ? `From ${name(r)} to ${name(c)}` : `Start at ${name(c)}`),
    };
    const fault = rowFault(rows(), drafts, names);
    const action = fault?.normalise ? { label: "Normalise", run: () => apply(normaliseRows(rows())) } : null;
    on.onMessage(fault && { kind: "error", title: fault.title, text: `${fault.text} The stream waits.`, action });
  }

  function apply(edit: Edit, how: Change = { commit: true }): void {
    if (props.disabled || !props.editable) return;
    if (!edit.ok) return say({ kind: "error", title: edit.title, text: edit.text });
    note = null;
    const size = n() * n();
    const transitions = edit.entries.slice(0, size);
    const first = edit.entries.slice(size);
    const moved = props.transitions && transitions.some((p, k) => !Object.is(p, (props.transitions as Float64Array)[k]));
    const begun = startRow() && first.some((p, k) => !Object.is(p, props.start[k]));
    on.onChain({ ...(moved || !begun ? { transitions } : {}), ...(begun ? { start: first } : {}) }, how);
  }

  function setStay(k: number, value: number, how: Change): void {
    const entries = (props.transitions as Float64Array).slice();
    entries[k * 2 + k] = value;
    entries[k * 2 + (1 - k)] = 1 - value;
    note = null;
    on.onChain({ transitions: entries }, how);
  }

  function dragCell(r: number, c: number, phase: "start" | "move" | "end" | "cancel", steps: number): void {
    if (phase === "start") {
      const { entries } = rows();
      const index = r * n() + c;
      dragged = isProbability(entries[index] as number) ? { entries, index } : null;
      return;
    }
    if (!dragged || props.disabled) return;
    const { entries, index } = dragged;
    const commit = phase !== "move";
    if (commit) dragged = null;
    if (phase === "cancel") return apply({ ok: true, entries }, { commit });
    const from = entries[index] as number;
    const value = Math.round((from + steps * DRAG_STEP) * 1e5) / 1e5;
    apply(setEntry({ entries, n: n() }, r, c, steps === 0 ? from : Math.min(1, Math.max(0, value)), keep), { commit });
  }

  function gridProps(): GridProps {
    const { states, order, loaded, editable, disabled } = props;
    const now = rows();
    const { entries } = now;
    const count = states.length;
    const height = count === 0 ? 0 : Math.max(1, entries.length / count);
    const compact = count > ROOMY || order > 1;
    const show = (p: number): string => (Number.isFinite(p) ? (compact ? probability(p, count <= THREE ? 3 : 2, 0) : chance(p)) : "?");
    const matrix = count * count;
    const name = (r: number): string[] =>
      order > 1
        ? [stateText(states, Math.floor(r / count)), stateText(states, r % count)]
        : [r < count ? stateText(states, r) : "start"];
    const widest = Math.max(
      ...states.map((text) => textWidth(text.slice(0, 30), 12)),
      order > 1 ? 0 : textWidth("from, to", 12),
    );
    const head = Math.min(order > 1 ? 44 : compact ? 60 : 72, Math.ceil(widest) + 16);
    const sumWidth = compact ? 38 : 48;
    const least = compact ? 38 : 48;
    // What the frame of a cell and the space at its right leave for a number.
    const room = Math.min(MOST_WIDE, Math.max(least, (WIDTH - head * order - sumWidth) / Math.max(1, count))) - (compact ? 6 : 10);
    const size = compact ? 12 : 13;
    const sumOf = (r: number): number => total(entries.slice(r * count, (r + 1) * count));
    const cell = (r: number, c: number): GridCell => {
      const k = r * count + c;
      const p = entries[k] as number;
      const draft = drafts.at(k, p);
      const invalid = !isProbability(p);
      const changedCell = k < matrix && loaded.length === matrix && !(Math.abs(p - (loaded[k] as number)) <= 1e-12);
      const whole = show(p);
      const text = invalid ? (draft?.text ?? whole) : chanceWithin(p, whole, room, size);
      const words = [invalid ? "invalid" : "", changedCell ? "changed" : ""].filter(Boolean);
      const place = r * count >= matrix ? `start at ${stateText(states, c, 60)}` : `from ${name(r).join(", ")} to ${stateText(states, c, 60)}`;
      return {
        text,
        label: `${place}: ${[(invalid ? text : whole).slice(0, 80), ...words].join(", ")}`,
        title: invalid ? (draft?.reason ?? refusal(p, text)) : String(p) === text ? null : String(p),
        share: isProbability(p) ? p : 0,
        changed: changedCell,
        invalid,
        zero: p === 0,
        readOnly: !editable,
      };
    };
    return {
      label: "Transition probabilities",
      rowCount: height,
      columnCount: count,
      structure: JSON.stringify([states, order, height, head, compact]),
      key: (r, c) => r * count + c,
      locate: (k) => (k < entries.length ? [Math.floor(k / count), k % count] : null),
      corner: order > 1 ? [{ text: "before", width: head }, { text: "from", width: head }] : [{ text: compact ? "from" : "from, to", width: head }],
      head: [states.map((text, c) => ({ text: stateText(states, c), title: text, span: 1, align: "end" as const }))],
      rowHead: (r) => name(r).map((text, k) => ({ text, title: text, repeated: order > 1 && k === 0 && r % count > 0 })),
      rowMarked: () => false,
      rowGroup: (r) => r > 0 && (order > 1 ? r % count === 0 : r === count),
      columnGroup: () => false,
      cell,
      sumLabel: "sum",
      rowSum: (r) =>
        entries.length === 0
          ? ""
          : Number.isNaN(sumOf(r))
            ? "?"
            : isNormalised(entries.slice(r * count, (r + 1) * count))
              ? "1"
              : showSum(sumOf(r)),
      rowGood: (r) => isNormalised(entries.slice(r * count, (r + 1) * count)),
      cellWidth: { least, most: MOST_WIDE },
      sumWidth,
      compact,
      tall: TALL,
      scrolls: count * 38 + head * order + 38 > WIDTH,
      disabled,
    };
  }

  function stayProps(k: number): SliderFieldProps {
    const name = stateText(props.states, k, 60);
    const value = props.transitions?.length === 4 ? (props.transitions[k * 3] as number) : 0;
    const sound = isProbability(value) ? value : 0;
    const text = `Stay at ${name}`;
    return {
      label: text,
      slider: {
        value: sound,
        min: 0,
        max: 1,
        log: false,
        label: text,
        valueText: chance(value),
        ticks: [],
        disabled: props.disabled || !props.editable,
      },
      entry: {
        label: `${text} as a number`,
        value,
        format: entryChance,
        title: wholeNumber(value, entryChance(value)),
        refuse: (next, typed) => refusal(next, typed),
        disabled: props.disabled || !props.editable,
        width: ENTRY,
      },
      stays: `The chance to stay remains ${chance(value)}`,
    };
  }

  function startProps(): DragNumberProps {
    const value = props.start[1] ?? 0;
    const accept = (next: number, typed?: string) => {
      const reason = refusal(next, typed ?? String(next));
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    return {
      value,
      text: chance(value),
      label: `Start, probability that the first is ${stateText(props.states, 1, 60)}`,
      valueText: chance(value),
      disabled: props.disabled || !props.editable,
      accept,
    };
  }

  function draw(): void {
    const { states, order, transitions, editable, changes, disabled } = props;
    const two = states.length === 2 && order === 1 && editable;
    const shown = transitions !== null && transitions.length > 0 && (order === 1 || states.length <= 5);
    grid.el.hidden = !shown;
    if (shown) grid.update(gridProps());
    actions.hidden = !shown || !editable;
    const now = rows();
    normalise.disabled = disabled || !now.entries.every(isProbability) || rowFault(now, drafts, { row: String, cell: String }) === null;
    kept.disabled = disabled;
    many.hidden = editable;
    setText(
      many,
      editable
        ? ""
        : `${order > 1 ? "A chain of second order" : `A chain of ${states.length} states`} is changed in Python; here it ${shown ? "can be read" : "runs"}.`,
    );
    stays.hidden = !two;
    startLine.hidden = !two;
    if (two) sliders.forEach((slider, k) => slider.update(stayProps(k)));
    setText(startName, `Start, P(first is ${stateText(states, 1, 12)})`);
    if (two) start.update(startProps());
    const last = changes[changes.length - 1];
    setText(
      changed,
      last
        ? `${sentence(last.after)} from step ${fixed(last.step, 0)} on, ${last.before} before.`
        : editable
          ? "Changes apply from the next step."
          : "",
    );
    const data = sourceWords(props.source);
    setText(source, data);
    source.hidden = data === "";
    speak();
  }

  draw();
  return {
    el,
    update(next) {
      const another = next.since !== props.since;
      if (note?.kind === "error" && next.transitions !== null && next.transitions.some((p, k) => !Object.is(p, props.transitions?.[k]))) note = null;
      if (another) {
        grid.abandon();
        drafts = new Drafts();
        note = dragged = null;
      }
      props = next;
      draw();
    },
    destroy() {
      grid.destroy();
      for (const slider of sliders) slider.destroy();
      start.destroy();
      el.remove();
    },
  };
}
