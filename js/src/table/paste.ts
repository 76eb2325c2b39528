/** A pasted block becomes one edit of the table, or the whole table. */
import { button, h, listen, setText } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { readBlock } from "../ui/grid";
import { fromWeights, isProbability, readProbability, setCells, total, type Drafts, type Edit, type Entry } from "./editing";
import type { Layout } from "./pivot";

// A pasted block becomes one edit of the table.

export interface PasteTarget {
  row: number;
  column: number;
  layout: Layout;
}

export interface PasteState {
  entries: Float64Array;
  locks: Uint8Array;
  keepSum: boolean;
}

/** Digits in groups of three: thousands where the others are whole, a decimal comma elsewhere. */
const GROUPED = /^\s*[1-9]\d{0,2},\d{3}\s*$/;
const WHOLE = /^\s*\d+\s*$/;

/** A cell that may be a thousand times what it is read as, among whole numbers; null where none is. */
function doubtful(block: readonly (readonly string[])[]): string | null {
  const cells = block.flat().filter((text) => text.trim() !== "");
  const grouped = cells.find((text) => GROUPED.test(text));
  return grouped !== undefined && cells.every((text) => WHOLE.test(text) || GROUPED.test(text)) ? grouped.trim() : null;
}

/** A block without the line of headings above it and the column of them at its left. */
export function withoutHeadings(block: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const corner = (block[0]?.[0] ?? "0").trim() === "" && block.length > 1 && (block[0] as string[]).length > 1;
  const isHeading = (text: string | undefined): boolean => text === undefined || !/\d/.test(text) || Number.isNaN(readProbability(text).value);
  const above = corner || (block.length > 1 && block[0]?.every(isHeading));
  const rows = above ? block.slice(1) : block;
  const left = corner || rows.every((cells) => cells.length > 1 && isHeading(cells[0]));
  // Headings alone are no table: what they are is said cell by cell.
  const body = left ? rows.map((cells) => cells.slice(1)) : rows;
  return body.flat().every(isHeading) ? block : body;
}

export type Pasted = { ok: true; entries: Float64Array; remark?: string } | Extract<Edit, { ok: false }>;

/** Headings of a block are left out; what can be read in two ways is asked about. */
export function pasteBlock(whole: readonly (readonly string[])[], target: PasteTarget, state: PasteState, drafts: Drafts): Pasted {
  const block = withoutHeadings(whole);
  const two = doubtful(block);
  if (two !== null) {
    const text = `Write ${two.replace(",", "")} for thousands, or ${two.replace(",", ".")}.`;
    return { ok: false, title: `"${two}" can be read in two ways.`, text };
  }
  const pasted = pasteNumbers(block, target, state, drafts);
  if (!pasted.ok || block === whole) return pasted;
  return { ...pasted, remark: ["Headings were left out.", pasted.remark].filter((part) => part).join(" ") };
}

/**
 * Good blocks keep the sum at 1 like a typed cell. A block over all unlocked cells leaves none to
 * rescale: it is read as weights and scaled itself, so that counts can be pasted. Cells that hold no
 * probability are kept as typed and marked, and nothing is rescaled until they are corrected.
 */
function pasteNumbers(block: readonly (readonly string[])[], target: PasteTarget, state: PasteState, drafts: Drafts): Pasted {
  const { layout, row, column } = target;
  const { entries, locks, keepSum } = state;
  const height = block.length;
  const width = Math.max(...block.map((cells) => cells.length));
  const short = block.findIndex((cells) => cells.length < width);
  if (short >= 0) {
    return {
      ok: false,
      title: "The pasted lines differ in length.",
      text: `Line ${short + 1} has fewer than ${width} cells.`,
    };
  }
  if (row + height > layout.rowCount || column + width > layout.columnCount) {
    return {
      ok: false,
      title: `The pasted block has ${count(height, "row")} × ${count(width, "column")}.`,
      text: `There is room for ${count(layout.rowCount - row, "row")} × ${count(layout.columnCount - column, "column")} here; leave out headings and sums.`,
    };
  }
  const typed = new Map<number, { text: string; entry: Entry }>();
  for (let r = 0; r < height; r++) {
    block[r]?.forEach((text, c) => {
      const k = layout.index(row + r, column + c);
      typed.set(k, { text, entry: readProbability(text) });
    });
  }
  for (const [k, { entry }] of typed) {
    if (locks[k] && !Object.is(entry.value, entries[k])) {
      return { ok: false, title: "The block covers a locked cell.", text: "Unlock it or paste elsewhere." };
    }
  }
  const coversAll = entries.every((_, k) => locks[k] || typed.has(k));
  const weights = [...typed.values()].map(({ entry }) => entry.value);
  if (keepSum && coversAll && weights.every((w) => w >= 0 && Number.isFinite(w)) && !locks.some((lock) => lock)) {
    const values = entries.map((_, k) => typed.get(k)?.entry.value as number);
    const sum = total(values);
    if (Math.abs(sum - 1) <= 1e-12) return { ok: true, entries: values };
    const scaled = fromWeights(values);
    if (!scaled.ok) return scaled;
    return {
      ...scaled,
      remark:
        "The pasted cells summed to " +
        `${sum === Infinity ? "more than 1.7e308" : fixed(sum, Number.isInteger(sum) ? 0 : 6).replace(/(\.\d*?)0+$/, "$1")} ` +
        "and were scaled to sum to 1.",
    };
  }
  for (const [k, { text, entry }] of typed) drafts.keep(k, text, entry);
  const values = new Map([...typed].map(([k, { entry }]) => [k, entry.value]));
  const sound = weights.every(isProbability) && entries.every((p, k) => typed.has(k) || isProbability(p));
  if (keepSum && sound) return setCells(entries, values, locks);
  return { ok: true, entries: entries.map((p, k) => values.get(k) ?? p) };
}

// A place to paste counts or probabilities for the whole table.

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
