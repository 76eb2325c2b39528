/** All adversaries as a sortable table. Only the rows in view exist; a click or Enter chooses. */
import { h, listen } from "../ui/dom";
import { buildRow, createHeadings, drawRow, ROW, type Row } from "./adversary-row";
import { paperError, type Scene } from "./data";
import { attachHand, type Hand } from "./hand";
import { bitsSet, columnOfFlat } from "./nodes";
import { fits, isFiltered, NO_FILTERS, type Filters, type SortKey } from "./search";
import { createSearchBar } from "./search-bar";
import { set } from "./svg";

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
    headings.update(next.paper !== null, false);
    const { n, promise, exact } = next.data;
    search.update({
      filters: asked,
      names: next.names,
      n,
      count: next.busy && isFiltered(asked) ? null : order.length,
      total: exact.length,
      line: next.threshold ?? promise,
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
