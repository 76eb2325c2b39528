/** The panel around a graph of any size: its head, the empty state, what is pointed at, and its width. */
import { h, listen, setAttr, setText, type Component } from "../ui/dom";
import { count as countOf, fixed } from "../ui/format";
import { clip } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import { isDetermined, nameBook, paperError, standsBack, type EdgeIncrement, type LeakageData, type NameBook, type Scene } from "./data";
import type { Hand } from "./hand";
import { WIDEST } from "./lattices";
import { wordsOf } from "./measure";
import { adversaryOf, columnOf, flatOf, targetOf } from "./nodes";
import { createReadout, describe, type Words } from "./words";

// The line below the graph that says how to read it.

function countWhere(data: LeakageData, holds: (flat: number) => boolean): number {
  let count = 0;
  for (let flat = 0; flat < data.exact.length; flat++) if (holds(flat)) count += 1;
  return count;
}

/** What stands on the edges around the chosen adversary without the paper's increments. */
export const EXACT_EDGES = "On edges: what forgetting that tuple adds. ";

export interface Caption {
  readonly el: HTMLElement;
  update(scene: Scene): void;
}

export function createCaption(): Caption {
  const [filter, start, lead, same, edges, determined] = Array.from({ length: 6 }, () => h("span")) as unknown as [HTMLElement, Node, Node, Node, Node, Node];
  const paper = h("span", {}, lead, inlineBadge("low"), " too low or ", inlineBadge("high"), " too high. ");
  const el = h("p", { class: "muted small lg-caption" }, filter, start, paper, same, edges, determined);
  return {
    el,
    update(scene) {
      const { data, names } = scene;
      const squares = data.n === 6 || data.n === 7;
      const strips = data.n > 7;
      const about = clip(names.full[targetOf(data.n, scene.chosen)] as string, 24);
      setText(
        start,
        wordsOf(data.measure).caption +
          (strips
          ? `One dot per adversary; coloured: about ${about}. `
          : squares
            ? "One square per adversary. "
            : data.n > 1
              ? `First line: known ${scene.called ?? (names.numbered ? "items" : "tuples")}. `
              : ""),
      );
      const apart = countWhere(data, (k) => paperError(scene, k) !== null) > 0;
      const filtered = scene.only !== null && scene.paper !== null;
      const kept = filtered ? countWhere(data, (k) => !standsBack(scene, k)) : 0;
      const rest = strips ? "the others are left out" : "the others are empty frames";
      setText(
        filter,
        filtered
          ? `Only where the paper’s estimate is too ${scene.only}: ${countOf(kept, "adversary", "adversaries")} of ${fixed(data.exact.length, 0)}; ${rest}. `
          : "",
      );
      paper.hidden = !apart;
      setText(same, scene.paper && !apart ? "The paper’s estimate is the same everywhere. " : "");
      setText(lead, squares ? "Corners: the paper’s estimate is " : `${strips ? "In table and cards" : "Second number"}: the paper’s estimate, `);
      const marked = (data.increments !== null && data.n > 1) || (scene.edges?.length ?? 0) > 0;
      const increments = marked ? `On edges: ${scene.paper ? "its" : "the paper’s"} increments. ` : "";
      setText(edges, strips && !marked ? EXACT_EDGES : increments);
      const count = countWhere(data, (k) => isDetermined(data, k));
      setText(determined, count ? `Dashed: determined, nothing is left to learn (${count}). ` : "");
      el.hidden = !el.textContent;
    },
  };
}

/** What every graph needs to know, however large it is. */
export interface GraphProps {
  /** What the tuples are called; by default "items" where names are numbered, else "tuples". */
  called?: string;
  target: number;
  known: readonly number[];
  showPaper: boolean;
  /** null = at the promise. */
  threshold: number | null;
  /** Every number is the largest over all values that an adversary can know. */
  worst?: boolean;
  dark: boolean;
  disabled: boolean;
  /** The switch of what is shown, where there is one: it stands below the head. */
  shows?: HTMLElement;
  /** The paper's increments beside the chosen adversary, where the graph does not carry them all (n > 7). */
  edges?: EdgeIncrement[] | null;
  /** px; without it the panel measures itself. */
  width?: number;
  /** What the empty state says. */
  emptyText?: string;
}

export interface GraphEvents {
  onChoose(target: number, known: number[]): void;
  onShowPaper(show: boolean): void;
  /** `commit: false` while the handle moves; null = back at the promise. */
  onThreshold(threshold: number | null, how: { commit: boolean }): void;
}

