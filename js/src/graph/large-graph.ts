/**
 * A graph too large for all its values to be sent, as a panel: distributions by layer, the colour key with
 * threshold, a searchable table a page at a time, and the neighbours of the chosen adversary. Python
 * answers what is asked (graph/digest.ts); the answers belong to the digest, the wishes to the props.
 */
import { h, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { clip } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import { EXACT_EDGES } from "./caption";
import type { Scene } from "./data";
import { countAboveIn, roughly, sameSearch, type DigestData } from "./digest";
import { createFrame, type Drawing, type GraphEvents, type GraphProps, type Tools } from "./frame";
import { createHistograms, LAYER_GUTTER, LAYER_MARGIN } from "./histograms";
import { createKeyStrip, type KeyScene } from "./key-strip";
import { PAIR_GAP, SIDE_BY_SIDE_FROM } from "./lattices";
import { createNeighbourhood } from "./neighbourhood";
import { createPageTable } from "./page-table";
import type { Search } from "./search";

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

export interface LargeGraphEvents extends GraphEvents {
  onSearch(search: Search): void;
}

const LEAST_WIDTH = 340;

export function createLargeGraph(initial: LargeGraphProps, events: LargeGraphEvents): Component<LargeGraphProps> {
  return createFrame<LargeGraphProps>(initial, events, {
    content({ digest, busy, stale }) {
      return digest && { data: digest.data, domain: digest.domain, only: null, busy: stale ?? false, waiting: busy };
    },
    build: (n, body, tools) => build(n, body, tools, events),
    least: LEAST_WIDTH,
  });
}

function build(n: number, body: HTMLElement, tools: Tools<LargeGraphProps>, events: LargeGraphEvents): Drawing<LargeGraphProps> {
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
    setText(start, `Bars: how many adversaries, on a square-root scale, each layer to its own tallest. Line below: about ${about}. Ring: the chosen one. `);
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
