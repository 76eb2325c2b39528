/** The joint distribution as an editable table: pivot line, grid, actions, marginals, correlations. */
import { createMenu } from "../ui/choosing";
import { button, h, icon, listen, MORE, setAttr, setText, type Component } from "../ui/dom";
import { historyKey } from "../ui/gestures";
import { createGrid, type Range } from "../ui/grid";
import { createLine, type LineProps } from "../ui/lines";
import { createWeights, quoted, type WeightsProps } from "../ui/number-entry";
import type { Fault, TableSpec } from "../ui/protocol";
import {
  Drafts,
  independent,
  isNormalised,
  isProbability,
  normalise,
  readProbability,
  refusal,
  setCell,
  showSum,
  total,
  type Edit,
} from "./editing";
import { fitCaption, gridProps, seenCaption, shapeOf, type Fit, type TableView } from "./grid-view";
import { createPastePanel, pasteBlock } from "./paste";
import { capital, cellName, createPivotLine, layOut, positions, type Layout, type Pivot } from "./pivot";
import { createSummaries } from "./summaries";

// The one message of a joint table: what is wrong, where, and what helps.

const KEPT = "The results still belong to the last valid table.";

export interface Spoken {
  spec: TableSpec;
  entries: Float64Array;
  fault: Fault | null;
}

/** First what the hand just tried, then the table itself, then what Python found. */
function tableMessage(table: Spoken, drafts: Drafts, note: LineProps | null, onNormalise: () => void): LineProps | null {
  if (note?.kind === "error") return note;
  const { spec, entries, fault } = table;
  const bad = entries.findIndex((p) => !isProbability(p));
  if (bad >= 0) {
    const value = entries[bad] as number;
    const shape = spec.labels.map((domain) => domain.length);
    const reason = drafts.at(bad, value)?.reason ?? refusal(value, String(value));
    const others = entries.filter((p) => !isProbability(p)).length - 1;
    const more = others > 0 ? ` ${others} more ${others === 1 ? "cell is" : "cells are"} marked.` : "";
    return { kind: "error", title: `${capital(cellName(spec, positions(bad, shape)))}:`, text: `${reason}${more} ${KEPT}` };
  }
  if (!isNormalised(entries)) {
    return {
      kind: "error",
      title: `The table sums to ${showSum(total(entries))}.`,
      text: `Leakage needs a sum of 1. ${KEPT}`,
      action: { label: "Normalise", run: onNormalise },
    };
  }
  if (fault && fault.where?.kind !== "parameter") {
    const end = fault.text.search(/[.:] /);
    return end < 0
      ? { kind: "error", title: fault.text, text: "" }
      : { kind: "error", title: fault.text.slice(0, end + 1), text: fault.text.slice(end + 2) };
  }
  return note;
}

export interface JointTableProps {
  /** Changes with the tuples or labels: what the hand began for other ones is given up. */
  since: number;
  spec: TableSpec;
  entries: Float64Array;
  locks: Uint8Array;
  /** As loaded: cells that differ carry the changed corner. */
  loaded: Float64Array;
  keepSum: boolean;
  rows: number[];
  columns: number[];
  fit: Fit | null;
  fault: Fault | null;
  /** One for each tuple, in a row of the header; left out or null where the query has none. */
  weights?: readonly number[] | null;
  disabled: boolean;
}

export interface JointTableCallbacks {
  /**
   * `commit` is false while a drag goes on; one committed edit is one undo step. A drag that was given
   * up ends with the entries it began with, committed.
   */
  onEdit(next: { entries: Float64Array; locks: Uint8Array }, how: { commit: boolean }): void;
  onKeepSum(keepSum: boolean): void;
  onPivot(rows: number[], columns: number[]): void;
  onWeights?(weights: number[]): void;
  /** Why a weight as typed is refused; null when it is in order again. */
  onRefused?(reason: string | null): void;
  onUndo?(): void;
  onRedo?(): void;
  /**
   * Takes the message to a line of its own, above the panel. Without it, or when it returns false, the
   * table shows the message itself, over marginals and correlations, so that nothing moves.
   */
  onMessage?(message: LineProps | null): boolean | void;
}

