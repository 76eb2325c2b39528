/** The joint distribution: the table of the chosen pair or of its whole block, edited with the sum kept. */
import { nameOf, plural, told, type Naming } from "../explorer/words";
import { Drafts, independent, isNormalised, isProbability, readProbability, setCell, type Edit } from "../table/editing";
import { fitCaption, gridProps, type TableView } from "../table/grid-view";
import { pasteBlock } from "../table/paste";
import { layOut, type Layout } from "../table/pivot";
import { createMenu } from "../ui/choosing";
import { button, component, DOWN, h, icon, listen, MORE, setAttr, setAttrs, setText, SWAP, type Component } from "../ui/dom";
import { count } from "../ui/format";
import { createGrid, type GridProps } from "../ui/grid";
import { clip, isolate, textWidth } from "../ui/lettering";
import type { LineProps } from "../ui/lines";
import type { Change } from "../ui/slider";
import { carryBack, denseMargin, occurringMargin, sumsOf, tableSpec, type Margin, type Rows } from "./margin";
import type { ExampleChoice } from "./protocol";
import { neighboursOf } from "./results";

// Which pair of tuples stands in the table: one on the rows, one on the columns.

export interface PairLineProps {
  naming: Naming;
  tuple: number;
  other: number | null;
  disabled: boolean;
}

export interface PairLineEvents {
  onPair(tuple: number, other: number | null): void;
}

