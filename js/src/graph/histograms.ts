/**
 * Graphs too large for dots: one small histogram for each number of unknown tuples, on the axis of the key
 * below. A row's name restricts the table to it, its largest value chooses who has it.
 */
import { h, layer, layered, listen, renew, s, setText, text } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { isModified, placeIn } from "../ui/gestures";
import { share, type Scene } from "./data";
import type { DigestData, DigestLayer } from "./digest";
import type { Hand } from "./hand";
import { wordsOf } from "./measure";
import { gradient, rect, round, set, show, upright, yes } from "./svg";
import { sentence, describe, type Words } from "./words";

/** Left and right of this stand names and largest values, px. */
export const LAYER_GUTTER = 104;
export const LAYER_MARGIN = 64;
const TOP = 22;

let gradients = 0;

export interface HistogramScene {
  scene: Scene;
  digest: DigestData;
  /** The layer that the table is restricted to. */
  unknown: number | null;
}

export interface Histograms {
  readonly el: HTMLElement;
  update(now: HistogramScene): void;
}

export interface HistogramEvents {
  onLayer(unknown: number | null): void;
  /** What the pointer or the focus is on, in words. */
  onPoint(words: Words | null, anchor: Element | null): void;
}

/** Row of a layer, and which of its two controls: its name, or its largest value. */
type Spot = [row: number, side: 0 | 1];

export function createHistograms(n: number, hand: Hand, events: HistogramEvents): Histograms {
  gradients += 1;
  const id = `lg-layers-${gradients}-${Math.random().toString(36).slice(2, 8)}`;
  const pitch = n > 14 ? 22 : 26;
  const height = TOP + n * pitch;
  const [svg] = layered({
    role: "group",
    height,
    "aria-label":
      "Leakage by number of unknown tuples. Arrow keys walk; Enter on a number shows only those in the table, on a largest value chooses who has it.",
  });
  const controls = layer();
  const [bin, hit] = drawPointed();
  const caption = h("caption", {}, "");
  const table = h("tbody");
  const hidden = h(
    "div",
    { class: "sr-only" },
    h(
      "table",
      {},
      caption,
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...[
            "Unknown",
            "Adversaries",
            "Smallest",
            "First quarter below",
            "Half below",
            "Three quarters below",
            "Largest",
          ].map((title) => h("th", { scope: "col" }, title)),
        ),
      ),
      table,
    ),
  );
  const el = h("div", { class: "lg-layers" }, svg, hidden);

  let now: HistogramScene | null = null;
  let stop: Spot = [0, 0];
  let hovered = "";

  function spotOf(target: EventTarget | null): Spot | null {
    const at = [...controls.children].findIndex((one) => one.contains(target as Node));
    return at < 0 ? null : [at >> 1, at % 2 ? 1 : 0];
  }

  listen(controls, "click", (event) => {
    const [k, side] = spotOf(event.target) ?? [-1, 0];
    const layer = now?.digest.layers[k];
    if (!now || !layer) return;
    if (side && layer.range) hand.choose(layer.top);
    if (!side && !now.scene.disabled) events.onLayer(now.unknown === n - k ? null : n - k);
  });
  listen(svg, "keydown", (event) => {
    const [at, side] = spotOf(event.target) ?? [-1, 0];
    if (at < 0 || isModified(event)) return;
    if (event.key === "Enter" || event.key === " ") (event.target as SVGGElement).dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else if (event.key === "ArrowDown") walk(at + 1, side);
    else if (event.key === "ArrowUp") walk(at - 1, side);
    else if (event.key === "Home") walk(0, side);
    else if (event.key === "End") walk(n - 1, side);
    else if (event.key === "ArrowLeft") walk(at, 0);
    else if (event.key === "ArrowRight") walk(at, 1);
    else if (event.key === "Escape") return events.onPoint(null, null);
    else return;
    event.preventDefault();
  });
  function walk(row: number, side: 0 | 1): void {
    if (row < 0 || row >= n || !now) return;
    stop = [row, side];
    renew(controls, ...drawControls(now, pitch, stop));
    (controls.children[2 * row + side] as SVGGElement).focus();
  }
  for (const type of ["focusin", "pointerover"] as const) {
    listen(controls, type, (event) => {
      const [k, side] = spotOf(event.target) ?? [-1, 0];
      const layer = now?.digest.layers[k];
      if (!layer || !now) return;
      const { scene } = now;
      const told = side && layer.range ? describe(scene, layer.top) : layerWords(layer, scene);
      events.onPoint(told, controls.children[2 * k + side] as SVGGElement);
    });
  }
  for (const type of ["focusout", "pointerout"] as const) listen(controls, type, () => events.onPoint(null, null));

  listen(hit, "pointermove", (event) => {
    if (!now) return;
    const [x, y] = placeIn(svg, event);
    const k = Math.floor((y - TOP) / pitch);
    const layer = now.digest.layers[k];
    const right = now.scene.width - LAYER_MARGIN;
    const bins = layer?.counts.length ?? 0;
    const at = Math.floor(((x - LAYER_GUTTER) / (right - LAYER_GUTTER)) * bins);
    const inside = layer !== undefined && at >= 0 && at < bins;
    const key = inside ? `${k}|${at}` : "";
    if (key === hovered) return;
    hovered = key;
    show(bin, inside);
    if (!layer || !inside) return events.onPoint(null, null);
    const step = (right - LAYER_GUTTER) / bins;
    rect(bin, LAYER_GUTTER + at * step - 0.5, TOP + k * pitch + 1, step, pitch - 6);
    const [low, high] = now.digest.domain;
    const { per, unit } = wordsOf(now.scene.data.measure);
    const edge = (j: number): string => fixed((low + ((high - low) * j) / bins) * per, 3);
    events.onPoint(
      {
        who: `${layer.unknown} unknown, ${edge(at)} to ${edge(at + 1)}${unit}`,
        value: now.scene.busy ? "being computed" : `${fixed(layer.counts[at] ?? 0, 0)} of ${count(layer.count, "adversary", "adversaries")}`,
        paper: now.scene.busy ? "" : layerWords(layer, now.scene).paper,
        over: false,
      },
      bin,
    );
  });
  listen(hit, "pointerleave", () => {
    hovered = "";
    show(bin, false);
    events.onPoint(null, null);
  });

  return {
    el,
    update(next) {
      now = next;
      const { scene, digest } = next;
      set(svg, { width: scene.width, viewBox: `0 0 ${scene.width} ${height}` });
      rect(hit, LAYER_GUTTER, TOP, scene.width - LAYER_MARGIN - LAYER_GUTTER, height - TOP);
      renew(controls, ...drawControls(next, pitch, stop));
      renew(svg, ...drawBars(next, id, pitch), bin, drawChosen(next, pitch), hit, controls);
      svg.classList.toggle("lg-waiting", scene.busy);
      const rows = digest.layers.map((layer) => {
        const numbers =
          layer.range && !scene.busy
            ? [layer.range[0], ...layer.quartiles, layer.range[1]].map((v) => wordsOf(scene.data.measure).write(v, digest.promise))
            : Array<string>(5).fill(scene.busy ? "…" : "determined");
        const cells = [fixed(layer.count, 0), ...numbers].map((t) => h("td", {}, t));
        return h("tr", {}, h("th", { scope: "row" }, String(layer.unknown)), ...cells);
      });
      setText(caption, `By layer, ${wordsOf(scene.data.measure).short}`);
      table.replaceChildren(...rows);
    },
  };
}