/** One step of a drag: 1 % of the sum, which is 1. */
const DRAG_STEP = 0.01;
/** From this width on, marginals and correlations stand beside the grid. */
const BESIDE = 640;
const SUMMARIES = 364;

export function createJointTable(first: JointTableProps, on: JointTableCallbacks): Component<JointTableProps> {
  let props = first;
  let width = 264;
  let note: LineProps | null = null;
  let drag: { entries: Float64Array; index: number } | null = null;
  /** The last entries of this table that were probabilities: what an entry was before it was none. */
  let sound = first.entries;
  /** The last ones that summed to 1 as well: marginals and correlations belong to them, as results do. */
  let valid = first.entries;
  let drafts = new Drafts();

  const pivot = (): Pivot => ({ rows: props.rows, columns: props.columns });
  const layout = (): Layout => layOut(shapeOf(props.spec), pivot());
  const view = (): TableView => ({
    spec: props.spec,
    entries: props.entries,
    locks: props.locks,
    loaded: props.loaded,
    pivot: pivot(),
    fit: props.fit,
    drafts,
    disabled: props.disabled,
    width,
  });

  const el = h("div", { class: "jt" });
  const menu = createMenu(el, "Joint distribution");
  const pivotLine = createPivotLine(pivotProps(), menu, (next) => on.onPivot(next.rows, next.columns));
  const weights = createWeights(weightsProps(), {
    onWeights: (next) => on.onWeights?.(next),
    onRefused: (reason) => on.onRefused?.(reason),
  });
  const weightsRow = h("div", { class: "jt-weights" }, h("span", { class: "label", "aria-hidden": "true" }, "Weights"), weights.el);
  const grid = createGrid(gridProps(view()), {
    editText: (r, c) => {
      const k = layout().index(r, c);
      return drafts.at(k, props.entries[k] as number)?.text ?? String(props.entries[k]);
    },
    onCommit: commitCell,
    onBlock: (r, c, block) => commitBlock(r, c, block),
    onDrag: dragCell,
    onMenu: openCellMenu,
    onEscape() {
      say(null);
      const { top, left } = grid.selection();
      const k = layout().index(top, left);
      if (isProbability(props.entries[k] as number) || props.disabled) return;
      const entries = props.entries.slice();
      entries[k] = sound[k] as number;
      edited(entries);
    },
  });
  const caption = h("p", { class: "jt-fit small muted" });
  const seen = h("p", { class: "jt-seen small muted" });
  const normaliseButton = button("Normalise");
  const independentButton = button("Independent", { title: "Same marginals, no dependence" });
  const moreButton = button("", { class: "button jt-more", title: "More", "aria-haspopup": "menu", "aria-expanded": "false" });
  moreButton.append(icon(MORE));
  const line = createLine({ kind: "info", text: "" });
  const summaries = createSummaries({ spec: first.spec, entries: first.entries, stale: false });
  const panel = createPastePanel(layout, (block) => commitBlock(0, 0, block, true), grid.focus);
  const foot = h("div", { class: "jt-foot" }, summaries.el, h("div", { class: "jt-says" }, line.el), panel.el);
  const actions = h("div", { class: "jt-buttons" }, normaliseButton, independentButton, moreButton);
  el.append(h("div", { class: "jt-body" }, h("div", { class: "jt-main" }, pivotLine.el, weightsRow, grid.el, seen, caption, actions), foot));

  function pivotProps(): { names: string[]; pivot: Pivot; compact: boolean; disabled: boolean } {
    return { names: props.spec.names, pivot: pivot(), compact: width < 400, disabled: props.disabled };
  }

  function weightsProps(): WeightsProps {
    return { names: props.spec.names, weights: props.weights ?? null, disabled: props.disabled };
  }

  function say(message: LineProps | null): void {
    note = message;
    drawMessage();
  }

  function edited(entries: Float64Array, locks = props.locks, commit = true): void {
    note = null;
    on.onEdit({ entries, locks }, { commit });
    // One text that is no number in place of another changes no entry, and nobody else would draw it.
    if (entries.every(isProbability)) drawMessage();
    else draw();
  }

  /** Hands an edit on, or says why it cannot be. */
  function apply(edit: Edit): void {
    if (edit.ok) edited(edit.entries);
    else say({ kind: "error", ...edit });
  }

  function commitCell(r: number, c: number, text: string): void {
    if (props.disabled) return;
    const k = layout().index(r, c);
    const entry = readProbability(text);
    drafts.keep(k, text, entry);
    apply(setCell(props.entries, k, entry.value, props.locks, props.keepSum));
  }

  function commitBlock(r: number, c: number, block: string[][], weights = false): void {
    if (props.disabled) return;
    const pasted = pasteBlock(block, { row: r, column: c, layout: layout() }, weights ? { ...props, keepSum: true } : props, drafts);
    if (!pasted.ok) return say({ kind: "error", ...pasted });
    edited(pasted.entries);
    if (pasted.remark) say({ kind: "info", title: pasted.remark, text: "Undo takes it back." });
  }

  function dragCell(r: number, c: number, phase: "start" | "move" | "end" | "cancel", steps: number): void {
    if (phase === "start") {
      const index = layout().index(r, c);
      drag = isProbability(props.entries[index] as number) ? { entries: props.entries, index } : null;
      return;
    }
    if (!drag || props.disabled) return;
    const { entries, index } = drag;
    if (phase !== "move") drag = null;
    // Back where it began: the gesture ends, and a history that compares states takes no step.
    if (phase === "cancel") return edited(entries);
    const start = entries[index] as number;
    const locked = entries.reduce((sum, p, k) => (props.locks[k] ? sum + p : sum), 0);
    const room = props.keepSum ? Math.max(0, 1 - locked) : 1;
    // Whole steps of the last digit that is moved, so that dragging back gives clean numbers.
    const value = Math.round((start + steps * DRAG_STEP) * 1e5) / 1e5;
    const p = steps === 0 ? start : Math.min(room, Math.max(0, value));
    const edit = setCell(entries, index, p, props.locks, props.keepSum);
    if (edit.ok) edited(edit.entries, props.locks, phase === "end");
    else if (phase === "end") apply(edit);
  }

  function setLocks(change: (lock: number, k: number) => number): void {
    edited(props.entries, props.locks.map(change));
  }

  function selectedCells(range: Range): Set<number> {
    const at = layout();
    const cells = new Set<number>();
    for (let r = range.top; r <= range.bottom; r++) for (let c = range.left; c <= range.right; c++) cells.add(at.index(r, c));
    return cells;
  }

  function lockItem(range: Range): { label: string; run(): void; disabled: boolean; title: string } {
    const cells = selectedCells(range);
    const locked = [...cells].every((k) => props.locks[k]);
    return {
      label: `${locked ? "Unlock" : "Lock"} ${cells.size === 1 ? "this cell" : `${cells.size} cells`}`,
      title: "A locked cell keeps its value when others change (Alt+L)",
      disabled: props.disabled,
      run: () => setLocks((lock, k) => (cells.has(k) ? (locked ? 0 : 1) : lock)),
    };
  }

  function openCellMenu(cell: HTMLElement, range: Range, at?: { x: number; y: number }): void {
    menu.open(
      cell,
      [
        lockItem(range),
        { label: "Copy", title: "Every digit, tab separated (Ctrl+C)", run: () => copy(range) },
      ],
      at,
    );
  }

  function openMore(): void {
    const { disabled } = props;
    menu.open(moreButton, [
      { ...lockItem(grid.selection()) },
      { label: "Lock all cells", disabled, run: () => setLocks(() => 1) },
      { label: "Unlock all cells", disabled: disabled || !props.locks.some((lock) => lock), run: () => setLocks(() => 0) },
      {
        label: "Keep others fixed",
        checked: !props.keepSum,
        disabled,
        title: "An edit then changes one cell only; the sum is set right with Normalise",
        separated: true,
        run: () => on.onKeepSum(!props.keepSum),
      },
      { label: "Set from counts…", disabled, separated: true, run: () => panel.open() },
      { label: "Reset to loaded", disabled, run: () => edited(props.loaded.slice()) },
      { label: "Copy table", separated: true, run: () => copy({ top: 0, left: 0, bottom: layout().rowCount - 1, right: layout().columnCount - 1 }) },
    ]);
  }

  function copy(range: Range): void {
    // Pages that are not secure have no clipboard object; the keys work everywhere.
    const written = navigator.clipboard?.writeText(grid.copied(range)) ?? Promise.reject();
    written.then(
      () => say({ kind: "info", title: "Copied.", text: "Every digit, tab separated." }),
      () => say({ kind: "error", title: "The browser did not allow copying.", text: "Select the cells and press Ctrl+C." }),
    );
  }

  listen(normaliseButton, "click", () => apply(normalise(props.entries, props.locks)));
  listen(independentButton, "click", () => apply(independent(props.entries, shapeOf(props.spec), props.locks)));
  listen(moreButton, "click", openMore);
  listen(el, "keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const which = event.defaultPrevented ? null : historyKey(event);
    if (which === "undo") on.onUndo?.();
    else if (which === "redo") on.onRedo?.();
    else if (event.altKey && event.code === "KeyL" && !props.disabled && grid.el.contains(target)) lockItem(grid.selection()).run();
    else return;
    event.preventDefault();
  });

  function drawMessage(): void {
    const message = tableMessage(props, drafts, note, () => apply(normalise(props.entries, props.locks)));
    const own = on.onMessage && on.onMessage(message) !== false ? null : message;
    line.update(own ?? { kind: "info", text: "" });
    setAttr(foot, "data-says", own !== null);
  }

  function draw(): void {
    const now = view();
    const probabilities = props.entries.every(isProbability);
    const good = probabilities && isNormalised(props.entries);
    if (probabilities) sound = props.entries;
    if (good) valid = props.entries;
    pivotLine.update(pivotProps());
    weightsRow.hidden = (props.weights ?? null) === null;
    weights.update(weightsProps());
    // Beside the summaries while the roomy form fits there, else above them with all the width.
    const beside = width >= BESIDE ? gridProps({ ...now, width: width - SUMMARIES }) : null;
    const shown = beside && !beside.compact ? beside : gridProps(now);
    setAttr(el, "data-beside", shown === beside);
    grid.update(shown);
    const heads = shown.corner.reduce((sum, c) => sum + c.width, 0);
    el.style.setProperty("--jt-width", `${heads + shown.columnCount * shown.cellWidth.most + shown.sumWidth}px`);
    const part = seenCaption(shown, shown === beside ? width - SUMMARIES : width);
    setText(seen, part ?? "");
    seen.hidden = part === null;
    const fit = fitCaption(now);
    setText(caption, fit ?? "");
    caption.hidden = fit === null;
    // Nothing scales what is no number.
    normaliseButton.disabled = props.disabled || good || !probabilities;
    independentButton.disabled = props.disabled;
    summaries.update({ spec: props.spec, entries: valid, stale: !good });
    drawMessage();
  }

  const observer =
    typeof ResizeObserver === "undefined"
      ? null
      : new ResizeObserver(() => {
          // From the outer width alone, or the table's own width would feed back into it.
          const room = el.clientWidth;
          if (room <= 0 || room === width) return;
          width = room;
          draw();
        });
  observer?.observe(el);
  draw();

  return {
    el,
    update(next) {
      // A new value from elsewhere settles a remark about the old one.
      if (note?.kind === "error" && next.entries.some((p, k) => !Object.is(p, props.entries[k]))) note = null;
      const another = next.since !== props.since;
      const typed = another ? grid.abandon() : null;
      props = next;
      if (another) {
        drag = note = null;
        drafts = new Drafts();
        sound = valid = next.entries;
        menu.close();
        if (typed !== null) note = { kind: "info", title: `${quoted(typed)} was not taken.`, text: "Another table stands here now." };
      }
      draw();
    },
    destroy() {
      observer?.disconnect();
      menu.destroy();
      grid.destroy();
      weights.destroy();
      el.remove();
    },
  };
}
