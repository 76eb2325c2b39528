/** The dependence graph: a card for each tuple, a dotted frame for each block, coefficients at the chosen tuple's edges. */
import { isOver, nameOf, plural, type Naming } from "../explorer/words";
import { css, inkOn, viridis } from "../ui/colours";
import { component, h, layered, listen, renew, s, setAttr, setAttrs, setText, text, type Component } from "../ui/dom";
import { count } from "../ui/format";
import { isModified } from "../ui/gestures";
import { fit } from "../ui/lettering";
import { badge, inlineMark } from "../ui/marks";
import { drawEdges } from "./graph-edges";
import { CARD, MOST_CARDS, layOutBlocks, layOutNeighbours, type Card, type GraphLayout } from "./graph-layout";
import { createGraphTable } from "./graph-table";
import type { Coefficient } from "./protocol";
import { coefficientOf, mostLeaking, neighboursOf, paperError, type Shown } from "./results";
import { arrow, brief, inShort, nats } from "./words";

export interface GraphProps {
  naming: Naming;
  blocks: readonly number[];
  shown: Shown | null;
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
  const { naming, shown, tuple, paper, busy, dark, disabled, epsilon, domain } = props;
  const value = shown?.exact[k] ?? null;
  const there = value !== null && !busy;
  const colour = there ? viridis(value === Infinity ? 1 : (value - domain[0]) / (domain[1] - domain[0]), dark) : null;
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
  const number = there ? nats(value, epsilon) : "…";
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
  const over = there && isOver(value, epsilon) ? ", over the promise" : "";
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
      "aria-label": `${read}. ${nameOf(naming, k)}: ${there ? `${number} nats` : "being computed"}${over}${estimate}${most && there ? ", the largest" : ""}`,
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

/** What stands over the graph, with the switch of the paper's estimate. */
export function createGraphHead(
  initial: { paper: boolean; disabled: boolean },
  onPaper: (paper: boolean) => void,
): Component<{ paper: boolean; disabled: boolean }> {
  const checkbox = h("input", { type: "checkbox" });
  const words = h("span");
  const el = h(
    "h3",
    { class: "panel-head" },
    h("span", {}, "What leaks ", h("span", { class: "muted" }, words)),
    h("label", { class: "muted small nowrap dx-switch" }, checkbox, "paper’s estimate"),
  );
  listen(checkbox, "change", () => onPaper(checkbox.checked));
  setText(words, "exact, nats; arrows carry ρ of the chosen tuple");
  function draw({ paper, disabled }: { paper: boolean; disabled: boolean }): void {
    checkbox.checked = paper;
    checkbox.disabled = disabled;
    setAttr(el, "data-paper", paper);
  }
  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
