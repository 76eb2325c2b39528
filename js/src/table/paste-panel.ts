/** A place to paste counts or probabilities for the whole table. */
import { readBlock } from "../ui/block";
import { button, h, listen, setText } from "../ui/dom";
import { parseNumber } from "../ui/number-entry";
import { fromWeights } from "./editing";
import type { Layout } from "./pivot";

export interface PastePanel {
  readonly el: HTMLElement;
  open(): void;
  close(): void;
}

export type Weights = { ok: true; entries: Float64Array } | { ok: false; reason: string };

/** Lines are rows of the grid; tabs, semicolons or spaces part the cells. */
export function readWeights(text: string, layout: Layout): Weights {
  const { rowCount, columnCount } = layout;
  const rows = readBlock(text.trim())
    .map((cells) => (cells.length > 1 ? cells : (cells[0] ?? "").trim().split(/\s*;\s*|\s+/)))
    .filter((cells) => cells.some((cell) => cell.trim() !== ""));
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  if (rows.length !== rowCount || rows.some((cells) => cells.length !== columnCount)) {
    return {
      ok: false,
      reason: `The block has ${rows.length} × ${width} cells; the table as shown has ${rowCount} × ${columnCount} (rows × columns, without sums).`,
    };
  }
  const weights = new Float64Array(rowCount * columnCount);
  for (let r = 0; r < rowCount; r++) {
    for (let c = 0; c < columnCount; c++) {
      const parsed = parseNumber(rows[r]?.[c] ?? "");
      const where = `Row ${r + 1}, column ${c + 1}: `;
      if (!parsed.ok) return { ok: false, reason: where + parsed.reason };
      if (parsed.value < 0) return { ok: false, reason: `${where}${rows[r]?.[c]} is below 0. Counts are 0 or more.` };
      weights[layout.index(r, c)] = parsed.value;
    }
  }
  const edit = fromWeights(weights);
  return edit.ok ? edit : { ok: false, reason: `${edit.title} ${edit.text}` };
}

export function createPastePanel(layout: () => Layout, onSet: (entries: Float64Array) => void, onClose: () => void): PastePanel {
  const area = h("textarea", { class: "jt-paste-area", rows: 5, spellcheck: "false", "aria-label": "Counts or probabilities of all cells" });
  const note = h("p", { class: "small muted" });
  const problem = h("p", { class: "small jt-paste-bad", role: "status", "aria-live": "polite" });
  const set = button("Set table");
  const cancel = button("Cancel");
  const el = h(
    "div",
    { class: "jt-paste", role: "group", "aria-label": "Set from counts" },
    note,
    area,
    problem,
    h("div", { class: "jt-buttons" }, set, cancel),
  );
  el.hidden = true;

  function close(): void {
    if (el.hidden) return;
    el.hidden = true;
    onClose();
  }

  listen(set, "click", () => {
    const read = readWeights(area.value, layout());
    setText(problem, read.ok ? "" : read.reason);
    if (!read.ok) return;
    close();
    onSet(read.entries);
  });
  listen(cancel, "click", close);
  listen(el, "keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) set.click();
  });

  return {
    el,
    open() {
      const { rowCount, columnCount } = layout();
      setText(note, `Paste ${rowCount} × ${columnCount} counts or probabilities, laid out as the table. They are scaled to sum to 1.`);
      setText(problem, "");
      area.value = "";
      el.hidden = false;
      area.focus();
    },
    close,
  };
}
