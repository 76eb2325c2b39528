/** The table element of a grid: header, rows, sums. Long grids keep only the rows in sight. */
import { CHECK, h, icon, listen, LOCK, setAttr, setAttrs, setText, WARN, type Attrs } from "./dom";
import type { Range } from "./grid";

export interface GridCell {
  text: string;
  /** Accessible name: place, value and state in words. */
  label: string;
  title?: string | null;
  /** Length of the bar at the foot, 0 to 1. */
  share: number;
  locked?: boolean;
  changed?: boolean;
  invalid?: boolean;
  zero?: boolean;
  readOnly?: boolean;
  /** Colour behind the text and of the text, where colour means amount. */
  fill?: { background: string; ink: string } | null;
  /** Words for the style sheet of the owner, in `data-kind`. */
  kind?: string;
}

export interface HeadCell {
  text: string;
  title?: string | null;
  /** How many columns of cells it spans. */
  span: number;
  align: "start" | "center" | "end";
  marked?: boolean;
  /** A stronger rule at its left. */
  group?: boolean;
}

export interface GridProps {
  label: string;
  rowCount: number;
  columnCount: number;
  /** Changes when headers, order or size change: the rows are then built anew. */
  structure: string;
  /** A name of a cell that survives a change of structure. */
  key(r: number, c: number): number;
  locate(key: number): [number, number] | null;
  /** Headings of the row labels, and their widths in pixels. */
  corner: { text: string; title?: string | null; width: number; lines?: number }[];
  /** Header rows above the cells, outermost first. */
  head: HeadCell[][];
  /** `repeated`: the row above says the same, so that only tall grids, where it may be out of sight, show it. */
  rowHead(r: number): { text: string; title?: string | null; repeated?: boolean }[];
  rowMarked(r: number): boolean;
  rowGroup(r: number): boolean;
  columnGroup(c: number): boolean;
  cell(r: number, c: number): GridCell;
  /** Null where the cells do not add up: no sums are shown. */
  sumLabel: string | null;
  rowSum?(r: number): string;
  /** Whether the sum of a row is what it should be; left out where that is not said. */
  rowGood?(r: number): boolean;
  columnSum?(c: number): string;
  /** Left out there is no row of sums. */
  total?: { text: string; good: boolean; title: string };
  cellWidth: { least: number; most: number };
  sumWidth: number;
  compact: boolean;
  /** A grid with more rows scrolls by itself; 20 when left out. */
  tall?: number;
  /** Columns pass under the last one, which then needs an edge. */
  scrolls: boolean;
  disabled: boolean;
}

export const ROW_HEIGHT = 28;
/** Above this many rows only those in sight are in the page. */
export const WINDOW_FROM = 32;
const MARGIN = 6;
/** A grid taller than this scrolls by itself. */
export const TALL = 20;

interface Drawn {
  tr: HTMLTableRowElement;
  cells: { td: HTMLTableCellElement; text: HTMLElement; bar: HTMLElement; sign: HTMLElement; was: string }[];
  sum: HTMLElement;
}

export interface Rows {
  readonly el: HTMLElement;
  readonly table: HTMLTableElement;
  cell(r: number, c: number): HTMLElement | null;
  at(target: EventTarget | null): [number, number] | null;
  mark(row: number, column: number, range: Range): void;
  reveal(r: number): void;
  willRebuild(next: GridProps): boolean;
  update(next: GridProps): void;
  destroy(): void;
}

/** Text of a label, isolated so that right-to-left text does not reorder its neighbours. */
function label(text: string): HTMLElement {
  return h("bdi", {}, text);
}

