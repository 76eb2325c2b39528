/** Every pair's leakage against two measures of association, which do not know a direction. */
import type { Naming } from "../explorer/words";
import { axisText, linear, niceCeiling, ticks, valueAxis } from "../ui/axes";
import type { Component } from "../ui/component";
import { h, s, text } from "../ui/dom";
import { fixed, tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { renew } from "../ui/renew";
import type { Shown } from "./shown";
import { pairInWords } from "./words";

export interface ScatterProps {
  naming: Naming;
  names: readonly number[];
  shown: Shown | null;
  nmi: Float64Array | null;
  pcc: Float64Array | null;
  pair: { source: number; secret: number } | null;
  top: number;
  busy: boolean;
  width: number;
}

/** More dots than this are drawn as one. */
const MANY = 200;
const HEIGHT = 190;
const LEFT = 40;
const BOTTOM = HEIGHT - 34;

export function createScatter(initial: ScatterProps): Component<ScatterProps> {
  const place = h("div", { class: "lx-scatter" });
  const words = h("p", { class: "small muted" });
  const el = h("div", {}, place, words);

  function draw(props: ScatterProps): void {
    const { nmi, pcc, width, shown, busy } = props;
    const half = width > 520 ? Math.floor((width - 24) / 2) : width;
    const charts = [["normalised mutual information", nmi], ["correlation of codes, absolute", pcc && pcc.map(Math.abs)]] as const;
    if (!shown || busy || !nmi || !pcc || props.names.length < 2) {
      renew(place, h("p", { class: "muted" }, props.names.length < 2 ? "Two attributes make a pair." : "…"));
      renew(words, "");
      return;
    }
    renew(place, ...charts.map(([title, values]) => chart(title, values as Float64Array, props, half)));
    renew(
      words,
      "One dot for each ordered pair; the chosen one is filled, its mirror dashed. Both measures are the same in both directions, leakage is not: two dots stand above each other. Mutual information is divided by the joint entropy. Correlation takes labels in their listed order: of labels without an order it is arbitrary.",
    );
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function chart(title: string, values: Float64Array, { names, shown, pair, top, naming }: ScatterProps, width: number): SVGSVGElement {
  const matrix = (shown as Shown).matrix;
  const n = names.length;
  const off = Array.from({ length: n * n }, (_, k) => k).filter((k) => Math.floor(k / n) !== k % n && Number.isFinite(matrix[k]));
  const end = niceCeiling(Math.max(1e-3, ...off.map((k) => values[k] ?? 0)), [1, 2, 3, 4, 5, 6, 8, 10]);
  const most = Math.min(top, niceCeiling(Math.max(0, ...off.map((k) => matrix[k] as number)), [1, 1.5, 2, 3, 4, 5, 6, 8, 10]));
  const marks = ticks(0, end, 4);
  // The last number stands whole below the end of the axis.
  const right = width - Math.max(12, Math.ceil(textWidth(tick(marks[marks.length - 1] as number), 11) / 2));
  const x = linear(0, end, LEFT, right);
  const y = linear(0, most, BOTTOM, 22);
  const svg = s("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img" });
  svg.append(valueAxis(ticks(0, most, 3), y, LEFT, right));
  for (const t of marks) svg.append(axisText(x(t), BOTTOM + 14, tick(t), { "text-anchor": "middle" }));
  svg.append(text(LEFT, HEIGHT - 3, title, { class: "lx-muted" }), text(LEFT, 10, "leakage, nats", { class: "lx-muted" }));
  const place = (source: number, secret: number): number => names.indexOf(source) * n + names.indexOf(secret);
  const chosen = pair ? place(pair.source, pair.secret) : -1;
  const mirror = pair ? place(pair.secret, pair.source) : -1;
  const others = off.filter((k) => k !== chosen && k !== mirror);
  if (others.length > MANY) {
    // One path: a thousand circles would not follow a drag.
    const d = others.map((k) => `M${x(values[k] ?? 0).toFixed(1)} ${y(matrix[k] as number).toFixed(1)}h.01`).join("");
    svg.append(s("path", { d, fill: "none", stroke: "var(--ink2)", "stroke-width": 3, "stroke-linecap": "round", opacity: 0.6 }));
  } else {
    for (const k of others) svg.append(s("circle", { cx: x(values[k] ?? 0).toFixed(1), cy: y(matrix[k] as number).toFixed(1), r: 3.5, fill: "var(--bg)", stroke: "var(--ink2)", "stroke-width": 1.25 }));
  }
  for (const [k, dashed] of [[mirror, true], [chosen, false]] as const) {
    if (k < 0 || !Number.isFinite(matrix[k])) continue;
    svg.append(s("circle", { cx: x(values[k] ?? 0).toFixed(1), cy: y(matrix[k] as number).toFixed(1), r: 5, fill: dashed ? "var(--bg)" : "var(--brand)", stroke: "var(--brand)", "stroke-width": 2, "stroke-dasharray": dashed ? "3 2" : null }));
  }
  const about = pair ? `, ${pairInWords(naming, pair.source, pair.secret)}: ${fixed(values[chosen] ?? NaN, 3)} and ${fixed(matrix[chosen] ?? NaN, 3)} nats` : "";
  svg.setAttribute("aria-label", `Leakage of ${off.length} pairs against ${title}${about}`);
  return svg;
}
