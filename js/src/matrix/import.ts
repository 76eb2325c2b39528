/** A matrix from the clipboard: numbers alone, or with names in the first line and at the left of each line. */
import { button, h, listen, type Component } from "../ui/dom";
import { count } from "../ui/format";
import { createLine } from "../ui/lines";
import { asymmetry, mirrored, notSymmetric, readNumber, type Refusal } from "./editing";

export type Imported = { ok: true; names: string[] | null; cov: Float64Array } | ({ ok: false } & Refusal);

const ACCEPTED =
  "Paste a square block of numbers, one line a row, parted by tabs, spaces, commas or semicolons; or a list " +
    "such as [[1, 0.2], [0.2, 1]]. Names may stand in the first line and at the left.";

/** The code of a list or an array: rows in brackets of their own, perhaps in a call. */
const CODE = /^\s*(?:[\w.]+\s*)?\(*\s*[[(]\s*[[(]/;

/** A list of lists, one line a row; other text as it is. */
function unlisted(text: string): string {
  const plain = text.replace(/\r\n?/g, "\n");
  if (!CODE.test(plain)) return plain.replace(/[[\]]/g, " ");
  const rows = plain.replace(CODE, "").replace(/,?\s*dtype\s*=[^)]*/, "");
  return rows
    .split(/[\])]\s*,?\s*[[(]/)
    .map((row) => row.replace(/[[\]()]/g, " ").replace(/\s+/g, " ").replace(/[\s,;]+$/, "").trim())
    .join("\n");
}

/** Tabs, semicolons, commas or spaces part the cells, in this order. */
function cellsOf(text: string): string[][] {
  const body = unlisted(text);
  const part = body.includes("\t") ? /\t/ : body.includes(";") ? /;/ : partedByCommas(body) ? /,/ : /\s+/;
  return body
    .split("\n")
    .map((line) => line.replace(part.source === "," ? /,\s*$/ : /$^/, ""))
    .filter((line) => line.trim() !== "")
    .map((line) => (part.source === "\\t" ? line : line.trim()).split(part).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1")));
}

/** A comma parts cells, and is no decimal sign, where a blank follows it or where that makes a square. */
function partedByCommas(body: string): boolean {
  if (/,[^\S\n]+\S/.test(body)) return true;
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  const cells = lines.map((line) => line.split(",").length);
  const [first = 0] = cells;
  return first > 1 && cells.every((n) => n === first) && [lines.length, lines.length - 1].includes(first);
}

const isName = (cell: string | undefined): boolean => cell !== undefined && cell !== "" && Number.isNaN(readNumber(cell).value);

export function readMatrix(text: string): Imported {
  return fromBlock(cellsOf(text));
}

export function fromBlock(block: readonly (readonly string[])[]): Imported {
  if (!block.flat().some((cell) => Number.isFinite(readNumber(cell).value))) {
    return { ok: false, title: "There are no numbers in what was pasted.", text: ACCEPTED };
  }
  let rows = block.map((row) => [...row]);
  let names: string[] | null = null;
  if (rows.length > 1 && (rows[0] as string[]).slice(1).some(isName)) names = rows.shift() as string[];
  if (rows.length > 0 && rows.every((row) => isName(row[0]))) {
    const left = rows.map((row) => row[0] as string);
    rows = rows.map((row) => row.slice(1));
    if (names && names.length > left.length) names = names.slice(1);
    names ??= left;
  }
  const n = rows.length;
  const odd = rows.findIndex((row) => row.length !== n);
  if (n === 0 || odd >= 0 || (names && names.length !== n)) {
    const width = odd >= 0 ? (rows[odd] as string[]).length : (names?.length ?? 0);
    const size = `What was pasted has ${count(n, "line")}; line ${Math.max(0, odd) + 1} has ${count(width, "number")}.`;
    return { ok: false, title: "A covariance matrix is square.", text: `${size} ${ACCEPTED}` };
  }
  const places = names ?? Array.from({ length: n }, (_, k) => `row ${k + 1}`);
  const texts = rows.flat();
  for (const [k, cell] of texts.entries()) {
    const { reason } = readNumber(cell);
    if (reason) return { ok: false, title: `Line ${Math.floor(k / n) + 1}, column ${(k % n) + 1}:`, text: reason };
  }
  const cov = Float64Array.from(texts, (cell) => readNumber(cell).value);
  const differs = asymmetry(cov, n);
  if (differs) {
    const [i, j] = differs;
    const columns = names ?? Array.from({ length: n }, (_, k) => `column ${k + 1}`);
    const words = notSymmetric(places, i, j, texts[i * n + j] as string, texts[j * n + i] as string);
    return {
      ok: false,
      ...words,
      title: names
        ? words.title
        : `Row ${i + 1}, ${columns[j]} and its mirror differ: ${texts[i * n + j]} and ${texts[j * n + i]}.`,
    };
  }
  return { ok: true, names, cov: mirrored(cov, n) };
}

export interface ImportPanel {
  readonly el: HTMLElement;
  open(): void;
  close(): void;
}

export function createImportPanel(onSet: (text: string) => void, onClose: () => void): ImportPanel {
  const note = h(
    "span",
    {},
    "Paste a square matrix of covariances, as lines of numbers or a list such as [[1, 0.2], [0.2, 1]]. Names in the first line come along.",
  );
  const area = h("textarea", { rows: 5, spellcheck: "false" });
  const set = button("Set matrix");
  const cancel = button("Cancel");
  const el = h("div", { class: "jt-paste" }, h("label", { class: "small muted" }, note, area), h("div", { class: "jt-buttons" }, set, cancel));
  el.hidden = true;

  function close(): void {
    if (el.hidden) return;
    el.hidden = true;
    onClose();
  }
  const take = (): void => {
    const { value } = area;
    close();
    if (value.trim() !== "") onSet(value);
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
      area.value = "";
      el.hidden = false;
      area.focus();
    },
    close,
  };
}

// No matrix yet: two ways to begin.

export interface EmptyProps {
  disabled: boolean;
}

/** How many tuples a fresh matrix has. */
const TUPLES = 3;

export function createEmpty(first: EmptyProps, onImport: (names: string[] | null, cov: Float64Array) => void): Component<EmptyProps> {
  const paste = button("Paste a matrix");
  const fresh = button(`Independent, ${TUPLES} tuples`);
  const line = createLine({ kind: "info", text: "" });
  const panel = createImportPanel(
    (text) => {
      const read = readMatrix(text);
      line.update(read.ok ? { kind: "info", text: "" } : { kind: "error", title: read.title, text: read.text });
      if (read.ok) onImport(read.names, read.cov);
    },
    () => paste.focus(),
  );
  const el = h(
    "div",
    { class: "mx-empty" },
    h("p", {}, "No matrix yet. Paste covariances, or start here."),
    h("div", { class: "jt-buttons" }, paste, fresh),
    line.el,
    panel.el,
  );
  listen(paste, "click", panel.open);
  listen(fresh, "click", () => onImport(null, Float64Array.from({ length: TUPLES * TUPLES }, (_, k) => (k % (TUPLES + 1) === 0 ? 1 : 0))));
  const draw = ({ disabled }: EmptyProps): void => void (paste.disabled = fresh.disabled = disabled);
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}
