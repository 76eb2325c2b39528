/** The key of all four maps: the colours on their square-root scale, and what the marks mean. */
import { axisText, rule } from "../ui/axes";
import { h, renew, s, setText } from "../ui/dom";
import { tick } from "../ui/format";
import { onScale, shade } from "./map-cells";
import { centreMark, friendMark, guessMark, truthMark } from "./map-marks";

export interface KeyProps {
  /** Largest probability of the scale. */
  end: number;
  /** Some cells are blank, and the victim is in one of them. */
  blank: boolean;
  inside: boolean;
  dark: boolean;
  width: number;
}

const PIECES = 50;
/** Shares of the end that are written below the strip, so that round ends have round numbers below them. */
const WRITTEN: Record<string, readonly number[]> = { "1": [0, 0.1, 0.2, 0.5, 1], "2": [0, 0.05, 0.25, 0.5, 1], "5": [0, 0.04, 0.2, 0.4, 1] };

function sign(drawn: SVGElement): SVGElement {
  return s("svg", { width: 18, height: 16, viewBox: "0 0 18 16", class: "ax-sign", "aria-hidden": "true" }, drawn);
}

function reachMark(): SVGElement {
  return s("circle", { cx: 9, cy: 8, r: 7, fill: "none", stroke: "var(--ink2)", "stroke-dasharray": "1 3", "stroke-linecap": "round" });
}

export function createMapKey(initial: KeyProps): { el: HTMLElement; update(props: KeyProps): void } {
  const strip = h("div", { class: "ax-key-strip" });
  const entry = (drawn: SVGElement, words: string): HTMLElement => h("span", { class: "nowrap" }, sign(drawn), words);
  const marks = h(
    "div",
    { class: "ax-key-marks small" },
    entry(truthMark(9, 8, 0.6), "truth"),
    entry(guessMark(9, 8, 10), "guess"),
    entry(friendMark(9, 9), "friend"),
    entry(reachMark(), "near a friend"),
    entry(centreMark(9, 8), "noisy centre"),
  );
  const blank = h("p", { class: "small muted ax-blank" });
  const el = h("div", { class: "ax-key" }, strip, h("div", {}, marks, blank));

  function draw({ end, blank: some, inside, dark, width }: KeyProps): void {
    const svg = s("svg", {
      width: width + 16,
      height: 30,
      viewBox: `-2 0 ${width + 16} 30`,
      role: "img",
      "aria-label": `Colours: probability of a cell, 0 to ${tick(end)}, square-root scale`,
    });
    for (let k = 0; k < PIECES; k++)
      svg.append(
        s("rect", {
          class: "ax-key-piece",
          x: (k * width) / PIECES,
          y: 0,
          width: width / PIECES + 0.5,
          height: 8,
          fill: shade((k + 0.5) / PIECES, dark),
        }),
      );
    svg.append(s("path", { class: "ax-key-wedge", d: `M0 8H${width}V0z`, fill: "none" }));
    for (const share of WRITTEN[end.toExponential().charAt(0)] ?? [0, 1]) {
      const x = onScale(share * end, end) * width;
      svg.append(rule(x, 8, x, 12), axisText(x, 24, tick(share * end), { "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" }));
    }
    renew(strip, svg);
    setText(blank, `blank: nobody known there, never inferred${inside ? "; the victim is in one" : ""}`);
    blank.style.visibility = some ? "" : "hidden";
  }

  draw(initial);
  return { el, update: draw };
}
