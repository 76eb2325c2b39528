/** One page of the adversaries of a large graph: sorted and searched by Python, turned by buttons and keys. */
import { button, h, listen, setText } from "../ui/dom";
import { fixed } from "../ui/format";
import { buildRow, createHeadings, drawRow, ROW } from "./adversary-table";
import type { Scene } from "./data";
import { PAGE, type DigestData } from "./digest";
import { attachHand, type Hand } from "./hand";
import { wordsOf } from "./measure";
import { isFiltered, NO_FILTERS, type Search } from "./search";
import { createSearchBar } from "./search-bar";
import { set } from "./svg";

export interface PageScene {
  scene: Scene;
  digest: DigestData;
  /** What was asked for; the digest may still answer what was asked before. */
  search: Search;
  /** The rows do not belong to the search, and that has lasted. */
  waiting: boolean;
}

export interface PageTable {
  readonly el: HTMLElement;
  update(now: PageScene): void;
  destroy(): void;
}

export function createPageTable(hand: Hand, onSearch: (search: Search) => void): PageTable {
  let now: PageScene | null = null;
  /** The row that the keyboard is at, and the row to go to when the next page comes. */
  let current = 0;
  let next: number | null = null;

  const search = createSearchBar((filters) => ask({ ...filters, first: 0 }));
  const headings = createHeadings(
    () => now?.search ?? { by: "value", down: true },
    (by, down) => ask({ by, down, first: 0 }),
  );
  const rows = Array.from({ length: PAGE }, buildRow);
  const body = h("div", { role: "rowgroup", class: "lg-page", style: `height:${PAGE * ROW}px` }, ...rows.map((row) => row.el));
  const grid = h("div", { role: "grid", class: "lg-grid lg-paged", "aria-label": "Adversaries" }, h("div", { role: "rowgroup" }, headings.el), body);
  const clear = button("Clear search");
  const empty = h("div", { class: "lg-none" }, h("p", { class: "muted" }, "No adversary fits this search."), clear);
  const [start, back, on, end] = (
    [
      ["«", "First page"],
      ["‹", "Previous page"],
      ["›", "Next page"],
      ["»", "Last page"],
    ] as const
  ).map(([sign, label]) => button(sign, { "aria-label": label, title: label })) as [HTMLButtonElement, HTMLButtonElement, HTMLButtonElement, HTMLButtonElement];
  const range = h("span", { class: "lg-range nowrap", role: "status" });
  const toChosen = button("", { class: "button lg-to-chosen" });
  const pager = h("div", { class: "lg-pager", role: "group", "aria-label": "Pages" }, start, back, range, on, end, toChosen);
  const el = h("div", { class: "lg-table" }, search.el, grid, empty, pager);

  listen(clear, "click", () => ask({ ...NO_FILTERS, first: 0 }));
  listen(start, "click", () => turn(0));
  listen(back, "click", () => turn((now?.search.first ?? 0) - PAGE));
  listen(on, "click", () => turn((now?.search.first ?? 0) + PAGE));
  listen(end, "click", () => turn(Infinity));
  listen(toChosen, "click", () => {
    const place = now?.digest.place;
    if (place !== null && place !== undefined) turn(place);
  });

  const detach = attachHand(body, { choose: (flat) => hand.choose(flat), point: () => undefined }, {
    pointed(flat) {
      if (flat !== null && body.querySelector(":focus")) stopAt(rows.findIndex((row) => row.flat === flat));
    },
  });
  listen(body, "keydown", (event) => {
    const at = rows.findIndex((row) => row.el === event.target);
    if (!now || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = now.digest.rows.length - 1;
    if (event.key === "Home") step(0);
    else if (event.key === "End") step(last);
    else if (event.key === "PageDown") turn(now.search.first + PAGE, at);
    else if (event.key === "PageUp") turn(now.search.first - PAGE, at);
    else if (event.key === "ArrowDown") at < last ? step(at + 1) : turn(now.search.first + PAGE, 0);
    else if (event.key === "ArrowUp") at > 0 ? step(at - 1) : turn(now.search.first - PAGE, PAGE - 1);
    else return;
    event.preventDefault();
  });

  function stopAt(row: number): void {
    current = row;
    rows.forEach((one, k) => set(one.el, { tabindex: k === current ? 0 : -1 }));
  }

  function step(row: number): void {
    stopAt(row);
    rows[row]?.el.focus();
  }

  function ask(patch: Partial<Search>): void {
    if (now && !now.scene.disabled) onSearch({ ...now.search, ...patch });
  }

  /** To the page with this place; the keyboard then goes to the given row of it. */
  function turn(place: number, row: number | null = null): void {
    if (!now) return;
    const lastPage = Math.floor(Math.max(0, now.digest.count - 1) / PAGE) * PAGE;
    const first = Math.max(0, Math.min(lastPage, Math.floor(place / PAGE) * PAGE));
    if (first === now.search.first || now.scene.disabled) return;
    next = row;
    ask({ first });
  }

  return {
    el,
    update(given) {
      const fresh = given.digest !== now?.digest;
      now = given;
      const { digest, scene, waiting } = now;
      const asked = now.search;
      const answered = digest.search;
      const { head } = wordsOf(scene.data.measure);
      const drawn = waiting ? { ...scene, busy: true } : scene;
      search.update({
        filters: asked,
        names: scene.names,
        n: digest.n,
        count: waiting || scene.busy ? null : digest.count,
        total: digest.total,
        line: scene.threshold ?? digest.promise,
        measure: scene.data.measure,
        estimate: scene.paper !== null,
        apart: digest.apart,
        disabled: scene.disabled,
      });
      headings.update(scene.paper !== null, scene.disabled, head);
      grid.classList.toggle("lg-estimated", scene.paper !== null);
      set(grid, { "aria-rowcount": digest.count + 1, "aria-busy": waiting ? "true" : null });
      rows.forEach((row, k) => {
        const flat = digest.rows[k];
        row.el.style.visibility = flat === undefined ? "hidden" : "";
        if (flat !== undefined) drawRow(drawn, row, answered.first + k, flat);
        else {
          row.flat = -1;
          set(row.el, { "data-node": null });
        }
      });
      if (fresh) {
        const last = Math.max(0, digest.rows.length - 1);
        if (next !== null && digest.search.first === asked.first) {
          step(Math.min(next, last));
          next = null;
        } else stopAt(Math.min(current, last));
      }
      const none = digest.count === 0;
      grid.hidden = pager.hidden = none;
      empty.hidden = !none;
      clear.hidden = !isFiltered(asked);
      const from = fixed(answered.first + 1, 0);
      const to = fixed(answered.first + digest.rows.length, 0);
      setText(range, waiting ? "…" : `${from} to ${to} of ${fixed(digest.count, 0)}`);
      const atStart = asked.first === 0;
      const atEnd = asked.first + PAGE >= digest.count;
      start.disabled = back.disabled = atStart || scene.disabled;
      on.disabled = end.disabled = atEnd || scene.disabled;
      const { place } = digest;
      const here = place !== null && place >= answered.first && place < answered.first + PAGE;
      toChosen.hidden = waiting || place === null || here;
      toChosen.disabled = scene.disabled;
      setText(toChosen, place === null ? "" : `Chosen: no. ${fixed(place + 1, 0)}`);
      set(toChosen, { "aria-label": place === null ? null : `Show the chosen adversary, number ${fixed(place + 1, 0)}` });
    },
    destroy() {
      search.destroy();
      detach();
    },
  };
}
