/** Attributes of drawn elements: several at once, coordinates to a hundredth of a pixel. */
import { css, viridis } from "../ui/colours";
import { s, setAttr, type Attrs } from "../ui/dom";

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function set(el: Element, attrs: Attrs): void {
  for (const [name, value] of Object.entries(attrs)) setAttr(el, name, typeof value === "number" ? round(value) : value);
}

export function rect(el: Element, x: number, y: number, width: number, height: number): void {
  set(el, { x, y, width, height });
}

export function show(el: Element, shown: unknown): void {
  setAttr(el, "display", shown ? null : "none");
}

/** A boolean as ARIA writes it. */
export function yes(value: boolean): string {
  return value ? "true" : "false";
}

/** Colours of the scale from `x1` to `x2`, for what is filled or stroked by this name. */
export function gradient(id: string, x1: number, x2: number, dark: boolean): SVGElement {
  const stops = Array.from({ length: 17 }, (_, k) => s("stop", { offset: k / 16, "stop-color": css(viridis(k / 16, dark)) }));
  return s("defs", {}, s("linearGradient", { id, gradientUnits: "userSpaceOnUse", y1: 0, y2: 0, x1: round(x1), x2: round(x2) }, ...stops));
}

/** An upright line, where it is seen. */
export function upright(look: string, x: number, y1: number, y2: number, seen: boolean): SVGElement {
  return s("line", { class: look, y1, y2, display: seen ? null : "none", x1: round(x), x2: round(x) });
}
