/** Rows of symbols: squares for two states, bars at their places for more, and what is wrong underlined. */
import type { Brush } from "./brush";
import { SQUARES, stepX, stretches, type PlotLayout, type Span } from "./plot-layout";
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

/** A column of pixels for several steps: for two states the share of the second, for more the places they were at. */
function paintShares(brush: Brush, layout: PlotLayout, span: Span, record: StepRecord, states: number, begin: number, until: number, { top, symbols, truth }: SymbolRow): void {
  const parts = stretches(layout, span, begin + 1, until);
  const count = parts.length;
  const first = parts[0];
  const last = parts[count - 1];
  if (!first || !last) return;
  const rows = states <= SQUARES ? 1 : Math.min(states, Math.floor(layout.strip));
  const ink = brush.pixel(truth && states > SQUARES ? "ink" : "ink2");
  const mark = brush.pixel("ink");
  const wrong = new Float32Array(count);
  const width = last.x + last.width - first.x;
  brush.image(count, rows, first.x, top, width, layout.strip, (image) => {
    parts.forEach(({ from, to }, x) => {
      let [above, off] = [0, 0];
      for (let step = from; step <= to; step++) {
        const k = record.at(step);
        const symbol = symbols[k] as number;
        if (symbol === NOTHING) continue;
        if (rows > 1) image[Math.floor(((states - 1 - symbol) * rows) / states) * count + x] = ink;
        else if (symbol > 0) above += 1;
        if (truth && symbol !== truth[k]) off += 1;
      }
      const many = to - from + 1;
      if (above > 0) image[x] = faded(ink, above / many);
      wrong[x] = off / many;
    });
  });
  if (truth) brush.image(count, 1, first.x, top + layout.strip + 2, width, 2, (image) => wrong.forEach((share, x) => share > 0 && (image[x] = faded(mark, share))));
  if (states <= SQUARES) {
    const end = stepX(layout, span, until + 1);
    const start = stepX(layout, span, begin + 1);
    brush.line(start, top, end, top, "line2");
    brush.line(start, top + layout.strip, end, top + layout.strip, "line2");
  }
}

/** A pixel with a share of its opacity. */
function faded(pixel: number, share: number): number {
  return ((Math.round((pixel >>> 24) * share) << 24) | (pixel & 0xffffff)) >>> 0;
}
