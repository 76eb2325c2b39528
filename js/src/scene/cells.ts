/** A declared table of cells as one drawing: a colour for every number, the number itself where it has room. */
import { signedColour } from "../matrix/words";
import { axisText, keyAnchor, keyTicks } from "../ui/axes";
import { css, inkOn, magnitude, type Rgb } from "../ui/colours";
import { s, text } from "../ui/dom";
import { number } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { NAME_LINE, namesAlong, WIDER, wrapped, type Along } from "./axis";
import { cellText, read, type Cells } from "./declared";

/** The widest cell, the height of one with a number, and the largest without, px. */
const [WIDEST, ROW, BARE] = [72, 24, 20];
/** All rows together, px, where cells have no numbers. */
const TALLEST = 600;
/** The least height of a row that has its name beside it, px. */
const NAMED = 13;
/** More cells are read from the table. */
const MOST_READ = 2000;
/** How far the name of a column leans to the right, px. */
const LEAN = 70;
/** Colours of one drawing, and the pieces of its key. */
const SHADES = 48;
const LINE = 15;
/** The key, px. */
const [KEY, BAND] = [260, 8];

const END = { "text-anchor": "end" };

interface Layout {
  heads: number;
  cell: number;
  row: number;
  texts: string[][] | null;
  columns: Along;
}

/** Cells drawn in `width` px. */
export function cells(declared: Cells, width: number): SVGSVGElement {
  const layout = laidOut(declared, width);
  const { heads, cell, row, columns } = layout;
  const g = s("g", {});
  let y = 0;
  if (declared.across) g.append(axisText(heads, (y += LINE) - 4, fit(declared.across, (width - heads) / WIDER)));
  y += columns.height + 6;
  if (declared.down) g.append(axisText(heads - 6, y - 5, fit(declared.down, (heads - 6) / WIDER), END));
  headsOf(declared, layout, y).forEach((name) => g.append(name));
  const scale = scaleOf(declared);
  g.append(...coloured(declared, layout, y, scale));
  y += declared.rows.length * row;
  g.append(s("path", { d: `M${heads.toFixed(1)} ${y.toFixed(1)}h${(cell * declared.columns.length).toFixed(1)}`, stroke: "var(--line2)" }));
  if (declared.key || !layout.texts) y = key(g, declared, scale, heads, y + 14, Math.min(KEY, width - heads));
  const height = y + 4;
  const size = { viewBox: `0 0 ${width} ${height.toFixed(1)}`, width, height: height.toFixed(1) };
  return s("svg", { ...size, role: "img", "aria-label": declared.title, "data-drawing": "cells" }, g);
}

function laidOut(declared: Cells, width: number): Layout {
  const [n, m] = [Math.max(1, declared.columns.length), Math.max(1, declared.rows.length)];
  const longest = Math.max(textWidth(declared.down ?? ""), ...declared.rows.map((name) => textWidth(name)));
  const heads = Math.min(longest * WIDER + 10, 0.4 * width);
  const all = m * n <= MOST_READ ? declared.rows.map((_, i) => declared.columns.map((__, k) => cellText(declared, i, k))) : null;
  const needed = Math.max(0, ...(all ?? []).flat().map((one) => textWidth(one))) * WIDER + 6;
  const room = (width - heads) / n;
  let cell = Math.min(room, all && needed <= room ? Math.max(WIDEST, needed) : BARE);
  let columns = namesAlong(declared.columns, cell, () => LEAN);
  if (columns.slanted) {
    // The last name leans out of the table.
    const lean = Math.max(...columns.texts.map(([name = ""], k) => textWidth(name) * WIDER * Math.SQRT1_2 - (n - k - 0.5) * cell));
    cell = Math.min(cell, (width - heads - Math.max(0, lean)) / n);
    columns = namesAlong(declared.columns, cell, () => LEAN);
  }
  if (all && needed <= cell) return { heads, cell, row: ROW, texts: all, columns };
  const named = Math.max(Math.min(BARE, cell), m * NAMED <= TALLEST ? NAMED : 0);
  return { heads, cell: Math.min(BARE, cell), row: Math.min(named, TALLEST / m), texts: null, columns };
}