export function createRows(first: GridProps): Rows {
  let props = first;
  const table = h("table", { class: "gr", role: "grid", "aria-multiselectable": "true" });
  const el = h("div", { class: "gr-scroll" }, table);
  const colgroup = h("colgroup");
  const thead = h("thead");
  const tbody = h("tbody");
  const tfoot = h("tfoot");
  table.append(colgroup, thead, tbody, tfoot);
  const above = h("tr", { class: "gr-gap", "aria-hidden": "true" }, h("td"));
  const below = h("tr", { class: "gr-gap", "aria-hidden": "true" }, h("td"));
  const drawn = new Map<number, Drawn>();
  const places = new WeakMap<Element, [number, number]>();
  let columnSums: HTMLElement[] = [];
  let totalCell: HTMLElement = h("td");
  let from = 0;
  let to = 0;
  let scrolled = 0;
  let tabStop: HTMLElement | null = null;
  let marked: { row: number; column: number; range: Range } | null = null;

  const windowed = (): boolean => props.rowCount > WINDOW_FROM;

  function th(role: "columnheader" | "rowheader", text: string, attrs: Attrs): HTMLElement {
    return h("th", { role, scope: role === "rowheader" ? "row" : "col", ...attrs }, label(text));
  }

  function sumCell(classes = ""): HTMLElement {
    return h("td", { role: "gridcell", "aria-readonly": "true", class: `gr-sum ${classes}` });
  }

  function buildFrame(): void {
    const { corner, head, columnCount, sumLabel } = props;
    const sums = sumLabel !== null;
    const foot = sums && props.total !== undefined;
    const cols = corner.map((c) => h("col", { style: `width:${c.width}px` }));
    const cells = Array.from({ length: columnCount }, () => h("col"));
    colgroup.replaceChildren(...cols, ...cells, ...(sums ? [h("col", { style: `width:${props.sumWidth}px` })] : []));
    const heads = corner.reduce((sum, c) => sum + c.width, 0);
    table.style.minWidth = `${heads + columnCount * props.cellWidth.least + props.sumWidth}px`;
    table.style.maxWidth = `${heads + columnCount * props.cellWidth.most + props.sumWidth}px`;
    // A focused cell comes out from under the headings and sums that stay.
    el.style.scrollPadding = `0 ${props.sumWidth + 2}px 0 ${heads}px`;
    let left = 0;
    const lefts = corner.map((c) => (left += c.width) - c.width);
    thead.replaceChildren(
      ...head.map((cellsOfRow, k) => {
        const last = k === head.length - 1;
        const tr = h("tr", { role: "row", "aria-rowindex": k + 1 });
        if (last) {
          corner.forEach((c, i) => {
            const attrs = { title: c.title, class: "gr-pin", style: `left:${lefts[i]}px` };
            const cell = c.text ? th("columnheader", c.text, attrs) : h("td", { ...attrs, role: "presentation" });
            if (c.lines === 2) cell.replaceChildren(h("span", { class: "gr-lines" }, ...cell.childNodes));
            tr.append(cell);
          });
        } else if (corner.length) tr.append(h("td", { colspan: corner.length, class: "gr-pin", style: "left:0", role: "presentation" }));
        for (const cell of cellsOfRow) {
          tr.append(
            th("columnheader", cell.text, {
              scope: cell.span > 1 ? "colgroup" : "col",
              colspan: cell.span,
              title: cell.title,
              class: `gr-${cell.align}`,
              "data-marked": cell.marked,
              "data-group": cell.group,
            }),
          );
        }
        if (sums) tr.append(last ? th("columnheader", sumLabel, { class: "gr-end gr-sum gr-pin-end" }) : h("td", { role: "presentation" }));
        return tr;
      }),
    );
    columnSums = foot ? Array.from({ length: columnCount }, () => sumCell()) : [];
    totalCell = sumCell("gr-total gr-pin-end");
    if (foot) {
      tfoot.replaceChildren(
        h(
          "tr",
          { role: "row", "aria-rowindex": head.length + props.rowCount + 1 },
          corner.length ? th("rowheader", sumLabel, { colspan: corner.length, class: "gr-sum gr-pin", style: "left:0" }) : null,
          ...columnSums,
          totalCell,
        ),
      );
    } else tfoot.replaceChildren();
    setAttr(table, "aria-rowcount", head.length + props.rowCount + (foot ? 1 : 0));
    const tall = props.tall ?? TALL;
    el.style.maxHeight = props.rowCount > tall ? `${tall * ROW_HEIGHT + head.length * 24}px` : "";
    setAttr(el, "data-tall", props.rowCount > tall);
  }

  function buildRow(r: number): Drawn {
    const tr = h("tr", { role: "row", "aria-rowindex": props.head.length + r + 1, "data-group": props.rowGroup(r) });
    let left = 0;
    props.rowHead(r).forEach((head, k) => {
      const el = th("rowheader", head.text, { title: head.title, "data-repeated": head.repeated, class: "gr-pin", style: `left:${left}px` });
      left += props.corner[k]?.width ?? 0;
      tr.append(el);
    });
    const cells = Array.from({ length: props.columnCount }, (_, c) => {
      const text = h("span", { class: "gr-text" });
      const bar = h("i", { class: "gr-bar" });
      const sign = h("span", { class: "gr-sign" });
      const td = h("td", { role: "gridcell", class: "gr-cell", tabindex: -1, "data-group": props.columnGroup(c) }, sign, text, bar);
      places.set(td, [r, c]);
      tr.append(td);
      return { td, text, bar, sign, was: "" };
    });
    const sum = sumCell("gr-pin-end");
    if (props.sumLabel !== null) tr.append(sum);
    return { tr, cells, sum };
  }

  function drawRow(r: number, row: Drawn): void {
    setAttr(row.tr, "data-marked", props.rowMarked(r));
    row.cells.forEach((node, c) => {
      const cell = props.cell(r, c);
      // The name says value and states; with the bar, the tooltip and the lock on editing that is all.
      const key = [cell.label, cell.share, cell.title, cell.readOnly, props.disabled, cell.fill?.background, cell.kind].join("\n");
      if (node.was === key) return;
      node.was = key;
      const { td } = node;
      setText(node.text, cell.text);
      setAttrs(td, {
        "aria-label": cell.label,
        title: cell.title,
        "data-kind": cell.kind,
      });
      if (cell.fill !== undefined) {
        td.style.background = cell.fill?.background ?? "";
        td.style.color = cell.fill?.ink ?? "";
      }
      node.bar.style.width = `${(cell.share * 100).toFixed(1)}%`;
      node.sign.replaceChildren(...(cell.invalid ? [icon(WARN, 12)] : cell.locked ? [icon(LOCK, 11)] : []));
      for (const state of ["locked", "changed", "zero"] as const) setAttr(td, `data-${state}`, cell[state]);
      setAttrs(td, {
        "aria-invalid": cell.invalid ? "true" : null,
        "aria-readonly": cell.readOnly || props.disabled ? "true" : null,
      });
    });
    setText(row.sum, props.rowSum?.(r) ?? "");
    if (props.rowGood) setAttr(row.sum, "data-good", String(props.rowGood(r)));
  }

  /** The rows that should be in the page now. */
  function span(): [number, number] {
    if (!windowed()) return [0, props.rowCount];
    // Asking for the place makes the browser lay out the page: at the top, where most stay, it is known.
    if (scrolled > 0) scrolled = el.scrollTop;
    const start = Math.floor(scrolled / ROW_HEIGHT) - MARGIN;
    const visible = (props.tall ?? TALL) + 2;
    const top = Math.max(0, Math.min(props.rowCount - visible - 2 * MARGIN, start));
    return [top, Math.min(props.rowCount, top + visible + 2 * MARGIN)];
  }

  function show(): void {
    [from, to] = span();
    // The row that has the focus stays, or the keyboard would lose its place.
    for (const [r, row] of drawn) {
      if (r >= from && r < to) continue;
      if (row.tr.contains(table.ownerDocument.activeElement)) {
        if (r < from) from = Math.max(r, from - 3 * MARGIN);
        else to = Math.min(r + 1, to + 3 * MARGIN);
        if (r >= from && r < to) continue;
      }
      row.tr.remove();
      drawn.delete(r);
    }
    let before: Element = above;
    for (let r = from; r < to; r++) {
      let row = drawn.get(r);
      if (!row) {
        row = buildRow(r);
        drawn.set(r, row);
      }
      drawRow(r, row);
      if (before.nextElementSibling !== row.tr) before.after(row.tr);
      before = row.tr;
    }
    const gap = (node: HTMLElement, rows: number): void => {
      (node.firstChild as HTMLElement).style.height = `${rows * ROW_HEIGHT}px`;
      node.hidden = rows === 0;
    };
    gap(above, from);
    gap(below, props.rowCount - to);
    if (marked) mark(marked.row, marked.column, marked.range);
  }

  function drawSums(): void {
    columnSums.forEach((td, c) => setText(td, props.columnSum?.(c) ?? ""));
    if (!props.total) return;
    const { text, good, title } = props.total;
    if (totalCell.dataset["state"] !== `${good}${text}`) {
      totalCell.dataset["state"] = `${good}${text}`;
      totalCell.replaceChildren(icon(good ? CHECK : WARN, 11), text);
    }
    setAttrs(totalCell, {
      "data-good": good,
      title,
      "aria-label": `${text}. ${title}`,
    });
  }

  function mark(row: number, column: number, range: Range): void {
    const was = marked;
    marked = { row, column, range };
    const single = range.top === range.bottom && range.left === range.right;
    const touch = (r: number, c: number): void => {
      const td = drawn.get(r)?.cells[c]?.td;
      if (!td) return;
      const inside = r >= range.top && r <= range.bottom && c >= range.left && c <= range.right;
      setAttrs(td, {
        "aria-selected": String(inside),
        "data-selected": inside && !single,
      });
    };
    for (const area of was ? [was.range, range] : [range]) {
      for (let r = Math.max(area.top, from); r <= Math.min(area.bottom, to - 1); r++) {
        for (let c = area.left; c <= area.right; c++) touch(r, c);
      }
    }
    // The one stop for Tab must be in the page even when its row is scrolled away.
    const stop = (drawn.get(row) ?? drawn.get(from))?.cells[column]?.td ?? null;
    if (stop === tabStop) return;
    if (tabStop) tabStop.tabIndex = -1;
    if (stop) stop.tabIndex = 0;
    tabStop = stop;
  }

  function update(next: GridProps, rebuild: boolean): void {
    props = next;
    setAttrs(table, {
      "aria-label": props.label,
      "data-compact": props.compact,
      "data-scrolls": props.scrolls,
      "aria-disabled": props.disabled ? "true" : null,
    });
    if (rebuild) {
      drawn.clear();
      marked = null;
      buildFrame();
      tbody.replaceChildren(above, below);
    }
    show();
    drawSums();
  }

  let scrolling = 0;
  listen(el, "scroll", () => {
    scrolled = el.scrollTop;
    if (!windowed()) return;
    scrolling ||= requestAnimationFrame(() => {
      scrolling = 0;
      show();
    });
  });
  update(first, true);

  return {
    el,
    table,
    cell: (r, c) => drawn.get(r)?.cells[c]?.td ?? null,
    at(target) {
      const td = target instanceof Element && target.closest("td.gr-cell");
      return (td && places.get(td)) || null;
    },
    mark,
    reveal(r) {
      if (!windowed()) return;
      const top = r * ROW_HEIGHT;
      const room = (el.clientHeight || TALL * ROW_HEIGHT) - (props.head.length * 24 + 2 * ROW_HEIGHT);
      if (top < el.scrollTop) el.scrollTop = top;
      else if (top > el.scrollTop + room) el.scrollTop = top - room;
      scrolled = el.scrollTop;
      if (!drawn.has(r)) show();
    },
    willRebuild: (next) => next.structure !== props.structure,
    update: (next) => update(next, next.structure !== props.structure),
    destroy() {
      cancelAnimationFrame(scrolling);
      el.remove();
    },
  };
}
