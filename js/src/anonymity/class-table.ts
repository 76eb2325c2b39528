/** The table in classes: one row for each class as it is published, and below the chosen ones their members. */
import { plural } from "../explorer/words";
import { component, h, listen, renew, setAttr, setText, type Component } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
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
/** Room of a column's cells at most and, where there is too little, at least, px. */
const [MOST, LEAST] = [170, 34];
/** Signs of a name at most; titles have all of it. */
const NAME = 60;
/** Headings are set a little wider than they are measured. */
const SPARE = 1.06;

interface Layout {
  /** "G, 5" for "G, 5 rows". */
  brief: boolean;
  /** Of every column but the first, px. */
  rooms: number[];
}

function nameOf(letter: string, size: number, brief: boolean): string {
  return `${letter}, ${fixed(size, 0)}${brief ? "" : size === 1 ? " row" : " rows"}`;
}

export const COLOURS = ["var(--a)", "var(--b)", "var(--c)", "var(--d)"] as const;

export function createClassTable(initial: ClassTableProps, events: ClassTableEvents): Component<ClassTableProps> {
  let props = initial;
  /** The row that the keyboard stands on. */
  let current: string | null = null;
  let scrolled = "";
  let layout: Layout = { brief: false, rooms: [] };
  /** Of all classes what stands in each column: a text that is cut stays apart from the others. */
  let texts: { columns: string[][]; secret: string[] } = { columns: [], secret: [] };
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
    layout = layoutOf(columns, names);
    const titles = names.map((column) => records.columns[column]?.name ?? "");
    const heading = (column: number, k: number): HTMLElement =>
      h(
        "th",
        { scope: "col", role: "columnheader", title: titles[k] as string, style: `max-width:${layout.rooms[k]}px` },
        fit(columnName(records, column, NAME), ((layout.rooms[k] as number) - CELL) / SPARE, 12, false, titles),
      );
    renew(
      head,
      h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, "class"), ...names.map(heading)),
    );
    const tab = classes.some(({ letter }) => letter === current)
      ? current
      : (chosen ?? open[0] ?? classes[0]?.letter ?? null);
    texts = {
      columns: columns.map((column) => classes.map(({ ranges }) => ranges[records.quasi.indexOf(column)] ?? "")),
      secret: secret === null ? [] : classes.map(({ shared }) => shared),
    };
    const bodies = classes.map((one) => bodyOf(one, columns, open.includes(one.letter), one.letter === chosen, one.letter === tab));
    renew(table, head, ...bodies);
    setAttr(table, "aria-busy", busy ? "true" : null);
    const listed = classes.length < all ? `${fixed(all - classes.length, 0)} more classes are not listed. ` : "";
    const hidden = records.quasi.length - columns.length;
    const others = hidden > 0 ? `${count(hidden, "more quasi-identifier")}: see the chosen class below. ` : "";
    const left =
      suppressed > 0
        ? `${count(suppressed, records.noun, plural(records.noun))} with a missing value ${suppressed === 1 ? "is" : "are"} not published. `
        : "";
    setText(
      more,
      `Bold: as published${layout.brief ? "; beside its letter how many rows a class has" : ""}. ${listed}${others}${left}`.trim(),
    );
    // The class that stands for the story is what is seen first; the place is left alone while the hand chooses.
    const key = open.join();
    if (chosen === null && key !== scrolled && frame.clientHeight > 0) {
      scrolled = key;
      const first = table.querySelector<HTMLElement>(`[data-class="${open[0]}"]`);
      if (first) frame.scrollTop = first.offsetTop - head.offsetHeight;
    }
  }

  /** Room of every column, px: its cells, and of what is left as much as its name needs; the widest give way where there is too little. */
  function layoutOf(columns: readonly number[], names: readonly number[]): Layout {
    const { records, classes, open, width } = props;
    const widest = (texts: readonly string[], bold: boolean): number => Math.max(0, ...texts.map((text) => textWidth(text, 12, bold)));
    const members = classes.flatMap(({ letter, rows }) => (open.includes(letter) ? rows : []));
    const cells = names.map((column) => {
      const isSecret = !columns.includes(column);
      const published = isSecret
        ? classes.map(({ shared }) => shared)
        : classes.map(({ ranges }) => ranges[records.quasi.indexOf(column)] ?? "");
      return (
        Math.min(
          MOST,
          Math.max(
            widest(published, true) + (isSecret ? SIGN : 0),
            widest(
              members.map((row) => recordText(records, column, row, 60)),
              false,
            ),
          ),
        ) + CELL
      );
    });
    const wants = names.map((column, k) =>
      Math.max(0, Math.ceil(SPARE * textWidth(columnName(records, column, NAME), 12) + CELL - (cells[k] as number))),
    );
    const first = (brief: boolean): number =>
      Math.max(
        widest(
          classes.map(({ letter, size }) => nameOf(letter, size, brief)),
          true,
        ),
        textWidth("class", 12),
      ) +
      CELL +
      BAR;
    const needed = cells.reduce((sum, one) => sum + one, 0);
    const brief = first(false) + needed > width;
    let left = width - first(brief) - needed;
    const rooms = [...cells];
    while (left < 0) {
      const most = Math.max(...rooms);
      const next = Math.max(LEAST, ...rooms.filter((room) => room < most));
      const widestOnes = rooms.flatMap((room, k) => (room === most ? [k] : []));
      const given = Math.min(most - next, -left / widestOnes.length);
      if (!(given > 0)) break;
      for (const k of widestOnes) rooms[k] = most - given;
      left += given * widestOnes.length;
    }
    // The shortest names first: what they do not need is for the others.
    const order = wants.map((_, k) => k).sort((a, b) => (wants[a] as number) - (wants[b] as number));
    order.forEach((k, done) => {
      const got = Math.max(0, Math.min(wants[k] as number, left / (order.length - done)));
      rooms[k] = (rooms[k] as number) + got;
      left -= got;
    });
    return { brief, rooms };
  }

  function bodyOf(
    { letter, rows: members, colour, ranges, size, shared, one }: ClassState,
    columns: readonly number[],
    open: boolean,
    chosen: boolean,
    tab: boolean,
  ): HTMLElement {
    const { records } = props;
    const { quasi, secret, noun } = records;
    const room = (k: number, bold: boolean, less = 0): [number, number, boolean] => [(layout.rooms[k] as number) - CELL - less, 12, bold];
    const cell = (text: string, whole = text): HTMLElement => h("td", { role: "gridcell", title: text === whole ? null : whole }, text);
    const secretAt = columns.length;
    const row = h(
      "tr",
      {
        class: "kx-class",
        role: "row",
        "data-class": letter,
        "data-chosen": chosen,
        tabindex: tab ? 0 : -1,
        "aria-level": 1,
        "aria-expanded": String(open),
        "aria-selected": String(chosen),
        "aria-label": `Class ${letter}, ${count(size, noun, plural(noun))}${shared ? `, ${shared}` : ""}`,
      },
      cell(nameOf(letter, size, layout.brief)),
      ...columns.map((column, k) => {
        const text = ranges[quasi.indexOf(column)] ?? "";
        return cell(fit(text, ...room(k, true), texts.columns[k]), text);
      }),
      ...(secret === null
        ? []
        : [
            h(
              "td",
              { role: "gridcell", class: "kx-secret", title: shared },
              ...(one ? [inlineMark("over"), " "] : []),
              fit(shared, ...room(secretAt, true, one ? SIGN : 0), texts.secret),
            ),
          ]),
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
          ...columns.map((column, k) => {
            const text = recordText(records, column, member, 60);
            return cell(fit(text, ...room(k, false), records.columns[column]?.labels ?? []), text);
          }),
          ...(secret === null
            ? []
            : [
                h(
                  "td",
                  { role: "gridcell", class: "kx-secret", "data-marked": isMarked(records, member) },
                  fit(
                    recordText(records, secret, member, 60),
                    ...room(secretAt, isMarked(records, member)),
                    records.columns[secret]?.labels ?? [],
                  ),
                ),
              ]),
        ),
      );
    }
    const rest = size - there.length;
    if (rest > 0)
      body.append(
        h(
          "tr",
          { role: "row", "aria-level": 2 },
          h("td", { role: "gridcell" }, ""),
          h(
            "td",
            { role: "gridcell", colspan: columns.length + (secret === null ? 0 : 1) },
            `and ${count(rest, "more row", "more rows")}`,
          ),
        ),
      );
    return body;
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}

/** The columns of the map first, then the others as far as there is room. */
export function shownColumns({ quasi, drawn, secret }: Pick<Records, "quasi" | "drawn" | "secret">): number[] {
  const first = [drawn[0], ...(drawn[1] === null ? [] : [drawn[1]])].filter((column) => quasi.includes(column));
  const rest = quasi.filter((column) => !first.includes(column));
  return [...first, ...rest].slice(0, secret === null ? COLUMNS + 1 : COLUMNS);
}
