/** The cells of the table of pairs, with the names of rows and columns: of those that stay as they are nothing is touched. */
import type { Output } from "../compute/local-mechanisms";
import { nameOf, told, type Naming } from "../explorer/words";
import { css, inkOn, viridis } from "../ui/colours";
import { s, setAttr, setAttrs, setText, text } from "../ui/dom";
import { capital, nats } from "../ui/format";
import { fit } from "../ui/lettering";
import { createFills } from "./heat-map-fills";
import { boxOf, HEAD, PITCH, type Frame } from "./heat-map-frame";
import type { Shown } from "./results";
import { seen } from "./words";

export interface HeatMapProps {
  naming: Naming;
  names: readonly number[];
  shown: Shown | null;
  /** What was seen of each row's attribute. */
  output: Output;
  pair: { source: number; secret: number } | null;
  /** Where the colours end, nats. */
  top: number;
  /** All numbers, or those of all reports together, are awaited. */
  busy: boolean;
  late: boolean;
  dark: boolean;
  disabled: boolean;
  width: number;
}

/** Names of cells without numbers are said anew when nothing has moved for so long, ms. */
const QUIET = 120;

interface Cell {
  el: SVGGElement;
  rect: SVGRectElement;
  label: SVGTextElement | null;
}

/** What cells were last drawn for: of those that stay as they are nothing is touched. */
interface Drawn {
  values: Float64Array;
  /** What all cells share. */
  look: string;
  disabled: boolean;
  chosen: number;
  stop: number;
}

export interface Cells {
  /** The grid, and the colours below it. */
  readonly el: SVGGElement;
  readonly fills: HTMLElement;
  /** Everything anew, with these names. */
  build(props: HeatMapProps, frame: Frame, names: readonly string[]): void;
  /** Other values or another pair; the arrows stand at the cell `stop`. */
  draw(props: HeatMapProps, stop: number): void;
  /** What a cell is called, which is then true; null where there is none. */
  said(place: number): string | null;
  focus(place: number): void;
  destroy(): void;
}

/** The place of what the pair names, by row and column; -1 where it is not there. */
export function pairAt({ names, pair }: HeatMapProps): [number, number] {
  return pair ? [names.indexOf(pair.source), names.indexOf(pair.secret)] : [-1, -1];
}

