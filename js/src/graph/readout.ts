/** What stands beside the pointer: one adversary in words. Labels say the same to screen readers. */
import { h, setText } from "../ui/dom";
import type { Words } from "./words";

export interface Readout {
  readonly el: HTMLElement;
  /** Beside the anchor, inside the frame (both live elements); null hides it. */
  show(words: Words | null, anchor: Element | null, frame: HTMLElement): void;
}

export function createReadout(): Readout {
  const who = h("div");
  const value = h("div");
  const paper = h("div", { class: "muted" });
  const el = h("div", { class: "lg-readout", "aria-hidden": "true" }, who, value, paper);
  el.hidden = true;
  return {
    el,
    show(words, anchor, frame) {
      if (!words || !anchor) {
        el.hidden = true;
        return;
      }
      setText(who, words.who);
      setText(value, words.value);
      value.classList.toggle("over", words.over);
      setText(paper, words.paper);
      el.hidden = false;
      const outer = frame.getBoundingClientRect();
      const box = anchor.getBoundingClientRect();
      const width = el.offsetWidth;
      const height = el.offsetHeight;
      // Beside the anchor: above and below it stand the increments of its edges.
      const right = box.right - outer.left + 12;
      const before = box.left - outer.left - width - 12;
      const left = right + width <= outer.width ? right : Math.max(0, before);
      const top = Math.max(0, box.top + box.height / 2 - outer.top - height / 2);
      el.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    },
  };
}
