/** The table of pairs: a row for each report, a column for each secret; below it the totals and the colour key. */
import type { Output } from "../compute/local-mechanisms";
import { nameOf } from "../explorer/words";
import { dotPath, stackDots } from "../graph/svg";
import { keyTicks, rule } from "../ui/axes";
import { colourBand, css, magnitude } from "../ui/colours";
import { component, h, layered, listen, renew, s, setAttr, setAttrs, setText, text, type Component } from "../ui/dom";
import { bound as upwards, capital, count, inWords, leakageTick, nats } from "../ui/format";
import { isModified } from "../ui/gestures";
import { clip, distinctNames, textWidth } from "../ui/lettering";
import { badge, inlineBadge } from "../ui/marks";
import { spread } from "../ui/numline";
import { drawCells, frameOf, gutter, pairAt, type Frame, type HeatMapProps } from "./heat-map-cells";
import type { Shown, Totals } from "./results";
import { everything } from "./words";
import { leakageUnit, perNat } from "../ui/preferences";

// Below the table of pairs: what all reports together say about each secret, and the paper's sum for it.

export interface TotalsProps {
  left: number;
  cw: number;
  n: number;
  output: Output;
  totals: Totals | null;
  late: boolean;
  width: number;
  bottom: number;
}

const TOTALS_HEIGHT = 64;

/** How the paper's sum stands to the exact number; null where they are the same, or there is none. */
export function sumError({ exact, sum, awaited }: Totals, secret: number): { direction: "low" | "high"; by: number } | null {
  const [truth, said] = [exact?.[secret] ?? NaN, sum[secret] ?? NaN];
  const by = said - truth;
  const alike = Number.isFinite(by) ? Math.abs(by) <= 1e-9 * Math.max(1, truth) : Number.isNaN(by);
  if (awaited || alike) return null;
  return { direction: by < 0 ? "low" : "high", by: Math.abs(by) };
}

function allNaN(values: Float64Array | null): boolean {
  return values === null || values.every(Number.isNaN);
}

function drawTotals({ left, cw, n, output, totals, late, width, bottom }: TotalsProps): SVGElement[] {
  const who = capital(everything(output, n));
  const y = bottom + 10;
  const size = cw >= 64 ? 14 : cw >= 44 ? 12 : 11;
  const kernel = !late && totals !== null && totals.kernel && allNaN(totals.exact) && allNaN(totals.bound);
  const bounded = !late && !kernel && totals !== null && [...(totals.exact ?? [NaN])].every(Number.isNaN);
  const out: SVGElement[] = [
    rule(0, y, width, y),
    text(0, y + 19, bounded ? `all ${n} ≤` : n === 2 ? "both" : `all ${inWords(n)}`, { "font-size": 12, "font-weight": 600 }),
    text(0, y + 35, "paper’s sum", { class: "lx-muted" }),
  ];
  if (kernel) {
    // One word for all of them rather than a dash for each.
    out.push(text(left + 8, y + 19, "needs a kernel", { class: "lx-muted" }));
    if (allNaN(totals.sum)) {
      out.push(text(left + 8, y + 35, "needs a kernel", { class: "lx-muted" }));
      return [s("g", { role: "img", "aria-label": `${who} together: needs a kernel` }, ...out)];
    }
  }
  const spoken: string[] = [];
  for (let k = 0; k < n; k++) {
    const x = left + (k + 0.5) * cw;
    const exact = totals?.exact?.[k] ?? NaN;
    const most = totals?.bound?.[k] ?? NaN;
    const atMost = Number.isNaN(exact) && !Number.isNaN(most);
    const number = late ? "…" : atMost ? `${bounded ? "" : "≤ "}${upwards(most)}` : Number.isNaN(exact) ? "–" : nats(exact);
    const added = totals?.sum[k] ?? NaN;
    const sum = !Number.isNaN(added) ? nats(added) : late ? "…" : "–";
    const error = totals && !late ? sumError(totals, k) : null;
    if (!kernel)
      out.push(
        text(x, y + 19, number, {
          "text-anchor": "middle",
          "font-size": size,
          "font-weight": 600,
          style: atMost ? "fill:var(--promise)" : null,
        }),
      );
    // A mark stands before its number where both have room, and never on it.
    const half = textWidth(sum, 11) / 2;
    const beside = cw >= 2 * half + 20;
    out.push(text(x + (error && beside ? 7 : 0), y + 35, sum, { "text-anchor": "middle", class: "lx-muted" }));
    if (error) out.push(badge(error.direction, beside ? x - half - 3 : x, beside ? y + 31 : y + 46, 5.5));
    spoken.push(`${kernel ? "needs a kernel" : number} (sum ${sum}${error ? `, too ${error.direction}` : ""})`);
  }
  return [s("g", { role: "img", "aria-label": `${bounded ? `Bounds for ${everything(output, n)}` : who} together, by secret: ${spoken.join("; ")}` }, ...out)];
}

