/** The table in classes: one row for each class as it is published, and below the chosen ones their members. */
import { plural } from "../explorer/words";
import type { Component } from "../ui/component";
import { h, listen, setAttr, setText } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { clip, textWidth } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { renew } from "../ui/renew";
import type { ClassState } from "./protocol";
import { columnName, isMarked, placeOf, recordText, type Records } from "./records";

export interface ClassTableProps {
  records: Records;
  classes: readonly ClassState[];
  /** How many classes there are; not all may be listed. */
  all: number;
  k: number;
  suppressed: number;
  /** Letters of the classes whose members are shown. */
  open: readonly string[];
  /** The class that the hand chose. */
  chosen: string | null;
  busy: boolean;
  width: number;
}

export interface ClassTableEvents {
  /** null: none in particular. */
  onChoose(letter: string | null): void;
}

/** Columns of quasi-identifiers that have room beside the secret. */
const COLUMNS = 2;
/** Padding of a cell, the bar at the left of a row, and the sign before a single secret, px. */
const [CELL, BAR, SIGN] = [8, 11, 15];
/** Signs of a name at most; titles have all of it. */
const NAME = 60;
/** Headings are set a little wider than they are measured. */
const SPARE = 1.06;
export const COLOURS = ["var(--a)", "var(--b)", "var(--c)", "var(--d)"] as const;

