/** The mark of old results: a sign and a sentence that says what they belong to; all panels of results lose their colour. */
import { h, icon, INFO, setText } from "../ui/dom";
import { belongs } from "./words";

export interface Stale {
  el: HTMLElement;
  /** `stale`: what the results belong to instead of what stands in the controls; empty when they belong to that. */
  say(stale: string): void;
}

/** Panels that show results: the sheet takes their colour while those are old. */
export function results(...panels: HTMLElement[]): HTMLElement[] {
  for (const panel of panels) panel.classList.add("px-result");
  return panels;
}

export function createStale(): Stale {
  const words = h("span");
  const el = h("p", { class: "small px-stale" }, icon(INFO, 12), words);
  return {
    el,
    say(stale) {
      el.hidden = stale === "";
      setText(words, belongs(stale));
    },
  };
}
