/**
 * An editable grid of numbers: one stop for Tab, arrows inside, one editor at a time, ranges, blocks
 * by clipboard, values by horizontal drag. It knows no model; cells are described and edits reported.
 */
import { h, listen, setAttr, type Component } from "./dom";
import { followDrag, isTyping } from "./gestures";
import { createRows, type GridProps } from "./grid-rows";
export type { GridCell, GridProps, HeadCell } from "./grid-rows";

// Blocks of numbers as spreadsheets put them on the clipboard: rows by line, cells by tab.

/** Reads a copied block; quotes around a cell are dropped, as no number needs them. */
export function readBlock(text: string): string[][] {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(\n\s*)+$/, "")
    .split("\n")
    .map((line) => line.split("\t").map((cell) => cell.replace(/^"(.*)"$/, "$1")));
}

export function writeBlock(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.join("\t")).join("\n");
}

// The one text field of a grid; it sits inside the cell it edits.

export interface EditorState {
  text: string;
  initial: string;
  selection: [number, number];
  replacing: boolean;
  label: string;
}

export interface EditorCallbacks {
  commit(text: string): void;
  /** The focus goes on by this many rows and columns; returns what commits the cell that was edited. */
  leave(rows: number, columns: number): (text: string) => void;
  /** The edit was given up: the focus goes back to the cell. */
  restore(): void;
}

export interface Editor {
  readonly isOpen: boolean;
  holds(target: EventTarget | null): boolean;
  /** `typed` replaces the content; null edits what is there. */
  open(cell: HTMLElement, content: string, typed: string | null, label: string): void;
  close(commit: boolean): void;
  /** Takes the field out of the page without ending the edit. */
  detach(): EditorState | null;
  attach(cell: HTMLElement, state: EditorState): void;
}