function createPairLine(initial: PairLineProps, events: PairLineEvents): Component<PairLineProps> {
  let props = initial;
  const first = menu("Chosen tuple, on rows", (next) => {
    if (next === props.other) events.onPair(next, props.tuple);
    else events.onPair(next, null);
  });
  const second = menu("Shown beside it, on columns", (next) => {
    if (next === props.tuple) swap();
    else events.onPair(props.tuple, next);
  });
  const swapButton = h("button", { type: "button", class: "dx-swap", title: "Swap rows and columns", "aria-label": "Swap rows and columns" }, icon(SWAP, 14));
  const word = h("span", { class: "muted" }, "columns");
  listen(swapButton, "click", swap);
  const el = h(
    "div",
    { class: "dx-pair", role: "group", "aria-label": "Chosen pair" },
    h("span", { class: "muted" }, "rows"),
    first.el,
    swapButton,
    word,
    second.el,
  );

  function swap(): void {
    if (props.other !== null) events.onPair(props.other, props.tuple);
  }

  function menu(label: string, run: (tuple: number) => void) {
    const select = h("select", { class: "dx-pick-choice", "aria-label": label });
    const shown = h("span", { class: "dx-pick-name", "aria-hidden": "true" });
    let drawn: readonly string[] | null = null;
    listen(select, "change", () => run(select.selectedIndex));
    return {
      el: h("span", { class: "dx-pick" }, shown, icon(DOWN, 11), select),
      update(chosen: number | null) {
        const { naming, disabled } = props;
        if (drawn !== naming.names) {
          drawn = naming.names;
          select.replaceChildren(...naming.names.map((_, tuple) => h("option", {}, nameOf(naming, tuple))));
        }
        select.selectedIndex = chosen ?? -1;
        select.disabled = disabled || chosen === null;
        setText(shown, chosen === null ? "" : nameOf(naming, chosen));
        shown.title = chosen === null ? "" : nameOf(naming, chosen, 300);
      },
    };
  }

  function draw(): void {
    const { tuple, other, disabled } = props;
    first.update(tuple);
    second.update(other);
    for (const part of [second.el, word, swapButton]) part.hidden = other === null;
    swapButton.disabled = disabled;
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}

export interface TablePanelProps {
  /** Changes with the tuples or labels: what the hand began for other ones is given up. */
  since: number;
  naming: Naming;
  blocks: readonly number[];
  rows: Rows | null;
  probabilities: Float64Array;
  loaded: Float64Array;
  tuple: number;
  other: number | null;
  /** What the adversary knows, and the values where it learns most. */
  known: readonly number[];
  values: readonly number[];
  editable: boolean;
  /** What is assumed of the table, or what its blocks are. */
  note: string;
  examples: readonly ExampleChoice[];
  example: string;
  disabled: boolean;
}

export interface TablePanelEvents {
  onEdit(probabilities: Float64Array, how: Change): void;
  onPair(tuple: number, other: number | null): void;
  onExample(example: string): void;
  /** What is refused, in words; null when it is in order again. */
  onMessage(message: LineProps | null): void;
}

/** One step of a drag: 1 % of the sum. */
const DRAG_STEP = 0.01;
/** Width of the column, px. */
const WIDTH = 264;
/** What the other buttons leave for the words of the first, px. */
const ROOM = 132;

export function createTablePanel(initial: TablePanelProps, events: TablePanelEvents): Component<TablePanelProps> {
  let props = initial;
  /** A way of looking, so it is not shared. */
  let whole = false;
  let drafts = new Drafts();
  let drag: { probabilities: Float64Array; sums: Float64Array; index: number } | null = null;
  let margins: { on: unknown[]; margin: Margin } | null = null;

  const pair = createPairLine(props, { onPair: events.onPair });
  const note = h("span", { class: "muted" }, "probabilities");
  const grid = createGrid(drawnGrid(), {
    editText: (r, c) => String(clean(sums())[layout().index(r, c)]),
    onCommit(r, c, typed) {
      if (off()) return;
      const entry = readProbability(typed);
      if (entry.reason !== null) return refuse({ kind: "error", title: "The cell stays as it was.", text: entry.reason });
      apply(setCell(sums(), layout().index(r, c), entry.value, margin().absent, true));
    },
    onBlock(r, c, block) {
      if (off()) return;
      const pasted = pasteBlock(
        block,
        { row: r, column: c, layout: layout() },
        { entries: sums(), locks: margin().absent, keepSum: true },
        drafts,
      );
      if (pasted.ok && !(pasted.entries.every(isProbability) && isNormalised(pasted.entries)))
        return refuse({
          kind: "error",
          title: "The block was not taken.",
          text: "Every cell must be a number from 0 to 1.",
        });
      apply(pasted);
      if (pasted.ok && pasted.remark) refuse({ kind: "info", title: pasted.remark, text: "Undo takes it back." });
    },
    onDrag,
    onMenu: (cell, range, at) => menu.open(cell, [{ label: "Copy", title: "Every digit, tab separated (Ctrl+C)", run: () => copy(grid.copied(range)) }], at),
    onEscape: () => refuse(null),
  });
  const gridPlace = h("div", { class: "dx-grid" }, grid.el);
  const caption = h("p", { class: "small muted dx-table-note" });
  const about = h("p", { class: "small muted dx-about-table" });
  const wholeButton = button("", { "aria-pressed": "false" });
  const independentButton = button("Independent");
  const moreButton = button("", { class: "button dx-more", title: "More", "aria-label": "More", "aria-haspopup": "menu", "aria-expanded": "false" });
  moreButton.append(icon(MORE));
  const tooLarge = h("p", { class: "small muted" });
  const actions = h("div", { class: "dx-buttons" }, wholeButton, independentButton, moreButton);
  const el = h(
    "section",
    { class: "panel dx-table", "aria-label": "Model" },
    h("h3", { class: "panel-head" }, h("span", {}, "Joint distribution"), note),
    pair.el,
    gridPlace,
    tooLarge,
    actions,
    caption,
    about,
  );
  const menu = createMenu(el, "Joint distribution");

  function off(): boolean {
    return props.disabled || !props.editable;
  }

  function block(): number[] {
    return [props.tuple, ...neighboursOf(props.blocks, props.tuple)].sort((a, b) => a - b);
  }

  function chosen(): number[] {
    return props.other === null ? [props.tuple] : [props.tuple, props.other];
  }

  function opened(): boolean {
    return whole && block().length > 1;
  }

  function margin(): Margin {
    const tuples = opened() ? block() : chosen();
    const on = [props.rows, opened(), tuples.join()];
    if (margins && on.every((part, k) => part === margins?.on[k])) return margins.margin;
    const rows = props.rows ?? { support: new Int32Array(), sizes: [] };
    const many = opened() && tuples.length > 4;
    margins = { on, margin: opened() ? occurringMargin(rows, tuples) : denseMargin(rows, tuples) };
    // A block whose rows all occur stands in rows and columns, like a pair.
    if (opened() && !many && margins.margin.dense) margins.margin = denseMargin(rows, tuples);
    return margins.margin;
  }

  function sums(): Float64Array {
    return sumsOf(margin(), props.probabilities);
  }

  function layout(): Layout {
    const { spec, pivot } = tableSpec(props.naming, margin(), opened());
    return layOut(spec.labels.map((labels) => labels.length), pivot);
  }

  function tableView(): TableView {
    const { naming, known, values, loaded } = props;
    const now = margin();
    const { spec, pivot, listed } = tableSpec(naming, now, opened());
    const fitting = listed ? [] : now.tuples.flatMap((tuple, k) => (known.includes(tuple) && values.length === known.length ? [k] : []));
    const fit = fitting.length > 0 ? { known: fitting, instance: now.tuples.map((tuple) => values[known.indexOf(tuple)] ?? 0) } : null;
    return { spec, entries: clean(sums()), locks: now.absent, loaded: clean(sumsOf(now, loaded)), pivot, fit, drafts, disabled: off(), width: WIDTH };
  }

  function drawnGrid(): GridProps {
    const drawn = gridProps(tableView());
    // A list has one column: its sums would say the same again.
    const { listed } = tableSpec(props.naming, margin(), opened());
    return { ...drawn, tall: 12, ...(listed ? { sumLabel: null, sumWidth: 0 } : {}) };
  }

  function refuse(message: LineProps | null): void {
    events.onMessage(message);
  }

  /** Hands an edit on, or says why it cannot be. */
  function apply(edit: Edit, from = props.probabilities, commit = true): void {
    if (!edit.ok) return refuse({ kind: "error", ...edit });
    refuse(null);
    if (props.rows) events.onEdit(carryBack(props.rows, margin(), from, edit.entries), { commit });
  }

  function onDrag(r: number, c: number, phase: "start" | "move" | "end" | "cancel", steps: number): void {
    if (phase === "start") {
      drag = off() ? null : { probabilities: props.probabilities, sums: sums(), index: layout().index(r, c) };
      return;
    }
    if (!drag || off()) return;
    const { probabilities, sums: before, index } = drag;
    if (phase !== "move") drag = null;
    // Back where it began: the gesture ends, and a history that compares states takes no step.
    if (phase === "cancel") return events.onEdit(probabilities, { commit: true });
    const start = before[index] as number;
    // Whole steps of the last digit that is moved, so that dragging back gives clean numbers.
    const value = Math.round((start + steps * DRAG_STEP) * 1e5) / 1e5;
    if (steps === 0) return events.onEdit(probabilities, { commit: phase === "end" });
    apply(setCell(before, index, Math.min(1, Math.max(0, value)), margin().absent, true), probabilities, phase === "end");
  }

  function makeIndependent(): void {
    if (off()) return;
    const now = margin();
    const { spec, listed } = tableSpec(props.naming, now, opened());
    if (listed || now.absent.some((gone) => gone !== 0)) {
      return refuse({
        kind: "error",
        title: "Not all values occur together.",
        text: "Only a table in which every combination of values has a row can be made independent.",
      });
    }
    apply(independent(sums(), spec.labels.map((labels) => labels.length), now.absent));
  }

  function openMore(): void {
    const { examples, example, disabled, naming, tuple } = props;
    menu.open(moreButton, [
      { label: "Reset to loaded", disabled: off(), run: () => events.onEdit(props.loaded.slice(), { commit: true }) },
      {
        label: "Copy table",
        disabled: props.rows === null,
        run: () =>
          copy(grid.copied({ top: 0, left: 0, bottom: layout().rowCount - 1, right: layout().columnCount - 1 })),
      },
      {
        label: "Own table",
        checked: example === "",
        disabled,
        separated: true,
        title: `The table that was given, with ${told(naming, tuple)} or without`,
        run: () => events.onExample(""),
      },
      ...examples.map(({ key, label }) => ({
        label,
        checked: example === key,
        disabled,
        run: () => events.onExample(key),
      })),
    ]);
  }

  function copy(text: string): void {
    // Pages that are not secure have no clipboard object; the keys work everywhere.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject();
    written.then(
      () => refuse({ kind: "info", title: "Copied.", text: "Every digit, tab separated." }),
      () => refuse({ kind: "error", title: "The browser did not allow copying.", text: "Select the cells and press Ctrl+C." }),
    );
  }

  listen(wholeButton, "click", () => {
    whole = !whole;
    grid.abandon();
    draw();
  });
  listen(independentButton, "click", makeIndependent);
  listen(moreButton, "click", openMore);

  function draw(): void {
    const { naming, rows, blocks, tuple, editable } = props;
    pair.update(props);
    setText(about, isolate(clip(props.note, 300)));
    gridPlace.hidden = rows === null;
    tooLarge.hidden = rows !== null;
    setText(tooLarge, "The table has too many rows to be shown here. The results belong to all of it.");
    const members = block();
    const inBlock = rows && members.length > 1 ? occurringMargin(rows, members).cells.length : 0;
    const all = `All ${count(inBlock, "row")}`;
    const whole = `${all} of the block`;
    setText(wholeButton, opened() ? "Only the pair" : textWidth(whole, 12) < ROOM ? whole : all);
    setAttrs(wholeButton, {
      "aria-pressed": String(opened()),
      title: opened() ? null : `All rows of the block: the table of ${members.length} ${plural(naming.noun)}`,
    });
    wholeButton.hidden =
      inBlock === 0 || (members.length === 2 && props.other !== null && blocks[props.other] === blocks[tuple]);
    independentButton.disabled = off();
    setAttr(
      independentButton,
      "title",
      opened()
        ? "Same shares of every value, no dependence in the block"
        : "Same shares of every value, no dependence between the two",
    );
    if (rows) {
      grid.update(drawnGrid());
      const absent = margin().absent.some((gone) => gone !== 0);
      const fit = fitCaption(tableView());
      setText(
        caption,
        !editable
          ? "This table can be read, not edited: it has too many rows."
          : absent
            ? "Hatched: no row has these values together."
            : (fit ?? ""),
      );
    } else setText(caption, "");
  }

  draw();
  return {
    el,
    update(next) {
      const another = next.since !== props.since;
      const moved = another || next.tuple !== props.tuple || next.other !== props.other;
      if (moved) grid.abandon();
      props = next;
      if (another) {
        drafts = new Drafts();
        whole = false;
        menu.close();
      }
      if (moved) drag = null;
      draw();
    },
    destroy() {
      menu.destroy();
      grid.destroy();
      pair.destroy();
      el.remove();
    },
  };
}

/** What sums of rows leave in the last digits is not shown, nor typed back. */
function clean(sums: Float64Array): Float64Array {
  return sums.map((value) => Number(value.toPrecision(13)));
}
