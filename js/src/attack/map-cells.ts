/** The cells of a map as few paths: those of one shade are one path, so that a drag redraws some dozens of elements. */
import { css, viridis } from "../ui/colours";
import { s } from "../ui/dom";
import type { MapFrame } from "./map-frame";

/** Shades of the scale; finer ones are not told apart. */
const SHADES = 40;

/** Ends of the scale. */
const TOPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** Where the colours of all maps end: the least round end that is not below the largest probability. */
export function scaleEnd(beliefs: readonly ArrayLike<number>[]): number {
  let most = 0;
  for (const belief of beliefs) for (let k = 0; k < belief.length; k++) if ((belief[k] as number) > most) most = belief[k] as number;
  return TOPS.find((end) => most <= end * (1 + 1e-9)) ?? 1;
}

/** The place of a probability on the square-root scale, 0 to 1. */
export function onScale(probability: number, end: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, probability / end)));
}

export function shade(share: number, dark: boolean): string {
  return css(viridis(share, dark));
}

/** A cell without prior stays blank. */
export function drawCells(belief: ArrayLike<number>, prior: ArrayLike<number>, frame: MapFrame, end: number, dark: boolean): SVGElement[] {
  const [w, h] = [frame.cellWidth - 1, frame.cellHeight - 1];
  const paths = new Map<number, string>();
  let bars = "";
  for (let cell = 0; cell < prior.length; cell++) {
    if (!((prior[cell] as number) > 0)) continue;
    const { x, y } = frame.cell(cell);
    const share = onScale(belief[cell] as number, end);
    const step = Math.round(share * SHADES);
    const at = `M${(x + 0.5).toFixed(1)} ${(y + 0.5).toFixed(1)}`;
    paths.set(step, `${paths.get(step) ?? ""}${at}h${w.toFixed(1)}v${h.toFixed(1)}h-${w.toFixed(1)}z`);
    if (share > 0.02) bars += `M${(x + 1.5).toFixed(1)} ${(y + frame.cellHeight - 2.5).toFixed(1)}h${(share * (w - 2)).toFixed(1)}`;
  }
  const cells = [...paths].sort(([a], [b]) => a - b).map(([step, d]) => s("path", { class: "ax-cells", d, fill: shade(step / SHADES, dark) }));
  // Where colours are the reader's own, amount is the length of a bar.
  return [...cells, s("path", { class: "ax-cell-bars", d: bars, fill: "none" })];
}
