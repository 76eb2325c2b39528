/** Rows of symbols: squares for two states, bars at their places for more, and what is wrong underlined. */
import type { Brush } from "./brush";
import { SQUARES, stepX, type PlotLayout, type Span } from "./plot-layout";
import { NOTHING, type StepRecord } from "./step-record";

export interface SymbolRow {
  top: number;
  symbols: Uint16Array;
  /** What they should be; null for the true ones. */
  truth: Uint16Array | null;
}

export function paintSymbols(
  brush: Brush,
  layout: PlotLayout,
  span: Span,
  record: StepRecord,
  states: number,
  until: number,
  { top, symbols, truth }: SymbolRow,
): void {
  const width = (layout.right - layout.left) / span.places;
  const begin = Math.max(span.first, record.first);
  const size = Math.max(2, Math.min(8, width - 1.5));
  const place = layout.strip / states;
  const tall = Math.max(2, place - 1);
  const left = (step: number): number => stepX(layout, span, step) + (width - size) / 2;
  /** Calls back with the steps whose symbol is there. */
  const each = (visit: (x: number, symbol: number, right: number) => void): void => {
    for (let step = begin + 1; step <= until; step++) {
      const k = record.at(step);
      const symbol = symbols[k] as number;
      if (symbol !== NOTHING) visit(left(step), symbol, truth ? (truth[k] as number) : symbol);
    }
  };
  if (states <= SQUARES) {
    brush.rects("ink2", 1, (add) => each((x, symbol) => symbol > 0 && add(x, top, size, layout.strip)));
    // Where a square has no inside, a bar at its foot stands for an empty one.
    if (size < 4) brush.rects("ink2", 1, (add) => each((x, symbol) => symbol === 0 && add(x, top + layout.strip - 2, size, 2)));
    else {
      const context = brush.pen("ink2", 1);
      each((x, symbol) => symbol === 0 && context.rect(x + 0.5, top + 0.5, size - 1, layout.strip - 1));
      context.stroke();
    }
  } else {
    if (truth) brush.rects("ink2", 0.35, (add) => each((x, symbol, right) => symbol !== right && add(x, placeOf(layout, top, states, right), size, tall)));
    brush.rects(truth ? "ink" : "ink2", 1, (add) => each((x, symbol) => add(x, placeOf(layout, top, states, symbol), size, tall)));
  }
  if (truth) brush.rects("ink", 1, (add) => each((x, symbol, right) => symbol !== right && add(x, top + layout.strip + 2, size, 2)));
}

/** The first state lies lowest, as on an axis. */
function placeOf({ strip }: PlotLayout, top: number, states: number, symbol: number): number {
  return top + ((states - 1 - symbol) * (strip - Math.max(0, 2 - strip / states))) / states;
}
