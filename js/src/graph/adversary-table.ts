/** All adversaries as a sortable table. Only the rows in view exist; a click or Enter chooses. */
import { h, listen, setText } from "../ui/dom";
import { change } from "../ui/format";
import { fillOf, isDetermined, paperError, share, type Scene } from "./data";
import { attachHand, type Hand } from "./hand";
import { wordsOf } from "./measure";
import { adversaryOf, bitsSet, columnOfFlat } from "./nodes";
import { fits, isFiltered, NO_FILTERS, type Filters, type SortKey } from "./search";
import { createSearchBar } from "./search-bar";
import { set, yes } from "./svg";
import { describe, sentence, shown, shownPaper } from "./words";

// One adversary as a row of a table: built once, then only its texts and fills change.

export interface Column {
  key: SortKey;
  title: string;
  /** First click sorts downwards: the largest first. */
  down: boolean;
  paper?: boolean;
}

export const COLUMNS: readonly Column[] = [
  { key: "about", title: "About", down: false },
  { key: "known", title: "Knows", down: false },
  { key: "value", title: "Exact, ", down: true },
  { key: "difference", title: "Paper’s estimate", down: true, paper: true },
];

/** Height of a row, px. */
export const ROW = 28;

interface Row {
  el: HTMLElement;
  flat: number;
  /** Place in the order. */
  index: number;
  about: HTMLElement;
  known: HTMLElement;
  value: HTMLElement;
  number: HTMLElement;
  swatch: HTMLElement;
  bar: HTMLElement;
  tag: HTMLElement;
  paper: HTMLElement;
  estimate: HTMLElement;
  difference: HTMLElement;
}

export function buildRow(): Row {
  const about = h("div", { role: "gridcell", class: "lg-cell" });
  const known = h("div", { role: "gridcell", class: "lg-cell" });
  const swatch = h("span", { class: "lg-swatch" });
  const bar = h("span", { class: "lg-row-bar" });
  const number = h("span", { class: "lg-number" });
  const tag = h("span", { class: "lg-row-max" }, "max");
  const value = h("div", { role: "gridcell", class: "lg-cell lg-value-cell" }, tag, number, swatch, bar);
  const estimate = h("span");
  const difference = h("span", { class: "lg-difference" });
  const paper = h("div", { role: "gridcell", class: "lg-cell lg-difference-cell" }, estimate, difference);
  const el = h("div", { role: "row", class: "lg-row", tabindex: -1 }, about, known, value, paper);
  return { el, flat: -1, index: -1, about, known, value, number, swatch, bar, tag, paper, estimate, difference };
}

/** `index` is the place among all rows, which screen readers count from the heading on. */
export function drawRow(now: Scene, row: Row, index: number, flat: number): void {
  const { data, names } = now;
  const { target, known } = adversaryOf(data.n, flat);
  const words = describe(now, flat);
  row.flat = flat;
  row.index = index;
  set(row.el, {
    "aria-rowindex": index + 2,
    "data-node": flat,
    "aria-label": sentence(words),
    "aria-selected": yes(flat === now.chosen),
  });
  setText(row.about, names.spoken[target] as string);
  set(row.about, { title: names.spoken[target] as string });
  const knows = known.length ? known.map((tuple) => names.short[tuple]).join(", ") : "none";
  setText(row.known, knows);
  set(row.known, { title: known.length ? known.map((tuple) => names.spoken[tuple]).join(", ") : null });
  const determined = isDetermined(data, flat);
  setText(row.number, determined && !now.busy ? "0, determined" : shown(now, flat));
  row.number.classList.toggle("over", words.over);
  row.swatch.style.background = determined ? "transparent" : fillOf(now, data.exact[flat] as number);
  row.bar.style.width = `${share(data.exact[flat] as number, now.domain) * 100}%`;
  row.tag.hidden = flat !== data.largest || now.busy;
  row.paper.hidden = !now.paper;
  if (!now.paper) return;
  const error = paperError(now, flat);
  setText(row.estimate, error === null ? (now.busy ? "…" : "same") : shownPaper(now, flat));
  row.estimate.classList.toggle("muted", error === null);
  setText(row.difference, error === null || now.busy ? "" : `${error < 0 ? "▼" : "▲"} ${change(error, data.promise)}`);
  set(row.difference, { "data-kind": error === null ? null : error < 0 ? "low" : "high" });
}

