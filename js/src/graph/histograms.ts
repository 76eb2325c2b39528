/**
 * Graphs too large for dots: one small histogram for each number of unknown tuples, on the axis of the key
 * below. A row's name restricts the table to it, its largest value chooses who has it.
 */
import { h, listen, s, setAttr, setText, text } from "../ui/dom";
import { count, fixed, leakage } from "../ui/format";
import { css, viridis } from "../ui/palette";
import { share, type Scene } from "./data";
import type { DigestData, DigestLayer } from "./digest";
import type { Hand } from "./hand";
import { rect, round, set, show, yes } from "./svg";
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

interface Row {
  back: SVGRectElement;
  name: SVGGElement;
  size: SVGTextElement;
  bars: SVGPathElement;
  own: SVGPathElement;
  top: SVGGElement;
  value: SVGTextElement;
}

export function createHistograms(n: number, hand: Hand, events: HistogramEvents): Histograms {
  gradients += 1;
  const id = `lg-layers-${gradients}-${Math.random().toString(36).slice(2, 8)}`;
  const gradient = s("linearGradient", { id, gradientUnits: "userSpaceOnUse", y1: 0, y2: 0 });
  const pitch = n > 14 ? 22 : 26;
  const height = TOP + n * pitch;
  const promise = s("line", { class: "lg-rule lg-promise", y1: TOP - 6, y2: height });
  const threshold = s("line", { class: "lg-rule", y1: TOP - 6, y2: height });
  const backs = s("g");
  const drawn = s("g");
  const controls = s("g");
  const head = s("g", { "aria-hidden": "true" });
  const topHead = text(0, 10, "largest", { class: "lg-muted lg-right" });
  head.append(text(0, 10, "unknown", { class: "lg-muted" }), text(LAYER_GUTTER - 16, 10, "count", { class: "lg-muted lg-right" }), topHead);
  const rows = Array.from({ length: n }, (_, k) => buildRow(k));
  // Without its rim the ring would drown in the colours of the bars.
  const chosen = s("g", { class: "lg-chosen-spot" }, s("circle", { class: "lg-circle-rim", r: 5.5 }), s("circle", { class: "lg-circle", r: 5.5 }));
  const bin = s("rect", { class: "lg-bin", display: "none" });
  const hit = s("rect", { class: "lg-hit", y: TOP });
  const svg = s(
    "svg",
    {
      role: "group",
      height,
      "aria-label":
        "Leakage by number of unknown tuples. Arrow keys walk; Enter on a number shows only those in the table, on a largest value chooses who has it.",
    },
    s("defs", {}, gradient),
    head,
    backs,
    promise,
    threshold,
    drawn,
    bin,
    chosen,
    hit,
    controls,
  );
  const table = h("tbody");
  const hidden = h(
    "div",
    { class: "sr-only" },
    h(
      "table",
      {},
      h("caption", {}, "Leakage by layer, nats"),
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
  let painted = "";
  let barsOf: unknown = null;
  let stop: [number, 0 | 1] = [0, 0];
  let hovered = "";

  function buildRow(k: number): Row {
    const y = TOP + k * pitch;
    const base = baseOf(k);
    const size = text(LAYER_GUTTER - 16, base - 2, "", { class: "lg-muted lg-right" });
    const name = s(
      "g",
      { class: "lg-layer-name", role: "button", tabindex: k ? -1 : 0 },
      s("rect", { class: "lg-hit", x: 0, y, width: LAYER_GUTTER - 10, height: pitch }),
      s("rect", { class: "lg-layer-frame", x: -2, y: y + 1.5, width: LAYER_GUTTER - 10, height: pitch - 2, rx: 2 }),
      text(2, base - 2, String(n - k), { "font-size": 13, "font-weight": 600 }),
      size,
    );
    const value = text(0, base - 2, "", { class: "lg-right", "font-weight": 600 });
    const top = s("g", { class: "lg-largest", role: "button", tabindex: -1 }, value);
    const back = s("rect", { class: "lg-layer-back", x: -2, y: y + 1.5, height: pitch - 2 });
    const bars = s("path", { class: "lg-bars", fill: `url(#${id})` });
    const own = s("path", { class: "lg-own-range" });
    drawn.append(s("line", { class: "lg-base", x1: LAYER_GUTTER, y1: base, y2: base }), bars, own);
    backs.append(back);
    controls.append(name, top);
    listen(name, "click", () => {
      if (now && !now.scene.disabled) events.onLayer(now.unknown === n - k ? null : n - k);
    });
    listen(top, "click", () => {
      const layer = now?.digest.layers[k];
      if (layer?.range) hand.choose(layer.top);
    });
    return { back, name, size, bars, own, top, value };
  }

  function baseOf(k: number): number {
    return TOP + (k + 1) * pitch - 5;
  }

  const xOf = (value: number): number => {
    const { scene } = now as HistogramScene;
    return LAYER_GUTTER + share(value, scene.domain) * (scene.width - LAYER_MARGIN - LAYER_GUTTER);
  };

  function control(at: readonly [number, 0 | 1]): SVGGElement {
    const row = rows[at[0]] as Row;
    return at[1] ? row.top : row.name;
  }

  listen(svg, "keydown", (event) => {
    const at = rows.findIndex((row) => row.name === event.target || row.top === event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const side = rows[at]?.top === event.target ? 1 : 0;
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
    if (row < 0 || row >= n) return;
    set(control(stop), { tabindex: -1 });
    stop = [row, side];
    set(control(stop), { tabindex: 0 });
    control(stop).focus();
  }
  for (const type of ["focusin", "pointerover"] as const) {
    listen(controls, type, (event) => {
      const k = rows.findIndex((row) => row.name.contains(event.target as Node) || row.top.contains(event.target as Node));
      const row = rows[k];
      const layer = now?.digest.layers[k];
      if (!row || !layer || !now) return;
      const onTop = row.top.contains(event.target as Node);
      events.onPoint(
        onTop && layer.range
          ? describe(now.scene, layer.top)
          : layerWords(layer, now.scene.busy, now.scene.data.promise),
        onTop ? row.top : row.name,
      );
    });
  }
  for (const type of ["focusout", "pointerout"] as const) listen(controls, type, () => events.onPoint(null, null));

  listen(hit, "pointermove", (event) => {
    if (!now) return;
    const box = svg.getBoundingClientRect();
    const k = Math.floor((event.clientY - box.top - TOP) / pitch);
    const layer = now.digest.layers[k];
    const right = now.scene.width - LAYER_MARGIN;
    const x = event.clientX - box.left;
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
    const edge = (j: number): string => fixed(low + ((high - low) * j) / bins, 3);
    events.onPoint(
      {
        who: `${layer.unknown} unknown, ${edge(at)} to ${edge(at + 1)} nats`,
        value: now.scene.busy ? "being computed" : `${fixed(layer.counts[at] ?? 0, 0)} of ${count(layer.count, "adversary", "adversaries")}`,
        paper: now.scene.busy ? "" : layerWords(layer, false, now.scene.data.promise).paper,
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

  function paint(scene: Scene): void {
    const key = `${scene.width}|${scene.dark}`;
    if (key === painted) return;
    painted = key;
    const right = scene.width - LAYER_MARGIN;
    set(svg, { width: scene.width, viewBox: `0 0 ${scene.width} ${height}` });
    set(gradient, { x1: LAYER_GUTTER, x2: right });
    gradient.replaceChildren(...Array.from({ length: 17 }, (_, k) => s("stop", { offset: k / 16, "stop-color": css(viridis(k / 16, scene.dark)) })));
    for (const line of drawn.querySelectorAll("line")) setAttr(line, "x2", right);
    for (const row of rows) {
      set(row.back, { width: scene.width + 2 });
      set(row.value, { x: scene.width });
    }
    set(topHead, { x: scene.width });
    rect(hit, LAYER_GUTTER, TOP, right - LAYER_GUTTER, height - TOP);
    barsOf = null;
  }

  function drawBars(digest: DigestData): void {
    // Choosing, searching and a moving threshold change no distribution.
    const key = JSON.stringify(digest.layers.map((layer) => layer.counts)) + digest.domain.join();
    if (key === barsOf) return;
    barsOf = key;
    const room = pitch - 8;
    const right = (now as HistogramScene).scene.width - LAYER_MARGIN;
    digest.layers.forEach((layer, k) => {
      const tallest = Math.sqrt(Math.max(1, ...layer.counts));
      const step = (right - LAYER_GUTTER) / layer.counts.length;
      const d = layer.counts.map((some, j) => {
        if (!some) return "";
        const tall = Math.max(1.5, (room * Math.sqrt(some)) / tallest);
        return `M${round(LAYER_GUTTER + j * step)} ${baseOf(k)}v${round(-tall)}h${round(Math.max(1, step - 1))}v${round(tall)}z`;
      });
      set((rows[k] as Row).bars, { d: d.join("") });
    });
  }

  return {
    el,
    update(next) {
      now = next;
      const { scene, digest, unknown } = next;
      paint(scene);
      drawBars(digest);
      const cells: HTMLElement[] = [];
      digest.layers.forEach((layer, k) => {
        const row = rows[k] as Row;
        const pressed = unknown === layer.unknown;
        setText(row.size, fixed(layer.count, 0));
        row.back.classList.toggle("lg-on-layer", pressed);
        set(row.own, { d: layer.own ? ownRange(layer.own, baseOf(k) + 2.5) : "" });
        setText(row.value, scene.busy ? "…" : layer.range ? leakage(layer.range[1], digest.promise) : "0");
        row.top.classList.toggle("lg-over", !scene.busy && describe(scene, layer.top).over);
        set(row.name, {
          "aria-pressed": yes(pressed),
          "aria-label":
            `${layer.unknown} ${row.size.textContent}: ${layer.unknown} unknown, ` +
            `${layerWords(layer, scene.busy, scene.data.promise).value}. Show only these in the table`,
          "aria-disabled": scene.disabled ? "true" : null,
        });
        set(row.top, {
          "data-node": layer.top,
          "aria-label": layer.range
            ? `${row.value.textContent}: choose the largest with ${layer.unknown} unknown, ${sentence(describe(scene, layer.top))}`
            : `0: with ${layer.unknown} unknown all are determined`,
          "aria-disabled": scene.disabled || !layer.range ? "true" : null,
        });
        const numbers =
          layer.range && !scene.busy
            ? [layer.range[0], ...layer.quartiles, layer.range[1]].map((v) => leakage(v, digest.promise))
            : Array<string>(5).fill(scene.busy ? "…" : "determined");
        cells.push(
          h(
            "tr",
            {},
            h("th", { scope: "row" }, String(layer.unknown)),
            ...[fixed(layer.count, 0), ...numbers].map((t) => h("td", {}, t)),
          ),
        );
      });
      table.replaceChildren(...cells);
      const value = scene.data.exact[digest.at] as number;
      const own = digest.layers.findIndex((layer) => layer.unknown === digest.n - digest.chosen.known.length);
      set(chosen, { transform: `translate(${round(xOf(value))} ${baseOf(own) - 5})` });
      svg.classList.toggle("lg-waiting", scene.busy);
      show(chosen, !scene.busy);
      const seen = (line: number): boolean => line >= scene.domain[0] && line <= scene.domain[1];
      vertical(promise, xOf(digest.promise), seen(digest.promise));
      vertical(threshold, xOf(scene.threshold ?? 0), scene.threshold !== null && seen(scene.threshold));
    },
  };

  /** From the smallest to the largest of those who attack the chosen tuple. */
  function ownRange([low, high]: readonly [number, number], y: number): string {
    const from = xOf(low);
    return `M${round(from)} ${round(y)}H${round(Math.max(xOf(high), from + 1.5))}`;
  }
}

function layerWords(layer: DigestLayer, busy: boolean, promise: number): Words {
  const nats = (value: number): string => leakage(value, undefined, promise);
  const who = `${layer.unknown} unknown`;
  const all = count(layer.count, "adversary", "adversaries");
  if (busy) return { who, value: `${all}, being computed`, paper: "", over: false };
  if (!layer.range) return { who, value: `${all}, all determined`, paper: "", over: false };
  const [low, high] = layer.range;
  const [first, , third] = layer.quartiles as [number, number, number];
  const fixedOnes = layer.determined ? `, ${fixed(layer.determined, 0)} determined` : "";
  return {
    who,
    value: `${all}${fixedOnes}, ${nats(low)} to ${nats(high)} nats`,
    paper: `the middle half from ${nats(first)} to ${nats(third)}`,
    over: false,
  };
}

function vertical(line: SVGLineElement, x: number, shown: boolean): void {
  show(line, shown);
  set(line, { x1: x, x2: x });
}