/** Names above columns and beside rows; where rows are low, every some. */
function headsOf(declared: Cells, { heads, cell, row, columns }: Layout, top: number): SVGElement[] {
  const out: SVGElement[] = [];
  columns.texts.forEach((lines, k) => {
    if (k % columns.every !== 0) return;
    const x = heads + (k + 0.5) * cell;
    const place = columns.slanted ? { transform: `rotate(-45 ${x.toFixed(1)} ${(top - 4).toFixed(1)})` } : { "text-anchor": "middle" };
    lines.forEach((line, n) => out.push(text(x, top - 5 - NAME_LINE * (lines.length - 1 - n), line, place)));
  });
  const every = Math.max(1, Math.ceil(NAMED / row));
  const shown = declared.rows.filter((_, k) => k % every === 0);
  shown.forEach((name, k) => out.push(text(heads - 6, top + (k * every + 0.5) * row + 4, fit(name, (heads - 8) / WIDER, 11, false, shown), END)));
  return out;
}

interface Scale {
  low: number;
  high: number;
  colour(share: number): Rgb;
  share(value: number): number;
}

/** Colours from 0, or from the least value where that is below, to the strongest; of signed values as far to both sides. */
function scaleOf({ values, top, signed }: Cells): Scale {
  let [low, high] = [0, 0];
  for (const row of values) {
    for (const given of row) {
      const value = read(given);
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const said = read(top);
  if (signed) high = Math.max(high, -low);
  if (Number.isFinite(said) && said > 0) high = said;
  if (signed) low = -high;
  if (!(high > low)) high = low + 1;
  // Halves, so that the range of the largest numbers is one.
  const share = (value: number): number => Math.max(0, Math.min(1, (value / 2 - low / 2) / (high / 2 - low / 2)));
  return { low, high, share, colour: (at) => (signed ? signedColour(2 * at - 1, false) : magnitude(at, false)) };
}

/** The cells, those of one colour as one path, and their texts above. */
function coloured(declared: Cells, { heads, cell, row, texts }: Layout, top: number, scale: Scale): SVGElement[] {
  const gap = Math.min(1, cell / 10, row / 10);
  const shades = Array.from({ length: SHADES + 1 }, (_, k) => scale.colour(k / SHADES));
  const fills = shades.map(css);
  const paths = new Map<string, string>();
  const words: SVGElement[] = [];
  let below = "";
  declared.values.forEach((list, i) => {
    list.forEach((given, k) => {
      const value = read(given);
      const [x, y] = [heads + k * cell, top + i * row];
      // The smallest numbers have no halves.
      const shade = Math.round(scale.share(value) * SHADES) || 0;
      const none = Number.isNaN(value);
      if (!none) {
        const d = `M${x.toFixed(1)} ${y.toFixed(1)}h${(cell - gap).toFixed(1)}v${(row - gap).toFixed(1)}h${(gap - cell).toFixed(1)}z`;
        const fill = fills[shade] as string;
        paths.set(fill, (paths.get(fill) ?? "") + d);
      }
      const content = texts?.[i]?.[k];
      if (content) {
        const ink = { "text-anchor": "middle", style: `fill:${none ? "var(--ink2)" : inkOn(shades[shade] as Rgb)}` };
        words.push(text(x + cell / 2, y + row / 2 + 4, fit(content, cell), ink));
      } else if (!texts && declared.signed && value < 0 && cell > 5) {
        // Told apart in grey too.
        below += `M${(x + 0.3 * cell).toFixed(1)} ${(y + row / 2).toFixed(1)}h${(0.4 * cell).toFixed(1)}`;
      }
    });
  });
  const out: SVGElement[] = [...paths].map(([fill, d]) => s("path", { d, fill }));
  if (below) out.push(s("path", { d: below, fill: "none", stroke: "#000", "stroke-width": 1 }));
  return [...out, ...words];
}

/** What colours mean: a band with its ends; returns where it ends. */
function key(into: SVGElement, { key: meaning = "", signed }: Cells, scale: Scale, left: number, top: number, width: number): number {
  let y = top;
  for (const line of wrapped(meaning, width)) into.append(axisText(left, (y += LINE) - 5, line));
  const wide = width / SHADES;
  for (let k = 0; k < SHADES; k++) {
    into.append(s("rect", { x: left + k * wide, y, width: wide + 0.3, height: BAND, fill: css(scale.colour((k + 0.5) / SHADES)) }));
  }
  into.append(s("rect", { x: left, y, width, height: BAND, fill: "none", stroke: "var(--line2)", "stroke-width": 0.5 }));
  // Below 0 colours start where no reader expects it: the key says both ends.
  const middle = signed ? 0 : scale.low / 2 + scale.high / 2;
  for (const value of scale.low < 0 ? [scale.low, middle, scale.high] : keyTicks(scale.low, scale.high)) {
    const x = left + scale.share(value) * width;
    into.append(axisText(x, y + BAND + 13, number(value, 4), { "text-anchor": keyAnchor(x, left, left + width) }));
  }
  return y + BAND + 18;
}

