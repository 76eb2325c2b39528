/** A graph as Python shows it: one that carries all its values, or a larger one that answers questions. */
import { h, type Component } from "../ui/dom";
import type { GraphState } from "../ui/protocol";
import type { LeakageData } from "./data";
import { decodeGraph } from "./decode";
import { decodeDigest, type DigestData, type DigestState } from "./digest";
import type { GraphProps } from "./frame";
import { createLargeGraph, type LargeGraphEvents, type LargeGraphProps } from "./large-graph";
import { createLeakageGraph, type LeakageGraphProps } from "./leakage-graph";
import type { Search } from "./search";

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
