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
