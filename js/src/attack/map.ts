/** One map: what one attack believes before or after the release, with the truth, the guess, friends and noisy centres. */
import { placeLabels, written, type Box, type Place } from "../curves/labels";
import { axisText } from "../ui/axes";
import { h, layered, listen, renew, s, setAttr, setAttrs, setText } from "../ui/dom";
import { fixed } from "../ui/format";
import { isModified, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import { drawCells } from "./map-cells";
import { cellAt, mapFrame, middle, scaleBar, straight, walk, type MapFrame } from "./map-frame";
import { centreMark, friendMark, guessMark, truthMark } from "./map-marks";
import type { CityState } from "./protocol";
import type { Shown } from "./results";
import { cellName, km } from "./words";

export interface MapProps {
  city: CityState;
  shown: Shown | null;
  /** Largest probability of the scale. */
  end: number;
  dark: boolean;
  /** The beliefs are those of something else. */
  busy: boolean;
  width: number;
  /** The cell whose numbers are read out, on all maps. */
  cursor: number | null;
}

export interface BeliefMap {
  readonly el: HTMLElement;
  update(props: MapProps): void;
}

/** Nearer than this the guess needs no line to the truth, px. */
const NEAR = 18;
/** Of more friends than this each is drawn smaller and its reach paler: the cells below are to be seen. */
const CROWD = 24;

/** Of a mark at the rim, px. */
const RIM = 6;

let maps = 0;

/** Which of the maps. */
interface Which {
  attack: 0 | 1;
  after: boolean;
  /** Name of what the picture is cut by. */
  clip: string;
}

/** `attack` 0 or 1; `after` the release, or before it. `onCursor` hears the cell that is pointed at or walked to. */
export function createMap(attack: 0 | 1, after: boolean, initial: MapProps, onCursor: (cell: number | null) => void): BeliefMap {
  maps += 1;
  const which = { attack, after, clip: `ax-map-${maps}-${Math.random().toString(36).slice(2, 8)}` };
  let props = initial;
  let frame = mapFrame(initial.width, initial.city.size, initial.city.grid);
  const words = h("span");
  const [bar] = layered({ class: "ax-bar", height: 18, "aria-hidden": "true" });
  // The bar of kilometres stands beside the words: on the map it would lie on cells.
  const caption = h("div", { class: "small ax-map-caption" }, words, bar);
  const map = { class: "ax-map", role: "group", tabindex: 0, "aria-roledescription": "map" };
  const [svg, cells, marks, cursor] = layered(map, {}, {}, { class: "ax-cursor" });
  const el = h("div", { class: "ax-map-frame", "data-after": after }, caption, svg);

  const at = (event: PointerEvent): number | null => cellAt(frame, ...placeIn(svg, event, frame.width));
  listen(svg, "pointermove", (event) => onCursor(at(event)));
  listen(svg, "pointerdown", (event) => onCursor(at(event)));
  listen(svg, "pointerleave", (event) => event.pointerType === "mouse" && onCursor(null));
  listen(svg, "keydown", (event) => {
    if (isModified(event) || !props.shown) return;
    if (event.key === "Escape" && props.cursor !== null) {
      event.preventDefault();
      return onCursor(null);
    }
    const next = walk(props.cursor ?? guessOf(which, props.shown), event.key, frame.grid);
    if (next === null) return;
    event.preventDefault();
    onCursor(next);
  });

  function draw(): void {
    const { city, shown, busy, width } = props;
    frame = mapFrame(width, city.size, city.grid);
    setAttrs(svg, { width: frame.width, height: frame.height, viewBox: `0 0 ${frame.width} ${frame.height}` });
    setAttr(svg, "data-old", busy);
    const state = shown?.attacks[attack];
    const entropy = state ? fixed(state.entropy[after ? 1 : 0], 2) : "…";
    const { length, text } = scaleBar(city.size[0], frame.width);
    setAttrs(bar, { width: barLeft(text) + length + 1 });
    renew(bar, ...drawBar(text, length));
    setText(words, `${after ? "after the release" : "before: prior"}, H = ${busy ? "…" : entropy} bits`);
    setAttr(svg, "aria-label", said(which, props));
    renew(cells, ...drawGround(which, props, frame));
    renew(marks, ...drawMarks(which, props, frame));
    renew(cursor, ...drawCursor(shown && props.cursor, frame));
  }

  draw();
  return {
    el,
    update(next) {
      const before = props;
      props = next;
      const moved = next.cursor !== before.cursor;
      const same = (Object.keys(next) as (keyof MapProps)[]).every((name) => name === "cursor" || Object.is(next[name], before[name]));
      if (!same) draw();
      else if (moved && next.shown) renew(cursor, ...drawCursor(next.cursor, frame));
    },
  };
}

function guessOf({ attack, after }: Which, shown: Shown): number {
  const state = shown.attacks[attack];
  return after ? state.after : state.before;
}

function said(which: Which, { shown, city, busy }: MapProps): string {
  const name = `Attack ${which.attack + 1}, ${which.after ? "after the release" : "before it"}`;
  const state = shown?.attacks[which.attack];
  if (!shown || !state) return `${name}: nothing to show yet`;
  if (busy) return `${name}: being computed`;
  return `${name}: the guess is cell ${cellName(guessOf(which, shown), city.grid)}, ${km(state.error[which.after ? 1 : 0])} km ` +
    "from the truth. Walk the cells with the arrow keys.";
}

function drawGround({ attack, after }: Which, { shown, end, dark }: MapProps, frame: MapFrame): SVGElement[] {
  const outline = s("rect", { x: 0.5, y: 0.5, width: frame.width - 1, height: frame.height - 1, fill: "none", stroke: "var(--line2)" });
  const state = shown?.attacks[attack];
  return state ? [outline, ...drawCells(after ? state.posterior : state.prior, state.prior, frame, end, dark)] : [outline];
}

function drawMarks(which: Which, { city, shown, busy }: MapProps, frame: MapFrame): SVGElement[] {
  const { attack, after, clip } = which;
  const state = shown?.attacks[attack];
  if (!shown || !state) return [axisText(frame.width / 2, frame.height / 2, "nothing to show yet", { "text-anchor": "middle" })];
  const out: SVGElement[] = [];
  const boxes: Box[] = [];
  const around = (x: number, y: number, r: number): number => boxes.push({ x0: x - r, y0: y - r, x1: x + r, y1: y + r });
  const place = ([east, north]: readonly [number, number]): [number, number] => [frame.x(east), frame.y(north)];
  const friends = attack === 1 ? shown.friends.map(place) : [];
  const crowd = friends.length > CROWD;
  if (!after && friends.length > 0) {
    const reach = s("g", { "clip-path": `url(#${clip})`, class: "ax-reach", opacity: crowd ? 0.35 : null });
    for (const [cx, cy] of friends)
      reach.append(
        s("ellipse", {
          cx,
          cy,
          rx: city.radius * frame.width,
          ry: city.radius * frame.height,
          fill: "none",
          stroke: "var(--ink2)",
          "stroke-dasharray": "1 3",
          "stroke-linecap": "round",
        }),
      );
    out.push(s("clipPath", { id: clip }, s("rect", { width: frame.width, height: frame.height })), reach);
  }
  for (const [x, y] of friends) {
    out.push(friendMark(x, y, crowd ? 0.7 : 1));
    around(x, y, crowd ? 3.5 : 5);
  }
  if (after) {
    for (const [east, north] of shown.centres) {
      // Noise may carry a centre off the map: it stands at the rim.
      const [x, y] = [inside(frame.x(east), frame.width), inside(frame.y(north), frame.height)];
      out.push(centreMark(x, y));
      around(x, y, 4);
    }
  }
  const [tx, ty] = place(shown.truth);
  const { x: gx, y: gy } = middle(frame, guessOf(which, shown));
  const far = Math.hypot(tx - gx, ty - gy) > NEAR;
  if (far) {
    const d = straight(gx, gy, tx, ty);
    out.push(
      s("path", { d, stroke: "var(--bg)", "stroke-width": 4, fill: "none" }),
      s("path", { d, stroke: "var(--ink)", "stroke-width": 1.5, "stroke-dasharray": "5 3", fill: "none" }),
    );
  }
  out.push(guessMark(gx, gy), truthMark(tx, ty));
  boxes.push({ x0: tx - 12, y0: ty - 12, x1: tx + 12, y1: ty + 12 }, { x0: gx - 9, y0: gy - 9, x1: gx + 9, y1: gy + 9 });
  const wanted = [{ key: "error", text: `${busy ? "…" : km(state.error[after ? 1 : 0])} km`, bold: true, places: labelPlaces(tx, ty, gx, gy, far) }];
  const within = { x0: 2, y0: 2, x1: frame.width - 2, y1: frame.height - 2 };
  const lines = far ? [[[gx, gy], [tx, ty]] as [number, number][]] : [];
  const filled = Array.from(state.prior, (p, cell) => ({ p, ...frame.cell(cell) })).filter(({ p }) => p > 0);
  const cells = filled.map(({ x, y }) => ({ x0: x, y0: y, x1: x + frame.cellWidth, y1: y + frame.cellHeight }));
  const free = placeLabels(wanted, { curves: lines, verticals: [], boxes: [...boxes, ...cells], frame: within }).places;
  // Where everything is full it may lie on cells, then on marks, but not on the truth and the guess.
  const tries = [boxes, boxes.slice(-2), []].map(
    (kept, k) => () =>
      placeLabels(wanted, { curves: k === 0 ? lines : [], verticals: [], boxes: kept, frame: within }).places,
  );
  const places = tries.reduce((found, next) => (found.get("error") ? found : next()), free);
  out.push(...written(wanted, places, {}));
  return out;
}

/** Where the bar of kilometres begins beside its length, px. */
function barLeft(text: string): number {
  return textWidth(text) + 6;
}

function drawBar(text: string, length: number): SVGElement[] {
  const d = `M${barLeft(text)} 9v4h${length.toFixed(1)}v-4`;
  return [axisText(0, 13, text), s("path", { d, fill: "none", stroke: "var(--ink2)", "stroke-width": 1.5 })];
}

function drawCursor(cell: number | null, frame: MapFrame): SVGElement[] {
  if (cell === null || cell >= frame.grid * frame.grid) return [];
  const { x, y } = frame.cell(cell);
  const box = { x: x + 0.5, y: y + 0.5, width: frame.cellWidth - 1, height: frame.cellHeight - 1, fill: "none" };
  return [s("rect", { ...box, stroke: "var(--bg)", "stroke-width": 4 }), s("rect", { ...box, stroke: "var(--ink)", "stroke-width": 2 })];
}

/** The nearest place where a whole mark is seen. */
function inside(at: number, side: number): number {
  return Math.min(side - RIM, Math.max(RIM, at));
}

/** Beside the line at its middle, else beside the truth or the guess. */
function labelPlaces(tx: number, ty: number, gx: number, gy: number, far: boolean): Place[] {
  const beside = (x: number, y: number, gap: number): Place[] => [
    { x: x + gap, y: y + 4, anchor: "start" },
    { x: x - gap, y: y + 4, anchor: "end" },
    { x, y: y - gap, anchor: "middle" },
    { x, y: y + gap + 8, anchor: "middle" },
    { x: x + gap, y: y - gap, anchor: "start" },
    { x: x - gap, y: y - gap, anchor: "end" },
    { x: x + gap, y: y + gap + 4, anchor: "start" },
    { x: x - gap, y: y + gap + 4, anchor: "end" },
  ];
  if (!far) return [...beside(tx, ty, 18), ...beside(tx, ty, 30)];
  const on = (share: number, gap = 12): Place[] => beside(tx + share * (gx - tx), ty + share * (gy - ty), gap);
  const further = [22, 32, 44, 56].flatMap((gap) => [0.5, 0.35, 0.65, 0.2, 0.8].flatMap((share) => on(share, gap)));
  return [...on(0.5), ...on(0.4), ...on(0.6), ...beside(tx, ty, 18), ...beside(gx, gy, 16), ...on(0.25), ...on(0.75), ...further];
}
