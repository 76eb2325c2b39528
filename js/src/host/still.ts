/**
 * The static host: a widget drawn once, without a page, for saved notebooks, books and papers. What its tree says to a
 * screen reader becomes words and tables, each of its drawings an image. Python runs this in an engine of its own.
 */
import series from "../curves/curves.css";
import { checkLimits } from "../page/limits";
import { joinedAs, PageModel, readState } from "../page/page-model";
import { cells } from "../scene/cells";
import { chart } from "../scene/chart";
import { numbers, type Declared } from "../scene/declared";
import tokens from "../ui/tokens.css";
import { still, StillElement, StillText, type StillNode } from "./document";
import { faults, settle } from "./engine";
import { drawingOf, linesOf, PAD, readStyles, sizeOf, type Drawing, type Figure, type Styles, type Theme } from "./picture";

// Declared charts without a page: a panel for each, with its drawing, what it holds for, and its numbers.

/** Draws the charts of JSON, each in a place so wide; null where it is something else. */
function chartsPicture(json: string, width: number, theme: Theme): Picture | null {
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

interface Cell {
  head: boolean;
  text: string;
  span: number;
}

interface Table {
  caption: string;
  rows: Cell[][];
}

/** One part of a widget: its heading, what its controls stand at, what it says, draws and lists. */
interface Panel {
  title: string;
  facts: [string, string][];
  words: string[];
  drawings: Drawing[];
  tables: Table[];
}

interface Picture {
  title: string;
  /** Sentences that come first. */
  lead: string;
  /** Numbers of the foot, a line for each: what it is, a colon, the number and its note. */
  foot: string;
  panels: Panel[];
}

/** Marks of a status, and the bar of a scale beside its words, are no drawings of their own. */
const [LEAST_DRAWING, LEAST_HEIGHT] = [60, 20];
const INLINE = new Set(["span", "b", "i", "em", "strong", "small", "sup", "sub", "svg", "br", "code", "a"]);
const DRAWN = new Set(["svg", "canvas"]);
/** What stands elsewhere in the picture, or is for the hand alone. */
const SKIPPED =
  "style, button, .label, .px-head, .cw-head, .px-hint, .px-lead, .px-caution, .px-slot, .px-audit, " +
    ".panel-head, .ax-readout, .ax-map-head, .ax-attack-switch, .sx-transport, .chip-value, [role=menu], " +
    "[type=checkbox]";
const PIECES = "input,select,textarea,[role=slider],[role=spinbutton],[role=radiogroup]";

/** Draws the widget whose state Python saved, for a place so wide; raises what is wrong with it. */
export function pictureOf(json: string, width: number, theme: Theme): Picture {
  const state = readState(json);
  const widget = joinedAs(state.module);
  if (!widget) throw new Error(`There is no widget "${state.module}".`);
  checkLimits(state);
  faults.length = 0;
  still.width = width;
  // Colours that are computed, as those of a map, are for a light background, which the drawing brings.
  still.body.dataset["jpThemeLight"] = "true";
  const model = new PageModel(widget, state, {});
  const host = still.createElement("div");
  const release = widget.render({ model, el: host as unknown as HTMLElement });
  settle();
  const made = read(host, theme);
  release();
  if (faults.length > 0) throw new Error(faults[0]);
  return made;
}

function read(host: StillElement, theme: Theme): Picture {
  const styles = readStyles(host.querySelectorAll("style").map((sheet) => sheet.textContent), theme);
  const [name, title] = ["h2", ".px-title, .cw-head > .muted"].map((place) => wordsOf(host.querySelector(place)));
  const lead = host.querySelectorAll(".px-lead, .px-caution").filter((part) => !isHidden(part)).map(wordsOf);
  const panels: Panel[] = [];
  const outside = open(host, styles, panels);
  return {
    title: [name, title].filter(Boolean).join(": "),
    lead: lead.filter(Boolean).join(" "),
    foot: host.querySelectorAll(".px-audit > div").flatMap(auditOf).join("\n"),
    panels: joined([outside, ...panels]),
  };
}

/** Parts that say something; what has no heading of its own belongs to the part before it. */
function joined(panels: readonly Panel[]): Panel[] {
  const out: Panel[] = [];
  for (const panel of panels) {
    const words = panel.words.filter(isTold);
    if (panel.facts.length + words.length + panel.drawings.length + panel.tables.length === 0) continue;
    const last = out[out.length - 1];
    if (last && (!panel.title || panel.title === last.title)) {
      last.facts.push(...panel.facts);
      last.words.push(...words);
      last.drawings.push(...panel.drawings);
      last.tables.push(...panel.tables);
    } else out.push({ ...panel, words });
  }
  return out;
}

/** Gathers what stands in an element; its panels are gathered as panels of their own. */
function open(element: StillElement, styles: Styles, panels: Panel[]): Panel {
  const panel: Panel = { title: headingOf(element), facts: [], words: [], drawings: [], tables: [] };
  const figures: Figure[] = [];
  /** Words that stand above the picture that comes next. */
  let above: StillElement[] = [];
  const draw = (node: StillElement): void => {
    const [width, height] = sizeOf(node);
    if (width < LEAST_DRAWING || height < 1) return;
    const last = figures[figures.length - 1];
    const quiet = node.localName === "svg" && node.getAttribute("aria-hidden") === "true";
    // Heads and axes that stand apart from what they belong to, so that it can scroll between them.
    if (last && above.length === 0 && last.width === width && (quiet || last.main.getAttribute("aria-hidden") === "true")) {
      last.layers.push({ element: node, x: 0, y: last.height, colour: "" });
      last.height += height;
      if (!quiet) last.main = node;
      return;
    }
    const figure: Figure = { layers: [], main: node, width, height: 0 };
    above.forEach((words) => put(figure, words));
    above = [];
    figure.layers.push({ element: node, x: 0, y: figure.height, colour: "" });
    figure.height += height;
    figures.push(figure);
  };
  const gather = (node: StillElement): void => {
    const next = node.nextElementSibling;
    const heads = next !== null && pictureIn(next);
    if (isHidden(node) || (node.matches(SKIPPED) && !(heads && node.matches(".label")))) return;
    if (node.getAttribute("aria-hidden") === "true" && !DRAWN.has(node.localName)) return;
    if (node !== element && node.localName === "section") {
      const at = panels.push(panel) - 1;
      panels[at] = open(node, styles, panels);
      return;
    }
    const { localName } = node;
    const canvas = node.children.find((child) => child.localName === "canvas" && !isHidden(child));
    if (canvas || DRAWN.has(localName)) {
      if (canvas) figures.push(stageOf(node, canvas));
      else draw(node);
      // What a picture says cell by cell is a table too.
      const grid = node.querySelector("g[role=grid]");
      const rows = grid ? tableOf(grid).filter((row) => row.some((cell) => cell.text && !cell.head) || row.every((cell) => cell.head)) : [];
      if (grid && rows.length > 1) panel.tables.push({ caption: withoutHints(grid.getAttribute("aria-label") ?? ""), rows });
    }
    else if (localName === "table" || node.matches("[role=grid], [role=table]")) {
      const rows = tableOf(node);
      const caption = node.getAttribute("aria-label") || wordsOf(node.querySelector("caption")) || wordsOf(labelOf(node));
      if (rows.length > 0) panel.tables.push({ caption: withoutHints(caption), rows });
      const last = figures[figures.length - 1];
      if (last) sampled(last, node);
    } else if (node.matches(".lx-attribute")) {
      panel.facts.push([wordsOf(node.querySelector(".chip-name")), wordsOf(node.querySelector(".lx-labels"))]);
    } else if (node.matches(".chips")) panel.facts.push(...node.querySelectorAll(".chip-row").map(chipOf));
    else if (node.matches(".qw-options")) panel.tables.push({ caption: "Options", rows: node.children.map(optionOf) });
    else if (localName === "dl") panel.facts.push(...pairsOf(node));
    else if (node.matches(PIECES)) panel.facts.push(...controlOf(node));
    else if (isText(node)) {
      const words = wordsOf(node);
      const last = figures[figures.length - 1];
      if (!words) return;
      if (heads && !/[.!?]$/.test(words)) above.push(node);
      else if (last && (node.querySelector("svg") || node.matches(".lg-caption"))) put(last, node);
      else panel.words.push(words);
    } else node.children.forEach(gather);
  };
  element.children.forEach(gather);
  for (const words of above) panel.words.push(wordsOf(words));
  for (const figure of figures) {
    const drawing = drawingOf(figure, styles);
    if (drawing) panel.drawings.push({ ...drawing, title: withoutHints(drawing.title) || panel.title });
  }
  return panel;
}

/** Words of the page below what a figure has already. */
function put(figure: Figure, words: StillElement): void {
  const gap = figure.height > 0 ? 6 : 0;
  const frame = words.parent;
  if (figure.height === 0 && frame?.matches(".ax-map-frame")) {
    const head = still.createElement("b");
    head.textContent = (figure.main.getAttribute("aria-label") ?? "").replace(/,.*/s, "");
    const named = linesOf(head, figure.width);
    figure.layers.push(...named.layers);
    figure.height += named.height;
  }
  const { layers, height } = linesOf(words, figure.width, 0, figure.height + gap);
  figure.layers.push(...layers);
  figure.height += height + (height ? gap : 0);
}

/** Padding above the words of a heading on a canvas, px. */
const HEAD = 7;

/** Names of lines, which a page has in the rows of a table, below the figure that draws them. */
function sampled(figure: Figure, table: StillElement): void {
  const cells = table
    .querySelectorAll("td, th")
    .filter((cell) =>
      cell.querySelector(
        "svg.lines, svg[width='24'], svg[width='22'], svg[width='20'], svg[width='18'], svg[width='16']",
      ),
    );
  if (cells.length < 2) return;
  const row = still.createElement("p");
  row.childNodes.push(...cells);
  put(figure, row);
}

/** A canvas with what a page lays over it, at its place. */
function stageOf(stage: StillElement, canvas: StillElement): Figure {
  const [width, height] = sizeOf(canvas);
  const figure: Figure = { layers: [{ element: canvas, x: 0, y: 0, colour: "" }], main: canvas, width, height };
  const over = (node: StillElement): void => {
    if (node === canvas || isHidden(node)) return;
    const top = Number.parseFloat(node.styles.get("top") ?? "");
    const [, right, down] = /^translate\((-?[\d.]+)px, (-?[\d.]+)px\)/.exec(node.styles.get("transform") ?? "") ?? [];
    const at = right === undefined ? top + HEAD : Number(down) + (node.querySelector("svg") ? 0 : 1);
    if (at >= 0) {
      const words = linesOf(node, width, Number(right ?? 0), at, 11).layers;
      figure.layers.push(...words.map((layer) => ("text" in layer ? { ...layer, upon: true } : layer)));
    } else if (node.localName === "svg") figure.layers.push({ element: node, x: 0, y: 0, colour: "" });
    else node.children.forEach(over);
  };
  stage.children.forEach(over);
  return figure;
}

/** It is, or holds, a picture and nothing that comes before it. */
function pictureIn(node: StillElement): boolean {
  if (isHidden(node) || node.localName === "section") return false;
  if (node.localName === "svg") return isLarge(node);
  const first = node.children.find((child) => !isHidden(child));
  return first !== undefined && pictureIn(first);
}

/** What is said for the hand at the screen: a picture has none. */
const HINT = /(?:arrow keys?|drag|click|press|tick|point at)\b/i;
function withoutHints(text: string): string {
  const told = text.split(/(?<=\.)\s+/).map((sentence) => {
    const parts = sentence.split("; ");
    const at = parts.findIndex((part) => HINT.test(part));
    return parts.slice(0, at < 0 ? undefined : at).join("; ");
  });
  return told.filter(Boolean).join(" ");
}

/** Words that say something without the control that they belonged to. */
function isTold(words: string): boolean {
  return !HINT.test(words) && (/[.!?]$/.test(words) || (/\d/.test(words) && words.split(" ").length > 2 && !/^[a-z]{3}/.test(words)));
}

function headingOf(element: StillElement): string {
  const head = element.localName === "section" ? element.querySelector(".panel-head") : null;
  const parts = (head?.childNodes ?? []).filter((part) => !(part instanceof StillElement && part.localName === "label"));
  // What is muted in a heading adds to it.
  const told = parts.flatMap((part) => (part instanceof StillElement && part.querySelector(".muted") ? part.childNodes : [part]));
  const words = told.map(wordsOf).filter((one) => one && !HINT.test(one));
  // A question keeps its own sign.
  return words.map((one, k) => one + (k === words.length - 1 ? "" : /[.?!:]$/.test(one) ? " " : ", ")).join("");
}

function isHidden(node: StillElement): boolean {
  return node.hasAttribute("hidden") || node.styles.get("display") === "none" || node.styles.get("visibility") === "hidden";
}

/** It holds words, and nothing that is read in another way. */
function isText(node: StillElement): boolean {
  if (node.localName === "label" || node.querySelector(`button, ${PIECES}, table, canvas`)) return false;
  const own = node.childNodes.some((child) => child instanceof StillText && child.nodeValue.trim() !== "");
  return own || (node.children.length > 0 && node.children.every((child) => INLINE.has(child.localName) && !(child.localName === "svg" && isLarge(child))));
}

function isLarge(svg: StillElement): boolean {
  const [width, height] = sizeOf(svg);
  return width >= LEAST_DRAWING && height >= LEAST_HEIGHT;
}

/** The label above an element, or above what frames it. */
function labelOf(element: StillElement): StillElement | null {
  const before = element.previousElementSibling;
  if (before) return before.matches(".label") ? before : null;
  return element.parent && element.parent.localName !== "section" ? labelOf(element.parent) : null;
}

/** All that an element says, with single spaces. */
function wordsOf(node: StillNode | null): string {
  return node === null ? "" : said(node).replace(/\s+/g, " ").replace(/ ([.,;:)])/g, "$1").trim();
}