/** `hatch` fills the diagonal. */
export function drawCells(hatch: string, initial: HeatMapProps, initialFrame: Frame): Cells {
  let props = initial;
  let frame = initialFrame;
  let drawnNames: readonly string[] = [];
  let cells: Cell[] = [];
  let drawn: Drawn | null = null;
  /** The pair whose names are heavier. */
  let named = "";
  /** Names of cells that are no longer true, and when they are said anew. */
  const unsaid = new Set<number>();
  let quiet: ReturnType<typeof setTimeout> | null = null;
  /** Names as they are spoken. */
  let full: string[] = [];
  let rowNames: SVGTextElement[] = [];
  let columnNames: SVGTextElement[] = [];
  const fills = createFills();
  const grid = s("g", { role: "grid" });

  const fullName = (k: number, limit: number): string => nameOf(props.naming, props.names[k] as number, limit);

  function build(): void {
    const { left, top, cw, ch, n, numbered, upright } = frame;
    drawn = null;
    named = "";
    unsaid.clear();
    fills.place(numbered ? null : frame);
    const of = `${seen(props.output)} of`;
    setAttr(grid, "aria-label", `Leakage in nats: a row for each ${seen(props.output)}, a column for each secret`);
    const head = s("g", { role: "row" }, s("g", { role: "columnheader", "aria-label": of }, text(0, top - 8, of, { class: "lx-muted" })));
    columnNames = [];
    for (let k = 0; k < n; k++) {
      const x = left + (k + 0.5) * cw;
      const place = upright
        ? { transform: `translate(${(x + 4).toFixed(1)} ${top - 6}) rotate(-90)`, "text-anchor": "start" }
        : { x: x.toFixed(1), y: top - 8, "text-anchor": "middle" };
      const name = s("text", { ...place, "font-size": numbered ? 12 : 11 });
      columnNames.push(name);
      head.append(s("g", { role: "columnheader", "aria-label": fullName(k, 200) }, name, s("title", {}, fullName(k, 300))));
    }
    rowNames = [];
    cells = [];
    const body: SVGGElement[] = [];
    for (let j = 0; j < n; j++) {
      const y = top + j * ch;
      const name = text(0, y + ch / 2 + 4, "", { "font-size": numbered ? 12 : 11 });
      rowNames.push(name);
      const row = s("g", { role: "row" }, s("g", { role: "rowheader", "aria-label": fullName(j, 200) }, name, s("title", {}, fullName(j, 300))));
      for (let k = 0; k < n; k++) {
        const rect = s("rect", { ...boxOf(frame, j, k) });
        const label = numbered ? text(Number((left + (k + 0.5) * cw).toFixed(1)), y + ch / 2 + 5, "", { "text-anchor": "middle" }) : null;
        if (j === k) {
          setAttrs(rect, { fill: `url(#${hatch})`, stroke: "var(--line)" });
          if (label) setAttrs(label, { "font-size": 11, class: "lx-own" });
        } else if (numbered) rect.setAttribute("stroke", "var(--line2)");
        // Its colour lies below, but it is what a pointer meets.
        else setAttrs(rect, { fill: "none", "pointer-events": "all" });
        rect.setAttribute("stroke-width", j === k || !numbered ? "0.25" : "0.5");
        const cell = s("g", { role: "gridcell", class: "lx-cell", tabindex: -1, "data-cell": j * n + k }, rect, label);
        cells.push({ el: cell, rect, label });
        row.append(cell);
      }
      body.push(row);
    }
    grid.replaceChildren(text(left, 11, "about the secret", { class: "lx-muted", "aria-hidden": "true" }), head, ...body);
  }

  function numberSize(): number {
    return frame.cw >= 64 ? 14 : frame.cw >= 44 ? 12 : 11;
  }

  /** Of a cell of the diagonal what is read of an attribute says about itself. */
  function valueAt(place: number): number {
    const { n } = frame;
    const j = Math.floor(place / n);
    return (j === place % n ? props.shown?.own[j] : props.shown?.matrix[place]) ?? NaN;
  }

  function drawValues(stop: number): void {
    const { output, top, dark, busy, disabled } = props;
    const { n, numbered } = frame;
    const [source, secret] = pairAt(props);
    const chosen = source < 0 || secret < 0 ? -1 : source * n + secret;
    const look = [output, top, dark, busy].join();
    const values = Float64Array.from({ length: n * n }, (_, place) => valueAt(place));
    const last = drawn;
    const alike = last !== null && last.look === look;
    drawn = { values, look, disabled, chosen, stop };
    if (!numbered && n > 0) fills.draw(busy ? null : values, top, dark);
    for (let place = 0; place < values.length; place++) {
      if (alike && Object.is(values[place], last.values[place])) continue;
      if (numbered) drawCell(place);
      else unsaid.add(place);
    }
    if (last?.disabled !== disabled)
      for (const [place, { el: cell }] of cells.entries())
        setAttr(cell, "aria-disabled", disabled || place % (n + 1) === 0 ? "true" : null);
    for (const place of last ? new Set([last.chosen, last.stop, chosen, stop]) : cells.keys()) {
      const cell = cells[place];
      if (cell) setAttrs(cell.el, { "aria-selected": place % (n + 1) === 0 ? null : String(place === chosen), tabindex: place === stop ? 0 : -1 });
    }
    // Who reads the cells one by one hears the new numbers; a drag does not wait for thousands of names.
    if (unsaid.size === 0) return;
    if (last === null) sayAll();
    else {
      if (quiet !== null) clearTimeout(quiet);
      quiet = setTimeout(sayAll, QUIET);
    }
  }

  function sayAll(): void {
    if (quiet !== null) clearTimeout(quiet);
    quiet = null;
    for (const place of unsaid) sayCell(place);
    unsaid.clear();
  }

  function wordsOf(value: number): string {
    return props.busy || Number.isNaN(value) ? "…" : nats(value, props.top);
  }

  /** The name of a cell: what it is about, and its number. */
  function spoken(place: number): string {
    const [j, k] = [Math.floor(place / frame.n), place % frame.n];
    const kind = seen(props.output);
    const words = wordsOf(valueAt(place));
    return j === k ? `${full[j]}, own: ${words} nats, from its ${kind}` : `${capital(kind)} of ${full[j]} about ${full[k]}: ${words} nats`;
  }

  function sayCell(place: number): void {
    cells[place]?.el.setAttribute("aria-label", spoken(place));
  }

  /** A cell with a number in it. */
  function drawCell(place: number): void {
    const { rect, label } = cells[place] as Cell;
    const { top, dark, busy } = props;
    const { n, cw } = frame;
    const value = valueAt(place);
    const words = wordsOf(value);
    if (place % (n + 1) === 0) {
      if (label) setText(label, n <= 6 ? `own: ${words}` : "");
    } else {
      const colour = viridis(Number.isNaN(value) ? 0 : Math.min(1, value / top), dark);
      rect.setAttribute("fill", busy ? "var(--tint)" : css(colour));
      if (label) {
        setText(label, cw < 34 && words.length > 5 ? words.slice(0, 5) : words);
        setAttrs(label, { "font-size": numberSize(), "font-weight": 600, style: `fill:${busy ? "var(--ink2)" : inkOn(colour)}` });
      }
    }
    sayCell(place);
  }

  function drawNames(): void {
    const { cw } = frame;
    const [source, secret] = pairAt(props);
    if (named === `${source}/${secret}`) return;
    named = `${source}/${secret}`;
    rowNames.forEach((el, k) => {
      setText(el, fit(drawnNames[k] ?? "", frame.left - 8, frame.numbered ? 12 : 11, true, drawnNames));
      setAttr(el, "font-weight", k === source ? 700 : 400);
    });
    const step = frame.upright ? Math.ceil(PITCH / cw) : 1;
    columnNames.forEach((el, k) => {
      // Of narrow columns some names stand for their neighbours; the chosen one always stands.
      const stands = k === secret || (k % step === 0 && Math.abs(k - secret) >= step);
      el.style.display = stands ? "" : "none";
      setText(el, fit(drawnNames[k] ?? "", frame.upright ? frame.top - HEAD - 8 : cw - 6, frame.numbered ? 12 : 11, true, drawnNames));
      setAttr(el, "font-weight", k === secret ? 700 : 400);
    });
  }

  return {
    el: grid,
    fills: fills.el,
    build(next, fresh, names) {
      [props, frame, drawnNames] = [next, fresh, names];
      full = props.names.map((name) => told(props.naming, name));
      build();
    },
    draw(next, stop) {
      props = next;
      drawValues(stop);
      drawNames();
    },
    said(place) {
      if (unsaid.delete(place)) sayCell(place);
      return cells[place] ? spoken(place) : null;
    },
    focus: (place) => cells[place]?.el.focus(),
    destroy() {
      if (quiet !== null) clearTimeout(quiet);
    },
  };
}
