/** Below the table of pairs: colour key and distribution of all cells on one axis, with the promise at its end. */
import { dotPath, stackDots } from "../graph/svg";
import { keyTicks } from "../ui/axes";
import { colourBand, css, viridis } from "../ui/colours";
import { h, renew, s, setAttr, setAttrs, text, type Component } from "../ui/dom";
import { count, nats, tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { spread } from "../ui/numline";
import type { Shown } from "./results";

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
    const colour = (value: number): string => css(viridis(Math.min(1, value / top), dark));
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
      ...keyTicks(0, top).flatMap((value) =>
        value > 0.2 * top && value < 0.8 * top
          ? [text(x(value), BAND + 24, tick(value), { class: "lx-muted", "text-anchor": "middle" })]
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
  return `Colour key, 0 to ${endText}; ${count(values.length, "pair")} from ${nats(low, top)} to ${nats(high, top)} nats`;
}
