/** Blocks of numbers as spreadsheets put them on the clipboard: rows by line, cells by tab. */

/** Reads a copied block; quotes around a cell are dropped, as no number needs them. */
export function readBlock(text: string): string[][] {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(\n\s*)+$/, "")
    .split("\n")
    .map((line) => line.split("\t").map((cell) => cell.replace(/^"(.*)"$/, "$1")));
}

export function writeBlock(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.join("\t")).join("\n");
}