function said(node: StillNode): string {
  if (node instanceof StillText) return node.nodeValue;
  const element = node as StillElement;
  if (isHidden(element) || element.localName === "svg") return "";
  if (element.localName === "input") return String(element.value);
  // A button that shows a number is a number; any other one is for the hand.
  if (
    element.localName === "button" &&
    !element.closest("td, th, [role=gridcell], [role=rowheader]") &&
    !/^[\s≈±−-]*[\d∞]/.test(element.textContent)
  )
    return "";
  const inner = element.childNodes
    .map((node, k, all) =>
      node instanceof StillElement && all[k - 1] instanceof StillElement && node.localName !== "sup"
        ? ` ${said(node)}`
        : said(node),
    )
    .join("");
  if (element.localName === "sup") return `^${inner}`;
  // Blocks are apart from each other, and so are cells.
  return INLINE.has(element.localName) && element.localName !== "br" ? inner : ` ${inner} `;
}

function pairsOf(list: StillElement): [string, string][] {
  const pairs: [string, string][] = [];
  for (const part of list.within()) {
    if (isHidden(part) || (part.parent && isHidden(part.parent))) continue;
    if (part.localName === "dt") pairs.push([wordsOf(part), ""]);
    const last = pairs[pairs.length - 1];
    if (part.localName === "dd" && last)
      last[1] = [
        last[1],
        ...(part.querySelector("select")
          ? controlOf(part.querySelector("select") as StillElement).map(([, value]) => value)
          : part.children.length > 1
            ? part.children.map(wordsOf)
            : [wordsOf(part)]),
      ]
        .filter(Boolean)
        .join(", ");
  }
  return pairs.filter(([term, value]) => term && value);
}

