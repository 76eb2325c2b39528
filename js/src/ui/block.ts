/** Blocks of cells as spreadsheets put them on the clipboard: rows by line, cells by tab. */

/** Reads a copied block; quoted cells may hold tabs, line ends and doubled quotes. */
export function readBlock(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "";
  let inQuotes = false;
  const endCell = (): void => {
    (rows[rows.length - 1] as string[]).push(cell);
    cell = "";
  };
  const body = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  for (let k = 0; k < body.length; k++) {
    const c = body[k] as string;
    if (inQuotes) {
      if (c === '"' && body[k + 1] === '"') {
        cell += '"';
        k++;
      } else if (c === '"') inQuotes = false;
      else cell += c;
    } else if (c === '"' && cell === "") inQuotes = true;
    else if (c === "\t") endCell();
    else if (c === "\n") {
      endCell();
      rows.push([]);
    } else cell += c;
  }
  endCell();
  return rows;
}

export function writeBlock(rows: readonly (readonly string[])[]): string {
  const quote = (cell: string): string => (/[\t\n"]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell);
  return rows.map((row) => row.map(quote).join("\t")).join("\n");
}

/** Copies text; false when the browser refuses. Pages that are not secure lack the clipboard object. */
export async function putOnClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused, for instance inside a frame: the older way may still be open.
    }
  }
  let copied = false;
  const fill = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
    copied = true;
  };
  document.addEventListener("copy", fill, true);
  try {
    document.execCommand?.("copy");
  } finally {
    document.removeEventListener("copy", fill, true);
  }
  return copied;
}
