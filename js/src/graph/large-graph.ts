/**
 * A graph too large for all its values to be sent, as a panel: distributions by layer, the colour key with
 * threshold, a searchable table a page at a time, and the neighbours of the chosen adversary. Python
 * answers what is asked (graph/digest.ts); the answers belong to the digest, the wishes to the props.
 */
import type { Component } from "../ui/component";
import { h, listen, setAttr, setText } from "../ui/dom";
import { fixed } from "../ui/format";
import { clip } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import { EXACT_EDGES } from "./caption";
import type { EdgeIncrement, Scene } from "./data";
import { countAboveIn, roughly, sameSearch, type DigestData } from "./digest";
import type { Hand } from "./hand";
import { createHistograms, LAYER_GUTTER, LAYER_MARGIN } from "./histograms";
import { createKeyStrip, type KeyScene, type KeyStripEvents } from "./key-strip";
import { PAIR_GAP, SIDE_BY_SIDE_FROM, WIDEST } from "./lattices";
import { nameBook, type NameBook } from "./names";
import { createNeighbourhood } from "./neighbourhood";
import { adversaryOf, columnOf, flatOf } from "./nodes";
import { createPageTable } from "./page-table";
import { createReadout } from "./readout";
import type { Search } from "./search";
import { describe } from "./words";

export interface LargeGraphProps {
  /** null draws the empty state. */
  digest: DigestData | null;
  target: number;
  known: readonly number[];
  /** Order, page and filters that were asked for. */
  search: Search;
  showPaper: boolean;
  /** null = at the promise. */
  threshold: number | null;
  dark: boolean;
  disabled: boolean;
  /** Something asked for has not come for a while. */
  busy: boolean;
  /** All numbers are out of date, not only the page or the neighbours: they read "…" until new ones are there. */
  stale?: boolean;
  /** The paper's increments beside the chosen adversary. */
  edges?: EdgeIncrement[] | null;
  /** px; without it the panel measures itself. */
  width?: number;
  emptyText?: string;
}

export interface LargeGraphEvents extends KeyStripEvents {
  onChoose(target: number, known: number[]): void;
  onShowPaper(show: boolean): void;
  onSearch(search: Search): void;
}

const FALLBACK_WIDTH = 496;

interface Drawing {
  n: number;
  update(scene: Scene, digest: DigestData): void;
  destroy(): void;
}

