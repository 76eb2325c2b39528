/** The map: every record by two quasi-identifiers, in the boxes that are published of their classes. */
import { valueText } from "../compute/anonymity-release";
import { plural } from "../explorer/words";
import { axisText, HALO, rule } from "../ui/axes";
import { become, component, h, layered, listen, renew, s, setAttr, setAttrs, setText, text, type Component } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { isModified, placeIn } from "../ui/gestures";
import { fit, textWidth } from "../ui/lettering";
import { COLOURS } from "./class-table";
import type { ClassState } from "./protocol";
import {
  CELL,
  columnName,
  dotsOf,
  layoutOf,
  letterPlaces,
  MANY as MOST_LETTERS,
  recordText,
  rectOf,
  type Dot,
  type MapLayout,
  type Records,
  type Rect,
} from "./records";
import { valued } from "./words";

export interface ClassMapProps {
  records: Records;
  classes: readonly ClassState[];
  /** How many there are; the first of them are listed. */
  all: number;
  open: readonly string[];
  chosen: string | null;
  busy: boolean;
  width: number;
}

/** The pointer means a record within this distance, px. */
const REACH = 9;

/** What those are called who have another value than the one that is counted. */
function others(value: string, secret: string): string {
  return /^yes$/i.test(value) ? "none" : /^no$/i.test(value) ? fit(secret, 90) : "other";
}

