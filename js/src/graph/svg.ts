/** Attributes of drawn elements: several at once, coordinates to a hundredth of a pixel. */
import { setAttr, type Attrs } from "../ui/dom";

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
