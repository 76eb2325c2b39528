/** A drawing that was made without a page, as one SVG that brings the rules it needs along. */
import { textWidth } from "../ui/lettering";
import { StillElement, StillText, type StillNode } from "./document";
import { round, shortPath } from "./paths";
import { matches, parseSelector, splitList, type Selector } from "./selectors";

interface Rule {
  selector: Selector;
  declarations: [string, string][];
}

/** Colours as the viewer's scheme asks, as on a light screen, or as on paper. */
export type Theme = "screen" | "light" | "print";

/** Text and lines dark enough for paper, and the two colours that would be one grey moved apart. */
const PRINTED = new Map(
  Object.entries({
    "--ink": "#000",
    "--ink2": "#3d3d3d",
    "--line": "#c4c4c4",
    "--line2": "#8a8a8a",
    "--brand": "#000",
    "--tint": "#f0f0f0",
    "--sel": "#ededed",
    "--promise": "#2f4a66",
    "--paper": "#6b4500",
    "--over": "#9c3a00",
    "--overtint": "#f6cfb4",
    "--a": "#00487a",
    "--b": "#cf7d00",
    "--c": "#005a43",
    "--d": "#b0588f",
  }),
);

export interface Styles {
  theme: Theme;
  /** Rules for a drawing, by a class that their elements have, or by their name; those for any under "". */
  rules: Map<string, Rule[]>;
  /** Values of the custom properties, light and dark. */
  light: Map<string, string>;
  dark: Map<string, string>;
}

/** Rules of style sheets as text; what asks for a medium or a container is left out: a picture has neither. */
export function readStyles(sheets: readonly string[], theme: Theme): Styles {
  const key = [theme, ...sheets].join("\n");
  if (read?.key !== key) read = { key, styles: stylesOf(sheets, theme) };
  return read.styles;
}

/** Those that were read last: a widget is often drawn again. */
let read: { key: string; styles: Styles } | null = null;