export function createClassMap(initial: ClassMapProps, onChoose: (letter: string | null) => void): Component<ClassMapProps> {
  let props = initial;
  let layout: MapLayout | null = null;
  let dots: Dot[] = [];
  let rects: (Rect | null)[] = [];
  let letters: ([number, number] | null)[] = [];
  let dotsOn: readonly unknown[] = [];
  let boxesOn: readonly unknown[] = [];
  let pointed: Dot | null = null;
  const caption = h("div", { class: "label kx-map-caption" });
  const hidden = { "aria-hidden": "true" };
  const layers = [hidden, {}, { class: "kx-dots", ...hidden }, { class: "kx-letters", ...hidden }] as const;
  const [svg, axes, boxes, points, names] = layered({ class: "kx-map", role: "listbox", tabindex: 0 }, ...layers);
  const cursor = drawCursor(null);
  svg.append(cursor);
  const readout = h("p", { class: "small muted kx-readout", role: "status" });
  const el = h("div", { class: "kx-map-frame" }, caption, svg, readout);

  const at = (event: MouseEvent): [number, number] => placeIn(svg, event, layout?.width ?? 1);

  function nearest([x, y]: [number, number]): Dot | null {
    let best: Dot | null = null;
    let least = REACH ** 2;
    for (const dot of dots) {
      const far = (dot.x - x) ** 2 + (dot.y - y) ** 2;
      if (far < least) [least, best] = [far, dot];
    }
    return best;
  }

  /** The smallest box there: boxes may lie over each other where more columns than two are published. */
  function classAt([x, y]: [number, number]): ClassState | null {
    let [least, found]: [number, ClassState | null] = [Infinity, null];
    props.classes.forEach((one, k) => {
      const rect = rects[k];
      if (!rect || x < rect.x || x > rect.x + rect.width || y < rect.y || y > rect.y + rect.height) return;
      if (rect.width * rect.height < least) [least, found] = [rect.width * rect.height, one];
    });
    return found;
  }

  /** The class of a record; of several, and of members beyond the listed ones, that of the box there. */
  function classOf({ rows, x, y }: Dot): ClassState | null {
    const found = rows.length > 1 ? null : props.classes.find((one) => one.rows.includes(rows[0] as number));
    return found ?? classAt([x, y]);
  }

  listen(svg, "pointermove", (event) => {
    pointed = nearest(at(event));
    drawPointed();
  });
  listen(svg, "pointerleave", () => {
    pointed = null;
    drawPointed();
  });
  listen(svg, "click", (event) => {
    const place = at(event);
    const dot = nearest(place);
    const found = dot ? classOf(dot) : classAt(place);
    onChoose(found && found.letter !== props.chosen ? found.letter : null);
  });
  listen(svg, "keydown", (event) => {
    if (isModified(event)) return;
    if (event.key === "Escape" && props.chosen !== null) {
      event.preventDefault();
      return onChoose(null);
    }
    const next = step(event.key);
    if (next === undefined) return;
    event.preventDefault();
    if (next) onChoose(next.letter);
  });

  /** The class that an arrow leads to: the nearest one in that direction; undefined for other keys. */
  function step(key: string): ClassState | null | undefined {
    const { classes, chosen } = props;
    if (key === "Home") return classes[0] ?? null;
    if (key === "End") return classes[classes.length - 1] ?? null;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!way) return undefined;
    const from = classes.findIndex(({ letter }) => letter === chosen);
    const rect = rects[from];
    if (!rect) return classes.find((_, k) => rects[k]) ?? null;
    const middle = ({ x, y, width, height }: Rect): [number, number] => [x + width / 2, y + height / 2];
    const [cx, cy] = middle(rect);
    let [least, found]: [number, ClassState | null] = [Infinity, null];
    classes.forEach((one, k) => {
      const other = rects[k];
      if (!other || k === from) return;
      const [dx, dy] = middle(other);
      const ahead = (dx - cx) * (way[0] as number) + (dy - cy) * (way[1] as number);
      const aside = Math.abs((dx - cx) * (way[1] as number)) + Math.abs((dy - cy) * (way[0] as number));
      if (ahead > 0.5 && ahead + 2 * aside < least) [least, found] = [ahead + 2 * aside, one];
    });
    return found;
  }

  function drawPointed(): void {
    become(cursor, drawCursor(pointed));
    setText(readout, pointed ? pointedWords(props.records, pointed, classOf(pointed)) : chosenWords(props));
  }

  function draw(): void {
    const { records, classes, all, open, chosen, busy, width } = props;
    layout = layoutOf(records, width);
    svg.style.display = layout ? "" : "none";
    if (!layout) return;
    const { height } = layout;
    const renewed = changed(dotsOn, (dotsOn = [records, width]));
    if (renewed) dots = dotsOf(records, layout);
    const across = columnName(records, records.drawn[0], 30);
    const up = records.drawn[1] === null ? null : columnName(records, records.drawn[1], 30);
    const secret = records.secret === null ? undefined : records.columns[records.secret];
    const marks =
      secret && records.marked !== null
        ? `; ● ${markedWords(records)}, ○ ${others(valueText(secret, records.marked), secret.name)}`
        : "";
    const which =
      records.sampled === null
        ? `Every ${records.noun}`
        : `${fixed(records.sampled.length, 0)} of ${count(records.count, records.noun, plural(records.noun))}`;
    const first =
      all > classes.length ? `; boxes: the first ${fixed(classes.length, 0)} of ${count(all, "class", "classes")}` : "";
    const sizes = dots.some(({ rows }) => rows.length > 1) ? "; the larger a dot, the more there are" : "";
    setText(caption, `${which} by ${across}${up ? ` and ${up}` : ""}${marks}${sizes}${first}`);
    setAttrs(svg, {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "aria-label": `Classes by ${across}${up ? ` and ${up}` : ""}: ${count(classes.length, "class", "classes")}`,
    });
    setAttr(svg, "data-old", busy);
    if (renewed) {
      renew(points, ...drawDots(dots));
      renew(axes, ...drawAxes(layout, fit(across, 90)));
    }
    if (changed(boxesOn, (boxesOn = [records, width, classes, open.join(), chosen]))) {
      rects = classes.map((one) => rectOf(one, records, layout as MapLayout));
      letters = letterPlaces(classes, rects, dots);
      renew(boxes, ...drawBoxes(props, rects));
      renew(names, ...drawLetters(props, rects, letters));
    }
    drawPointed();
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

/** What is counted, in words; empty where nothing is. */
function markedWords({ secret: place, marked, columns }: Records): string {
  const secret = place === null ? undefined : columns[place];
  return secret && marked !== null ? fit(valued(valueText(secret, marked), secret.name), 120) : "";
}

/** The records at a dot, and the class that they are in. */
function pointedWords(records: Records, { rows, marked }: Dot, found: ClassState | null): string {
  if (rows.length > 1) {
    const all = count(rows.length, records.noun, plural(records.noun));
    const words = markedWords(records);
    return `${all} here${words ? `, ${fixed(marked, 0)} with ${words}` : ""}${found ? `; class ${found.letter}` : ""}`;
  }
  const row = rows[0] as number;
  const columns = [...records.quasi.slice(0, 4), ...(records.secret === null ? [] : [records.secret])];
  const values = columns.map((column) => `${columnName(records, column, 20)} ${recordText(records, column, row)}`);
  return `Record ${row + 1}${found ? `, class ${found.letter}` : ""}: ${values.join(", ")}`;
}

function chosenWords({ records, classes, chosen }: ClassMapProps): string {
  const one = classes.find(({ letter }) => letter === chosen);
  if (!one) return "";
  const published = records.quasi.map((column, j) => `${columnName(records, column, 20)} ${fit(one.ranges[j] ?? "", 160)}`);
  return `Class ${one.letter}, ${count(one.size, records.noun, plural(records.noun))}: ${published.join(", ")}${one.shared ? `; ${one.shared}` : ""}`;
}

function drawCursor(dot: Dot | null): SVGCircleElement {
  const look = { class: "kx-cursor", r: 6, fill: "none", stroke: "var(--brand)", "stroke-width": 2 };
  return s("circle", dot ? { ...look, cx: dot.x.toFixed(1), cy: dot.y.toFixed(1) } : { ...look, style: "display:none" });
}

function drawAxes({ left, right, bottom, xTicks, yTicks }: MapLayout, name: string): SVGElement[] {
  // Where the last label stands no other is written.
  const from = right - textWidth(name) - 5;
  const texts = xTicks.filter(({ at: x, text: label }) => x + textWidth(label) / 2 < from);
  return [
    ...xTicks.map(({ at: x }) => rule(x, bottom + 4, x, bottom + 8)),
    ...texts.map(({ at: x, text: label }) =>
      axisText(x, bottom + 18, label, { "text-anchor": x - textWidth(label) / 2 < left - 6 ? "start" : "middle" }),
    ),
    axisText(right, bottom + 18, name, { "text-anchor": "end" }),
    ...yTicks.map(({ at: y, text: label }) => axisText(left - 6, y + 4, label, { "text-anchor": "end" })),
  ];
}

/** Those that are open lie above the others. */
function drawBoxes({ records, classes, open, chosen }: ClassMapProps, rects: readonly (Rect | null)[]): SVGElement[] {
  const order = [...classes.keys()].sort(
    (a, b) => Number(open.includes((classes[a] as ClassState).letter)) - Number(open.includes((classes[b] as ClassState).letter)),
  );
  return order.flatMap((k) => {
    const rect = rects[k];
    const { letter, colour, size, shared } = classes[k] as ClassState;
    if (!rect) return [];
    const { x, y, width, height } = rect;
    const strong = open.includes(letter);
    const colourOf = COLOURS[colour] as string;
    return [
      s("rect", {
        class: "kx-box",
        role: "option",
        "data-class": letter,
        "aria-selected": String(letter === chosen),
        "aria-label": `Class ${letter}, ${count(size, records.noun, plural(records.noun))}${shared ? `, ${shared}` : ""}`,
        x: x.toFixed(1),
        y: y.toFixed(1),
        width: Math.max(1, width).toFixed(1),
        height: Math.max(1, height).toFixed(1),
        rx: 2,
        fill: colourOf,
        "fill-opacity": letter === chosen ? 0.3 : 0.16,
        stroke: colourOf,
        "stroke-width": strong ? 2.5 : 1,
      }),
    ];
  });
}

function drawLetters(
  { classes, open }: ClassMapProps,
  rects: readonly (Rect | null)[],
  letters: readonly ([number, number] | null)[],
): SVGElement[] {
  return classes.flatMap(({ letter }, k) => {
    const place = letters[k];
    const rect = rects[k];
    if (!place || !rect) return [];
    // Where not all have their letters those that give a secret away are seen all the same.
    if (classes[k]?.one && classes.length > MOST_LETTERS && !open.includes(letter))
      return [
        text(Number(place[0].toFixed(1)), Number((place[1] + 3).toFixed(1)), "▲", {
          ...HALO,
          "stroke-width": 2,
          "text-anchor": "middle",
          "font-size": 9,
          style: "fill:var(--over)",
        }),
      ];
    if (textWidth(letter, 11, true) > rect.width - 2 || (classes.length > MOST_LETTERS && !open.includes(letter)))
      return [];
    return [
      text(Number(place[0].toFixed(1)), Number((place[1] + 4).toFixed(1)), letter, {
        ...HALO,
        "stroke-width": 2,
        "text-anchor": "middle",
        "font-weight": open.includes(letter) ? 700 : 600,
      }),
    ];
  });
}

/** All dots of a kind are one path: round ends of lines of no length. */
function drawDots(dots: readonly Dot[]): SVGElement[] {
  const most = Math.max(1, ...dots.map(({ rows }) => rows.length));
  const alone = most === 1;
  const kinds = new Map<string, { wide: number; share: number; d: string }>();
  // In this order: open, filled, and those of several records by how many of them are marked.
  if (alone) for (const share of [0, 1]) kinds.set(`5.3 ${share}`, { wide: 5.3, share, d: "" });
  for (const { rows, x, y, marked } of dots) {
    const share = Math.round((4 * marked) / rows.length) / 4;
    // Its area is how many there are, in steps.
    const wide = alone ? 5.3 : Math.max(2.2, Math.round(2 * CELL * Math.sqrt(rows.length / most)) / 2);
    const key = `${wide} ${share}`;
    const kind = kinds.get(key) ?? { wide, share, d: "" };
    kind.d += `M${x.toFixed(1)} ${y.toFixed(1)}h0`;
    kinds.set(key, kind);
  }
  const round = { fill: "none", "stroke-linecap": "round" };
  return [...kinds.values()].flatMap(({ wide, share, d }) =>
    alone && share === 1
      ? [s("path", { ...round, d, stroke: "var(--ink)", "stroke-width": 7.6 })]
      : [
          s("path", { ...round, d, stroke: "var(--ink)", "stroke-width": wide }),
          s("path", {
            ...round,
            d,
            stroke: `color-mix(in srgb, var(--ink) ${100 * share}%, var(--bg))`,
            "stroke-width": Math.max(0.8, wide - (alone ? 1.8 : 1.2)),
          }),
        ],
  );
}

function changed(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length !== now.length || now.some((part, k) => !Object.is(part, before[k]));
}
