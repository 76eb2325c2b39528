/** The table of pairs: a row for each report, a column for each secret, colour for what the one says about the other. */
import { nameOf, told, type Naming } from "../explorer/words";
import type { Output } from "../compute/local-mechanisms";
import type { Component } from "../ui/component";
import { h, listen, s, setAttr, setAttrs, setText, text } from "../ui/dom";
import { clip, fit, textWidth } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import { css, inkOn, viridis } from "../ui/palette";
import { createFills } from "./heat-map-fills";
import { boxOf, frameOf, gutter, HEAD, PITCH } from "./heat-map-frame";
import { drawTotals, sumError, TOTALS_HEIGHT } from "./totals";
import type { Shown } from "./shown";
import { distinctNames } from "../ui/distinct-names";
import { capital, nats } from "../ui/wording";
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

let maps = 0;
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

export function createHeatMap(initial: HeatMapProps, onChoose: (source: number, secret: number) => void): Component<HeatMapProps> {
  maps += 1;
  const hatch = `lx-hatch-${maps}-${Math.random().toString(36).slice(2, 8)}`;
  let props = initial;
  let frame = frameOf([], initial.width);
  let built = "";
  let drawnNames: readonly string[] = [];
  /** The cell that the arrows stand at, by row and column. */
  let at: [number, number] = [0, 1];
  let cells: Cell[] = [];
  let drawn: Drawn | null = null;
  /** The pair whose names are heavier. */
  let named = "";
  /** The cells that are ringed, in which drawing. */
  let ringed = "";
  /** Names of cells that are no longer true, and when they are said anew. */
  const unsaid = new Set<number>();
  let quiet: ReturnType<typeof setTimeout> | null = null;
  /** Names as they are spoken. */
  let full: string[] = [];
  let rowNames: SVGTextElement[] = [];
  let columnNames: SVGTextElement[] = [];
  const pattern = s(
    "pattern",
    { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    s("rect", { width: 1, height: 6, fill: "var(--line2)" }),
  );
  const fills = createFills();
  const grid = s("g", { role: "grid" });
  const rings = s("g", { "aria-hidden": "true", class: "lx-rings" });
  const pointed = s("g", { "aria-hidden": "true", class: "lx-rings lx-pointed" });
  const totals = s("g");
  const svg = s("svg", { class: "lx-map" }, s("defs", {}, pattern), grid, rings, pointed, totals);
  const readout = h("p", { class: "small muted lx-readout", "aria-hidden": "true" });
  const legend = h(
    "p",
    { class: "small muted lx-legend" },
    inlineBadge("low"),
    " the paper’s pairwise sum is too low, ",
    inlineBadge("high"),
    " too high. It is not a bound.",
  );
  const el = h("div", {}, h("div", { class: "lx-map-frame" }, fills.el, svg), legend, readout);

  const index = (name: number | undefined): number => (name === undefined ? -1 : props.names.indexOf(name));
  const fullName = (k: number, limit = 60): string => nameOf(props.naming, props.names[k] as number, limit);

  function build(): void {
    const { left, top, cw, ch, n, numbered, upright } = frame;
    drawn = null;
    named = ringed = "";
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

  function drawCells(): void {
    const { output, top, dark, busy, disabled } = props;
    const { n, numbered } = frame;
    const [source, secret] = [index(props.pair?.source), index(props.pair?.secret)];
    const chosen = source < 0 || secret < 0 ? -1 : source * n + secret;
    const stop = at[0] * n + at[1];
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
    const now = `${index(props.pair?.source)}/${index(props.pair?.secret)}`;
    if (named === now) return;
    named = now;
    const heavy = (el: SVGTextElement, k: number, end: "source" | "secret"): void =>
      setAttr(el, "font-weight", props.pair && index(props.pair[end]) === k ? 700 : 400);
    rowNames.forEach((el, k) => {
      setText(el, fit(drawnNames[k] ?? "", frame.left - 8, frame.numbered ? 12 : 11, true, drawnNames));
      heavy(el, k, "source");
    });
    const chosen = props.pair ? index(props.pair.secret) : -1;
    const step = frame.upright ? Math.ceil(PITCH / cw) : 1;
    columnNames.forEach((el, k) => {
      // Of narrow columns some names stand for their neighbours; the chosen one always stands.
      const stands = k === chosen || (k % step === 0 && Math.abs(k - chosen) >= step);
      el.style.display = stands ? "" : "none";
      setText(el, fit(drawnNames[k] ?? "", frame.upright ? frame.top - HEAD - 8 : cw - 6, frame.numbered ? 12 : 11, true, drawnNames));
      heavy(el, k, "secret");
    });
  }

  function ring(j: number, k: number, dashed: boolean): SVGElement[] {
    const { left, top, cw, ch, numbered } = frame;
    const wide = numbered ? 3 : 2;
    const box = { x: (left + k * cw).toFixed(1), y: top + j * ch, width: cw.toFixed(1), height: ch, fill: "none" };
    const inner = {
      x: (left + k * cw + 1.5).toFixed(1),
      y: top + j * ch + 1.5,
      width: Math.max(1, cw - 3).toFixed(1),
      height: Math.max(1, ch - 3),
      fill: "none",
    };
    return [
      s("rect", { ...inner, stroke: "var(--bg)", "stroke-width": wide * 1.7 }),
      s("rect", { ...box, rx: 2, stroke: "var(--brand)", "stroke-width": wide, "stroke-dasharray": dashed ? (numbered ? "5 3" : "3 2") : null }),
    ];
  }

  function drawRings(): void {
    const [j, k] = [index(props.pair?.source), index(props.pair?.secret)];
    if (ringed === `${j}/${k}`) return;
    ringed = `${j}/${k}`;
    rings.replaceChildren(...(j < 0 || k < 0 ? [] : [...ring(k, j, true), ...ring(j, k, false)]));
  }

  /** Thin, around the cell that is pointed at and its mirror: the two are read together. */
  function point(place: number | null): void {
    const { left, top, cw, ch, n } = frame;
    const [j, k] = place === null ? [0, 0] : [Math.floor(place / n), place % n];
    const thin = (row: number, column: number, dash: string | null): SVGElement =>
      s("rect", {
        x: (left + column * cw + 1).toFixed(1),
        y: top + row * ch + 1,
        width: Math.max(1, cw - 2).toFixed(1),
        height: Math.max(1, ch - 2),
        fill: "none",
        stroke: "var(--ink)",
        "stroke-width": 1.5,
        "stroke-dasharray": dash,
      });
    pointed.replaceChildren(...(j === k ? [] : [thin(k, j, "3 2"), thin(j, k, null)]));
  }

  function say(place: number | null): void {
    point(place);
    const { n } = frame;
    const chosen = props.pair ? index(props.pair.source) * n + index(props.pair.secret) : -1;
    const about = place ?? chosen;
    if (unsaid.delete(about)) sayCell(about);
    setText(readout, frame.numbered || !cells[about] ? "" : clip(spoken(about), 200));
  }

  function choose(j: number, k: number): void {
    const [source, secret] = [props.names[j], props.names[k]];
    if (props.disabled || j === k || source === undefined || secret === undefined) return;
    onChoose(source, secret);
  }

  function placeOf(event: Event): number | null {
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    return cell ? Number(cell.getAttribute("data-cell")) : null;
  }

  listen(svg as unknown as HTMLElement, "click", (event) => {
    const place = placeOf(event);
    if (place === null) return;
    at = [Math.floor(place / frame.n), place % frame.n];
    choose(...at);
    drawCells();
  });
  for (const type of ["pointerover", "focusin"] as const) listen(svg as unknown as HTMLElement, type, (event) => say(placeOf(event)));
  for (const type of ["pointerleave", "focusout"] as const) listen(svg as unknown as HTMLElement, type, () => say(null));
  listen(svg as unknown as HTMLElement, "keydown", (event) => {
    const place = placeOf(event);
    if (place === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { n } = frame;
    const [j, k] = [Math.floor(place / n), place % n];
    const to: Record<string, [number, number]> = {
      ArrowLeft: [j, k - 1],
      ArrowRight: [j, k + 1],
      ArrowUp: [j - 1, k],
      ArrowDown: [j + 1, k],
      Home: [j, 0],
      End: [j, n - 1],
      PageUp: [0, k],
      PageDown: [n - 1, k],
    };
    if (event.key === "Enter" || event.key === " ") choose(j, k);
    else {
      const next = to[event.key];
      if (!next) return;
      at = [Math.min(n - 1, Math.max(0, next[0])), Math.min(n - 1, Math.max(0, next[1]))];
      drawCells();
      cells[at[0] * n + at[1]]?.el.focus();
    }
    event.preventDefault();
  });

  function draw(): void {
    const whole = props.names.map((name) => nameOf(props.naming, name, 200));
    // Names that would be cut give up what all of them share.
    const names = whole.some((name) => textWidth(name, 12, true) > gutter(props.width)) ? distinctNames(whole) : whole;
    const key = JSON.stringify([names, props.width, props.output]);
    const focused = (el.getRootNode() as Document | ShadowRoot).activeElement?.closest?.("[data-cell]");
    if (key !== built) {
      built = key;
      frame = frameOf(names, props.width);
      drawnNames = names;
      full = props.names.map((name) => told(props.naming, name));
      at = [Math.min(at[0], Math.max(0, frame.n - 1)), Math.min(at[1], Math.max(0, frame.n - 1))];
      build();
      if (focused && el.contains(focused) === false) cells[at[0] * frame.n + at[1]]?.el.focus();
    }
    // Who comes by the keyboard lands on the chosen cell.
    const [j, k] = [index(props.pair?.source), index(props.pair?.secret)];
    if (!focused && j >= 0 && k >= 0) at = [j, k];
    drawCells();
    drawNames();
    drawRings();
    const bottom = frame.top + frame.n * frame.ch;
    const withTotals = frame.numbered && frame.n > 1;
    totals.replaceChildren(
      ...(withTotals
        ? drawTotals({
            ...frame,
            output: props.output,
            totals: props.shown?.totals ?? null,
            late: props.late,
            width: props.width,
            bottom,
          })
        : []),
    );
    const height = bottom + (withTotals ? TOTALS_HEIGHT : 4);
    setAttrs(svg, { width: props.width, height, viewBox: `0 0 ${props.width} ${height}` });
    readout.hidden = frame.numbered;
    const shownTotals = props.shown?.totals;
    legend.hidden = !withTotals || (!!shownTotals && !props.late && props.names.every((_, k) => sumError(shownTotals, k) === null));
    say(null);
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      if (quiet !== null) clearTimeout(quiet);
      el.remove();
    },
  };
}
