/** Declared charts without a page: a panel for each, with its drawing, what it holds for, and its numbers. */
import { cells } from "../scene/cells";
import { chart } from "../scene/chart";
import { numbers, type Declared } from "../scene/declared";
import series from "../curves/curves.css";
import tokens from "../ui/tokens.css";
import type { StillElement } from "./document";
import { drawingOf, PAD, readStyles, sizeOf, type Theme } from "./picture";
import type { Panel, Picture } from "./still";

/** Draws the charts of JSON, each in a place so wide; null where it is something else. */
export function chartsPicture(json: string, width: number, theme: Theme): Picture | null {
  // A widget's state may be long: it is read once.
  if (!json.startsWith('{"charts"')) return null;
  const { charts } = JSON.parse(json) as { charts: readonly Declared[] };
  const styles = readStyles([tokens, series], theme);
  const panels = charts.map((declared): Panel => {
    const room = width - 2 * PAD;
    const main = (declared.kind === "cells" ? cells(declared, room) : chart(declared, room)) as unknown as StillElement;
    const [wide, high] = sizeOf(main);
    const drawing = drawingOf({ layers: [{ element: main, x: 0, y: 0, colour: "" }], main, width: wide, height: high }, styles);
    const { caption, rows } = numbers(declared);
    return {
      title: declared.title,
      facts: [],
      words: declared.note ? [declared.note] : [],
      drawings: drawing ? [drawing] : [],
      tables: [{ caption, rows: rows.map((row) => row.map((cell) => ({ ...cell, span: 1 }))) }],
    };
  });
  return { title: "", lead: "", foot: "", panels };
}
