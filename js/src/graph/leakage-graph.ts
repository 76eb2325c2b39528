/**
 * The weighted hierarchical graph as a panel: every adversary's leakage, the colour key with
 * distribution and threshold, and the same numbers for screen readers.
 */
import { h, type Component } from "../ui/dom";
import { createAdversaryTable } from "./adversary-table";
import { createCaption } from "./caption";
import { colourDomain, type LeakageData, type Scene } from "./data";
import { createFrame, type Drawing, type GraphEvents, type GraphProps, type Tools } from "./frame";
import { createHiddenTable } from "./hidden-table";
import { createKeyStrip, keyOf } from "./key-strip";
import { createLattices, PAIR_GAP, SIDE_BY_SIDE_FROM } from "./lattices";
import { createNeighbourhood } from "./neighbourhood";
import { createStrips, STRIP_GUTTER } from "./strips";

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
