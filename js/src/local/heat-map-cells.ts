/**
 * The cells of the table of pairs: where they stand, their colours on a canvas below them, and the names around them.
 */
import type { Output } from "../compute/local-mechanisms";
import { nameOf, told, type Naming } from "../explorer/words";
import { css, inkOn, magnitude } from "../ui/colours";
import { h, s, setAttr, setAttrs, setText, text } from "../ui/dom";
import { capital, nats } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import type { Shown } from "./results";
import { seen } from "./words";
import { leakageUnit } from "../ui/preferences";

// Where rows, columns and cells of the table of pairs stand, by the names and the width.

/** More attributes than this have no room for numbers in the cells; without them there are no totals either. */
export const NUMBERED = 12;
export const HEAD = 20;
/** Names of columns or rows that stand closer than this would meet, px. */
const PITCH = 12;

export interface Frame {
  /** Where the cells begin, and their size, px. */
  left: number;
  top: number;
  cw: number;
  ch: number;
  n: number;
  numbered: boolean;
  upright: boolean;
}

/** What is drawn of one cell, px. */
export interface Box {
  x: string;
  y: number;
  width: string;
  height: number;
}

/** The most that upright names of columns may take, px: there is height enough. */
const TALLEST = 136;

/** The most that names of rows may take, px. */
export function gutter(width: number): number {
  return Math.max(66, Math.min(160, width * 0.24));
}

/** Where everything stands; one drawing serves until names or width are others. */
export function frameOf(names: readonly string[], width: number): Frame {
  const n = names.length;
  const widest = names.reduce((most, name) => Math.max(most, textWidth(name, 12, true)), 0);
  const left = Math.round(Math.min(gutter(width), Math.max(66, widest + 10)));
  const cw = (width - left - 3) / Math.max(1, n);
  const numbered = n <= NUMBERED && cw >= textWidth("0.000", 11, true) + 3;
  const upright = widest + 8 > cw && cw < 80;
  const top = (upright ? Math.min(TALLEST, widest + 8) : 18) + HEAD;
  const ch = n <= 4 ? 44 : n <= 6 ? 36 : n <= 8 ? 32 : numbered ? 28 : Math.max(PITCH, Math.min(18, Math.floor(cw)));
  return { left, top, cw, ch, n, numbered, upright };
}

function boxOf({ left, top, cw, ch, numbered }: Frame, j: number, k: number): Box {
  const gap = numbered ? 1 : 0.5;
  return { x: (left + k * cw + gap).toFixed(1), y: top + j * ch + gap, width: Math.max(1, cw - 2 * gap).toFixed(1), height: ch - 2 * gap };
}

// The colours of many cells at once, on a canvas below them: a step of a drag sets no attribute, lays out no shape and
// leaves the thousands of elements above as they are painted.

/** Colours that are told apart: neighbours differ by less than an eye sees. */
const LEVELS = 128;

export interface Fills {
  readonly el: HTMLCanvasElement;
  /** Where the cells stand; those of the diagonal have no colour. */
  place(frame: Frame | null): void;
  /** Values of all cells, row by row; null where all are awaited. */
  draw(values: ArrayLike<number> | null, top: number, dark: boolean): void;
}

/** The place of a value on the scale of colours; what is no number stands at its beginning. */
export function levelOf(value: number, top: number): number {
  const share = value / top;
  return share > 0 ? Math.round(Math.min(1, share) * (LEVELS - 1)) : 0;
}

export function createFills(): Fills {
  const el = h("canvas", { class: "lx-fills", "aria-hidden": "true" });
  const context = typeof CanvasRenderingContext2D === "undefined" ? null : el.getContext("2d");
  let boxes = new Float64Array(0);
  let [width, height, ratio] = [0, 0, 1];
  let scale: string[] = [];
  let coloured: boolean | null = null;

  return {
    el,
    place(frame) {
      el.hidden = frame === null;
      const n = frame?.n ?? 0;
      boxes = new Float64Array(4 * n * n);
      [width, height] = [0, 0];
      if (frame === null) return;
      for (let place = 0; place < n * n; place++) {
        const box = boxOf(frame, Math.floor(place / n), place % n);
        const [x, y, w, tall] = [Number(box.x), box.y, Number(box.width), box.height];
        if (place % (n + 1) !== 0) boxes.set([x, y, w, tall], 4 * place);
        [width, height] = [Math.max(width, Math.ceil(x + w)), Math.max(height, Math.ceil(y + tall))];
      }
      ratio = Math.max(1, Math.min(2, window.devicePixelRatio || 1));
      Object.assign(el, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
      Object.assign(el.style, { width: `${width}px`, height: `${height}px` });
    },
    draw(values, top, dark) {
      if (!context) return;
      if (dark !== coloured) scale = Array.from({ length: LEVELS }, (_, level) => css(magnitude(level / (LEVELS - 1), dark)));
      coloured = dark;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      if (!values) context.fillStyle = getComputedStyle(el).getPropertyValue("--tint").trim() || "transparent";
      for (let place = 0; place < boxes.length / 4; place++) {
        const [at, w] = [4 * place, boxes[4 * place + 2] as number];
        if (w === 0) continue;
        if (values) context.fillStyle = scale[levelOf(values[place] as number, top)] as string;
        context.fillRect(boxes[at] as number, boxes[at + 1] as number, w, boxes[at + 3] as number);
      }
    },
  };
}

// The cells of the table of pairs, with the names of rows and columns: of those that stay as they are nothing is
// touched.

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
    setAttr(grid, "aria-label", `Leakage in ${leakageUnit()}: a row for each ${seen(props.output)}, a column for each secret`);
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
    return j === k
      ? `${full[j]}, own: ${words} ${leakageUnit()}, from its ${kind}`
      : `${capital(kind)} of ${full[j]} about ${full[k]}: ${words} ${leakageUnit()}`;
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
      const colour = magnitude(Number.isNaN(value) ? 0 : Math.min(1, value / top), dark);
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
