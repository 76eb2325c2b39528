/** One adversary as a row of a table: built once, then only its texts and fills change. */
import { h, setText } from "../ui/dom";
import { change } from "../ui/format";
import { fillOf, isDetermined, paperError, share, type Scene } from "./data";
import { adversaryOf } from "./nodes";
import type { SortKey } from "./search";
import { set, yes } from "./svg";
import { describe, sentence, shown, shownPaper } from "./words";

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
  { key: "value", title: "Exact, nats", down: true },
  { key: "difference", title: "Paper’s estimate", down: true, paper: true },
];

/** Height of a row, px. */
export const ROW = 28;

export interface Row {
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
  update(withPaper: boolean, disabled: boolean): void;
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
    update(withPaper, disabled) {
      const { by, down } = sorted();
      cells.forEach((cell, k) => {
        const column = COLUMNS[k] as Column;
        cell.hidden = column.paper === true && !withPaper;
        (cell.firstElementChild as HTMLButtonElement).disabled = disabled;
        set(cell, { "aria-sort": column.key === by ? (down ? "descending" : "ascending") : "none" });
      });
    },
  };
}
