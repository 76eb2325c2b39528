/**
 * The weighted hierarchical graph as a panel: every adversary's leakage, the colour key with
 * distribution and threshold, and the same numbers for screen readers.
 */
import type { Component } from "../ui/component";
import { h, listen, setAttr, setText } from "../ui/dom";
import { createAdversaryTable } from "./adversary-table";
import { createCaption } from "./caption";
import { colourDomain, type EdgeIncrement, type LeakageData, type Scene } from "./data";
import type { Hand } from "./hand";
import { createHiddenTable } from "./hidden-table";
import { createKeyStrip, keyOf, type KeyStripEvents } from "./key-strip";
import { createLattices, PAIR_GAP, SIDE_BY_SIDE_FROM, WIDEST } from "./lattices";
import { nameBook, type NameBook } from "./names";
import { createNeighbourhood } from "./neighbourhood";
import { adversaryOf, columnOf, flatOf } from "./nodes";
import { createReadout } from "./readout";
import { createStrips, STRIP_GUTTER } from "./strips";
import { describe } from "./words";

export interface LeakageGraphProps {
  /** null draws the empty state. */
  graph: LeakageData | null;
  target: number;
  known: readonly number[];
  showPaper: boolean;
  /** null = at the promise. */
  threshold: number | null;
  /** Only adversaries whose estimate is too low or too high; the others stand back. Without the estimate it does nothing. */
  only?: "low" | "high" | null;
  /** Every number is the largest over all values that an adversary can know. */
  worst?: boolean;
  dark: boolean;
  disabled: boolean;
  /** Numbers read "…" until new ones are there. */
  busy: boolean;
  /** Increments beside the chosen adversary, where the graph does not carry them all (n > 7). */
  edges?: EdgeIncrement[] | null;
  /** px; without it the panel measures itself. */
  width?: number;
  /** What the empty state says. */
  emptyText?: string;
}

export interface LeakageGraphEvents extends KeyStripEvents {
  onChoose(target: number, known: number[]): void;
  onShowPaper(show: boolean): void;
}

/** Up to here whole lattices are drawn. */
const LATTICES_TO = 7;
const FALLBACK_WIDTH = 496;

interface Drawing {
  n: number;
  parts: { update(scene: Scene): void; destroy?(): void }[];
}

export function createLeakageGraph(initial: LeakageGraphProps, events: LeakageGraphEvents): Component<LeakageGraphProps> {
  let props = initial;
  let measured = 0;
  let drawing: Drawing | null = null;
  let book: { of: readonly string[]; names: NameBook } | null = null;
  let scene: Scene | null = null;

  const checkbox = h("input", { type: "checkbox", class: "lg-check" });
  const paperSwitch = h("label", { class: "muted small nowrap lg-switch" }, checkbox, "paper’s estimate");
  const note = h("span", { class: "muted" });
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
    const caption = createCaption();
    const strip = createKeyStrip(hand, events);
    const stripPart = (left: number) => ({ update: (now: Scene) => strip.update(keyOf(now), left), destroy: () => strip.destroy() });
    if (n <= LATTICES_TO) {
      const lattices = createLattices(n, hand);
      const table = createHiddenTable(n);
      body.replaceChildren(lattices.el, caption.el, strip.el, table.el);
      return { n, parts: [lattices, caption, stripPart(0), table] };
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
    return { n, parts: [strips, stripPart(STRIP_GUTTER), caption, nearPart, table] };
  }

  function namesOf(data: LeakageData): NameBook {
    const same = book !== null && book.of.length === data.names.length && book.of.every((name, k) => name === data.names[k]);
    if (!same || !book) book = { of: data.names, names: nameBook(data.names) };
    return book.names;
  }

  function chosenOf(data: LeakageData): number {
    const target = Math.min(data.n - 1, Math.max(0, props.target));
    const known = props.known.filter((tuple) => tuple !== target && tuple >= 0 && tuple < data.n);
    return flatOf(data.n, target, columnOf(data.n, target, known));
  }

  function draw(): void {
    const data = props.graph;
    checkbox.checked = props.showPaper;
    checkbox.disabled = props.disabled;
    empty.hidden = data !== null;
    body.hidden = data === null;
    paperSwitch.hidden = data === null;
    setText(empty, props.emptyText ?? "Nothing to draw yet. The graph appears as soon as there is a joint distribution.");
    setText(note, `exact, nats, ${props.worst ? "worst known values" : "for every adversary"}`);
    setAttr(el, "aria-busy", props.busy ? "true" : null);
    if (!data) {
      readout.show(null, null, el);
      return;
    }
    if (drawing?.n !== data.n) {
      drawing?.parts.forEach((part) => part.destroy?.());
      readout.show(null, null, el);
      drawing = build(data.n);
    }
    scene = {
      data,
      names: namesOf(data),
      chosen: chosenOf(data),
      domain: colourDomain(data),
      dark: props.dark,
      paper: props.showPaper ? data.paper : null,
      only: props.showPaper && data.paper ? (props.only ?? null) : null,
      busy: props.busy,
      disabled: props.disabled,
      threshold: props.threshold,
      edges: props.edges ?? null,
      width: Math.min(WIDEST, Math.max(300, Math.floor(props.width ?? (measured || FALLBACK_WIDTH)))),
    };
    for (const part of drawing.parts) part.update(scene);
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
      drawing?.parts.forEach((part) => part.destroy?.());
      drawing = null;
      scene = null;
      el.remove();
    },
  };
}