/** The headings, each a button that sorts; `sorted` tells what a click asks for. */
export function createHeadings(sorted: () => { by: SortKey; down: boolean }, onSort: (by: SortKey, down: boolean) => void): {
  el: HTMLElement;
  /** `unit` heads the exact numbers. */
  update(withPaper: boolean, disabled: boolean, unit: string): void;
} {
  const cells = COLUMNS.map((column) => {
    const button = h("button", { type: "button", class: "lg-sort" }, column.title);
    button.addEventListener("click", () => {
      const now = sorted();
      onSort(column.key, now.by === column.key ? !now.down : column.down);
    });
    return h("div", { role: "columnheader", class: `lg-cell lg-${column.key}-cell` }, button);
  });
  return {
    el: h("div", { role: "row", class: "lg-row lg-head", "aria-rowindex": 1 }, ...cells),
    update(withPaper, disabled, unit) {
      const { by, down } = sorted();
      cells.forEach((cell, k) => {
        const column = COLUMNS[k] as Column;
        cell.hidden = column.paper === true && !withPaper;
        const button = cell.firstElementChild as HTMLButtonElement;
        button.disabled = disabled;
        if (column.key === "value") setText(button, `${column.title}${unit}`);
        set(cell, { "aria-sort": column.key === by ? (down ? "descending" : "ascending") : "none" });
      });
    },
  };
}

const VISIBLE = 9;
const SPARE = 4;

export interface AdversaryTable {
  readonly el: HTMLElement;
  update(scene: Scene): void;
  destroy(): void;
}

/** Flat numbers of those who fit, in order; equal ones keep the order of their numbers. NaN goes last. */
export function sortAdversaries(scene: Scene, by: SortKey, down: boolean, filters: Filters = NO_FILTERS): Int32Array {
  const total = scene.data.exact.length;
  const rank = new Float64Array(total);
  const last = down ? -Infinity : Infinity;
  for (let flat = 0; flat < total; flat++) {
    const value = sortValue(scene, by, flat);
    rank[flat] = Number.isNaN(value) ? last : value;
  }
  const all = Int32Array.from({ length: total }, (_, flat) => flat);
  const order = isFiltered(filters) ? all.filter((flat) => fits(scene, filters, flat)) : all;
  const sign = down ? -1 : 1;
  // Two infinite ranks differ by NaN, which like 0 leaves the order to the numbers.
  return order.sort((a, b) => sign * ((rank[a] as number) - (rank[b] as number)) || a - b);
}

function sortValue(scene: Scene, by: SortKey, flat: number): number {
  const { n } = scene.data;
  if (by === "about") return Math.floor(flat / (scene.data.exact.length / n));
  if (by === "known") return bitsSet(columnOfFlat(n, flat));
  if (by === "value") return scene.data.exact[flat] as number;
  return Math.abs(paperError(scene, flat) ?? 0);
}

