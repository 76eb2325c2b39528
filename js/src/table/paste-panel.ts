/** A place to paste counts or probabilities for the whole table. */
import { button, h, listen, setText } from "../ui/dom";
import { readBlock } from "../ui/grid";
import type { Layout } from "./pivot";

export interface PastePanel {
  readonly el: HTMLElement;
  open(): void;
}

/** Lines are rows of the grid; tabs, semicolons or spaces part the cells. */
export function readTable(text: string): string[][] {
  const body = text.trim();
  return readBlock(body.includes("\t") ? body : body.replace(/[ ;]+/g, "\t"));
}

export function createPastePanel(layout: () => Layout, onSet: (block: string[][]) => void, onClose: () => void): PastePanel {
  const note = h("span");
  const area = h("textarea", { rows: 5, spellcheck: "false" });
  const set = button("Set table");
  const cancel = button("Cancel");
  const el = h("div", { class: "jt-paste" }, h("label", { class: "small muted" }, note, area), h("div", { class: "jt-buttons" }, set, cancel));
  el.hidden = true;

  function close(): void {
    el.hidden = true;
    onClose();
  }
  const take = (): void => {
    close();
    if (area.value.trim() !== "") onSet(readTable(area.value));
  };
  listen(set, "click", take);
  listen(cancel, "click", close);
  listen(el, "keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) take();
  });

  return {
    el,
    open() {
      const { rowCount, columnCount } = layout();
      setText(note, `Paste ${rowCount} × ${columnCount} counts or probabilities, laid out as the table. They are scaled to sum to 1.`);
      area.value = "";
      el.hidden = false;
      area.focus();
    },
  };
}
