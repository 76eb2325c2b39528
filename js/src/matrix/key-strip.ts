/** Colour key and handle of the chosen cell, with a bracket over the values that keep the matrix valid. */
import { axisText, HALO, linear } from "../ui/axes";
import { css } from "../ui/colours";
import { become, layer, layered, listen, s, setAttrs, text, type Attrs } from "../ui/dom";
import { followPointer, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import { listenShare, round3 } from "../ui/slider";
import type { Interval } from "./validity";
import { entry, inward, signedColour } from "./words";

export interface KeyStripProps {
  /** The colours run from -domain to domain. */
  domain: number;
  unit: string;
  /** The chosen cell; null when it is no entry of the matrix, or cannot be read. */
  cell: {
    /** For screen readers: "Covariance of flat A and flat B". */
    label: string;
    /** In the picture: "A, B". */
    short: string;
    value: number;
    /** Null when no value of this cell makes the matrix valid. */
    range: Interval | null;
    readOnly: boolean;
    /** The matrix is not valid, and this cell is outside its range. */
    wrong: boolean;
  } | null;
  decimals: number;
  dark: boolean;
  disabled: boolean;
  width: number;
}

export interface KeyStripEvents {
  /** `commit` is false while the handle is held; null gives the gesture up. */
  onChange(value: number | null, how: { commit: boolean }): void;
}

export interface KeyStrip {
  readonly el: SVGSVGElement;
  update(props: KeyStripProps): void;
}

const TOP = 24;
const BAND = 8;
const HEIGHT = 62;
const STEPS = 66;
let strips = 0;

export function createKeyStrip(events: KeyStripEvents): KeyStrip {
  strips += 1;
  const hatch = `mx-hatch-${strips}`;
  const [band, bracket, below, handle] = [layer(), layer(), layer(), layer()];
  const hit = drawHit();
  const [el] = layered({ class: "mx-key", height: HEIGHT, role: "group" });
  el.append(drawPattern(hatch), layer({ "aria-hidden": "true" }, band, hit, bracket, below), handle);
  let props: KeyStripProps | null = null;
  let painted = "";
  let held: number | null = null;

  const off = (): boolean => !props?.cell || props.disabled || props.cell.readOnly;

  function at(event: PointerEvent): number {
    const { domain, width } = props as KeyStripProps;
    const share = Math.min(1, Math.max(0, placeIn(el, event)[0] / width));
    // About one step for each pixel, in the digits that are shown.
    const step = 10 ** Math.floor(Math.log10((2 * domain) / width) + 0.5);
    return Number((Math.round((share * 2 - 1) * domain / step) * step).toPrecision(12));
  }

  function grab(event: PointerEvent): void {
    if (event.button !== 0 || off()) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    const move = (e: PointerEvent): void => {
      const value = at(e);
      if (value === held) return;
      held = value;
      events.onChange(value, { commit: false });
    };
    if (event.currentTarget === hit) move(event);
    followPointer(event, {
      active: () => held !== null,
      move,
      end(_, kept) {
        if (held !== null) events.onChange(kept ? held : null, { commit: true });
        held = null;
      },
    });
  }
  listen(handle, "pointerdown", grab);
  listen(hit, "pointerdown", grab);
  const share = ({ domain, cell }: KeyStripProps): number => ((cell?.value ?? 0) + domain) / (2 * domain);
  listenShare(handle, () => (props && !off() ? share(props) : null), (next, key) => {
    if (!props) return;
    const [low, high] = ends(props);
    // Home and End reach the ends of what is valid.
    const value = key === "Home" ? low : key === "End" ? high : round3((next * 2 - 1) * props.domain);
    events.onChange(value, { commit: true });
  });

  return {
    el,
    update(next) {
      props = next;
      const { cell, domain, dark, width } = next;
      setAttrs(el, { width, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-label": cell ? `Colour key and value of ${cell.short}` : "Colour key" });
      const key = `${domain}|${dark}|${width}`;
      if (key !== painted) {
        painted = key;
        band.replaceChildren(...drawBand(next));
        setAttrs(hit, { width });
      }
      bracket.replaceChildren(...drawBracket(next, hatch));
      below.replaceChildren(...drawBelow(next));
      become(handle, drawHandle(next));
    },
  };
}

/** What a pointer meets of the band. */
function drawHit(): SVGRectElement {
  return s("rect", { class: "mx-hit", x: 0, y: TOP - 4, height: 20 });
}

/** What fills the values that are not valid. */
function drawPattern(hatch: string): SVGElement {
  const look = { id: hatch, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const stripe = s("rect", { width: 1.2, height: 5, fill: "var(--line2)" });
  return s("defs", {}, s("pattern", look, s("rect", { width: 5, height: 5, fill: "var(--bg)" }), stripe));
}

function xOf({ domain, width }: KeyStripProps, value: number): number {
  return Math.min(width, Math.max(0, linear(-domain, domain, 0, width)(value)));
}

function drawBand({ dark, width }: KeyStripProps): SVGElement[] {
  const step = width / STEPS;
  return [
    ...Array.from({ length: STEPS }, (_, k) =>
      s("rect", { x: k * step, y: TOP, width: step + (k < STEPS - 1 ? 0.5 : 0), height: BAND, fill: css(signedColour((k + 0.5) / (STEPS / 2) - 1, dark)) }),
    ),
    s("rect", { x: 0.25, y: TOP, width: width - 0.5, height: BAND, fill: "none", stroke: "var(--line2)", "stroke-width": 0.5 }),
  ];
}

function drawBracket(props: KeyStripProps, hatch: string): SVGElement[] {
  const { domain, cell, decimals, width } = props;
  const parts: SVGElement[] = [];
  const range = cell?.range ?? null;
  const hatched = (from: number, to: number): void => {
    if (to - from > 0.5) parts.push(s("rect", { x: from, y: TOP - 7, width: to - from, height: 4, fill: `url(#${hatch})` }));
  };
  if (cell && !range) {
    hatched(0, width);
    parts.push(axisText(width / 2, TOP - 14, `no value of ${cell.short} alone is valid`, { "text-anchor": "middle" }));
  } else if (cell && range) {
    const [low, high] = [xOf(props, range[0]), xOf(props, range[1])];
    hatched(0, low);
    hatched(high, width);
    // An end beyond the scale has no stop.
    const stops = [range[0] >= -domain ? `M${low} ${TOP - 10}v7` : "", range[1] <= domain ? `M${high} ${TOP - 10}v7` : ""];
    parts.push(s("path", { class: "mx-bracket", d: `${stops.join("")}M${low} ${TOP - 5}H${high}` }));
    drawEnds(parts, cell.short, [low, high], range, { domain, decimals, width });
  }
  return parts;
}

/** The ends where they are on the scale, and between or beside them what they are about. */
function drawEnds(
  parts: SVGElement[],
  short: string,
  [low, high]: [number, number],
  range: Interval,
  { domain, decimals, width }: { domain: number; decimals: number; width: number },
): void {
  const y = TOP - 14;
  const ends: { text: string; from: number; to: number }[] = [];
  const put = (at: number, value: number, end: "low" | "high"): void => {
    const words = entry(inward(value, end, decimals), decimals);
    const wide = textWidth(words);
    const from = Math.max(0, Math.min(width - wide, at - wide / 2));
    const before = ends[ends.length - 1];
    // Ends that meet stand side by side.
    const start = before && from < before.to + 6 ? Math.min(width - wide, before.to + 6) : from;
    ends.push({ text: words, from: start, to: start + wide });
  };
  if (range[0] >= -domain) put(low, range[0], "low");
  if (range[1] <= domain) put(high, range[1], "high");
  for (const end of ends) parts.push(text(end.from, y, end.text));
  const title = `valid for ${short}`;
  const wide = textWidth(title);
  const gaps: [number, number][] = [];
  let left = 0;
  for (const end of ends) {
    gaps.push([left, end.from - 6]);
    left = end.to + 6;
  }
  gaps.push([left, width]);
  const middle = (low + high) / 2;
  const free = gaps
    .filter(([from, to]) => to - from >= wide)
    .map(([from, to]) => Math.max(from, Math.min(to - wide, middle - wide / 2)))
    .sort((a, b) => Math.abs(a + wide / 2 - middle) - Math.abs(b + wide / 2 - middle))[0];
  if (free !== undefined) parts.push(axisText(free, y, title));
}

function drawBelow(props: KeyStripProps): SVGElement[] {
  const { domain, unit, cell, decimals, width } = props;
  const y = TOP + 21;
  const last = `${entry(domain, 6).replace(/\.?0+$/, "")}${unit ? ` ${unit}` : ""}`;
  const first = `−${entry(domain, 6).replace(/\.?0+$/, "")}`;
  const labels: [number, string, string][] = [[0, first, "start"], [width / 2, "0", "middle"], [width, last, "end"]];
  const parts: SVGElement[] = [];
  const value = cell && Number.isFinite(cell.value) ? xOf(props, cell.value) : null;
  for (const [at, words, anchor] of labels) {
    const wide = textWidth(words);
    const from = anchor === "start" ? 0 : anchor === "end" ? at - wide : at - wide / 2;
    const free = value === null || value + 8 < from || value - 8 > from + wide;
    if (free) parts.push(axisText(at, y, words, { "text-anchor": anchor }));
  }
  if (cell && value !== null) {
    const words = entry(cell.value, decimals);
    const right = value + 10 + textWidth(words, 11, true) <= width;
    parts.push(text(right ? value + 10 : value - 10, TOP + 35, words, { "font-weight": 600, "text-anchor": right ? "start" : "end", ...HALO }));
  }
  return parts;
}

/** The handle at the value of the cell. */
function drawHandle(props: KeyStripProps): SVGGElement {
  const cell = props.cell && Number.isFinite(props.cell.value) ? props.cell : null;
  const at = cell ? xOf(props, cell.value) : 0;
  return s(
    "g",
    { class: "mx-handle", role: "slider", display: cell ? null : "none", ...(cell && saidOf(props, cell)) },
    s("line", { y1: TOP - 8, y2: TOP + 12, "stroke-width": 2, x1: at, x2: at }),
    s("path", { d: `M${at.toFixed(2)} ${TOP + 9}l6 6v10h-12v-10z` }),
    s("rect", { class: "mx-hit", y: TOP - 4, width: 28, height: 38, x: at - 14 }),
  );
}

/** What a screen reader hears of the handle. */
function saidOf(props: KeyStripProps, cell: NonNullable<KeyStripProps["cell"]>): Attrs {
  const [low, high] = ends(props);
  const can = !props.disabled && !cell.readOnly;
  const told = !cell.range ? "no value of this cell alone is valid" : `valid ${span(cell.range, props.decimals)}`;
  return {
    "data-wrong": cell.wrong,
    tabindex: can ? 0 : null,
    "aria-disabled": can ? null : "true",
    "aria-label": cell.label,
    "aria-valuemin": Math.min(low, cell.value),
    "aria-valuemax": Math.max(high, cell.value),
    "aria-valuenow": cell.value,
    "aria-valuetext": `${entry(cell.value, props.decimals)}, ${told}`,
  };
}

/** Where Home and End lead: what is valid, as far as the scale goes, and never into what only rounding makes valid. */
function ends({ domain, cell, decimals }: KeyStripProps): [number, number] {
  const range = cell?.range;
  if (!range) return [-domain, domain];
  const low = Math.max(-domain, inward(range[0], "low", decimals));
  const high = Math.min(domain, inward(range[1], "high", decimals));
  return low <= high ? [low, high] : [range[0], Math.min(domain, range[1])];
}

function span([low, high]: Interval, decimals: number): string {
  const from = entry(inward(low, "low", decimals), decimals);
  return high === Infinity ? `from ${from}` : `from ${from} to ${entry(inward(high, "high", decimals), decimals)}`;
}