export function createAdversaryTable(hand: Hand): AdversaryTable {
  const headings = createHeadings(
    () => sort,
    (by, down) => {
      sort = { by, down };
      scroller.scrollTop = 0;
      current = 0;
      if (scene) update(scene);
    },
  );
  const spacer = h("div", { class: "lg-spacer", role: "presentation" });
  const rows = Array.from({ length: VISIBLE + 2 * SPARE }, buildRow);
  spacer.append(...rows.map((row) => row.el));
  const scroller = h("div", { class: "lg-rows", role: "rowgroup", tabindex: -1, style: `height:${VISIBLE * ROW}px` }, spacer);
  const grid = h("div", { role: "grid", class: "lg-grid", "aria-label": "All adversaries" }, h("div", { role: "rowgroup" }, headings.el), scroller);
  const search = createSearchBar((next) => {
    filters = next;
    scroller.scrollTop = 0;
    current = 0;
    if (scene) update(scene);
  });
  const el = h("div", { class: "lg-table" }, search.el, grid);

  let scene: Scene | null = null;
  let order: Int32Array = new Int32Array(0);
  let sortedFor: unknown[] = [];
  let sort: { by: SortKey; down: boolean } = { by: "value", down: true };
  let filters: Filters = NO_FILTERS;
  /** Place in the order that the keyboard is at. */
  let current = 0;
  let frame = 0;
  /** Till it has been scrolled its place is known: asking for it makes the browser lay out the page. */
  let moved = false;

  listen(scroller, "scroll", () => {
    moved = true;
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      drawRows();
    });
  });
  const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: VISIBLE, PageUp: -VISIBLE, Home: -Infinity, End: Infinity };
  // A row says all its numbers itself: nothing is read out beside it.
  const detach = attachHand(scroller, { choose: (flat) => hand.choose(flat), point: () => undefined }, {
    pointed(flat) {
      if (flat !== null && scroller.querySelector(":focus")) current = order.indexOf(flat);
    },
    step(flat, key) {
      const by = STEPS[key];
      return by === undefined ? null : (order[Math.max(0, Math.min(order.length - 1, order.indexOf(flat) + by))] as number);
    },
    focus(flat) {
      current = order.indexOf(flat);
      reveal();
      drawRows();
      rows.find((row) => row.flat === flat)?.el.focus({ preventScroll: true });
    },
  });

  function reveal(): void {
    moved = true;
    const top = current * ROW;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + ROW > scroller.scrollTop + VISIBLE * ROW) scroller.scrollTop = top + ROW - VISIBLE * ROW;
  }

  /** Every row has a fixed place in a ring of elements, so scrolling moves few of them. */
  function drawRows(): void {
    if (!scene) return;
    const first = Math.max(0, Math.min(order.length - rows.length, Math.floor((moved ? scroller.scrollTop : 0) / ROW) - SPARE));
    const focused = rows.find((row) => row.el.matches(":focus"));
    for (let k = 0; k < rows.length; k++) {
      const index = first + k;
      const row = rows[index % rows.length] as Row;
      row.el.hidden = index >= order.length;
      if (row.el.hidden) continue;
      if (focused === row && index !== current) scroller.focus({ preventScroll: true });
      drawRow(scene, row, index, order[index] as number);
      row.el.style.transform = `translateY(${index * ROW}px)`;
    }
    const inView = order.length > 0 && current >= first && current < first + rows.length;
    for (const row of rows) {
      set(row.el, { tabindex: row.index === (inView ? current : first) ? 0 : -1 });
    }
  }

  function update(next: Scene): void {
    scene = next;
    if (!next.paper && sort.by === "difference") sort = { by: "value", down: true };
    // Who is looked for elsewhere, as by the counts of too low and too high, is looked for here too.
    const only = !next.paper ? "all" : (next.only ?? filters.only);
    const asked = only === filters.only ? filters : { ...filters, only };
    // Choosing or a moving threshold changes no number: the order stands.
    const line = asked.above ? (next.threshold ?? next.data.promise) : null;
    const key = [next.data.exact, next.paper, sort.by, sort.down, JSON.stringify(asked), line];
    if (key.some((part, k) => part !== sortedFor[k])) order = sortAdversaries(next, sort.by, sort.down, asked);
    sortedFor = key;
    const { head } = wordsOf(next.data.measure);
    headings.update(next.paper !== null, false, head);
    const { n, promise, exact } = next.data;
    search.update({
      filters: asked,
      names: next.names,
      n,
      count: next.busy && isFiltered(asked) ? null : order.length,
      total: exact.length,
      line: next.threshold ?? promise,
      measure: next.data.measure,
      estimate: next.paper !== null && next.only === null,
      apart: null,
      disabled: false,
    });
    set(grid, { "aria-rowcount": order.length + 1 });
    grid.classList.toggle("lg-estimated", next.paper !== null);
    grid.hidden = order.length === 0;
    spacer.style.height = `${order.length * ROW}px`;
    current = Math.min(current, Math.max(0, order.length - 1));
    drawRows();
  }

  return {
    el,
    update,
    destroy() {
      search.destroy();
      detach();
      if (frame) cancelAnimationFrame(frame);
      scene = null;
    },
  };
}
