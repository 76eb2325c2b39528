/** Below the graph: colour key and distribution of all tuples on one axis, with the promise. */
import { stackDots } from "../graph/dots";
import { HALO, keyAnchor, keyTicks } from "../ui/axes";
import { colourBand, css, viridis } from "../ui/colours";
import { h, renew, s, setAttr, setAttrs, text, type Component } from "../ui/dom";
import { tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { countOver, mostLeaking, type Shown } from "./results";
import { nats } from "./words";

export interface KeyProps {
  shown: Shown | null;
  tuple: number;
  epsilon: number;
  /** Ends of the colour scale. */
  domain: readonly [number, number];
  busy: boolean;
  dark: boolean;
  width: number;
}

const BAND = 40;
const HEIGHT = 70;

export function createKey(initial: KeyProps): Component<KeyProps> {
  const band = s("g", {});
  const drawn = s("g", {});
  const svg = s("svg", { height: HEIGHT, role: "img" }, band, drawn);
  const el = h("div", { class: "dx-key" }, svg);
  // The colours themselves stay while a budget is dragged.
  const paint = colourBand(band, BAND);

  function drawBand(width: number, dark: boolean): void {
    if (paint(width, dark)) setAttrs(svg, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
  }

  function draw({ shown, tuple, epsilon, domain, busy, dark, width }: KeyProps): void {
    drawBand(width, dark);
    const [low, high] = domain;
    const share = (value: number): number => Math.min(1, Math.max(0, (value - low) / (high - low)));
    const x = (value: number): number => 5 + share(value) * (width - 10);
    const values = shown && !busy ? Array.from(shown.exact) : [];
    const most = shown && !busy ? mostLeaking(shown) : -1;
    const dots = stackDots(values.map((_, k) => k), (k) => x(values[k] as number), { base: BAND - 6, room: 16, bin: 7, pitch: 8, snap: false });
    const parts: SVGElement[] = [];
    for (let place = 0; place < dots.count; place++) {
      const k = dots.flats[place] as number;
      const chosen = k === tuple;
      parts.push(
        s("circle", {
          cx: (dots.x[place] as number).toFixed(1),
          cy: (dots.y[place] as number).toFixed(1),
          r: chosen ? 4.5 : 3.5,
          fill: css(viridis(share(values[k] as number), dark)),
          stroke: chosen ? "var(--brand)" : "var(--ink)",
          "stroke-width": chosen ? 2.5 : 0.75,
        }),
      );
    }
    const at = Math.min(width - 1, Math.max(1, x(epsilon)));
    const over = shown && !busy ? countOver(shown) : 0;
    const words = `promise ${nats(epsilon)}${shown && !busy ? `, ${over} of ${shown.n} above` : ""}`;
    const left = at > textWidth(words) + 10;
    parts.push(
      s("line", { x1: at, y1: 2, x2: at, y2: BAND + 8, stroke: "var(--promise)", "stroke-width": 2, "stroke-dasharray": "4 3" }),
      text(left ? at - 8 : at + 8, 10, words, { "text-anchor": left ? "end" : "start", style: "fill:var(--promise)" }),
    );
    if (most >= 0) {
      const said = `largest ${nats(values[most] as number, epsilon)}`;
      const wide = textWidth(said, 11, true);
      // Beside its dot where that is free, else at the end of the line of words.
      const dot = x(values[most] as number);
      const beside = dot + 10 + wide <= width;
      const start = beside ? dot + 8 : dot - 8 - wide;
      const free = Array.from(dots.x.subarray(0, dots.count)).every((other) => other + 5 < start || other - 5 > start + wide);
      const end = left ? 0 : width - wide;
      // Where other dots stand there, it takes the free end of the line of words.
      if (free) parts.push(text(start, BAND - 5, said, { ...HALO, "font-weight": 600 }));
      else if (left ? at - 8 - textWidth(words) > wide + 10 : at + 8 + textWidth(words) < end - 10) parts.push(text(end, 10, said, { "font-weight": 600 }));
    }
    keyTicks(low, high).forEach((value, k, all) => {
      const label = `${tick(Number(value.toPrecision(4)))}${k === all.length - 1 ? " nats" : ""}`;
      const at = ((value - low) / (high - low)) * width;
      parts.push(text(at, BAND + 23, label, { class: "dx-muted", "text-anchor": keyAnchor(at, 0, width) }));
    });
    renew(drawn, ...parts);
    setAttr(svg, "aria-label", `Colour key, ${tick(low)} to ${tick(high)} nats; ${words}`);
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
