/** From eight tuples on: one dot strip for each number of unknown tuples, on the axis of the key below. */
import { count, fixed, leakage } from "../ui/format";
import { h, listen, s, setAttr, setText, text } from "../ui/dom";
import { css, viridis } from "../ui/palette";
import { maxTag } from "./card";
import { isDetermined, share, standsBack, type Scene } from "./data";
import { dotPath, nearestDot, stackDots, type Dots } from "./dots";
import type { Hand } from "./hand";
import { columnCount, layers } from "./nodes";
import { rect, round, set, show } from "./svg";

/** Left of this stand the names of the strips, px. */
export const STRIP_GUTTER = 104;
const ROW = 32;
const TOP = 20;
const REACH = 10;

let gradients = 0;

interface Strip {
  others: SVGPathElement;
  own: SVGPathElement;
  size: SVGTextElement;
  /** Flat numbers, those of the attacked tuple first. */
  dots: Dots;
}

export interface Strips {
  readonly el: HTMLElement;
  update(scene: Scene): void;
}

export function createStrips(n: number, hand: Hand): Strips {
  gradients += 1;
  const id = `lg-gradient-${gradients}-${Math.random().toString(36).slice(2, 8)}`;
  const gradient = s("linearGradient", { id, gradientUnits: "userSpaceOnUse", y1: 0, y2: 0 });
  const height = TOP + n * ROW;
  const promise = s("line", { class: "lg-rule lg-promise", y1: TOP - 6, y2: height });
  const threshold = s("line", { class: "lg-rule", y1: TOP - 6, y2: height });
  const rows: Strip[] = [];
  const labels = s("g");
  const drawn = s("g");
  labels.append(text(0, 10, "unknown", { class: "lg-muted" }), text(STRIP_GUTTER - 16, 10, "count", { class: "lg-muted lg-right" }));
  for (let row = 0; row < n; row++) {
    const base = baseOf(row);
    const others = s("path", { class: "lg-dots lg-others" });
    const own = s("path", { class: "lg-dots lg-own", stroke: `url(#${id})` });
    const size = text(STRIP_GUTTER - 16, base - 2, "", { class: "lg-muted lg-right" });
    labels.append(text(0, base - 2, String(n - row), { "font-size": 14, "font-weight": 600 }), size);
    drawn.append(s("line", { class: "lg-base", x1: STRIP_GUTTER, y1: base + 1, y2: base + 1 }), others, own);
    rows.push({ others, own, size, dots: stackDots([], () => 0, { base, room: 0, bin: 1, pitch: 1, snap: false }) });
  }
  const chosen = s("circle", { class: "lg-circle", r: 5.5 });
  const passing = s("circle", { class: "lg-circle lg-touched", r: 5.5, display: "none" });
  const tag = maxTag();
  const hit = s("rect", { class: "lg-hit", y: TOP - 10 });
  const svg = s("svg", { role: "img", height }, s("defs", {}, gradient), labels, promise, threshold, drawn, chosen, passing, tag, hit);
  const el = h("div", {}, svg);

  let hovered = -1;
  let painted = "";

  function baseOf(row: number): number {
    return TOP + (row + 1) * ROW - 6;
  }

  function under(event: PointerEvent | MouseEvent): { flat: number; x: number; y: number } | null {
    const box = svg.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const strip = rows[Math.floor((y - TOP) / ROW)];
    if (!strip) return null;
    const k = nearestDot(strip.dots, x, y, REACH);
    return k < 0 ? null : { flat: strip.dots.flats[k] as number, x: strip.dots.x[k] as number, y: strip.dots.y[k] as number };
  }

  listen(hit, "pointermove", (event) => {
    const found = under(event);
    if ((found?.flat ?? -1) === hovered) return;
    hovered = found?.flat ?? -1;
    show(passing, found);
    set(hit, { "data-on": found !== null });
    if (found) {
      set(passing, { cx: found.x, cy: found.y });
    }
    hand.point(found?.flat ?? null, found ? passing : null);
  });
  listen(hit, "pointerleave", () => {
    hovered = -1;
    show(passing, false);
    hand.point(null, null);
  });
  listen(hit, "click", (event) => {
    const found = under(event);
    if (found) hand.choose(found.flat);
  });

  function paint(now: Scene): void {
    const key = `${now.width}|${now.dark}`;
    if (key === painted) return;
    painted = key;
    set(svg, { width: now.width, viewBox: `0 0 ${now.width} ${height}` });
    set(gradient, { x1: STRIP_GUTTER, x2: now.width });
    const stops = Array.from({ length: 17 }, (_, k) => s("stop", { offset: k / 16, "stop-color": css(viridis(k / 16, now.dark)) }));
    gradient.replaceChildren(...stops);
    for (const line of drawn.querySelectorAll("line")) setAttr(line, "x2", now.width);
    rect(hit, STRIP_GUTTER - REACH, TOP - 10, now.width - STRIP_GUTTER + REACH, height - TOP + 10);
  }

  return {
    el,
    update(next) {
      paint(next);
      const { data } = next;
      const size = columnCount(n);
      const target = Math.floor(next.chosen / size);
      const x = (value: number): number => STRIP_GUTTER + share(value, next.domain) * (next.width - STRIP_GUTTER);
      const summary: string[] = [];
      let chosenDrawn = false;
      let largestDrawn = false;
      rows.forEach((strip, row) => {
        const columns = layers(n)[n - row] as number[];
        const flats: number[] = [];
        let low = Infinity;
        let high = -Infinity;
        for (let k = 0; k < n; k++) {
          const about = (target + k) % n;
          for (const column of columns) {
            const flat = about * size + column;
            const value = data.exact[flat] as number;
            if (isDetermined(data, flat) || Number.isNaN(value) || standsBack(next, flat)) continue;
            flats.push(flat);
            if (value < low) low = value;
            if (value > high) high = value;
          }
        }
        const dots = stackDots(flats, (flat) => x(data.exact[flat] as number), {
          base: baseOf(row) - 3,
          room: ROW - 10,
          bin: 3,
          pitch: 3.4,
          snap: false,
        });
        strip.dots = dots;
        const own = (flat: number): boolean => Math.floor(flat / size) === target;
        set(strip.others, { d: dotPath(dots, (flat) => !own(flat)) });
        set(strip.own, { d: dotPath(dots, own) });
        const all = next.only && next.paper ? flats.length : columns.length * n;
        setText(strip.size, fixed(all, 0));
        summary.push(
          `${n - row} unknown: ${count(all, "adversary", "adversaries")}` +
            `${flats.length && !next.busy ? `, ${leakage(low, undefined, data.promise)} to ${leakage(high, undefined, data.promise)}` : ""}`,
        );
        const c = dots.flats.indexOf(next.chosen);
        if (c >= 0) set(chosen, { cx: dots.x[c], cy: dots.y[c] });
        chosenDrawn ||= c >= 0;
        const l = dots.flats.indexOf(data.largest);
        largestDrawn ||= l >= 0;
        if (l >= 0) set(tag, { transform: `translate(${round(Math.min(next.width - 28, (dots.x[l] as number) - 14))} ${round((dots.y[l] as number) - 20)})` });
      });
      set(svg, {
        "aria-label": `Leakage in nats by number of unknown tuples. ${summary.join("; ")}. The table below lists all.`,
      });
      svg.classList.toggle("lg-waiting", next.busy);
      show(chosen, chosenDrawn);
      show(tag, !next.busy && largestDrawn);
      const inDomain = (value: number): boolean => value >= next.domain[0] && value <= next.domain[1];
      vertical(promise, x(data.promise), inDomain(data.promise));
      const line = next.threshold;
      vertical(threshold, x(line ?? 0), line !== null && inDomain(line));
    },
  };
}

function vertical(line: SVGLineElement, x: number, shown: boolean): void {
  show(line, shown);
  set(line, { x1: x, x2: x });
}
