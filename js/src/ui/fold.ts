import { h } from "./dom";

/** What few look at, behind its name. */
export function fold(name: string, ...parts: (Element | string)[]): HTMLElement {
  return h("details", { class: "px-fold" }, h("summary", {}, name), ...parts);
}