/** The bin that is pointed at, and what a pointer meets. */
function drawPointed(): [SVGRectElement, SVGRectElement] {
  return [s("rect", { class: "lg-bin", display: "none" }), s("rect", { class: "lg-hit", y: TOP })];
}

function baseOf(row: number, pitch: number): number {
  return TOP + (row + 1) * pitch - 5;
}

/** Where a value stands on the axis, px. */
function xOf({ domain, width }: Scene, value: number): number {
  return LAYER_GUTTER + share(value, domain) * (width - LAYER_MARGIN - LAYER_GUTTER);
}

/** Everything below what is pointed at. */
function drawBars({ scene, digest, unknown }: HistogramScene, id: string, pitch: number): SVGElement[] {
  const { width, domain, threshold } = scene;
  const right = width - LAYER_MARGIN;
  const backs: SVGElement[] = [];
  const drawn: SVGElement[] = [];
  digest.layers.forEach((layer, k) => {
    const base = baseOf(k, pitch);
    const tallest = Math.sqrt(Math.max(1, ...layer.counts));
    const step = (right - LAYER_GUTTER) / layer.counts.length;
    const bars = layer.counts.map((some, j) => {
      if (!some) return "";
      const tall = Math.max(1.5, ((pitch - 8) * Math.sqrt(some)) / tallest);
      return `M${round(LAYER_GUTTER + j * step)} ${base}v${round(-tall)}h${round(Math.max(1, step - 1))}v${round(tall)}z`;
    });
    const look = `lg-layer-back${unknown === layer.unknown ? " lg-on-layer" : ""}`;
    backs.push(s("rect", { class: look, x: -2, y: TOP + k * pitch + 1.5, height: pitch - 2, width: round(width + 2) }));
    drawn.push(
      s("line", { class: "lg-base", x1: LAYER_GUTTER, y1: base, y2: base, x2: right }),
      s("path", { class: "lg-bars", fill: `url(#${id})`, d: bars.join("") }),
      s("path", { class: "lg-own-range", d: layer.own ? drawOwn(scene, layer.own, base + 2.5) : "" }),
    );
  });
  const line = (value: number | null, look: string): SVGElement =>
    upright(look, xOf(scene, value ?? 0), TOP - 6, TOP + digest.n * pitch, value !== null && value >= domain[0] && value <= domain[1]);
  const muted = { class: "lg-muted lg-right" };
  return [
    gradient(id, LAYER_GUTTER, right, scene.dark),
    s(
      "g",
      { "aria-hidden": "true" },
      text(0, 10, "unknown", { class: "lg-muted" }),
      text(LAYER_GUTTER - 16, 10, "count", muted),
      text(round(width), 10, "largest", muted),
    ),
    s("g", {}, ...backs),
    line(digest.promise, "lg-rule lg-promise"),
    line(threshold, "lg-rule"),
    s("g", {}, ...drawn),
  ];
}

