/** The marks on a map: truth, guess, friend and noisy centre, each with a rim of background. */
import { s } from "../ui/dom";

/** A cross-hair ring. */
export function truthMark(x: number, y: number, size = 1): SVGElement {
  const r = 9 * size;
  const [out, arm] = [r + 4 * size, 8 * size];
  const d = `M${x - out} ${y}h${arm}M${x + out - arm} ${y}h${arm}M${x} ${y - out}v${arm}M${x} ${y + out - arm}v${arm}`;
  return s(
    "g",
    { class: "ax-truth" },
    s("circle", { cx: x, cy: y, r, fill: "none", stroke: "var(--bg)", "stroke-width": 4 * size }),
    s("circle", { cx: x, cy: y, r, fill: "none", stroke: "var(--ink)", "stroke-width": 2 }),
    s("path", { d, fill: "none", stroke: "var(--ink)", "stroke-width": 2 }),
  );
}

/** A square in the colour of the host. */
export function guessMark(x: number, y: number, side = 16): SVGElement {
  const at = { x: x - side / 2, y: y - side / 2, width: side, height: side, fill: "none" };
  return s(
    "g",
    { class: "ax-guess" },
    s("rect", { ...at, stroke: "var(--bg)", "stroke-width": 5 }),
    s("rect", { ...at, stroke: "var(--brand)", "stroke-width": 2.5 }),
  );
}

/** A triangle. */
export function friendMark(x: number, y: number, size = 1): SVGElement {
  return s("path", {
    class: "ax-friend",
    d: `M${x.toFixed(1)} ${(y - 5 * size).toFixed(1)}l${4.8 * size} ${8.4 * size}h${-9.6 * size}z`,
    fill: "var(--bg)",
    stroke: "var(--ink)",
    "stroke-width": 1.5,
    "stroke-linejoin": "round",
  });
}

/** A plus. */
export function centreMark(x: number, y: number): SVGElement {
  const d = `M${(x - 4).toFixed(1)} ${y.toFixed(1)}h8M${x.toFixed(1)} ${(y - 4).toFixed(1)}v8`;
  return s("g", { class: "ax-centre" }, s("path", { d, stroke: "var(--bg)", "stroke-width": 4 }), s("path", { d, stroke: "var(--est)", "stroke-width": 2 }));
}