function stylesOf(sheets: readonly string[], theme: Theme): Styles {
  const rules: Rule[] = [];
  for (const sheet of sheets) collect(sheet.replace(/\/\*.*?\*\//gs, ""), rules);
  const light = new Map<string, string>();
  const dark = new Map<string, string>();
  for (const { selector, declarations } of rules) {
    for (const [name, value] of declarations) {
      if (!name.startsWith("--")) continue;
      // Tokens stand on the root, those of the dark theme behind its mark.
      (selector.weight > 100 ? dark : light).set(name, value);
    }
  }
  const byClass = new Map<string, Rule[]>();
  for (const rule of rules) {
    const declarations = rule.declarations.filter(([name]) => DRAWN.has(name));
    const key = rule.selector.key ?? "";
    if (declarations.length > 0) byClass.set(key, [...(byClass.get(key) ?? []), { ...rule, declarations }]);
  }
  return { theme, rules: byClass, light, dark };
}

/** Properties that a drawing has to know. */
const DRAWN = new Set(
  (
    "fill stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin paint-order opacity " +
    "fill-opacity stroke-opacity text-anchor font font-size font-weight font-style font-family visibility " +
    "display text-decoration color dominant-baseline"
  ).split(" "),
);

function collect(sheet: string, rules: Rule[]): void {
  let at = 0;
  while (at < sheet.length) {
    const opened = sheet.indexOf("{", at);
    if (opened < 0) return;
    const head = sheet.slice(at, opened).trim();
    let depth = 1;
    let end = opened + 1;
    for (; depth > 0 && end < sheet.length; end++) {
      if (sheet[end] === "{") depth += 1;
      else if (sheet[end] === "}") depth -= 1;
    }
    at = end;
    if (head.startsWith("@")) continue;
    const declarations = sheet
      .slice(opened + 1, end - 1)
      .split(";")
      .map((part): [string, string] => [part.slice(0, part.indexOf(":")).trim(), part.slice(part.indexOf(":") + 1).replace("!important", "").trim()])
      .filter(([name]) => name);
    for (const one of splitList(head)) {
      try {
        for (const selector of parseSelector(one)) rules.push({ selector, declarations });
      } catch {
        // A selector of something else than elements: it draws nothing here.
      }
    }
  }
}

/** Coordinates to a tenth, other numbers to as many digits as are seen. */
function shortened(name: string, value: string): string {
  if (/^(?:c?[xy]|width|height)$/.test(name) && !value.endsWith("%"))
    return String(Math.round(Number(value) * 10) / 10);
  return value.replace(/\d+\.\d{3,}/g, (number) => String(round(Number(number))));
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] as string);
/** Attributes that a drawing keeps. */
const KEPT = new RegExp(
  "^(?:" +
    "d|x|y|x1|x2|y1|y2|cx|cy|r|rx|ry|width|height|points|transform|viewBox|offset|dx|dy|href|id|clip-path|mask|" +
    "preserveAspectRatio|text-anchor|font-size|font-weight|fill|stroke|stroke-.*|opacity|fill-opacity|" +
    "clip-rule|fill-rule|gradientUnits|gradientTransform|patternUnits|patternTransform|stop-color|direction|" +
    "unicode-bidi|textLength|lengthAdjust|marker-.*|dominant-baseline|paint-order" +
    ")$",
);

interface Made {
  classes: Map<string, string>;
  tokens: Set<string>;
  gradients: number;
}

/** One drawing, and what it is called. */
export interface Drawing {
  /** By which a figure for a paper asks for it. */
  name: string;
  title: string;
  svg: string;
  width: number;
  height: number;
}

/** Room for what stands out of a drawing, px. */
export const PAD = 10;

/** Below each other stand lines of text of a page, px. */
const LINE = 17;
/** Baseline of a line of text, and of the marks in it, px below its top. */
const [BASE, MARK] = [12, 3];
const WORD_COLOURS: readonly (readonly [string, string])[] = [["over", "--over"], ["promise", "--promise"], ["paper", "--paper"], ["muted", "--ink2"]];

/** How much wider than usual a font may be. */
const WIDER = 1.1;
const BOLDER = 1.18;

function shownColour(part: StillElement, around: string): string {
  return WORD_COLOURS.find(([name]) => part.classes.has(name))?.[1] ?? around;
}

interface Words {
  text: string;
  bold: boolean;
  size: number;
  /** They stand upon a picture, whose lines pass behind them. */
  upon?: boolean;
}

/** Something in a drawing and where it stands: a picture, or words that a page sets in lines. */
type Layer = { x: number; y: number; colour: string } & ({ element: StillElement } | Words);

/** What becomes one image: pictures that lie upon or below each other, with the words of the page that explain them. */
export interface Figure {
  layers: Layer[];
  /** The picture that names it. */
  main: StillElement;
  width: number;
  height: number;
}

/** Size of a picture or a canvas on a page, px. */
export function sizeOf(element: StillElement): [number, number] {
  const length = (name: string): number => Number.parseFloat(element.getAttribute(name) ?? "") || Number.parseFloat(element.styles.get(name) ?? "") || 0;
  const box = boxOf(element);
  return [length("width") || (box[2] ?? 0), length("height") || (box[3] ?? 0)];
}

function boxOf(element: StillElement): number[] {
  return element.getAttribute("viewBox")?.split(/[ ,]+/).map(Number) ?? [];
}

/** Words and marks of an element in lines of a width, from a place on. */
export function linesOf(element: StillElement, width: number, x = 0, y = 0, letters = 12): { layers: Layer[]; height: number } {
  const layers: Layer[] = [];
  let [right, down] = [0, 0];
  let gap = false;
  const take = (room: number): void => {
    if (right > 0 && right + room > width) [right, down] = [0, down + LINE];
  };
  const walk = (node: StillNode, bold: boolean, size: number, colour: string): void => {
    if (node instanceof StillText) {
      const words = node.nodeValue.split(/\s+/);
      if (words[0] === "") gap = true;
      for (const word of words.filter(Boolean)) {
        const space = gap && right > 0 && !/^[.,;:)]/.test(word);
        // Whatever font the viewer has: most are no wider.
        const wide = (bold ? BOLDER : WIDER) * textWidth((space ? " " : "") + word, size, bold);
        take(wide);
        const before = layers[layers.length - 1];
        if (
          right > 0 &&
          before &&
          "text" in before &&
          before.y === y + down + BASE &&
          before.bold === bold &&
          before.colour === colour
        )
          before.text += (space ? " " : "") + word;
        else
          layers.push({
            x: x + right + (space && right > 0 ? 4 : 0),
            y: y + down + BASE,
            text: word,
            bold,
            size,
            colour,
          });
        right += wide;
        gap = true;
      }
      gap = /\s$/.test(node.nodeValue);
      return;
    }
    const part = node as StillElement;
    if (part.hasAttribute("hidden") || part.styles.get("display") === "none" || part.localName === "button") return;
    if (part.localName === "svg") {
      const [wide] = sizeOf(part);
      if (right > 0) right += 4;
      take(wide + 24);
      layers.push({ x: x + right, y: y + down + MARK, element: part, colour: shownColour(part, colour) });
      right += wide + 3;
      gap = false;
      return;
    }
    const big = part.matches(".px-big, .sx-at, b, strong") || bold;
    const shown = shownColour(part, colour);
    part.childNodes.forEach((child, k) => {
      // Parts of a row are apart, as a page sets them.
      if (child instanceof StillElement && k > 0 && part.childNodes[k - 1] instanceof StillElement) gap = true;
      if (child instanceof StillElement && part === element && right > 0 && k > 0) {
        if (!/^[.,;:)]/.test(child.textContent)) right += 8;
        // A mark and its words stay together.
        const room = WIDER * textWidth(child.textContent.trim(), size, big) + 24;
        if (child.querySelector("svg") && right + room > width) [right, down] = [0, down + LINE];
      }
      walk(child, big && !part.matches("small, .muted"), size, shown);
    });
  };
  walk(element, false, letters, "");
  return { layers, height: layers.length > 0 ? down + LINE : 0 };
}

