/**
 * The weighted hierarchical graph as a panel: one that carries all its values, or a larger one that answers questions.
 */
import { h, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { clip } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import type { GraphState } from "../ui/protocol";
import { createAdversaryTable } from "./adversary-table";
import { colourDomain, decodeGraph, isDetermined, type LeakageData, type Scene } from "./data";
import { countAboveIn, decodeDigest, roughly, sameSearch, type DigestData, type DigestState } from "./digest";
import { createCaption, createFrame, EXACT_EDGES, type Drawing, type GraphEvents, type GraphProps, type Tools } from "./frame";
import { createHistograms, LAYER_GUTTER, LAYER_MARGIN } from "./histograms";
import { createKeyStrip, keyOf, type KeyScene } from "./key-strip";
import { createLattices, PAIR_GAP, SIDE_BY_SIDE_FROM } from "./lattices";
import { createNeighbourhood } from "./neighbourhood";
import { wordsOf } from "./measure";
import { adversaryCount, adversaryOf } from "./nodes";
import { createPageTable } from "./page-table";
import type { Search } from "./search";
import { createStrips, STRIP_GUTTER } from "./strips";
import { shown, shownPaper } from "./words";

// The numbers of the graph as a plain table for screen readers. Follows the picture after a short pause.

const PAUSE = 250;

export interface HiddenTable {
  readonly el: HTMLElement;
  update(scene: Scene): void;
  destroy(): void;
}

function createHiddenTable(n: number): HiddenTable {
  const heading = h("th", { scope: "col" }, "Paper’s estimate");
  const body = h("tbody");
  const cells: HTMLElement[][] = [];
  for (let flat = 0; flat < adversaryCount(n); flat++) {
    const row = [h("th", { scope: "row" }), h("td"), h("td"), h("td")];
    cells.push(row);
    body.append(h("tr", {}, ...row));
  }
  const columns = ["About", "Knows", ""].map((title) => h("th", { scope: "col" }, title));
  const el = h(
    "div",
    { class: "sr-only" },
    h("table", {}, h("caption", {}, "Leakage of every adversary"), h("thead", {}, h("tr", {}, ...columns, heading)), body),
  );
  let timer: ReturnType<typeof setTimeout> | null = null;

  function draw(scene: Scene): void {
    const { short } = wordsOf(scene.data.measure);
    setText(columns[2] as HTMLElement, `Exact ${scene.data.measure ? "" : "leakage, "}${short}`);
    heading.hidden = !scene.paper;
    cells.forEach((row, flat) => {
      const { target, known } = adversaryOf(n, flat);
      const spoken = scene.names.spoken;
      const [about, knows, exact, paper] = row as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
      setText(about, spoken[target] as string);
      setText(knows, known.length ? known.map((tuple) => spoken[tuple]).join(", ") : "none of the others");
      setText(exact, isDetermined(scene.data, flat) && !scene.busy ? "0, determined" : shown(scene, flat));
      paper.hidden = !scene.paper;
      setText(paper, shownPaper(scene, flat) || "the same");
    });
  }

  let drawn = false;
  return {
    el,
    update(scene) {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => {
        timer = null;
        drawn = true;
        draw(scene);
      }, drawn ? PAUSE : 0);
    },
    destroy() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

// The weighted hierarchical graph as a panel: every adversary's leakage, the colour key with
// distribution and threshold, and the same numbers for screen readers.

export interface LeakageGraphProps extends GraphProps {
  /** null draws the empty state. */
  graph: LeakageData | null;
  /** Only adversaries whose estimate is too low or too high; the others stand back. Without the estimate it does nothing. */
  only?: "low" | "high" | null;
  /** Numbers read "…" until new ones are there. */
  busy: boolean;
}

/** Up to here whole lattices are drawn. */
const LATTICES_TO = 7;
const LEAST_WIDTH = 300;

export function createLeakageGraph(initial: LeakageGraphProps, events: GraphEvents): Component<LeakageGraphProps> {
  return createFrame<LeakageGraphProps>(initial, events, {
    content({ graph: data, only, busy }) {
      return data && { data, domain: colourDomain(data), only: only ?? null, busy, waiting: busy };
    },
    build: (n, body, tools) => build(n, body, tools, events),
    least: LEAST_WIDTH,
  });
}

function build(n: number, body: HTMLElement, { hand }: Tools<LeakageGraphProps>, events: GraphEvents): Drawing<LeakageGraphProps> {
  const parts: { update(scene: Scene): void; destroy?(): void }[] = [];
  const drawing: Drawing<LeakageGraphProps> = {
    update: (scene) => parts.forEach((part) => part.update(scene)),
    destroy: () => parts.forEach((part) => part.destroy?.()),
  };
  const caption = createCaption();
  const strip = createKeyStrip(hand, events);
  const stripPart = (left: number) => ({ update: (now: Scene) => strip.update(keyOf(now), left), destroy: () => strip.destroy() });
  if (n <= LATTICES_TO) {
    const lattices = createLattices(n, hand);
    const table = createHiddenTable(n);
    body.replaceChildren(lattices.el, caption.el, strip.el, table.el);
    parts.push(lattices, caption, stripPart(0), table);
    return drawing;
  }
  const strips = createStrips(n, hand);
  const near = createNeighbourhood(n, hand);
  const table = createAdversaryTable(hand);
  const pair = h("div", { class: "lg-pair" }, near.el, table.el);
  body.replaceChildren(strips.el, strip.el, caption.el, pair);
  const nearPart = {
    update(now: Scene) {
      const beside = now.width >= SIDE_BY_SIDE_FROM;
      pair.classList.toggle("lg-beside", beside);
      near.update(beside ? { ...now, width: (now.width - PAIR_GAP) / 2 } : now);
    },
    destroy: () => near.destroy(),
  };
  parts.push(strips, stripPart(STRIP_GUTTER), caption, nearPart, table);
  return drawing;
}

// A graph too large for all its values to be sent, as a panel: distributions by layer, the colour key with
// threshold, a searchable table a page at a time, and the neighbours of the chosen adversary. Python
// answers what is asked (graph/digest.ts); the answers belong to the digest, the wishes to the props.

export interface LargeGraphProps extends GraphProps {
  /** null draws the empty state. */
  digest: DigestData | null;
  /** Order, page and filters that were asked for. */
  search: Search;
  /** Something asked for has not come for a while. */
  busy: boolean;
  /** All numbers are out of date, not only the page or the neighbours: they read "…" until new ones are there. */
  stale?: boolean;
}

interface LargeGraphEvents extends GraphEvents {
  onSearch(search: Search): void;
}

const LEAST_WIDTH_LARGE = 340;

export function createLargeGraph(initial: LargeGraphProps, events: LargeGraphEvents): Component<LargeGraphProps> {
  return createFrame<LargeGraphProps>(initial, events, {
    content({ digest, busy, stale }) {
      return digest && { data: digest.data, domain: digest.domain, only: null, busy: stale ?? false, waiting: busy };
    },
    build: (n, body, tools) => buildLarge(n, body, tools, events),
    least: LEAST_WIDTH_LARGE,
  });
}

function buildLarge(n: number, body: HTMLElement, tools: Tools<LargeGraphProps>, events: LargeGraphEvents): Drawing<LargeGraphProps> {
  const { hand } = tools;
  const histograms = createHistograms(n, hand, {
    onLayer: (unknown) => events.onSearch({ ...tools.props().search, unknown, first: 0 }),
    onPoint: (words, anchor) => tools.point(words, anchor),
  });
  const strip = createKeyStrip(hand, events);
  const [start, lead, edges, determined] = Array.from({ length: 4 }, () => h("span")) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  const paper = h("span", {}, lead, inlineBadge("low"), " too low or ", inlineBadge("high"), " too high. ");
  const caption = h("p", { class: "muted small lg-caption" }, start, paper, edges, determined);
  const near = createNeighbourhood(n, hand);
  const table = createPageTable(hand, (search) => events.onSearch(search));
  const pair = h("div", { class: "lg-pair" }, near.el, table.el);
  body.replaceChildren(histograms.el, strip.el, caption, pair);

  function drawCaption(now: Scene, digest: DigestData): void {
    const about = clip(now.names.full[digest.chosen.target] as string, 24);
    setText(
      start,
      `${wordsOf(digest.measure).caption}Bars: how many adversaries, on a square-root scale, each layer to its own tallest. ` +
        `Line below: about ${about}. Ring: the chosen one. `,
    );
    paper.hidden = !now.paper || !digest.apart || digest.apart[0] + digest.apart[1] === 0;
    setText(lead, "In table and cards: the paper’s estimate, ");
    setText(edges, now.paper ? ((now.edges?.length ?? 0) > 0 ? "On edges: its increments. " : "") : EXACT_EDGES);
    const fixedOnes = digest.layers.reduce((sum, layer) => sum + layer.determined, 0);
    setText(determined, fixedOnes ? `Determined, nothing is left to learn: ${fixed(fixedOnes, 0)}, not drawn. ` : "");
  }

  return {
    update(now, { digest, search, busy }) {
      if (!digest) return;
      histograms.update({ scene: now, digest, unknown: search.unknown });
      strip.update(keyScene(now, digest), LAYER_GUTTER);
      drawCaption(now, digest);
      const beside = now.width >= SIDE_BY_SIDE_FROM;
      pair.classList.toggle("lg-beside", beside);
      // The neighbours are those of the answer; they wait when someone else was chosen.
      const other = now.chosen !== digest.at;
      near.update({ ...now, chosen: digest.at, busy: now.busy || (other && busy), width: beside ? (now.width - PAIR_GAP) / 2 : now.width });
      table.update({ scene: now, digest, search, waiting: busy && !sameSearch(search, digest.search) });
    },
    destroy() {
      strip.destroy();
      near.destroy();
      table.destroy();
    },
  };
}

function keyScene(now: Scene, digest: DigestData): KeyScene {
  const layers = digest.layers;
  return {
    domain: digest.domain,
    promise: digest.promise,
    measure: digest.measure,
    total: digest.total,
    largest: digest.largest,
    top: digest.data.exact[digest.largest] as number,
    above(line) {
      const { count, exact } = countAboveIn(digest, line);
      return exact ? fixed(count, 0) : `about ${fixed(roughly(count), 0)}`;
    },
    dots: null,
    bars: (layers[0]?.counts ?? []).map((_, bin) => layers.reduce((sum, layer) => sum + (layer.counts[bin] ?? 0), 0)),
    threshold: now.threshold,
    dark: now.dark,
    busy: now.busy,
    disabled: now.disabled,
    width: now.width - LAYER_MARGIN,
  };
}

// A graph as Python shows it: one that carries all its values, or a larger one that answers questions.

export interface AnyGraphProps extends GraphProps {
  /** All values; null when there are none, or when they are too many. */
  graph: GraphState | null;
  /** What was asked about a graph that is too large; null when there is none. */
  digest: DigestState | null;
  /** Order, page and filters that were asked for; they matter to a large graph. */
  search: Search;
  /** Only where the paper's estimate is too low or too high. Of a large graph the search says that. */
  only?: "low" | "high" | null;
  /** Something asked for has not come for a while. */
  busy: boolean;
  /** All numbers are out of date: they read "…" until new ones are there. */
  stale: boolean;
}

export type AnyGraphEvents = LargeGraphEvents;

/** How many tuples and adversaries a graph has; null without one. */
export function sizeOf(graph: GraphState | null, digest: DigestState | null): { n: number; adversaries: number } | null {
  const names = (digest ?? graph)?.names;
  return names ? { n: names.length, adversaries: names.length * 2 ** (names.length - 1) } : null;
}

export function createAnyGraph(initial: AnyGraphProps, events: AnyGraphEvents): Component<AnyGraphProps> {
  const el = h("div", { class: "lg-any" });
  // Bytes are read once for each answer, not on every frame of a gesture.
  let from: GraphState | DigestState | null = null;
  let data: LeakageData | null = null;
  let digest: DigestData | null = null;
  let small: Component<LeakageGraphProps> | null = null;
  let large: Component<LargeGraphProps> | null = null;

  function draw(props: AnyGraphProps): void {
    const { graph, digest: asked, search, only, busy, stale, ...common } = props;
    if ((asked ?? graph) !== from) {
      digest = asked && decodeDigest(asked);
      data = graph && !asked ? decodeGraph(graph) : null;
    }
    from = asked ?? graph;
    if (digest) {
      small?.destroy();
      small = null;
      const now: LargeGraphProps = { ...common, digest, search, busy, stale };
      if (large) return large.update(now);
      large = createLargeGraph(now, events);
      el.append(large.el);
      return;
    }
    large?.destroy();
    large = null;
    const now: LeakageGraphProps = { ...common, graph: data, only: only ?? null, busy: stale };
    if (small) return small.update(now);
    small = createLeakageGraph(now, events);
    el.append(small.el);
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      small?.destroy();
      large?.destroy();
      small = large = null;
      el.remove();
    },
  };
}