export function createLargeGraph(initial: LargeGraphProps, events: LargeGraphEvents): Component<LargeGraphProps> {
  let props = initial;
  let measured = 0;
  let drawing: Drawing | null = null;
  let book: { of: string; names: NameBook } | null = null;
  let scene: Scene | null = null;

  const checkbox = h("input", { type: "checkbox", class: "lg-check" });
  const paperSwitch = h("label", { class: "muted small nowrap lg-switch" }, checkbox, "paper’s estimate");
  const note = h("span", { class: "muted" }, "exact, nats, for every adversary");
  const head = h("h3", { class: "panel-head" }, h("span", { class: "lg-title" }, "What leaks ", note), paperSwitch);
  const body = h("div", { class: "lg-body" });
  const empty = h("p", { class: "lg-empty muted" });
  const readout = createReadout();
  const el = h("section", { class: "panel lg-graph", "aria-label": "What leaks" }, head, empty, body, readout.el);

  listen(checkbox, "change", () => events.onShowPaper(checkbox.checked));

  const hand: Hand = {
    choose(flat) {
      if (!scene || props.disabled) return;
      const { target, known } = adversaryOf(scene.data.n, flat);
      events.onChoose(target, known);
    },
    point(flat, anchor) {
      readout.show(flat === null || !scene ? null : describe(scene, flat), anchor, el);
    },
  };

  function build(n: number): Drawing {
    const histograms = createHistograms(n, hand, {
      onLayer: (unknown) => events.onSearch({ ...props.search, unknown, first: 0 }),
      onPoint: (words, anchor) => readout.show(words, anchor, el),
    });
    const strip = createKeyStrip(hand, events);
    const [start, lead, edges, determined] = Array.from({ length: 4 }, () => h("span")) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
    const paper = h("span", {}, lead, inlineBadge("low"), " too low or ", inlineBadge("high"), " too high. ");
    const caption = h("p", { class: "muted small lg-caption" }, start, paper, edges, determined);
    const near = createNeighbourhood(n, hand);
    const table = createPageTable(hand, (search) => events.onSearch(search));
    const pair = h("div", { class: "lg-pair" }, near.el, table.el);
    body.replaceChildren(histograms.el, strip.el, caption, pair);
    return {
      n,
      update(now, digest) {
        histograms.update({ scene: now, digest, unknown: props.search.unknown });
        strip.update(keyScene(now, digest), LAYER_GUTTER);
        const about = clip(now.names.full[digest.chosen.target] as string, 24);
        setText(start, `Bars: how many adversaries, on a square-root scale, each layer to its own tallest. Line below: about ${about}. Ring: the chosen one. `);
        paper.hidden = !now.paper || !digest.apart || digest.apart[0] + digest.apart[1] === 0;
        setText(lead, "In table and cards: the paper’s estimate, ");
        setText(edges, now.paper ? ((props.edges?.length ?? 0) > 0 ? "On edges: its increments. " : "") : EXACT_EDGES);
        const fixedOnes = digest.layers.reduce((sum, layer) => sum + layer.determined, 0);
        setText(determined, fixedOnes ? `Determined, nothing is left to learn: ${fixed(fixedOnes, 0)}, not drawn. ` : "");
        const beside = now.width >= SIDE_BY_SIDE_FROM;
        pair.classList.toggle("lg-beside", beside);
        // The neighbours are those of the answer; they wait when someone else was chosen.
        const other = chosenOf(digest) !== digest.at;
        near.update({ ...now, chosen: digest.at, busy: now.busy || (other && props.busy), width: beside ? (now.width - PAIR_GAP) / 2 : now.width });
        table.update({ scene: now, digest, search: props.search, waiting: props.busy && !sameSearch(props.search, digest.search) });
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

  function chosenOf({ n }: DigestData): number {
    const target = Math.min(n - 1, Math.max(0, props.target));
    const known = props.known.filter((tuple) => tuple !== target && tuple >= 0 && tuple < n);
    return flatOf(n, target, columnOf(n, target, known));
  }

  function namesOf(names: readonly string[]): NameBook {
    const of = JSON.stringify(names);
    if (book?.of !== of) book = { of, names: nameBook(names) };
    return book.names;
  }

  function draw(): void {
    const digest = props.digest;
    checkbox.checked = props.showPaper;
    checkbox.disabled = props.disabled;
    empty.hidden = digest !== null;
    body.hidden = paperSwitch.hidden = digest === null;
    setText(empty, props.emptyText ?? "Nothing to draw yet. The graph appears as soon as there is a joint distribution.");
    setAttr(el, "aria-busy", props.busy ? "true" : null);
    if (!digest) {
      readout.show(null, null, el);
      return;
    }
    if (drawing?.n !== digest.n) {
      drawing?.destroy();
      readout.show(null, null, el);
      drawing = build(digest.n);
    }
    const paper = props.showPaper ? digest.data.paper : null;
    scene = {
      data: digest.data,
      names: namesOf(digest.names),
      chosen: chosenOf(digest),
      domain: digest.domain,
      dark: props.dark,
      paper,
      only: null,
      busy: props.stale ?? false,
      disabled: props.disabled,
      threshold: props.threshold,
      edges: paper ? (props.edges ?? null) : null,
      width: Math.min(WIDEST, Math.max(340, Math.floor(props.width ?? (measured || FALLBACK_WIDTH)))),
    };
    drawing.update(scene, digest);
  }

  // In a hidden tab the width is 0: nothing is drawn for it, and the picture is right once it shows.
  const observer =
    typeof ResizeObserver === "undefined"
      ? null
      : new ResizeObserver((entries) => {
          const width = Math.floor(entries[entries.length - 1]?.contentRect.width ?? 0);
          if (width === 0 || width === measured) return;
          measured = width;
          if (props.width === undefined) draw();
        });
  observer?.observe(el);
  draw();

  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      observer?.disconnect();
      drawing?.destroy();
      drawing = null;
      scene = null;
      el.remove();
    },
  };
}
