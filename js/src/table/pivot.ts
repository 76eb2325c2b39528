/**
 * A joint table of any number of tuples in two dimensions: what is called how, and the line above the grid that moves
 * tuples.
 */
import type { Menu } from "../ui/choosing";
import { h, icon, listen, setAttr, setAttrs, SWAP, type Component } from "../ui/dom";
import { followPointer } from "../ui/gestures";
import { clip } from "../ui/lettering";
import type { TableSpec } from "../ui/protocol";

// How tuples, labels and cells are called, at length and in little room.

/** In sentences and accessible names; the whole text stands in the tooltip of its heading. */
const LONG = 60;

/** "item 1 wrong"; a bare number needs its sign: "item 1 = 0". */
export function assignment(name: string, label: string): string {
  return /^[+\-−]?[\d.]/.test(label) ? `${clip(name, LONG)} = ${clip(label, LONG)}` : `${clip(name, LONG)} ${clip(label, LONG)}`;
}

/** "item 1 wrong, item 2 right": a whole cell, tuples in their own order. */
export function cellName(spec: TableSpec, at: readonly number[]): string {
  return cellNames(spec)(at);
}

/** The same for many cells of one table: every part is worded once. */
export function cellNames(spec: TableSpec): (at: readonly number[]) => string {
  const parts = spec.names.map((name, j) => (spec.labels[j] ?? []).map((label) => assignment(name, label)));
  return (at) => parts.map((part, j) => part[at[j] as number] ?? "").join(", ");
}

export function capital(text: string): string {
  return /^[a-z]/.test(text) ? (text[0] as string).toUpperCase() + text.slice(1) : text;
}

/** "item", when all names are that word and a number: headings then need only the numbers. One letter is no word: "x1" is short as it is. */
export function commonStem(names: readonly string[]): string | null {
  const parts = names.map((name) => /^(.*?)\s*(\d+)$/.exec(name));
  const stem = parts[0]?.[1];
  return stem && stem.length > 2 && names.length > 1 && parts.every((part) => part?.[1] === stem) ? stem : null;
}

export function numberOf(name: string): string {
  return /(\d+)$/.exec(name)?.[1] ?? name;
}

// A joint table of any number of tuples laid out in two dimensions.

export interface Pivot {
  /** Tuples along the rows, outermost first. */
  rows: number[];
  columns: number[];
}

export type Side = "rows" | "columns";

/** Where each cell of the grid lies in the table, which is stored in C order. */
export interface Layout {
  readonly rowCount: number;
  readonly columnCount: number;
  /** Flat position of the cell in grid row r and grid column c. */
  index(r: number, c: number): number;
  /** Grid position of a flat position. */
  locate(index: number): [number, number];
  /** Label positions of the row's tuples, in the order of `pivot.rows`. */
  rowPositions(r: number): number[];
  columnPositions(c: number): number[];
}

export function size(shape: readonly number[]): number {
  return shape.reduce((product, m) => product * m, 1);
}

/** Steps in the flat array when the label of one tuple advances by one. */
export function strides(shape: readonly number[]): number[] {
  const out = new Array<number>(shape.length);
  let step = 1;
  for (let j = shape.length - 1; j >= 0; j--) {
    out[j] = step;
    step *= shape[j] as number;
  }
  return out;
}

/** Label positions of a flat position. */
export function positions(index: number, shape: readonly number[]): number[] {
  const at = new Array<number>(shape.length);
  let rest = index;
  for (let j = shape.length - 1; j >= 0; j--) {
    const m = shape[j] as number;
    at[j] = rest % m;
    rest = (rest - (at[j] as number)) / m;
  }
  return at;
}