function createEditor(on: EditorCallbacks): Editor {
  const input = h("input", { class: "gr-edit", type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  let cell: HTMLElement | null = null;
  let initial = "";
  /** Typing replaced the content: arrows then leave the cell, as in a spreadsheet. */
  let replacing = false;

  /** `first` may move the focus: asked for later, that would lay out the changed page before anything is sent. */
  function take(first?: () => void): void {
    const from = cell;
    cell = null;
    first?.();
    from?.removeAttribute("data-editing");
    input.remove();
  }

  function close(commit: boolean, step?: [number, number]): void {
    if (!cell) return;
    const text = input.value;
    let put = on.commit;
    take(step && (() => (put = on.leave(...step))));
    if (commit && text !== initial) put(text);
  }

  function show(into: HTMLElement, label: string): void {
    cell = into;
    setAttr(into, "data-editing", true);
    setAttr(input, "aria-label", label);
    into.append(input);
    input.focus();
  }

  listen(input, "keydown", (event) => {
    const { key, shiftKey } = event;
    if (event.isComposing) return;
    const arrow = replacing && !shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const step: [number, number] | null =
      key === "Enter" ? [shiftKey ? -1 : 1, 0]
      : key === "Tab" ? [0, shiftKey ? -1 : 1]
      : arrow && key === "ArrowUp" ? [-1, 0]
      : arrow && key === "ArrowDown" ? [1, 0]
      : arrow && key === "ArrowLeft" ? [0, -1]
      : arrow && key === "ArrowRight" ? [0, 1]
      : null;
    if (step) {
      event.preventDefault();
      close(true, step);
    } else if (key === "Escape") {
      event.preventDefault();
      close(false);
      on.restore();
    } else if (key === "F2") replacing = false;
  });
  listen(input, "pointerdown", () => (replacing = false));
  listen(input, "blur", () => close(true));

  return {
    get isOpen() {
      return cell !== null;
    },
    holds: (target) => target === input,
    open(into, content, typed, label) {
      close(true);
      initial = content;
      replacing = typed !== null;
      input.value = typed ?? content;
      show(into, label);
      if (typed === null) input.select();
      else input.setSelectionRange(input.value.length, input.value.length);
    },
    close,
    detach() {
      if (!cell) return null;
      const state: EditorState = {
        text: input.value,
        initial,
        selection: [input.selectionStart ?? 0, input.selectionEnd ?? 0],
        replacing,
        label: input.getAttribute("aria-label") ?? "",
      };
      take();
      return state;
    },
    attach(into, state) {
      initial = state.initial;
      replacing = state.replacing;
      input.value = state.text;
      show(into, state.label);
      input.setSelectionRange(...state.selection);
    },
  };
}

/** A rectangle of cells, ends included. */
export interface Range {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export interface GridCallbacks {
  /** What the editor starts from: every digit. */
  editText(r: number, c: number): string;
  onCommit(r: number, c: number, text: string): void;
  /** A block of texts, its first cell at (r, c). */
  onBlock(r: number, c: number, block: string[][]): void;
  /** Horizontal drag; `steps` of 4 px since the start, Shift counts a tenth. */
  onDrag(r: number, c: number, phase: "start" | "move" | "end" | "cancel", steps: number): void;
  /** The menu of a cell was asked for. */
  onMenu?(cell: HTMLElement, selection: Range, at?: { x: number; y: number }): void;
  /** Escape without anything to close. */
  onEscape?(): void;
  /** The place that keys go to has moved. */
  onMove?(r: number, c: number): void;
}

export interface Grid extends Component<GridProps> {
  selection(): Range;
  /** Cells with every digit, tab separated. */
  copied(range: Range): string;
  focus(): void;
  /** Gives up a drag and the open editor; what was typed into it, or null. */
  abandon(): string | null;
}

/** Rows and columns a key goes; Ctrl takes them to the edge. */
const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [-1, -1],
  End: [1, 1],
};

/** `start` is the place that keys go to first. */
export function createGrid(first: GridProps, on: GridCallbacks, start: readonly [number, number] = [0, 0]): Grid {
  let props = first;
  let [row, column] = start;
  let anchor = { row, column };
  /** Which press may still drag. */
  let press = 0;
  const rows = createRows(first);
  const editor = createEditor({
    commit: (text) => on.onCommit(row, column, text),
    leave(dr, dc) {
      const [r, c] = [row, column];
      go(r + dr, c + dc, false, true);
      return (text) => on.onCommit(r, c, text);
    },
    restore: () => rows.cell(row, column)?.focus(),
  });
  const table = rows.table;

  const range = (): Range => ({
    top: Math.min(row, anchor.row),
    bottom: Math.max(row, anchor.row),
    left: Math.min(column, anchor.column),
    right: Math.max(column, anchor.column),
  });

  function mark(): void {
    rows.mark(row, column, range());
  }

  function go(r: number, c: number, extend: boolean, focus: boolean): void {
    row = Math.max(0, Math.min(props.rowCount - 1, r));
    column = Math.max(0, Math.min(props.columnCount - 1, c));
    if (!extend) anchor = { row, column };
    rows.reveal(row);
    mark();
    on.onMove?.(row, column);
    if (focus) rows.cell(row, column)?.focus();
  }

  function edit(text: string | null): void {
    const cell = rows.cell(row, column);
    if (!cell || props.disabled || props.cell(row, column).readOnly) return;
    anchor = { row, column };
    mark();
    editor.open(cell, on.editText(row, column), text, props.cell(row, column).label);
  }

  function onKey(event: KeyboardEvent): void {
    const cell = rows.cell(row, column);
    if (editor.isOpen || !cell || !rows.at(event.target)) return;
    const jump = event.ctrlKey || event.metaKey;
    const { key, shiftKey } = event;
    if (event.altKey && key !== "ArrowDown") return;
    else if (event.altKey) on.onMenu?.(cell, range());
    else if (key in MOVES) {
      const [dr, dc] = MOVES[key] as [number, number];
      const far = /End|Home/.test(key) ? [jump ? Infinity : 0, Infinity] : jump ? [Infinity, Infinity] : [1, 1];
      go(row + (dr && dr * (far[0] as number)), column + (dc && dc * (far[1] as number)), shiftKey, true);
    }
    else if (key === "Enter" || key === "F2") edit(null);
    else if (key === "Escape") {
      anchor = { row, column };
      mark();
      on.onEscape?.();
    } else if (key === "ContextMenu" || (key === "F10" && shiftKey)) on.onMenu?.(cell, range());
    else if (jump && key.toLowerCase() === "a") {
      anchor = { row: 0, column: 0 };
      go(props.rowCount - 1, props.columnCount - 1, true, true);
    } else if ((key === "Delete" || key === "Backspace") && !props.disabled) fill("0");
    else if (isTyping(event) && key !== " ") edit(key);
    // A dead key or an input method: the field must have the focus before the character arrives.
    else if (key === "Dead" || key === "Process") return edit("");
    else return;
    event.preventDefault();
  }

  function fill(text: string): void {
    const over = range();
    const block = Array.from({ length: over.bottom - over.top + 1 }, () =>
      new Array<string>(over.right - over.left + 1).fill(text),
    );
    if (block.length === 1 && block[0]?.length === 1) on.onCommit(row, column, text);
    else on.onBlock(over.top, over.left, block);
  }

  function copied({ top, bottom, left, right }: Range): string {
    const block: string[][] = [];
    for (let r = top; r <= bottom; r++) {
      block.push(Array.from({ length: right - left + 1 }, (_, k) => on.editText(r, left + k)));
    }
    return writeBlock(block);
  }

  listen(table, "keydown", onKey);
  listen(table, "focusin", (event) => {
    const at = rows.at(event.target);
    if (at && !editor.isOpen && (at[0] !== row || at[1] !== column)) go(at[0], at[1], false, false);
  });
  listen(table, "dblclick", (event) => {
    if (rows.at(event.target) && !editor.isOpen) edit(null);
  });
  listen(table, "pointerdown", (event) => {
    const at = rows.at(event.target);
    if (!at || event.button !== 0 || editor.holds(event.target)) return;
    event.preventDefault();
    editor.close(true);
    go(at[0], at[1], event.shiftKey, true);
    const cell = rows.cell(row, column);
    if (!cell || event.shiftKey || props.disabled || props.cell(row, column).readOnly) return;
    const [r, c] = [row, column];
    const own = ++press;
    followDrag(cell, event, (phase, steps) => own === press && on.onDrag(r, c, phase, steps));
  });
  listen(table, "contextmenu", (event) => {
    const at = rows.at(event.target);
    if (!at || !on.onMenu || event.shiftKey || editor.isOpen) return;
    event.preventDefault();
    event.stopPropagation();
    const now = range();
    const inside = at[0] >= now.top && at[0] <= now.bottom && at[1] >= now.left && at[1] <= now.right;
    if (!inside) go(at[0], at[1], false, true);
    const cell = rows.cell(row, column);
    if (cell) on.onMenu(cell, range(), { x: event.clientX, y: event.clientY });
  });
  listen(table, "copy", (event) => {
    if (editor.isOpen) return;
    event.clipboardData?.setData("text/plain", copied(range()));
    event.preventDefault();
  });
  listen(table, "paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (editor.isOpen || props.disabled || text.trim() === "") return;
    event.preventDefault();
    const block = readBlock(text);
    const over = range();
    if (block.length === 1 && block[0]?.length === 1) fill(block[0][0] as string);
    else on.onBlock(over.top, over.left, block);
  });
  mark();

  return {
    el: rows.el,
    selection: range,
    copied,
    focus: () => rows.cell(row, column)?.focus(),
    abandon() {
      press += 1;
      const open = editor.detach();
      if (open) rows.cell(row, column)?.focus();
      return open && open.text;
    },
    update(next) {
      const key = props.key(row, column);
      const from = props.key(anchor.row, anchor.column);
      const rebuilt = rows.willRebuild(next);
      const hadFocus = table.contains((table.getRootNode() as Document).activeElement);
      // A rebuilt grid must not take the text under the hands with it.
      const kept = rebuilt ? editor.detach() : null;
      props = next;
      rows.update(next);
      if (rebuilt) {
        [row, column] = next.locate(key) ?? [0, 0];
        const [r, c] = next.locate(from) ?? [row, column];
        anchor = { row: r, column: c };
        rows.reveal(row);
        const cell = rows.cell(row, column);
        if (kept && cell && next.locate(key)) editor.attach(cell, kept);
        else if (hadFocus) cell?.focus();
        on.onMove?.(row, column);
      }
      mark();
    },
    destroy() {
      editor.detach();
      rows.destroy();
    },
  };
}
