/** Line icons on a 16 px grid, drawn in the colour of the text beside them. A module carries those it uses. */
import { s } from "./dom";

export const UNDO = "M5 3L2.5 5.5 5 8M3 5.5h6a3.5 3.5 0 010 7H6";
export const REDO = "M11 3l2.5 2.5L11 8M13 5.5H7a3.5 3.5 0 000 7h3";
export const LOCK = "M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 015 0v2";
export const CHECK = "M3 8.5l3.5 3.5L13 4.5";
export const SWAP = "M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13";
export const DOWN = "M4 6l4 4 4-4";
export const PICTURE = "M2.5 3.5h11v9h-11zM2.5 11l3.5-3.5 2.5 2.5 2-2 3 3M10.5 6.2v.1";
export const INFO = "M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5v3.5M8 5v.1";
export const TARGET = "M8 13A5 5 0 108 3a5 5 0 000 10zM8 9.2A1.2 1.2 0 108 6.8a1.2 1.2 0 000 2.4z";
export const BOX = "M4 4h8v8H4z";
export const BOX_CHECKED = "M4 4h8v8H4zM5.5 8l2 2 3-4";
export const WARN = "M8 2.5l6 11H2zM8 6.5v3.5M8 12v.1";
export const PLUG = "M6 2.5v3M10 2.5v3M4.5 5.5h7v2a3.5 3.5 0 01-7 0zM8 11v3";
export const MORE = "M3 8h.1M8 8h.1M13 8h.1";

/** Decoration only: the control around it carries the name. */
export function icon(path: string, size = 16): SVGSVGElement {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", style: size === 16 ? null : `width:${size}px;height:${size}px`, "aria-hidden": "true" },
    s("path", { d: path }),
  );
}