export function layOut(shape: readonly number[], pivot: Pivot): Layout {
  const step = strides(shape);
  const dims = { rows: pivot.rows.map((j) => shape[j] as number), columns: pivot.columns.map((j) => shape[j] as number) };
  const offsets = (side: Side): Int32Array => {
    const tuples = pivot[side];
    return Int32Array.from({ length: size(dims[side]) }, (_, k) =>
      positions(k, dims[side]).reduce((sum, p, a) => sum + p * (step[tuples[a] as number] as number), 0),
    );
  };
  const rowOffsets = offsets("rows");
  const columnOffsets = offsets("columns");
  const along = (index: number, side: Side): number =>
    pivot[side].reduce((k, j) => k * (shape[j] as number) + (Math.floor(index / (step[j] as number)) % (shape[j] as number)), 0);
  return {
    rowCount: rowOffsets.length,
    columnCount: columnOffsets.length,
    index: (r, c) => (rowOffsets[r] as number) + (columnOffsets[c] as number),
    locate: (index) => [along(index, "rows"), along(index, "columns")],
    rowPositions: (r) => positions(r, dims.rows),
    columnPositions: (c) => positions(c, dims.columns),
  };
}

export function swap(pivot: Pivot): Pivot {
  return { rows: [...pivot.columns], columns: [...pivot.rows] };
}

/** Puts a tuple at a place of a side; the places count the side without that tuple. */
export function move(pivot: Pivot, tuple: number, side: Side, at: number): Pivot {
  const rows = pivot.rows.filter((j) => j !== tuple);
  const columns = pivot.columns.filter((j) => j !== tuple);
  (side === "rows" ? rows : columns).splice(at, 0, tuple);
  return { rows, columns };
}

/** One place earlier (-1) or later (+1); past the end of a side lies the other side. */
export function shift(pivot: Pivot, tuple: number, by: -1 | 1): Pivot {
  const line = [...pivot.rows, null, ...pivot.columns];
  const from = line.indexOf(tuple);
  const to = from + by;
  if (to < 0 || to >= line.length) return pivot;
  line[from] = line[to] as number | null;
  line[to] = tuple;
  const gap = line.indexOf(null);
  return { rows: line.slice(0, gap) as number[], columns: line.slice(gap + 1) as number[] };
}

function samePivot(a: Pivot, b: Pivot): boolean {
  return a.rows.join() === b.rows.join() && a.columns.join() === b.columns.join();
}

// The line above the grid that says which tuples stand on rows and columns, and moves them.

export interface PivotLineProps {
  names: string[];
  pivot: Pivot;
  compact: boolean;
  disabled: boolean;
}

const SLOP = 4;