/** From the smallest to the largest of those who attack the chosen tuple. */
function drawOwn(scene: Scene, [low, high]: readonly [number, number], y: number): string {
  const from = xOf(scene, low);
  return `M${round(from)} ${round(y)}H${round(Math.max(xOf(scene, high), from + 1.5))}`;
}

/** Without its rim the ring would drown in the colours of the bars. */
function drawChosen({ scene, digest }: HistogramScene, pitch: number): SVGElement {
  const own = digest.layers.findIndex((layer) => layer.unknown === digest.n - digest.chosen.known.length);
  const transform = `translate(${round(xOf(scene, scene.data.exact[digest.at] as number))} ${baseOf(own, pitch) - 5})`;
  return s(
    "g",
    { class: "lg-chosen-spot", transform, display: scene.busy ? "none" : null },
    s("circle", { class: "lg-circle-rim", r: 5.5 }),
    s("circle", { class: "lg-circle", r: 5.5 }),
  );
}

/** Of every layer its name and its largest value; Tab reaches the one at `stop`. */
function drawControls({ scene, digest, unknown }: HistogramScene, pitch: number, stop: Spot): SVGElement[] {
  const { busy, disabled } = scene;
  return digest.layers.flatMap((layer, k) => {
    const [y, base] = [TOP + k * pitch, baseOf(k, pitch)];
    const size = fixed(layer.count, 0);
    const largest = busy ? "…" : layer.range ? wordsOf(digest.measure).write(layer.range[1], digest.promise) : "0";
    const name = {
      class: "lg-layer-name",
      role: "button",
      tabindex: stop[0] === k && !stop[1] ? 0 : -1,
      "aria-pressed": yes(unknown === layer.unknown),
      "aria-label":
        `${layer.unknown} ${size}: ${layer.unknown} unknown, ` +
        `${layerWords(layer, scene).value}. Show only these in the table`,
      "aria-disabled": disabled ? "true" : null,
    };
    const top = {
      class: `lg-largest${!busy && describe(scene, layer.top).over ? " lg-over" : ""}`,
      role: "button",
      tabindex: stop[0] === k && stop[1] ? 0 : -1,
      "data-node": layer.top,
      "aria-label": layer.range
        ? `${largest}: choose the largest with ${layer.unknown} unknown, ${sentence(describe(scene, layer.top))}`
        : `0: with ${layer.unknown} unknown all are determined`,
      "aria-disabled": disabled || !layer.range ? "true" : null,
    };
    return [
      s(
        "g",
        name,
        s("rect", { class: "lg-hit", x: 0, y, width: LAYER_GUTTER - 10, height: pitch }),
        s("rect", { class: "lg-layer-frame", x: -2, y: y + 1.5, width: LAYER_GUTTER - 10, height: pitch - 2, rx: 2 }),
        text(2, base - 2, String(layer.unknown), { "font-size": 13, "font-weight": 600 }),
        text(LAYER_GUTTER - 16, base - 2, size, { class: "lg-muted lg-right" }),
      ),
      s("g", top, text(round(scene.width), base - 2, largest, { class: "lg-right", "font-weight": 600 })),
    ];
  });
}

function layerWords(layer: DigestLayer, { busy, data }: Scene): Words {
  const { unit, write } = wordsOf(data.measure);
  const told = (value: number): string => write(value, undefined, data.promise);
  const who = `${layer.unknown} unknown`;
  const all = count(layer.count, "adversary", "adversaries");
  if (busy) return { who, value: `${all}, being computed`, paper: "", over: false };
  if (!layer.range) return { who, value: `${all}, all determined`, paper: "", over: false };
  const [low, high] = layer.range;
  const [first, , third] = layer.quartiles as [number, number, number];
  const fixedOnes = layer.determined ? `, ${fixed(layer.determined, 0)} determined` : "";
  return {
    who,
    value: `${all}${fixedOnes}, ${told(low)} to ${told(high)}${unit}`,
    paper: `the middle half from ${told(first)} to ${told(third)}`,
    over: false,
  };
}
