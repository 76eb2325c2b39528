/** Where rows, columns and cells of the table of pairs stand, by the names and the width. */
import { textWidth } from "../ui/lettering";

/** More attributes than this have no room for numbers in the cells; without them there are no totals either. */
export const NUMBERED = 12;
export const HEAD = 20;
/** Names of columns or rows that stand closer than this would meet, px. */
export const PITCH = 12;

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

export function boxOf({ left, top, cw, ch, numbered }: Frame, j: number, k: number): Box {
  const gap = numbered ? 1 : 0.5;
  return { x: (left + k * cw + gap).toFixed(1), y: top + j * ch + gap, width: Math.max(1, cw - 2 * gap).toFixed(1), height: ch - 2 * gap };
}
