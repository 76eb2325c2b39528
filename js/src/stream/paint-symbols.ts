/** Rows of symbols: squares for two states, bars at their places for more, and what is wrong underlined. */
import type { Brush } from "./brush";
import { SQUARES, stepX, type PlotLayout, type Span } from "./plot-layout";
import { NOTHING, type StepRecord } from "./step-record";

/** Narrower than this a step has no square of its own: columns of pixels show shares instead. */
const LEAST = 3;

export interface SymbolRow {
  top: number;
  symbols: Uint16Array;
  /** What they should be; null for the true ones. */
  truth: Uint16Array | null;
}

export function paintSymbols(brush: Brush, layout: PlotLayout, span: Span, record: StepRecord, states: number, until: number, { top, symbols, truth }: SymbolRow): void {
  const width = (layout.right - layout.left) / span.places;
  const begin = Math.max(span.first, record.first);
  if (width < LEAST) return paintShares(brush, layout, span, record, states, begin, until, { top, symbols, truth });
  const size = Math.min(8, width - 1.5);
  const { context } = brush;
  for (let step = begin + 1; step <= until; step++) {
    const k = record.at(step);
    const symbol = symbols[k] as number;
    if (symbol === NOTHING) continue;
    const x = stepX(layout, span, step) + (width - size) / 2;
    if (states <= SQUARES) {
      if (symbol > 0) brush.rect(x, top, size, size, "ink2");
      else {
        context.strokeStyle = brush.colour("ink2");
        context.lineWidth = 1;
        context.setLineDash([]);
        context.strokeRect(x + 0.5, top + 0.5, size - 1, size - 1);
      }
    } else {
      const place = layout.strip / states;
      if (truth && symbol !== truth[k]) brush.rect(x, placeOf(layout, top, states, truth[k] as number), size, Math.max(2, place - 1), "ink2", 0.35);
      brush.rect(x, placeOf(layout, top, states, symbol), size, Math.max(2, place - 1), truth ? "ink" : "ink2");
    }
    if (truth && symbol !== truth[k]) brush.rect(x, top + layout.strip + 2, size, 2, "ink");
  }
}

/** The first state lies lowest, as on an axis. */
function placeOf({ strip }: PlotLayout, top: number, states: number, symbol: number): number {
  return top + ((states - 1 - symbol) * (strip - Math.max(0, 2 - strip / states))) / states;
}

/** A column of pixels for several steps: for two states the share of the second, for more the places they were at. */
function paintShares(brush: Brush, layout: PlotLayout, span: Span, record: StepRecord, states: number, begin: number, until: number, { top, symbols, truth }: SymbolRow): void {
  const pixels = Math.floor(layout.right - layout.left);
  const perPixel = span.places / pixels;
  const columns = Math.max(1, Math.ceil(1 / perPixel));
  for (let x = 0; x < pixels; x += columns) {
    const from = Math.max(begin + 1, span.first + Math.floor(x * perPixel) + 1);
    const to = Math.min(until, Math.max(from, span.first + Math.floor((x + columns) * perPixel)));
    if (from > until || to < from) continue;
    let high = 0;
    let wrong = 0;
    for (let step = from; step <= to; step++) {
      const k = record.at(step);
      const symbol = symbols[k] as number;
      if (symbol === NOTHING) continue;
      if (states > SQUARES) brush.rect(layout.left + x, placeOf(layout, top, states, symbol), columns, Math.max(1.5, layout.strip / states - 1), truth ? "ink" : "ink2", 0.8);
      else if (symbol > 0) high += 1;
      if (truth && symbol !== truth[k]) wrong += 1;
    }
    const many = to - from + 1;
    if (states <= SQUARES && high > 0) brush.rect(layout.left + x, top, columns, layout.strip, "ink2", high / many);
    if (wrong > 0) brush.rect(layout.left + x, top + layout.strip + 2, columns, 2, "ink", wrong / many);
  }
  if (states <= SQUARES) {
    const end = stepX(layout, span, until + 1);
    const start = stepX(layout, span, begin + 1);
    brush.line(start, top, end, top, "line2");
    brush.line(start, top + layout.strip, end, top + layout.strip, "line2");
  }
}