/** A figure as one SVG with what it shows of the rules; null where nothing is drawn. */
export function drawingOf({ layers, main, width, height }: Figure, styles: Styles): Drawing | null {
  const made: Made = { classes: new Map(), tokens: new Set(["--bg", "--ink"]), gradients: 0 };
  let drawn = false;
  const drawnMarks = layers
    .map((layer) => {
      if ("text" in layer) return lettersOf(layer, made);
      const { element, x, y, colour } = layer;
      const inner = element.painted || childrenOf(element, styles, made);
      if (inner && sizeOf(element)[0] > SMALL) drawn = true;
      const [left = 0, top = 0, wide = 0] = boxOf(element);
      const scale = wide ? sizeOf(element)[0] / wide : 1;
      const place = [
        x - left * scale || y - top * scale ? `translate(${round(x - left * scale)} ${round(y - top * scale)})` : "",
        Math.abs(scale - 1) > 1e-3 ? `scale(${round(scale)})` : "",
      ]
        .filter(Boolean)
        .join("");
      const shown = new Map(
        ["fill", "stroke"]
          .map((name) => [name, ownOf(element, name, styles)] as const)
          .filter((one): one is [string, string] => !!one[1]),
      );
      if (colour) shown.set("color", `var(${colour})`);
      const paint = [...shown].map(([name, value]) => ` ${name}="${escape(value)}"`).join("");
      return inner && (place || paint) ? `<g${place ? ` transform="${place}"` : ""}${paint}>${inner}</g>` : inner;
    })
    .join("");
  if (!drawn) return null;
  const inner = inFewLetters(drawnMarks, made);
  const used = new Set([...inner.matchAll(/ class="(\w+)"/g)].map(([, name]) => name));
  const rules = [...made.classes].map(([rule, name]) => (used.has(name) ? `.${name}{${rule}}` : "")).join("");
  for (const [, name] of (rules + inner).matchAll(/var\((--[\w-]+)/g)) made.tokens.add(name as string);
  const day = coloured(made.tokens, styles.light, styles.theme === "print" ? PRINTED : styles.light);
  const dark = coloured(made.tokens, styles.light, styles.dark).filter((one) => !day.includes(one));
  const night = styles.theme === "screen" ? `@media(prefers-color-scheme:dark){svg{${dark.join("")}}}` : "";
  // Its own ground: a page may be dark where the viewer asks for light.
  const ground = "background:var(--bg);fill:var(--ink);font-family:system-ui,sans-serif";
  const style = shortNames(`svg{${day.join("")}${ground}}${night}${rules}`);
  const [wide, tall] = [round(width + 2 * PAD), round(height + 2 * PAD)];
  const box = `viewBox="${-PAD} ${-PAD} ${wide} ${tall}" width="${wide}" height="${tall}" font-size="11"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${box}><style>${style}</style>${inner.replace(TAG, shortNames)}</svg>`;
  const name = main.closest("section[aria-label]")?.getAttribute("aria-label") ?? "";
  return { name, title: main.getAttribute("aria-label") ?? "", svg, width: wide, height: tall };
}

const TAG = /<\w+((?: [\w-]+="[^"]*")*)\/?>/g;
/** What an element says of its looks; colours that were computed, and those that are drawn elsewhere, stay its own. */
const LOOKS = /^(?:fill|stroke|stroke-.*|opacity|fill-opacity|paint-order|text-anchor|font-size|font-weight)$/;

/** Marks whose looks are a class where several share them. */
function inFewLetters(marks: string, made: Made): string {
  const rules = new Map([...made.classes].map(([rule, name]) => [name, rule]));
  const read = (given: string): { rule: string; own: string } => {
    const parts: string[] = [];
    let own = "";
    for (const [whole, name = "", value = ""] of given.matchAll(/ ([\w-]+)="([^"]*)"/g)) {
      if (name === "class") parts.push(rules.get(value) ?? "");
      else if (LOOKS.test(name) && !/^(?:#|url)/.test(value)) parts.push(`${name}:${value}${name === "font-size" && !value.endsWith("px") ? "px" : ""}`);
      else own += whole;
    }
    return { rule: parts.sort().join(";"), own };
  };
  const counts = new Map<string, number>();
  for (const [, given = ""] of marks.matchAll(TAG)) {
    const { rule } = read(given);
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return marks.replace(TAG, (whole, given: string) => {
    const { rule, own } = read(given);
    return rule && (counts.get(rule) ?? 0) > 1 ? whole.replace(given, ` class="${classOf(rule, made)}"${own}`) : whole;
  });
}

/** Tokens in one letter: a drawing names them often. */
const LETTERS: Record<string, string> = {
  ...{ ink: "i", ink2: "j", line: "l", line2: "m", bg: "g", brand: "n" },
  ...{ promise: "p", paper: "q", over: "o", overtint: "t", tint: "u", sel: "s" },
};
function shortNames(text: string): string {
  return text.replace(/--(\w+)(?=[:),])/g, (whole, name: string) => (Object.hasOwn(LETTERS, name) ? `--${LETTERS[name]}` : whole));
}

/** Marks in a line of text are smaller, px. */
const SMALL = 40;

const keysOf = (element: StillElement): string[] => ["", `<${element.localName}`, ...element.classes];

function ownOf(element: StillElement, name: string, styles: Styles): string {
  let value = element.attrs.get(name) ?? "";
  for (const key of keysOf(element))
    for (const rule of styles.rules.get(key) ?? [])
      if (matches(element, rule.selector)) value = rule.declarations.find(([one]) => one === name)?.[1] ?? value;
  return value;
}

function lettersOf({ x, y, text, bold, size, colour, upon }: Layer & Words, made: Made): string {
  const halo = upon ? "stroke:var(--bg);stroke-width:4px;paint-order:stroke" : "";
  const rule = [`font-size:${size}px`, bold ? "font-weight:600" : "", colour ? `fill:var(${colour})` : "", halo].filter(Boolean).join(";");
  return `<text x="${round(x)}" y="${round(y)}" class="${classOf(rule, made)}">${escape(text)}</text>`;
}

function classOf(rule: string, made: Made): string {
  if (!made.classes.has(rule)) made.classes.set(rule, `k${made.classes.size.toString(36)}`);
  return made.classes.get(rule) as string;
}

/** Tokens with the values that they come to in a theme: what a host would say of them is not heard in an image. */
function coloured(names: Set<string>, base: Map<string, string>, theme: Map<string, string>): string[] {
  const value = (name: string): string => theme.get(name) ?? base.get(name) ?? "";
  const told = (text: string, depth = 0): string => {
    const found = /var\((--[\w-]+)(?:,((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*))?\)/.exec(text);
    if (!found || depth > 9) return text;
    const [whole, name, otherwise] = found;
    return told(text.replace(whole, value(name as string) || (otherwise ?? "")), depth + 1);
  };
  return [...names].sort().flatMap((name) => (value(name) ? [`${name}:${told(value(name))};`] : []));
}

function hex(colour: string): string {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function nodeOf(node: StillElement | StillText, styles: Styles, made: Made, around: ReadonlyMap<string, string> = new Map()): string {
  if (node instanceof StillText) return escape(node.nodeValue);
  // An image says nothing of its parts.
  if (node.localName === "title" || node.localName === "desc") return "";
  const shown = new Map<string, string>();
  const found = keysOf(node).flatMap((name) => styles.rules.get(name) ?? []).filter((rule) => matches(node, rule.selector));
  found.sort((a, b) => a.selector.weight - b.selector.weight);
  for (const { declarations } of found) for (const [name, value] of declarations) shown.set(name, value);
  for (const [name, value] of node.styles) shown.set(name, value);
  const said = (name: string): string | undefined => shown.get(name) ?? node.attrs.get(name);
  if (said("display") === "none" || said("visibility") === "hidden" || said("opacity") === "0" || node.hasAttribute("hidden")) return "";
  // What an element says in a property of its own holds for all that stands in it.
  const own = [...shown].filter(([name]) => name.startsWith("--"));
  const told = own.length > 0 ? new Map([...around, ...own]) : around;
  let attributes = "";
  for (const [name, value] of node.attrs) {
    if (value.startsWith("rgb(")) attributes += ` ${name}="${hex(value)}"`;
    else if (KEPT.test(name) && !(name === "font-size" && value === "11"))
      attributes += ` ${name}="${name === "d" ? shortPath(value) : escape(shortened(name, value))}"`;
  }
  // What an element says of itself for a rule to take up stands in the rule's place.
  const rules: string[] = [];
  for (const [name, given] of shown) {
    if (!DRAWN.has(name) || name === "display" || name === "color" || name === "font-family") continue;
    const value = given.replace(/^var\((--[\w-]+)\)$/, (whole, token) => told.get(token) ?? whole);
    // A colour that was computed is seldom another one's too.
    if (value.startsWith("rgb(")) attributes = attributes.replace(new RegExp(` ${name}="[^"]*"`), "") + ` ${name}="${hex(value)}"`;
    else {
      rules.push(`${name}:${value}`);
      if (attributes.includes(` ${name}="`)) attributes = attributes.replace(new RegExp(` ${name}="[^"]*"`), "");
    }
  }
  const rule = rules.join(";");
  if (rule) attributes += ` class="${classOf(rule, made)}"`;
  if (node.localName === "line") return lineOf(node, attributes);
  if (node.localName === "rect" && !/ (?:rx|ry|transform|id)=|%/.test(attributes)) return rectOf(node, attributes);
  const inner = childrenOf(node, styles, made, told);
  if (!attributes && node.localName === "g") return inner;
  if (
    !inner &&
    (node.localName === "g" || node.localName === "text" || (node.localName === "path" && !node.attrs.get("d")))
  )
    return "";
  if (
    /^(?:none|transparent)$/.test(shown.get("fill") ?? node.attrs.get("fill") ?? "") &&
    !shown.has("stroke") &&
    !node.attrs.has("stroke") &&
    !inner
  )
    return "";
  return inner ? `<${node.localName}${attributes}>${inner}</${node.localName}>` : `<${node.localName}${attributes}/>`;
}

/** Neighbours from which on a band of colours is one rectangle with a gradient, and every how many give a colour. */
const [BAND, STOPS] = [24, 5];

/** What stands in an element; neighbours that are lines or rectangles of one look are one path. */
function childrenOf(element: StillElement, styles: Styles, made: Made, told: ReadonlyMap<string, string> = new Map()): string {
  const out: string[] = [];
  const nodes = element.childNodes;
  let [path, look] = ["", ""];
  const close = (): void => {
    if (path) out.push(`<path d="${shortPath(path)}"${look}/>`);
    [path, look] = ["", ""];
  };
  for (let k = 0; k < nodes.length; k++) {
    const band = bandFrom(nodes, k);
    if (band.length >= BAND) {
      close();
      out.push(gradientOf(band, made));
      k += band.length - 1;
      continue;
    }
    const node = nodes[k] as StillElement | StillText;
    const svg = nodeOf(node, styles, made, told);
    const [, d, own] =
      node instanceof StillElement && (node.localName === "line" || node.localName === "rect")
        ? (/^<path d="([^"]*)"([^>]*)\/>$/.exec(svg) ?? [])
        : [];
    if (d === undefined || own === undefined || own !== look) close();
    if (d === undefined || own === undefined) {
      if (svg) out.push(svg);
    } else [path, look] = [path + d, own];
  }
  close();
  return together(inOrder(out), made).join("");
}

/** Words above the shapes around them, and those of one look together: they hide nothing of each other. */
function inOrder(marks: readonly string[]): string[] {
  const out: string[] = [];
  let words = new Map<string, string[]>();
  const close = (): void => {
    for (const those of words.values()) out.push(...those);
    words = new Map();
  };
  for (const mark of marks) {
    const [, name, given = ""] = SINGLE.exec(mark) ?? [];
    if (name === undefined) close();
    if (name !== "text") out.push(mark);
    else {
      const look = given.replace(/ (?:x|y|transform)="[^"]*"/g, "");
      words.set(look, [...(words.get(look) ?? []), mark]);
    }
  }
  close();
  return out;
}

/** Neighbours of one look from which on their group has it, and what stays with each. */
const GROUP = 3;
/** A mark that is one element: a group without a look of its own comes as what stands in it. */
const SINGLE = /^<(path|circle|rect|text)((?: [\w-]+="[^"]*")*)(\/>|>(?:(?!<\/text>).)*<\/text>)$/s;
const OWN = /^(?:d|[xyr]|c[xy]|r[xy]|width|height|points|transform|id|opacity|href|clip-path)$/;

/** Neighbours of one look stand in a group that has it, where nothing of their own would then win over it. */
function together(marks: readonly string[], made: Made): readonly string[] {
  if (marks.length < GROUP) return marks;
  const rules = new Map([...made.classes].map(([rule, name]) => [name, rule]));
  const read = (mark: string): { look: string; own: string; rest: string } | null => {
    const [, name = "", given = "", rest = ""] = SINGLE.exec(mark) ?? [];
    if (!name) return null;
    const attributes = [...given.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([whole, key = "", value = ""]) => ({ whole, key, value }));
    const rule = rules.get(attributes.find(({ key }) => key === "class")?.value ?? "") ?? "";
    const colour = attributes.find(({ key }) => key === "fill");
    if (/(?:^|;)opacity:/.test(rule)) return null;
    // Fills that were computed differ from one to the next.
    const apart = colour?.value.startsWith("#") && !/(?:^|;)fill:/.test(rule);
    const mine = (key: string): boolean => OWN.test(key) || (key === "fill" && apart === true);
    const part = (which: boolean): string => attributes.filter(({ key }) => mine(key) === which).map(({ whole }) => whole).join("");
    return { look: part(false), own: `<${name}${part(true)}`, rest };
  };
  const out: string[] = [];
  const parts = marks.map(read);
  for (let from = 0; from < marks.length; ) {
    const look = parts[from]?.look;
    let to = from + 1;
    while (look && parts[to]?.look === look) to += 1;
    const run = parts.slice(from, to);
    if (run.length < GROUP) out.push(...marks.slice(from, to));
    else out.push(`<g${look}>${run.map((part) => `${part?.own}${part?.rest}`).join("")}</g>`);
    from = to;
  }
  return out;
}

const numberOf = (element: StillElement, name: string): number => Number(element.attrs.get(name) ?? 0);

/** Rectangles of computed colours from a child on, each beginning where the one before ends. */
function bandFrom(nodes: readonly StillNode[], from: number): StillElement[] {
  const band: StillElement[] = [];
  for (let k = from; k < nodes.length; k++) {
    const node = nodes[k] as StillNode;
    if (!(node instanceof StillElement) || node.localName !== "rect" || !node.attrs.get("fill")?.startsWith("rgb(")) break;
    const last = band[band.length - 1];
    const step = last ? numberOf(node, "x") - numberOf(last, "x") : 0;
    if (
      last &&
      (numberOf(node, "y") !== numberOf(last, "y") ||
        numberOf(node, "height") !== numberOf(last, "height") ||
        step <= 0 ||
        step > numberOf(last, "width"))
    )
      break;
    band.push(node);
  }
  return band;
}

function gradientOf(band: readonly StillElement[], made: Made): string {
  const id = `g${(made.gradients += 1)}`;
  const [first, last] = [band[0], band[band.length - 1]] as [StillElement, StillElement];
  const [left, right] = [numberOf(first, "x"), numberOf(last, "x") + numberOf(last, "width")];
  const stops = band
    .filter((_, k) => k % STOPS === 0 || k === band.length - 1)
    .map((rect) => {
      const middle = numberOf(rect, "x") + numberOf(rect, "width") / 2;
      const colour = hex(rect.attrs.get("fill") as string);
      return `<stop offset="${round((middle - left) / (right - left))}" stop-color="${colour}"/>`;
    });
  const [from, wide] = [round(left), round(right - left)];
  const d = `M${from} ${numberOf(first, "y")}h${wide}v${numberOf(first, "height")}H${from}z`;
  return `<linearGradient id="${id}">${stops.join("")}</linearGradient><path d="${d}" fill="url(#${id})"/>`;
}

/** A line as a path. */
function lineOf(node: StillElement, attributes: string): string {
  const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => Math.round(numberOf(node, name) * 10) / 10) as [number, number, number, number];
  const to = y1 === y2 ? `H${x2}` : x1 === x2 ? `V${y2}` : `L${x2} ${y2}`;
  return `<path d="M${x1} ${y1}${to}"${attributes.replace(/ [xy][12]="[^"]*"/g, "")}/>`;
}

/** A rectangle as a path. */
function rectOf(node: StillElement, attributes: string): string {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Math.round(numberOf(node, name) * 10) / 10) as [number, number, number, number];
  if (width <= 0 || height <= 0) return "";
  return `<path d="M${x} ${y}h${width}v${height}h${-width}z"${attributes.replace(/ (?:x|y|width|height)="[^"]*"/g, "")}/>`;
}