/** The numbers of a graph as they are to be drawn. */
export interface Content {
  data: LeakageData;
  domain: readonly [number, number];
  only: "low" | "high" | null;
  /** Numbers read "…" until new ones are there. */
  busy: boolean;
  /** Something asked for has not come. */
  waiting: boolean;
}

/** What the drawings of one number of tuples share with the panel. */
export interface Tools<P> {
  hand: Hand;
  props(): P;
  /** Say something beside an element, or stop. */
  point(words: Words | null, anchor: Element | null): void;
}

export interface Drawing<P> {
  update(scene: Scene, props: P): void;
  destroy(): void;
}

export interface Parts<P> {
  /** null draws the empty state. */
  content(props: P): Content | null;
  /** Called again when the number of tuples has changed. */
  build(n: number, body: HTMLElement, tools: Tools<P>): Drawing<P>;
  /** Narrowest width that can be drawn, px. */
  least: number;
}

const FALLBACK_WIDTH = 496;
const NOTHING = "Nothing to draw yet. The graph appears as soon as there is a joint distribution.";

export function createFrame<P extends GraphProps>(initial: P, events: GraphEvents, parts: Parts<P>): Component<P> {
  let props = initial;
  let measured = 0;
  let drawing: (Drawing<P> & { n: number }) | null = null;
  let book: { of: readonly string[]; names: NameBook } | null = null;
  let scene: Scene | null = null;

  const checkbox = h("input", { type: "checkbox" });
  const paperSwitch = h("label", { class: "muted small nowrap lg-switch" }, checkbox, "paper’s estimate");
  const note = h("span", { class: "muted" });
  const head = h("h3", { class: "panel-head" }, h("span", { class: "lg-title" }, "What leaks ", note), paperSwitch);
  const body = h("div", { class: "lg-body" });
  const empty = h("p", { class: "lg-empty muted" });
  const readout = createReadout();
  const el = h("section", { class: "panel lg-graph", "aria-label": "What leaks" }, head, initial.shows ?? "", empty, body, readout.el);

  listen(checkbox, "change", () => events.onShowPaper(checkbox.checked));

  const tools: Tools<P> = {
    hand: {
      choose(flat) {
        if (!scene || props.disabled) return;
        const { target, known } = adversaryOf(scene.data.n, flat);
        events.onChoose(target, known);
      },
      point(flat, anchor) {
        readout.show(flat === null || !scene ? null : describe(scene, flat), anchor, el);
      },
    },
    props: () => props,
    point: (words, anchor) => readout.show(words, anchor, el),
  };

  function namesOf(names: readonly string[]): NameBook {
    const same = book !== null && book.of.length === names.length && book.of.every((name, k) => name === names[k]);
    if (!same || !book) book = { of: names, names: nameBook(names) };
    return book.names;
  }

  function chosenOf(n: number): number {
    const target = Math.min(n - 1, Math.max(0, props.target));
    const known = props.known.filter((tuple) => tuple !== target && tuple >= 0 && tuple < n);
    return flatOf(n, target, columnOf(n, target, known));
  }

  function draw(): void {
    const content = parts.content(props);
    checkbox.checked = props.showPaper;
    checkbox.disabled = props.disabled;
    empty.hidden = content !== null;
    body.hidden = content === null;
    // The paper estimates leakages.
    paperSwitch.hidden = content === null || content.data.measure !== undefined;
    setText(empty, props.emptyText ?? NOTHING);
    setText(note, `exact, ${wordsOf(content?.data.measure).short}, ${props.worst ? "worst known values" : "for every adversary"}`);
    setAttr(el, "aria-busy", content?.waiting ? "true" : null);
    if (!content) {
      readout.show(null, null, el);
      return;
    }
    const { data } = content;
    if (drawing?.n !== data.n) {
      drawing?.destroy();
      readout.show(null, null, el);
      drawing = { n: data.n, ...parts.build(data.n, body, tools) };
    }
    const paper = props.showPaper ? data.paper : null;
    scene = {
      data,
      names: namesOf(data.names),
      chosen: chosenOf(data.n),
      domain: content.domain,
      dark: props.dark,
      paper,
      only: paper ? content.only : null,
      busy: content.busy,
      disabled: props.disabled,
      threshold: props.threshold,
      edges: paper ? (props.edges ?? null) : null,
      called: props.called,
      width: Math.min(WIDEST, Math.max(parts.least, Math.floor(props.width ?? (measured || el.clientWidth || FALLBACK_WIDTH)))),
    };
    drawing.update(scene, props);
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
