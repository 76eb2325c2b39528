/**
 * The dependence graph: a card for each tuple, a frame for each block, coefficients at the chosen tuple's edges; below
 * it the key.
 */
import { isOver, nameOf, plural, type Naming } from "../explorer/words";
import { createMeasure, wordsOf, type MeasureEvents, type MeasureProps } from "../graph/measure";
import { stackDots } from "../graph/svg";
import { HALO, keyAnchor, keyTicks } from "../ui/axes";
import { colourBand, css, inkOn, magnitude } from "../ui/colours";
import { component, h, layered, listen, renew, s, setAttr, setAttrs, setText, text, type Component } from "../ui/dom";
import { count, tick } from "../ui/format";
import { isModified } from "../ui/gestures";
import { fit, textWidth } from "../ui/lettering";
import { badge, inlineMark } from "../ui/marks";
import type { GraphMeasure } from "../ui/protocol";
import { drawEdges } from "./graph-edges";
import { CARD, layOutBlocks, layOutNeighbours, MOST_CARDS, type Card, type GraphLayout } from "./graph-layout";
import type { Coefficient } from "./protocol";
import { coefficientOf, countOver, mostLeaking, neighboursOf, paperError, type Shown } from "./results";
import { arrow, brief, coefficient, inShort, KIND_NAMES, nats } from "./words";

// The numbers of the graph as a plain table for screen readers. Follows the picture after a short pause.

export interface GraphTableProps {
  naming: Naming;
  blocks: readonly number[];
  shown: Shown | null;
  tuple: number;
  measure: GraphMeasure | undefined;
  busy: boolean;
}

export interface GraphTable {
  readonly el: HTMLElement;
  update(props: GraphTableProps): void;
  destroy(): void;
}

const PAUSE = 250;

/** How a number of a measure is written; leakages may be infinite. */
const writeOf = (measure: GraphMeasure | undefined): typeof nats => (measure ? wordsOf(measure).write : nats);

function createGraphTable(initial: GraphTableProps): GraphTable {
  const caption = h("caption");
  const body = h("tbody");
  const heads = [
    "Tuple",
    "Block",
    "",
    "Paper’s estimate",
    "Mean bound",
    ...Object.values(KIND_NAMES).map((kind) => `ρ, ${kind}`),
  ].map((head) => h("th", { scope: "col" }, head));
  const el = h("div", { class: "sr-only" }, h("table", {}, caption, h("thead", {}, h("tr", {}, ...heads)), body));
  let timer: ReturnType<typeof setTimeout> | null = null;

  function draw({ naming, blocks, shown, tuple, measure, busy }: GraphTableProps): void {
    const { short } = wordsOf(measure);
    setText(heads[2] as HTMLElement, `Exact ${measure ? "" : "leakage, "}${short}`);
    renew(caption, `What leaks about every ${naming.noun}, and coefficients given ${nameOf(naming, tuple)}`);
    const rows = naming.names.map((_, k) => {
      const number = (write: (found: Shown) => string): HTMLElement => h("td", {}, busy || !shown ? "…" : write(shown));
      const joined = blocks[k] === blocks[tuple] && k !== tuple;
      const rho = (kind: "exact" | "mean" | "eq18"): HTMLElement =>
        joined
          ? number((found) => coefficient(coefficientOf(found, kind, tuple, k)))
          : h("td", {}, k === tuple ? "itself" : "0");
      const paper = (found: Shown): string => {
        const error = paperError(found, k);
        return error ? `${nats(found.paper[k] as number, found.exact[k])}, too ${error.direction}` : "the same";
      };
      const mean = (found: Shown): string => (Number.isNaN(found.mean[k]) ? "none" : nats(found.mean[k] as number));
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, nameOf(naming, k)),
        h("td", {}, String((blocks[k] ?? 0) + 1)),
        number((found) => writeOf(measure)(found.exact[k] as number, found.epsilon)),
        measure ? h("td", {}, "of leakages alone") : number(paper),
        number(mean),
        rho("exact"),
        rho("mean"),
        rho("eq18"),
      );
    });
    renew(body, ...rows);
  }

  draw(initial);
  return {
    el,
    update(next) {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => {
        timer = null;
        draw(next);
      }, PAUSE);
    },
    destroy() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

// Below the graph: colour key and distribution of all tuples on one axis, with the promise.