/** A tuple among those of an adversary: whether it is known, and its value where that counts. */
function chipOf(row: StillElement): [string, string] {
  const state = row.matches(".chip-row-target") ? "attacked" : row.querySelector(".chip-on") ? "known" : "not known";
  const menu = row.querySelector(".chip-value");
  const value = menu && !isHidden(menu.parent as StillElement) && state === "known" ? wordsOf(menu.selectedOptions[0] ?? null) : "";
  return [wordsOf(row.querySelector(".chip-name")), [state, value].filter(Boolean).join(", ")];
}

/** One of the options of a question, and whether it is the answer. */
function optionOf(option: StillElement): Cell[] {
  const chosen = option.querySelector("input")?.checked ? "chosen" : "";
  return [option.querySelector("span"), chosen].map((part) => ({ head: false, text: typeof part === "string" ? part : wordsOf(part), span: 1 }));
}

/** A number of the foot: what it is, and the number with its unit or note; nothing where no number stands. */
function auditOf(cell: StillElement): string[] {
  const [key, value, ...notes] = cell.children.map(wordsOf);
  const note = (notes ?? []).filter(Boolean).join(", ");
  if (!key || !value || HINT.test(note)) return [];
  return [`${key}: ${value}${note ? (/^(?:nats|bits|±)/.test(note) ? " " : ", ") + note : ""}`];
}