export function createClassTable(initial: ClassTableProps, events: ClassTableEvents): Component<ClassTableProps> {
  let props = initial;
  /** The row that the keyboard stands on. */
  let current: string | null = null;
  let scrolled = "";
  const note = h("span", { class: "muted" });
  const head = h("thead");
  const table = h("table", { class: "kx-classes", role: "treegrid", "aria-label": "Classes and their members" }, head);
  const frame = h("div", { class: "kx-classes-frame" }, table);
  const more = h("p", { class: "small muted kx-more" });
  const el = h("section", { class: "panel kx-table", "aria-label": "Table" }, h("h3", { class: "panel-head" }, h("span", {}, "Table"), note), frame, more);

  const rowOf = (event: Event): HTMLElement | null => (event.target as Element).closest<HTMLElement>("[data-class]");
  const rows = (): HTMLElement[] => [...table.querySelectorAll<HTMLElement>("[data-class]")];

  listen(table, "click", (event) => {
    const letter = rowOf(event)?.dataset["class"];
    if (letter !== undefined) choose(letter);
  });
  listen(table, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rowOf(event);
    if (!row) return;
    const all = rows();
    const at = all.indexOf(row);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -all.length, End: all.length }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
      const letter = next?.dataset["class"];
      if (letter !== undefined && next !== row) events.onChoose(letter);
      focusRow(letter);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(row.dataset["class"] as string);
    } else if (event.key === "Escape" && props.chosen !== null) {
      event.preventDefault();
      events.onChoose(null);
    }
  });

  /** What is chosen already is let go. */
  function choose(letter: string): void {
    current = letter;
    events.onChoose(letter === props.chosen ? null : letter);
    focusRow(letter);
  }

  function focusRow(letter: string | undefined): void {
    if (letter === undefined) return;
    current = letter;
    const row = table.querySelector<HTMLElement>(`[data-class="${letter}"]`);
    for (const one of rows()) one.tabIndex = one === row ? 0 : -1;
    row?.focus({ preventScroll: true });
    if (row) reveal(row);
  }

  /** Moves the table, and never the page. */
  function reveal(row: HTMLElement): void {
    const top = row.offsetTop - (head.offsetHeight || 0);
    if (top < frame.scrollTop) frame.scrollTop = top;
    const body = row.parentElement as HTMLElement;
    const bottom = Math.min(row.offsetTop + body.offsetHeight, top + frame.clientHeight);
    if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight;
  }

  function draw(): void {
    const { records, classes, all, k, suppressed, open, chosen, busy } = props;
    const columns = shownColumns(records);
    setText(note, busy ? "…" : `${fixed(all, 0)} ${all === 1 ? "class" : "classes"} of at least ${fixed(k, 0)}`);
    const secret = records.secret;
    const names = [...columns, ...(secret === null ? [] : [secret])];
    const rooms = roomsOf(columns, names);
    setAttr(table, "data-tight", rooms === null ? columns.length : null);
    const heading = (column: number, k: number): HTMLElement =>
      h("th", { scope: "col", role: "columnheader", title: records.columns[column]?.name ?? "", style: rooms === null ? null : `max-width:${rooms[k]}px` }, columnName(records, column, rooms === null ? 14 : NAME));
    renew(head, h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, "class"), ...names.map(heading)));
    const tab = classes.some(({ letter }) => letter === current) ? current : (chosen ?? open[0] ?? classes[0]?.letter ?? null);
    const bodies = classes.map((one) => bodyOf(one, columns, open.includes(one.letter), one.letter === chosen, one.letter === tab));
    renew(table, head, ...bodies);
    setAttr(table, "aria-busy", busy ? "true" : null);
    const listed = classes.length < all ? `${fixed(all - classes.length, 0)} more classes are not listed. ` : "";
    const hidden = records.quasi.length - columns.length;
    const others = hidden > 0 ? `${count(hidden, "more quasi-identifier")}: see the chosen class below. ` : "";
    const left = suppressed > 0 ? `${count(suppressed, records.noun, plural(records.noun))} with a missing value ${suppressed === 1 ? "is" : "are"} not published. ` : "";
    setText(more, `Bold: as published. ${listed}${others}${left}`.trim());
    // The first open class is what is seen first; the place is left alone while the hand chooses.
    const key = open.join();
    if (chosen === null && key !== scrolled && frame.clientHeight > 0) {
      scrolled = key;
      const first = table.querySelector<HTMLElement>("[aria-expanded=true]");
      if (first) frame.scrollTop = first.offsetTop - head.offsetHeight;
    }
  }

  /** Room of every heading, px: its cells, and of what is left as much as its name needs; null where the cells alone have none. */
  function roomsOf(columns: readonly number[], names: readonly number[]): number[] | null {
    const { records, classes, open, width } = props;
    const widest = (texts: readonly string[], bold: boolean): number => Math.max(0, ...texts.map((text) => textWidth(text, 12, bold)));
    const members = classes.flatMap(({ letter, rows }) => (open.includes(letter) ? rows : []));
    const cells = names.map((column) => {
      const [published, sign] = columns.includes(column)
        ? [classes.map(({ ranges }) => clip(ranges[records.quasi.indexOf(column)] ?? "", 16)), 0]
        : [classes.map(({ shared }) => clip(shared, 14)), SIGN];
      return Math.max(widest(published, true) + sign, widest(members.map((row) => recordText(records, column, row, 14)), false)) + CELL;
    });
    const first = widest(classes.map(({ letter, size }) => `${letter}, ${fixed(size, 0)} rows`), true) + CELL + BAR;
    let left = width - first - cells.reduce((sum, one) => sum + one, 0);
    if (left < 0) return null;
    const wants = names.map((column, k) => Math.max(0, Math.ceil(SPARE * textWidth(columnName(records, column, NAME), 12) + CELL - (cells[k] as number))));
    const rooms = [...cells];
    // The shortest names first: what they do not need is for the others.
    const order = wants.map((_, k) => k).sort((a, b) => (wants[a] as number) - (wants[b] as number));
    order.forEach((k, done) => {
      const got = Math.min(wants[k] as number, left / (order.length - done));
      rooms[k] = Math.floor((rooms[k] as number) + got);
      left -= got;
    });
    return rooms;
  }

  function bodyOf({ letter, rows: members, colour, ranges, size, shared, one }: ClassState, columns: readonly number[], open: boolean, chosen: boolean, tab: boolean): HTMLElement {
    const { records } = props;
    const { quasi, secret, noun } = records;
    const published = columns.map((column) => ranges[quasi.indexOf(column)] ?? "");
    const cell = (text: string, title: string | null = null): HTMLElement => h("td", { role: "gridcell", title }, text);
    const row = h(
      "tr",
      { class: "kx-class", role: "row", "data-class": letter, "data-chosen": chosen, tabindex: tab ? 0 : -1, "aria-level": 1, "aria-expanded": String(open), "aria-selected": String(chosen), "aria-label": `Class ${letter}, ${count(size, noun, plural(noun))}${shared ? `, ${shared}` : ""}` },
      cell(`${letter}, ${fixed(size, 0)} ${size === 1 ? "row" : "rows"}`),
      ...published.map((text) => cell(clip(text, 16), text.length > 5 ? text : null)),
      ...(secret === null ? [] : [h("td", { role: "gridcell", class: "kx-secret", title: shared.length > 8 ? shared : null }, ...(one ? [inlineMark("over"), " "] : []), clip(shared, 14))]),
    );
    const body = h("tbody", { style: `--kx:${COLOURS[colour]}` }, row);
    if (!open) return body;
    const [first] = columns;
    const value = (member: number): number => (first === undefined ? 0 : (records.columns[first]?.values[placeOf(records, member) ?? -1] ?? 0));
    const there = members.filter((member) => placeOf(records, member) !== undefined);
    for (const member of [...there].sort((a, b) => value(a) - value(b) || a - b)) {
      body.append(
        h(
          "tr",
          { role: "row", "aria-level": 2 },
          h("td", { role: "gridcell" }, ""),
          ...columns.map((column) => cell(recordText(records, column, member, 16))),
          ...(secret === null ? [] : [h("td", { role: "gridcell", class: "kx-secret", "data-marked": isMarked(records, member) }, recordText(records, secret, member, 14))]),
        ),
      );
    }
    const rest = size - there.length;
    if (rest > 0) body.append(h("tr", { role: "row", "aria-level": 2 }, h("td", { role: "gridcell" }, ""), h("td", { role: "gridcell", colspan: columns.length + (secret === null ? 0 : 1) }, `and ${count(rest, "more row", "more rows")}`)));
    return body;
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy: () => el.remove(),
  };
}

/** The columns of the map first, then the others as far as there is room. */
export function shownColumns({ quasi, drawn, secret }: Pick<Records, "quasi" | "drawn" | "secret">): number[] {
  const first = [drawn[0], ...(drawn[1] === null ? [] : [drawn[1]])].filter((column) => quasi.includes(column));
  const rest = quasi.filter((column) => !first.includes(column));
  return [...first, ...rest].slice(0, secret === null ? COLUMNS + 1 : COLUMNS);
}