export interface KeyProps {
  shown: Shown | null;
  tuple: number;
  measure: GraphMeasure | undefined;
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

  function draw({ shown, tuple, measure, epsilon, domain, busy, dark, width }: KeyProps): void {
    const { line, unit, per } = wordsOf(measure);
    const tickOf = (value: number): string => tick(Number((value * per).toPrecision(6)));
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
          fill: css(magnitude(share(values[k] as number), dark)),
          stroke: chosen ? "var(--brand)" : "var(--ink)",
          "stroke-width": chosen ? 2.5 : 0.75,
        }),
      );
    }
    const at = Math.min(width - 1, Math.max(1, x(epsilon)));
    const over = shown && !busy ? countOver(shown) : 0;
    const words = `${line} ${writeOf(measure)(epsilon)}${shown && !busy ? `, ${over} of ${shown.n} above` : ""}`;
    const left = at > textWidth(words) + 10;
    parts.push(
      s("line", { x1: at, y1: 2, x2: at, y2: BAND + 8, stroke: "var(--promise)", "stroke-width": 2, "stroke-dasharray": "4 3" }),
      text(left ? at - 8 : at + 8, 10, words, { "text-anchor": left ? "end" : "start", style: "fill:var(--promise)" }),
    );
    if (most >= 0) {
      const said = `largest ${writeOf(measure)(values[most] as number, epsilon)}`;
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
    keyTicks(low, high, per).forEach((value, k, all) => {
      const label = `${tickOf(value)}${k === all.length - 1 ? unit : ""}`;
      const at = ((value - low) / (high - low)) * width;
      parts.push(text(at, BAND + 23, label, { class: "dx-muted", "text-anchor": keyAnchor(at, 0, width) }));
    });
    renew(drawn, ...parts);
    setAttr(svg, "aria-label", `Colour key, ${tickOf(low)} to ${tickOf(high)}${unit}; ${words}`);
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

// The dependence graph: a card for each tuple, a dotted frame for each block, coefficients at the chosen tuple's edges.

export interface GraphProps {
  naming: Naming;
  blocks: readonly number[];
  /** With the numbers that are drawn. */
  shown: Shown | null;
  /** What these are; undefined for leakages. */
  measure: GraphMeasure | undefined;
  tuple: number;
  other: number | null;
  /** The coefficient in use. */
  kind: Coefficient;
  epsilon: number;
  /** Ends of the colour scale. */
  domain: readonly [number, number];
  paper: boolean;
  busy: boolean;
  dark: boolean;
  disabled: boolean;
  width: number;
}

export interface GraphEvents {
  onTuple(tuple: number): void;
  onOther(other: number): void;
}

const MOVES: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function createGraph(initial: GraphProps, events: GraphEvents): Component<GraphProps> {
  let props = initial;
  const layers = [{ class: "dx-frames" }, { class: "dx-lines" }, { class: "dx-labels" }, { class: "dx-cards" }] as const;
  const [svg, frames, lines, labels, cards] = layered({ class: "dx-graph", role: "group", "aria-label": "Dependence graph" }, ...layers);
  const table = createGraphTable(initial);
  const note = h("p", { class: "small muted dx-graph-note" });
  const el = h("div", {}, svg, note, table.el);
  let placed: { on: unknown[]; layout: GraphLayout } | null = null;

  /** What was pressed, or where the focus is: a card or the label of an edge. */
  function choose(target: EventTarget | null): boolean {
    const part = (target as Element | null)?.closest<SVGElement>("[data-tuple], [data-far]");
    if (!part || props.disabled) return false;
    const { tuple, far } = part.dataset;
    if (tuple !== undefined) {
      if (Number(tuple) !== props.tuple) events.onTuple(Number(tuple));
    } else if (Number(far) !== props.other) events.onOther(Number(far));
    return true;
  }

  listen(svg, "click", (event) => choose(event.target));
  listen(svg, "keydown", (event) => {
    if (isModified(event)) return;
    if (event.key === "Enter" || event.key === " ") {
      if (choose(event.target)) event.preventDefault();
      return;
    }
    const layer = [cards, labels].find((one) => one.contains(event.target as Node));
    const all = layer ? [...layer.querySelectorAll<SVGElement>("[role=button]")] : [];
    const at = all.findIndex((one) => one.contains(event.target as Node));
    const step = MOVES[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : step === undefined ? -1 : (at + step + all.length) % all.length;
    if (at < 0 || to < 0) return;
    event.preventDefault();
    all[to]?.focus();
  });

  function layout(): GraphLayout {
    const { blocks, tuple, shown, width, kind } = props;
    const many = blocks.length > MOST_CARDS;
    // With cards for all, nothing moves when another one is chosen.
    const near = many ? strongest(props, shown) : [];
    const on = [blocks, width, many && tuple, near.join(), many && kind];
    if (placed && on.every((part, k) => part === placed?.on[k])) return placed.layout;
    placed = { on, layout: many ? layOutNeighbours(tuple, near, width, near.length + 1) : layOutBlocks(blocks, width) };
    return placed.layout;
  }

  function draw(): void {
    const { naming, blocks, shown, tuple, other, kind, busy, disabled } = props;
    const found = layout();
    setAttrs(svg, { width: found.width, height: found.height, viewBox: `0 0 ${found.width} ${found.height}` });
    renew(frames, ...found.frames.map(drawFrame));
    const drawn = drawEdges({
      layout: found,
      blocks,
      shown,
      tuple,
      other,
      kind,
      busy,
      disabled,
      named: (first, second) => arrow(naming, first, second),
    });
    renew(lines, ...drawn.lines);
    renew(labels, ...drawn.labels);
    const most = shown ? mostLeaking(shown) : -1;
    // By tuple, so that the arrows walk in the order of the table.
    renew(cards, ...[...found.cards].sort((a, b) => a.tuple - b.tuple).map((card) => drawCard(card, props, card.tuple === most)));
    renew(note, ...noteWords(props, found));
    table.update(props);
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  }, table);
}

function drawFrame({ x, y, width, height, label }: GraphLayout["frames"][number]): SVGElement {
  const box = s("rect", { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, rx: 8, class: "dx-frame" });
  return s("g", {}, box, text(x + 8, y + 15, label, { class: "dx-muted" }));
}

function drawCard({ tuple: k, x, y }: Card, props: GraphProps, most: boolean): SVGElement {
  const { naming, shown, measure, tuple, paper, busy, dark, disabled, epsilon, domain } = props;
  const { unit, beside } = wordsOf(measure);
  const value = shown?.exact[k] ?? null;
  const there = value !== null && !busy;
  const colour = there ? magnitude(value === Infinity ? 1 : (value - domain[0]) / (domain[1] - domain[0]), dark) : null;
  const ink = colour ? inkOn(colour) : "var(--ink)";
  const error = shown && there && paper ? paperError(shown, k) : null;
  const [left, top] = [x - CARD.width / 2, y - CARD.height / 2];
  const chosen = k === tuple;
  const line = (dy: number, content: string, size: number, bold: boolean): SVGElement =>
    text(x, y + dy, content, {
      "text-anchor": "middle",
      "font-size": size,
      "font-weight": bold ? 600 : 400,
      style: `fill:${ink}`,
      class: "dx-card-text",
    });
  const number = there ? writeOf(measure)(value, epsilon) : "…";
  const written = fit(brief(naming, k, 60), CARD.width - 10, 11, true, inShort(naming).names);
  const second = error && shown ? nats(shown.paper[k] as number, value ?? undefined) : "";
  const parts: SVGElement[] = [
    s("rect", {
      x: left - 4,
      y: top - 4,
      width: CARD.width + 8,
      height: CARD.height + 8,
      rx: 6,
      fill: "var(--bg)",
      stroke: chosen ? "var(--brand)" : "none",
      "stroke-width": 2,
      class: "dx-ring",
    }),
    s("rect", {
      x: left,
      y: top,
      width: CARD.width,
      height: CARD.height,
      rx: 3,
      fill: colour ? css(colour) : "var(--tint)",
      stroke: "var(--line2)",
      "stroke-width": 0.5,
      class: "dx-card-back",
    }),
    line(error ? -13 : -9, written, 11, true),
    line(error ? 5 : 11, number, 14, true),
  ];
  if (error && shown) parts.push(line(20, second, 11, false), badge(error.direction, left + CARD.width - 1, top + 1, 7));
  if (most && there) {
    parts.push(
      s("rect", { x: left - 4, y: top - 15, width: 28, height: 13, rx: 2, fill: "var(--ink)" }),
      text(left + 10, top - 5, "max", {
        "text-anchor": "middle",
        "font-size": 10,
        "font-weight": 600,
        style: "fill:var(--bg)",
      }),
    );
  }
  // What is read on the card comes first: who speaks to the page says that. A title counts as read.
  const whole = written === nameOf(naming, k, 300) ? "" : nameOf(naming, k, 300);
  const read = [whole, written, number, second, most && there ? "max" : ""].filter(Boolean).join(" ");
  const over = there && isOver(value, epsilon) ? `, over ${beside}` : "";
  const estimate = error && shown ? `, paper’s estimate ${second}, too ${error.direction}` : "";
  return s(
    "g",
    {
      class: "dx-card",
      role: "button",
      "data-tuple": k,
      tabindex: disabled ? -1 : chosen ? 0 : -1,
      "aria-pressed": String(chosen),
      "aria-disabled": disabled ? "true" : null,
      "aria-label": `${read}. ${nameOf(naming, k)}: ${there ? `${number}${unit}` : "being computed"}${over}${estimate}${most && there ? ", the largest" : ""}`,
    },
    ...(whole ? [s("title", {}, whole)] : []),
    ...parts,
  );
}

function noteWords({ blocks, naming, paper, tuple }: GraphProps, { left }: GraphLayout): (Node | string)[] {
  const parts: (Node | string)[] = [];
  if (blocks.length > MOST_CARDS) {
    const near = neighboursOf(blocks, tuple).length;
    parts.push(
      near === 0
        ? `No other ${naming.noun} depends on this one. `
        : `Shown: the chosen one and its ${left > 0 ? `closest of ${count(near, "neighbour")}` : "neighbours"}, of ${blocks.length} ${plural(naming.noun)}. `,
    );
  } else parts.push("Frames are blocks, independent of each other. ");
  if (paper)
    parts.push(
      "Second number: the paper’s estimate ",
      h("span", { class: "nowrap" }, "DSᵢ/σ"),
      ", ",
      h("span", { class: "nowrap" }, inlineMark("low"), " too low"),
      " or ",
      h("span", { class: "nowrap" }, inlineMark("high"), " too high"),
      ". ",
    );
  parts.push("Dashed: ρ is 0 at this noise.");
  return parts;
}

/** The neighbours of the chosen tuple, the closest first, by the coefficient in use. */
function strongest({ blocks, tuple, kind }: GraphProps, shown: Shown | null): number[] {
  const near = neighboursOf(blocks, tuple);
  if (!shown) return near;
  const tie = (other: number): number => coefficientOf(shown, kind, tuple, other) + 1e-6 * coefficientOf(shown, "mean", tuple, other);
  return near.sort((a, b) => tie(b) - tie(a) || a - b);
}

export interface GraphHeadProps {
  paper: boolean;
  /** What the numbers are, and what is asked for. */
  measure: GraphMeasure | undefined;
  asked: Omit<MeasureProps, "disabled">;
  disabled: boolean;
}

/** What stands over the graph, with the switch of the paper's estimate. */
export function createGraphHead(
  initial: GraphHeadProps,
  onPaper: (paper: boolean) => void,
  events: MeasureEvents,
): Component<GraphHeadProps> {
  const checkbox = h("input", { type: "checkbox" });
  const words = h("span");
  const shows = createMeasure({ ...initial.asked, disabled: initial.disabled }, events);
  const estimate = h("label", { class: "muted small nowrap dx-switch" }, checkbox, "paper’s estimate");
  const head = h("h3", { class: "panel-head" }, h("span", {}, "What leaks ", h("span", { class: "muted" }, words)), estimate);
  const caption = h("p", { class: "small muted" });
  const el = h("div", { class: "dx-graph-head" }, head, shows.el, caption);
  listen(checkbox, "change", () => onPaper(checkbox.checked));
  function draw({ paper, measure, asked, disabled }: GraphHeadProps): void {
    const { short, caption: told } = wordsOf(measure);
    setText(words, `exact, ${short}; arrows carry ρ of the chosen tuple`);
    setText(caption, told);
    caption.hidden = told === "";
    // The paper estimates leakages.
    estimate.hidden = measure !== undefined;
    shows.update({ ...asked, disabled });
    checkbox.checked = paper;
    checkbox.disabled = disabled;
    setAttr(head, "data-paper", paper);
  }
  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      shows.destroy();
      el.remove();
    },
  };
}