/** What a control is called and stands at. */
function controlOf(control: StillElement): [string, string][] {
  const name = (control.getAttribute("aria-label") ?? wordsOf(control.closest("label"))).replace(/ as a number$/, "");
  if (!name || name === "Further views" || isHidden(control)) return [];
  const role = control.getAttribute("role") ?? control.getAttribute("type");
  if (control.localName === "select") return [[name, wordsOf(control.selectedOptions[0] ?? null)]];
  if (role === "radiogroup") {
    const on = control.querySelectorAll("input").find((input) => input.checked);
    return [[name, wordsOf(on?.parent ?? control.querySelector("[aria-checked=true]"))]];
  }
  if (role === "checkbox" || role === "radio") return control.checked ? [[name, "yes"]] : [];
  if (role === "slider") return [];
  const value = String(control.value || wordsOf(control));
  return value ? [[name, value]] : [];
}

function tableOf(node: StillElement): Cell[][] {
  const plain = node.localName === "table";
  const rows = node.querySelectorAll(plain ? "tr" : "[role=row]").filter((row) => !isHidden(row) && !(row.parent && isHidden(row.parent)));
  return rows
    .map((row) =>
      row.children
        .filter((cell) => !isHidden(cell))
        .map((cell) => ({
          head: cell.localName === "th" || /header$/.test(cell.getAttribute("role") ?? ""),
          text: (cell.localName === "g" && cell.getAttribute("role") !== "gridcell" && cell.getAttribute("aria-label")) || wordsOf(cell),
          span: Number(cell.getAttribute("colspan") ?? 1),
        })),
    )
    .filter((row) => row.some((cell) => cell.text));
}

/** Called by Python: a widget, or declared charts, of JSON as JSON. */
export function draw(json: string, width: number, theme: Theme): string {
  return JSON.stringify(chartsPicture(json, width, theme) ?? pictureOf(json, width, theme));
}