// Below the table of pairs: colour key and distribution of all cells on one axis, with the promise at its end.

export interface KeyProps {
  names: readonly number[];
  shown: Shown | null;
  pair: { source: number; secret: number } | null;
  top: number;
  /** What a report promises for its own attribute. */
  promise: number;
  /** "ε = 1 nat": what stands at the end of the axis. */
  endText: string;
  busy: boolean;
  dark: boolean;
  width: number;
}

const BAND = 44;
const HEIGHT = 76;
/** Up to here every cell is a dot of its own colour. */
const FEW = 90;
/** Diameter of one dot of many, px. */
const DOT = 5;

export function createKey(initial: KeyProps): Component<KeyProps> {
  const band = s("g", {});
  const drawn = s("g", {});
  const svg = s("svg", { height: HEIGHT, role: "img" }, band, drawn);
  const el = h("div", { class: "lx-key" }, svg);
  // The colours themselves stay while a budget is dragged.
  const paint = colourBand(band, BAND);

  function drawBand(width: number, dark: boolean): void {
    if (paint(width, dark)) setAttrs(svg, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
  }

  function draw(props: KeyProps): void {
    const { shown, names, pair, top, promise, dark, busy, width, endText } = props;
    const n = names.length;
    const x = (value: number): number => Math.min(width - 5, Math.max(5, (value / top) * width));
    const colour = (value: number): string => css(magnitude(Math.min(1, value / top), dark));
    const values: number[] = [];
    const places: number[] = [];
    if (shown && !busy) {
      for (let k = 0; k < n * n; k++) {
        if (Math.floor(k / n) === k % n) continue;
        values.push(shown.matrix[k] as number);
        places.push(k);
      }
    }
    const at = (source: number, secret: number): number => places.indexOf(names.indexOf(source) * n + names.indexOf(secret));
    const chosen = pair ? at(pair.source, pair.secret) : -1;
    const mirror = pair ? at(pair.secret, pair.source) : -1;
    const parts: SVGElement[] = [];
    setAttr(svg, "aria-label", spoken(values, props));
    drawBand(width, dark);
    const few = values.length <= FEW;
    const flats = values.map((_, k) => k).filter((k) => k !== chosen && k !== mirror);
    const dots = stackDots(flats, (k) => x(values[k] as number), { base: BAND - 6, room: 22, bin: few ? 6 : DOT, pitch: few ? 7 : DOT, snap: !few });
    if (few) {
      for (let k = 0; k < dots.count; k++) {
        const value = values[dots.flats[k] as number] as number;
        parts.push(
          s("circle", {
            cx: (dots.x[k] as number).toFixed(1),
            cy: (dots.y[k] as number).toFixed(1),
            r: 3.5,
            fill: colour(value),
            stroke: "var(--ink)",
            "stroke-width": 0.75,
          }),
        );
      }
    } else parts.push(s("path", { d: dotPath(dots), fill: "none", stroke: "var(--ink2)", "stroke-width": DOT, "stroke-linecap": "round" }));
    const marked: { value: number; words: string; bold: boolean }[] = [];
    for (const [place, dashed] of [[mirror, true], [chosen, false]] as const) {
      if (place < 0) continue;
      const value = values[place] as number;
      parts.push(
        s("circle", {
          cx: x(value).toFixed(1),
          cy: BAND - 7,
          r: 4.5,
          fill: colour(value),
          stroke: "var(--brand)",
          "stroke-width": dashed ? 1.75 : 2.75,
        }),
      );
      marked.push({ value, words: dashed ? `${nats(value, top)} mirror` : nats(value, top), bold: !dashed });
    }
    const words = `promise ${nats(promise)}`;
    const at0 = Math.min(width - 1, Math.max(1, (promise / top) * width));
    const right = at0 < width / 2;
    const taken = right ? 0 : textWidth(words) + 12 + (width - at0);
    const low = right ? at0 + textWidth(words) + 14 : 0;
    const widths = marked.map(({ words: label, bold }) => textWidth(label, 11, bold));
    const lefts = spread(marked.map(({ value }) => x(value)), widths, low, width - taken);
    marked.forEach(({ words: label, bold }, k) => parts.push(text(Number((lefts[k] as number).toFixed(1)), 10, label, { "font-weight": bold ? 600 : 400 })));
    parts.push(
      s("line", { x1: at0, y1: 4, x2: at0, y2: BAND + 8, stroke: "var(--promise)", "stroke-width": 2, "stroke-dasharray": "4 3" }),
      text(right ? at0 + 6 : at0 - 6, 10, words, { "text-anchor": right ? "start" : "end", style: "fill:var(--promise)" }),
      text(0, BAND + 24, "0", { class: "lx-muted" }),
      ...keyTicks(0, top, perNat()).flatMap((value) =>
        value > 0.2 * top && value < 0.8 * top
          ? [text(x(value), BAND + 24, leakageTick(value), { class: "lx-muted", "text-anchor": "middle" })]
          : [],
      ),
      text(width, BAND + 24, endText, { class: "lx-muted", "text-anchor": "end" }),
    );
    renew(drawn, ...parts);
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function spoken(values: readonly number[], { top, endText }: KeyProps): string {
  if (values.length === 0) return `Colour key, 0 to ${endText}`;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `Colour key, 0 to ${endText}; ${count(values.length, "pair")} from ${nats(low, top)} to ${nats(high, top)} ${leakageUnit()}`;
}

// The table of pairs: a row for each report, a column for each secret, colour for what the one says about the other.

export type { HeatMapProps };

let maps = 0;

export function createHeatMap(initial: HeatMapProps, onChoose: (source: number, secret: number) => void): Component<HeatMapProps> {
  maps += 1;
  const hatch = `lx-hatch-${maps}-${Math.random().toString(36).slice(2, 8)}`;
  let props = initial;
  let frame = frameOf([], initial.width);
  let built = "";
  /** The cell that the arrows stand at, by row and column. */
  let at: [number, number] = [0, 1];
  /** The cells that are ringed, in which drawing. */
  let ringed = "";
  const cells = drawCells(hatch, initial, frame);
  const over = { "aria-hidden": "true" };
  const [svg, rings, pointed, totals] = layered({ class: "lx-map" }, { ...over, class: "lx-rings" }, { ...over, class: "lx-rings lx-pointed" }, {});
  svg.prepend(drawPattern(hatch), cells.el);
  const readout = h("p", { class: "small muted lx-readout", "aria-hidden": "true" });
  const legend = h(
    "p",
    { class: "small muted lx-legend" },
    inlineBadge("low"),
    " the paper’s pairwise sum is too low, ",
    inlineBadge("high"),
    " too high. It is not a bound.",
  );
  const el = h("div", {}, h("div", { class: "lx-map-frame" }, cells.fills, svg), legend, readout);

  const placeAt = ([j, k]: readonly [number, number]): number => (j < 0 || k < 0 ? -1 : j * frame.n + k);

  function drawValues(): void {
    cells.draw(props, placeAt(at));
  }

  function say(place: number | null): void {
    pointed.replaceChildren(...drawMirror(frame, place));
    const words = cells.said(place ?? placeAt(pairAt(props)));
    setText(readout, frame.numbered || words === null ? "" : clip(words, 200));
  }

  function choose(j: number, k: number): void {
    const [source, secret] = [props.names[j], props.names[k]];
    if (props.disabled || j === k || source === undefined || secret === undefined) return;
    onChoose(source, secret);
  }

  function placeOf(event: Event): number | null {
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    return cell ? Number(cell.getAttribute("data-cell")) : null;
  }

  listen(svg, "click", (event) => {
    const place = placeOf(event);
    if (place === null) return;
    at = [Math.floor(place / frame.n), place % frame.n];
    choose(...at);
    drawValues();
  });
  for (const type of ["pointerover", "focusin"] as const) listen(svg, type, (event) => say(placeOf(event)));
  for (const type of ["pointerleave", "focusout"] as const) listen(svg, type, () => say(null));
  listen(svg, "keydown", (event) => {
    const place = placeOf(event);
    if (place === null || isModified(event)) return;
    const { n } = frame;
    const [j, k] = [Math.floor(place / n), place % n];
    const to: Record<string, [number, number]> = {
      ArrowLeft: [j, k - 1],
      ArrowRight: [j, k + 1],
      ArrowUp: [j - 1, k],
      ArrowDown: [j + 1, k],
      Home: [j, 0],
      End: [j, n - 1],
      PageUp: [0, k],
      PageDown: [n - 1, k],
    };
    if (event.key === "Enter" || event.key === " ") choose(j, k);
    else {
      const next = to[event.key];
      if (!next) return;
      at = [Math.min(n - 1, Math.max(0, next[0])), Math.min(n - 1, Math.max(0, next[1]))];
      drawValues();
      cells.focus(placeAt(at));
    }
    event.preventDefault();
  });

  function draw(): void {
    const whole = props.names.map((name) => nameOf(props.naming, name, 200));
    // Names that would be cut give up what all of them share.
    const names = whole.some((name) => textWidth(name, 12, true) > gutter(props.width)) ? distinctNames(whole) : whole;
    const key = JSON.stringify([names, props.width, props.output]);
    const focused = (el.getRootNode() as Document | ShadowRoot).activeElement?.closest?.("[data-cell]");
    if (key !== built) {
      built = key;
      frame = frameOf(names, props.width);
      at = [Math.min(at[0], Math.max(0, frame.n - 1)), Math.min(at[1], Math.max(0, frame.n - 1))];
      ringed = "";
      cells.build(props, frame, names);
      if (focused && el.contains(focused) === false) cells.focus(placeAt(at));
    }
    // Who comes by the keyboard lands on the chosen cell.
    const [j, k] = pairAt(props);
    if (!focused && j >= 0 && k >= 0) at = [j, k];
    drawValues();
    if (ringed !== `${j}/${k}`) {
      ringed = `${j}/${k}`;
      rings.replaceChildren(...(j < 0 || k < 0 ? [] : [...drawRing(frame, k, j, true), ...drawRing(frame, j, k, false)]));
    }
    const bottom = frame.top + frame.n * frame.ch;
    const withTotals = frame.numbered && frame.n > 1;
    totals.replaceChildren(
      ...(withTotals
        ? drawTotals({
            ...frame,
            output: props.output,
            totals: props.shown?.totals ?? null,
            late: props.late,
            width: props.width,
            bottom,
          })
        : []),
    );
    const height = bottom + (withTotals ? TOTALS_HEIGHT : 4);
    setAttrs(svg, { width: props.width, height, viewBox: `0 0 ${props.width} ${height}` });
    readout.hidden = frame.numbered;
    const shownTotals = props.shown?.totals;
    legend.hidden = !withTotals || (!!shownTotals && !props.late && props.names.every((_, k) => sumError(shownTotals, k) === null));
    say(null);
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  }, cells);
}

/** What fills the diagonal. */
function drawPattern(hatch: string): SVGElement {
  const look = { id: hatch, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return s("defs", {}, s("pattern", look, s("rect", { width: 1, height: 6, fill: "var(--line2)" })));
}

function drawRing({ left, top, cw, ch, numbered }: Frame, j: number, k: number, dashed: boolean): SVGElement[] {
  const wide = numbered ? 3 : 2;
  const box = { x: (left + k * cw).toFixed(1), y: top + j * ch, width: cw.toFixed(1), height: ch, fill: "none" };
  const inner = {
    x: (left + k * cw + 1.5).toFixed(1),
    y: top + j * ch + 1.5,
    width: Math.max(1, cw - 3).toFixed(1),
    height: Math.max(1, ch - 3),
    fill: "none",
  };
  return [
    s("rect", { ...inner, stroke: "var(--bg)", "stroke-width": wide * 1.7 }),
    s("rect", { ...box, rx: 2, stroke: "var(--brand)", "stroke-width": wide, "stroke-dasharray": dashed ? (numbered ? "5 3" : "3 2") : null }),
  ];
}

/** Thin, around the cell that is pointed at and its mirror: the two are read together. */
function drawMirror({ left, top, cw, ch, n }: Frame, place: number | null): SVGElement[] {
  const [j, k] = place === null ? [0, 0] : [Math.floor(place / n), place % n];
  const thin = (row: number, column: number, dash: string | null): SVGElement =>
    s("rect", {
      x: (left + column * cw + 1).toFixed(1),
      y: top + row * ch + 1,
      width: Math.max(1, cw - 2).toFixed(1),
      height: Math.max(1, ch - 2),
      fill: "none",
      stroke: "var(--ink)",
      "stroke-width": 1.5,
      "stroke-dasharray": dash,
    });
  return j === k ? [] : [thin(k, j, "3 2"), thin(j, k, null)];
}
