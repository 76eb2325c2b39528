/** From eight tuples on: one dot strip for each number of unknown tuples, on the axis of the key below. */
import { h, layered, listen, renew, s, text } from "../ui/dom";
import { capital, count, fixed } from "../ui/format";
import { placeIn } from "../ui/gestures";
import { maxTag } from "./card";
import { isDetermined, share, standsBack, type Scene } from "./data";
import type { Hand } from "./hand";
import { wordsOf } from "./measure";
import { columnCount, layers } from "./nodes";
import { dotPath, gradient, nearestDot, rect, round, set, show, stackDots, upright, type Dots } from "./svg";

/** Left of this stand the names of the strips, px. */
export const STRIP_GUTTER = 104;
const ROW = 32;
const TOP = 20;
const REACH = 10;

let gradients = 0;

export interface Strips {
  readonly el: HTMLElement;
  update(scene: Scene): void;
}

export function createStrips(n: number, hand: Hand): Strips {
  gradients += 1;
  const id = `lg-gradient-${gradients}-${Math.random().toString(36).slice(2, 8)}`;
  const height = TOP + n * ROW;
  const [svg] = layered({ role: "img", height });
  const [passing, hit] = drawPointed();
  const el = h("div", {}, svg);
  /** Of each strip, flat numbers, those of the attacked tuple first. */
  let strips: Dots[] = [];
  let hovered = -1;

  function under(event: MouseEvent): { flat: number; x: number; y: number } | null {
    const [x, y] = placeIn(svg, event);
    const dots = strips[Math.floor((y - TOP) / ROW)];
    const k = dots ? nearestDot(dots, x, y, REACH) : -1;
    return dots && k >= 0 ? { flat: dots.flats[k] as number, x: dots.x[k] as number, y: dots.y[k] as number } : null;
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

  return {
    el,
    update(next) {
      const drawn = drawStrips(n, id, next);
      strips = drawn.strips;
      set(svg, { width: next.width, viewBox: `0 0 ${next.width} ${height}`, "aria-label": drawn.said });
      rect(hit, STRIP_GUTTER - REACH, TOP - 10, next.width - STRIP_GUTTER + REACH, height - TOP + 10);
      renew(svg, ...drawn.below, passing, drawn.tag, hit);
      svg.classList.toggle("lg-waiting", next.busy);
    },
  };
}

/** The ring of the dot that is pointed at, and what a pointer meets. */
function drawPointed(): [SVGElement, SVGElement] {
  return [s("circle", { class: "lg-circle lg-touched", r: 5.5, display: "none" }), s("rect", { class: "lg-hit", y: TOP - 10 })];
}

interface Drawn {
  /** What lies below the ring of the dot that is pointed at. */
  below: SVGElement[];
  /** The mark of the largest. */
  tag: SVGElement;
  strips: Dots[];
  said: string;
}

function drawStrips(n: number, id: string, scene: Scene): Drawn {
  const { data, width, domain, busy } = scene;
  const { short, write } = wordsOf(data.measure);
  const size = columnCount(n);
  const target = Math.floor(scene.chosen / size);
  const own = (flat: number): boolean => Math.floor(flat / size) === target;
  const x = (value: number): number => STRIP_GUTTER + share(value, domain) * (width - STRIP_GUTTER);
  const labels = [text(0, 10, "unknown", { class: "lg-muted" }), text(STRIP_GUTTER - 16, 10, "count", { class: "lg-muted lg-right" })];
  const drawn: SVGElement[] = [];
  const strips: Dots[] = [];
  const summary: string[] = [];
  const chosen = s("circle", { class: "lg-circle", r: 5.5, display: "none" });
  const tag = maxTag();
  show(tag, false);
  for (let row = 0; row < n; row++) {
    const base = TOP + (row + 1) * ROW - 6;
    const columns = layers(n)[n - row] as number[];
    const flats: number[] = [];
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < n; k++) {
      const about = (target + k) % n;
      for (const column of columns) {
        const flat = about * size + column;
        const value = data.exact[flat] as number;
        if (isDetermined(data, flat) || Number.isNaN(value) || standsBack(scene, flat)) continue;
        flats.push(flat);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    const stack = { base: base - 3, room: ROW - 10, bin: 3, pitch: 3.4, snap: false };
    const dots = stackDots(flats, (flat) => x(data.exact[flat] as number), stack);
    strips.push(dots);
    const all = scene.only && scene.paper ? flats.length : columns.length * n;
    labels.push(
      text(0, base - 2, String(n - row), { "font-size": 14, "font-weight": 600 }),
      text(STRIP_GUTTER - 16, base - 2, fixed(all, 0), { class: "lg-muted lg-right" }),
    );
    drawn.push(
      s("line", { class: "lg-base", x1: STRIP_GUTTER, y1: base + 1, y2: base + 1, x2: width }),
      s("path", { class: "lg-dots lg-others", d: dotPath(dots, (flat) => !own(flat)) }),
      s("path", { class: "lg-dots lg-own", stroke: `url(#${id})`, d: dotPath(dots, own) }),
    );
    summary.push(
      `${n - row} unknown: ${count(all, "adversary", "adversaries")}` +
        `${flats.length && !busy ? `, ${write(low, undefined, data.promise)} to ${write(high, undefined, data.promise)}` : ""}`,
    );
    const c = dots.flats.indexOf(scene.chosen);
    if (c >= 0) set(chosen, { cx: dots.x[c], cy: dots.y[c], display: null });
    const l = dots.flats.indexOf(data.largest);
    if (l >= 0) {
      const [left, top] = [Math.min(width - 28, (dots.x[l] as number) - 14), (dots.y[l] as number) - 20];
      set(tag, { transform: `translate(${round(left)} ${round(top)})`, display: busy ? "none" : null });
    }
  }
  const line = (value: number | null, look: string): SVGElement =>
    upright(look, x(value ?? 0), TOP - 6, TOP + n * ROW, value !== null && value >= domain[0] && value <= domain[1]);
  return {
    below: [
      gradient(id, STRIP_GUTTER, width, scene.dark),
      s("g", {}, ...labels),
      line(data.promise, "lg-rule lg-promise"),
      line(scene.threshold, "lg-rule"),
      s("g", {}, ...drawn),
      chosen,
    ],
    tag,
    strips,
    said: `${data.measure ? capital(short) : `Leakage in ${short}`} by number of unknown tuples. ${summary.join("; ")}. The table below lists all.`,
  };
}
