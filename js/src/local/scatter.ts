/** Every pair's leakage against two measures of association, which do not know a direction. */
import type { Naming } from "../explorer/words";
import { nearestDot, type Dots } from "../graph/svg";
import { axisText, leakageTicks, linear, niceCeiling, ticks, valueAxis } from "../ui/axes";
import { component, h, listen, renew, s, setAttrs, setText, text, type Component } from "../ui/dom";
import { capital, fixed, leakageTick, nats, tick } from "../ui/format";
import { placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import type { Shown } from "./results";
import { pairInWords } from "./words";
import { leakageUnit, perNat } from "../ui/preferences";

export interface ScatterProps {
  naming: Naming;
  names: readonly number[];
  shown: Shown | null;
  nmi: Float64Array | null;
  pcc: Float64Array | null;
  pair: { source: number; secret: number } | null;
  top: number;
  busy: boolean;
  disabled: boolean;
  width: number;
}

/** More dots than this are drawn as few paths. */
const MANY = 120;
/** Of many dots those that lie on each other are darker: so many may. */
const LAYERS = 3;
const HEIGHT = 190;
const BOTTOM = HEIGHT - 34;
/** A dot is pointed at from so near, px. */
const REACH = 12;

interface Chart {
  svg: SVGSVGElement;
  dots: Dots;
}

export function createScatter(initial: ScatterProps, onChoose: (source: number, secret: number) => void): Component<ScatterProps> {
  let props = initial;
  let dots: Dots[] = [];
  const place = h("div", { class: "lx-scatter" });
  const readout = h("p", { class: "small muted lx-pointed-words", "aria-hidden": "true" });
  const words = h("p", { class: "small muted" });
  const el = h("div", {}, place, readout, words);

  function draw(): void {
    const { nmi, pcc, width, shown, busy } = props;
    const half = width > 520 ? Math.floor((width - 24) / 2) : width;
    const missing = !shown || busy || !nmi || !pcc || props.names.length < 2;
    readout.hidden = missing;
    if (missing) {
      dots = [];
      renew(place, h("p", { class: "muted" }, props.names.length < 2 ? "Two attributes make a pair." : "…"));
      renew(words, "");
      return;
    }
    const charts = [chart("normalised mutual information", nmi, props, half), chart("correlation of codes, absolute", pcc.map(Math.abs), props, half)];
    dots = charts.map((one) => one.dots);
    renew(place, ...charts.map(({ svg }) => svg));
    say(null);
    renew(
      words,
      "One dot for each ordered pair; the chosen one is filled, its mirror dashed. Both measures are the same " +
        "in both directions, leakage is not: two dots stand above each other. Mutual information is divided by " +
        "the joint entropy. Correlation takes labels in their listed order: of labels without an order it is " +
        "arbitrary.",
    );
  }

  /** The cell of the dot under the pointer. */
  function under(event: MouseEvent): number | null {
    const svg = event.target instanceof Element ? event.target.closest("svg") : null;
    const found = svg ? dots[[...place.children].indexOf(svg)] : undefined;
    if (!svg || !found) return null;
    const k = nearestDot(found, ...placeIn(svg, event), REACH);
    return k < 0 ? null : (found.flats[k] as number);
  }

  /** What stands below: the pair that is pointed at, which is ringed, or else the chosen one. */
  function say(pointed: number | null): void {
    const cell = pointed ?? chosenOf(props);
    const { names, naming, shown, nmi, pcc } = props;
    const n = names.length;
    [...place.children].forEach((svg, k) => {
      const ring = svg.querySelector(".lx-pointed");
      const chart = dots[k];
      if (!ring || !chart) return;
      const at = pointed === null ? -1 : chart.flats.indexOf(pointed);
      setAttrs(ring, { cx: chart.x[at] ?? 0, cy: chart.y[at] ?? 0, visibility: at < 0 ? "hidden" : null });
    });
    if (cell === null || !shown || !nmi || !pcc) return setText(readout, "");
    const pair = pairInWords(naming, names[Math.floor(cell / n)] as number, names[cell % n] as number, 30);
    setText(
      readout,
      `${capital(pair)}: ${nats(shown.matrix[cell] as number)} ${leakageUnit()}, mutual information ` +
        `${fixed(nmi[cell] as number, 3)}, correlation ${fixed(pcc[cell] as number, 3)}`,
    );
  }

  listen(place, "pointermove", (event) => say(under(event)));
  listen(place, "pointerleave", () => say(null));
  listen(place, "click", (event) => {
    const cell = under(event);
    const { names, disabled } = props;
    if (cell !== null && !disabled) onChoose(names[Math.floor(cell / names.length)] as number, names[cell % names.length] as number);
  });

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

function cellOf(names: readonly number[], source: number, secret: number): number {
  return names.indexOf(source) * names.length + names.indexOf(secret);
}

function chosenOf({ pair, names }: ScatterProps): number | null {
  return pair && names.includes(pair.source) && names.includes(pair.secret) ? cellOf(names, pair.source, pair.secret) : null;
}

/** To a tenth of a pixel. */
function px(value: number): number {
  return Math.round(value * 10) / 10;
}

function chart(title: string, values: Float64Array, props: ScatterProps, width: number): Chart {
  const { names, pair, top, naming } = props;
  const matrix = (props.shown as Shown).matrix;
  const n = names.length;
  const off = Array.from({ length: n * n }, (_, k) => k).filter((k) => k % (n + 1) !== 0 && Number.isFinite(matrix[k]));
  const end = niceCeiling(Math.max(1e-3, ...off.map((k) => values[k] ?? 0)), [1, 2, 3, 4, 5, 6, 8, 10]);
  const most = Math.min(top, niceCeiling(Math.max(0, ...off.map((k) => matrix[k] as number)), [1, 1.5, 2, 3, 4, 5, 6, 8, 10]));
  const marks = ticks(0, end, 4);
  const levels = leakageTicks(0, most, 3);
  const left = Math.max(40, ...levels.map((level) => Math.ceil(textWidth(leakageTick(level))) + 8));
  // The last number stands whole below the end of the axis.
  const right = width - Math.max(12, Math.ceil(textWidth(tick(marks[marks.length - 1] as number), 11) / 2));
  const x = linear(0, end, left, right);
  const y = linear(0, most, BOTTOM, 22);
  const dots: Dots = {
    flats: Int32Array.from(off),
    x: Float64Array.from(off, (k) => px(x(values[k] ?? 0))),
    y: Float64Array.from(off, (k) => px(y(matrix[k] as number))),
    count: off.length,
  };
  const svg = s("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img" });
  svg.append(valueAxis(levels, y, left, right, leakageTick));
  for (const t of marks) svg.append(axisText(x(t), BOTTOM + 14, tick(t), { "text-anchor": "middle" }));
  svg.append(text(left, HEIGHT - 3, title, { class: "lx-muted" }), text(left, 10, `leakage, ${leakageUnit()}`, { class: "lx-muted" }));
  const chosen = chosenOf(props) ?? -1;
  const mirror = pair && chosen >= 0 ? cellOf(names, pair.secret, pair.source) : -1;
  const others = off.map((_, at) => at).filter((at) => off[at] !== chosen && off[at] !== mirror);
  if (others.length > MANY) {
    // A thousand circles would not follow a drag.
    const paths = Array<string>(LAYERS).fill("");
    for (const at of others) paths[at % LAYERS] += `M${dots.x[at]} ${dots.y[at]}h.01`;
    svg.append(
      ...paths.map((d) =>
        s("path", {
          d,
          fill: "none",
          stroke: "var(--ink2)",
          "stroke-width": off.length > 500 ? 2.5 : 4,
          "stroke-linecap": "round",
          opacity: 0.75,
        }),
      ),
    );
  } else {
    for (const at of others)
      svg.append(
        s("circle", {
          cx: dots.x[at],
          cy: dots.y[at],
          r: 3.5,
          fill: "var(--bg)",
          stroke: "var(--ink2)",
          "stroke-width": 1.25,
        }),
      );
  }
  const [mine, its] = [off.indexOf(chosen), off.indexOf(mirror)];
  const brand = (at: number, attrs: Record<string, string | number>): SVGElement =>
    s("circle", { cx: dots.x[at], cy: dots.y[at], stroke: "var(--brand)", "stroke-width": 2, ...attrs });
  // Where both lie on each other the mirror is a ring around the chosen one.
  const near = mine >= 0 && its >= 0 && Math.abs((dots.y[mine] as number) - (dots.y[its] as number)) < 11;
  if (its >= 0) svg.append(brand(its, { r: near ? 9 : 5, fill: near ? "none" : "var(--bg)", "stroke-dasharray": "3 2" }));
  if (mine >= 0) svg.append(brand(mine, { r: 5, fill: "var(--brand)" }));
  svg.append(
    s("circle", {
      class: "lx-pointed",
      cx: 0,
      cy: 0,
      visibility: "hidden",
      r: 7,
      fill: "none",
      stroke: "var(--ink)",
      "stroke-width": 1.5,
    }),
  );
  const about = pair
    ? `, ${pairInWords(naming, pair.source, pair.secret)}: ${fixed(values[chosen] ?? NaN, 3)} and ` +
      `${fixed((matrix[chosen] ?? NaN) * perNat(), 3)} ${leakageUnit()}`
    : "";
  svg.setAttribute("aria-label", `Leakage of ${off.length} pairs against ${title}${about}`);
  return { svg, dots };
}