export function createPivotLine(first: PivotLineProps, menu: Menu, onPivot: (pivot: Pivot) => void): Component<PivotLineProps> {
  let props = first;
  const sides: Record<Side, HTMLElement> = {
    rows: h("span", { class: "jt-side", role: "group", "aria-label": "On rows" }),
    columns: h("span", { class: "jt-side", role: "group", "aria-label": "On columns" }),
  };
  const swapButton = h("button", { type: "button", class: "jt-swap", title: "Swap rows and columns" }, icon(SWAP, 14));
  const el = h("div", { class: "jt-pivot" }, sides.rows, swapButton, sides.columns);
  let buttons = new Map<number, HTMLButtonElement>();

  const ask = (pivot: Pivot): void => {
    if (!props.disabled && !samePivot(pivot, props.pivot)) onPivot(pivot);
  };
  listen(swapButton, "click", () => ask(swap(props.pivot)));

  function openMenu(tuple: number, button: HTMLElement): void {
    const { pivot } = props;
    const side: Side = pivot.rows.includes(tuple) ? "rows" : "columns";
    const other: Side = side === "rows" ? "columns" : "rows";
    const at = pivot[side].indexOf(tuple);
    menu.open(button, [
      { label: `Move to ${other}`, run: () => ask(move(pivot, tuple, other, other === "rows" ? pivot.rows.length : 0)) },
      { label: "Move outwards", disabled: at === 0, run: () => ask(move(pivot, tuple, side, at - 1)) },
      { label: "Move inwards", disabled: at === pivot[side].length - 1, run: () => ask(move(pivot, tuple, side, at + 1)) },
    ]);
  }

  /** Where a tuple dropped at this point would go: before the button it is over, or at a side's end. */
  function dropAt(tuple: number, x: number, y: number): Pivot {
    const gap = swapButton.getBoundingClientRect();
    const past = y > gap.bottom || (y >= gap.top && x > gap.left + gap.width / 2);
    const side: Side = past ? "columns" : "rows";
    const others = props.pivot[side].filter((j) => j !== tuple);
    const at = others.findIndex((j) => {
      const box = (buttons.get(j) as HTMLElement).getBoundingClientRect();
      return y < box.top || (y <= box.bottom && x < box.left + box.width / 2);
    });
    return move(props.pivot, tuple, side, at < 0 ? others.length : at);
  }

  function follow(tuple: number, button: HTMLElement, press: PointerEvent): void {
    let dragging = false;
    const show = (transform: string): void => {
      setAttr(button, "data-dragging", transform !== "");
      button.style.transform = transform;
    };
    followPointer(press, {
      active: () => dragging,
      move({ clientX, clientY }) {
        const [dx, dy] = [clientX - press.clientX, clientY - press.clientY];
        dragging ||= Math.hypot(dx, dy) > SLOP;
        if (dragging) show(`translate(${dx}px,${dy}px)`);
      },
      end(event, kept) {
        show("");
        if (!kept) return;
        if (dragging) ask(dropAt(tuple, (event as PointerEvent).clientX, (event as PointerEvent).clientY));
        else openMenu(tuple, button);
      },
    });
  }

  function createButton(tuple: number): HTMLButtonElement {
    const button = h("button", { type: "button", class: "jt-tuple", "aria-haspopup": "menu", "aria-expanded": "false" });
    listen(button, "pointerdown", (event) => {
      if (event.button !== 0 || props.disabled) return;
      event.preventDefault();
      button.focus();
      follow(tuple, button, event);
    });
    // A click without a pointer: a screen reader's.
    listen(button, "click", (event) => {
      if (event.detail === 0 && !menu.isOpen) openMenu(tuple, button);
    });
    listen(button, "keydown", (event) => {
      const order = [...props.pivot.rows, ...props.pivot.columns];
      const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (by && event.shiftKey) ask(shift(props.pivot, tuple, by));
      else if (by) buttons.get(order[order.indexOf(tuple) + by] ?? tuple)?.focus();
      else if (["Enter", " ", "ArrowDown"].includes(event.key) && !props.disabled) openMenu(tuple, button);
      else return;
      event.preventDefault();
    });
    return button;
  }

  function draw(): void {
    const { names, pivot, compact, disabled } = props;
    const stem = compact ? commonStem(names) : null;
    const focused = [...buttons].find(([, b]) => b === (b.getRootNode() as Document).activeElement)?.[0];
    const next = new Map<number, HTMLButtonElement>();
    for (const side of ["rows", "columns"] as const) {
      const tuples = pivot[side];
      const short = stem !== null && tuples.length > 1;
      const parts: (Node | string)[] = [h("span", { class: "muted" }, side)];
      if (short) parts.push(h("span", {}, `${stem}s`));
      tuples.forEach((tuple, k) => {
        const button = buttons.get(tuple) ?? createButton(tuple);
        const name = names[tuple] ?? "";
        button.replaceChildren(h("bdi", {}, short ? numberOf(name) : name));
        button.disabled = disabled;
        setAttrs(button, {
          "aria-label": `${name}, on ${side}`,
          title: `${name.slice(0, 1000)}: drag to move, click for a menu, Shift with arrows`,
        });
        next.set(tuple, button);
        parts.push(k < tuples.length - 1 ? h("span", { class: "jt-item" }, button, ",") : button);
      });
      if (tuples.length === 0) parts.push(h("span", { class: "muted" }, "none"));
      sides[side].replaceChildren(...parts);
    }
    buttons = next;
    swapButton.disabled = disabled;
    if (focused !== undefined) buttons.get(focused)?.focus();
  }
  draw();

  return {
    el,
    update(next) {
      const same =
        samePivot(next.pivot, props.pivot) &&
        next.compact === props.compact &&
        next.disabled === props.disabled &&
        next.names.join("\n") === props.names.join("\n");
      props = next;
      if (!same) draw();
    },
    destroy: () => el.remove(),
  };
}
