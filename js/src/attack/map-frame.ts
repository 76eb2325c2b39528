/** Where things stand on a map: places of the unit square in px, cells, and the bar of kilometres. */
import { polyline } from "../ui/axes";

/** A map of one city; x grows to the east, y to the south, px. */
export interface MapFrame {
  width: number;
  height: number;
  grid: number;
  /** px of a place in the unit square. */
  x(east: number): number;
  y(north: number): number;
  /** Left and top of a cell, and its size. */
  cell(cell: number): { x: number; y: number };
  cellWidth: number;
  cellHeight: number;
}

/** A map is drawn true to scale between these shapes, height by width. */
const FLATTEST = 0.4;
const TALLEST = 1.3;

export function mapFrame(room: number, [east, north]: readonly [number, number], grid: number): MapFrame {
  const shape = east > 0 && north > 0 ? north / east : 1;
  const ratio = Math.max(FLATTEST, shape);
  const height = Math.round(room * Math.min(TALLEST, ratio));
  const width = Math.round(Math.min(room, Math.max(height / ratio, room * FLATTEST)));
  const cellWidth = width / grid;
  const cellHeight = height / grid;
  return {
    width,
    height,
    grid,
    cellWidth,
    cellHeight,
    x: (place) => place * width,
    y: (place) => (1 - place) * height,
    cell: (cell) => ({ x: (cell % grid) * cellWidth, y: (grid - 1 - Math.floor(cell / grid)) * cellHeight }),
  };
}

/** The cell under a point of the map, or null outside. */
export function cellAt(frame: MapFrame, px: number, py: number): number | null {
  const column = Math.floor(px / frame.cellWidth);
  const row = Math.floor(py / frame.cellHeight);
  const { grid } = frame;
  return column < 0 || row < 0 || column >= grid || row >= grid ? null : (grid - 1 - row) * grid + column;
}

/** The middle of a cell, px. */
export function middle(frame: MapFrame, cell: number): { x: number; y: number } {
  const { x, y } = frame.cell(cell);
  return { x: x + frame.cellWidth / 2, y: y + frame.cellHeight / 2 };
}

/** A round length in kilometres that takes about a quarter of a side. */
export function scaleBar(side: number, room: number): { length: number; text: string } {
  // Where all are at one place there is no length to show.
  if (!(side > 0)) return { length: 0, text: "0 m" };
  const wanted = side * 0.3;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const kilometres = ([5, 2, 1].find((step) => step * power <= wanted * (1 + 1e-9)) ?? 1) * power;
  const text = kilometres >= 1 ? `${kilometres.toLocaleString("en")} km` : `${Math.round(kilometres * 1000)} m`;
  return { length: (kilometres / side) * room, text };
}

/** The key a cursor is walked by: the next cell, or null. */
export function walk(cell: number, key: string, grid: number): number | null {
  const [column, row] = [cell % grid, Math.floor(cell / grid)];
  if (key === "ArrowRight") return row * grid + Math.min(grid - 1, column + 1);
  if (key === "ArrowLeft") return row * grid + Math.max(0, column - 1);
  if (key === "ArrowUp") return Math.min(grid - 1, row + 1) * grid + column;
  if (key === "ArrowDown") return Math.max(0, row - 1) * grid + column;
  if (key === "Home") return row * grid;
  if (key === "End") return row * grid + grid - 1;
  if (key === "PageUp") return (grid - 1) * grid + column;
  if (key === "PageDown") return column;
  return null;
}

/** A straight piece as a path. */
export const straight = (x1: number, y1: number, x2: number, y2: number): string => polyline([[x1, y1], [x2, y2]]);
