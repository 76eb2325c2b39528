/** Edges of a lattice: all as one hairline path, those of an adversary in ink with their increments. */
import { signed } from "../ui/format";
import { s, setAttr, setText, text } from "../ui/dom";
import { round } from "./card";
import type { Place } from "./card";
import { textWidth } from "./names";

export interface Segment {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** One edge to stress: from the adversary in question to its neighbour. */
export interface Stress {
  segment: Segment;
  increment: number | null;
  /** A number stands above the neighbour already. */
  crowned?: boolean;
}

/** The line between a weaker card above and a stronger one below. */
export function between(weaker: Place, stronger: Place): Segment {
  return {
    x1: weaker.x + weaker.width / 2,
    y1: weaker.y + weaker.height,
    x2: stronger.x + stronger.width / 2,
    y2: stronger.y,
  };
}

export function hairlines(segments: readonly Segment[]): string {
  return segments.map((e) => `M${round(e.x1)} ${round(e.y1)}L${round(e.x2)} ${round(e.y2)}`).join("");
}

/** Numbers stand in the middle of their edge, or at the neighbour's end where many edges meet; in two rows where one is too tight. */
export type LabelPlace = "middle" | "end" | "staggered";

function labelAt({ segment, crowned }: Stress, where: LabelPlace, k: number): [number, number] {
  const { x1, y1, x2, y2 } = segment;
  if (where === "middle") return [(x1 + x2) / 2, (y1 + y2) / 2];
  const away = where === "end" ? 11 : (k % 2 ? 25 : 12) + (crowned ? 17 : 0);
  return [x2, y2 - Math.sign(y2 - y1) * away];
}

interface Stressed {
  line: SVGLineElement;
  label: SVGGElement;
  plate: SVGRectElement;
  words: SVGTextElement;
}

/** Stressed edges: elements are kept and reused, so that drawing while values change builds nothing. */
export class StressedEdges {
  readonly lines = s("g", { class: "pdpg-stressed", "aria-hidden": "true" });
  readonly labels = s("g", { class: "pdpg-increments", "aria-hidden": "true" });
  private readonly pool: Stressed[] = [];

  constructor(kind: "chosen" | "passing") {
    this.lines.classList.add(`pdpg-${kind}`);
  }

  draw(edges: readonly Stress[], where: LabelPlace, busy: boolean): void {
    while (this.pool.length < edges.length) this.pool.push(this.build());
    this.pool.forEach((item, k) => {
      const edge = edges[k];
      setAttr(item.line, "display", edge ? null : "none");
      setAttr(item.label, "display", edge && edge.increment !== null ? null : "none");
      if (!edge) return;
      const { x1, y1, x2, y2 } = edge.segment;
      setAttr(item.line, "x1", round(x1));
      setAttr(item.line, "y1", round(y1));
      setAttr(item.line, "x2", round(x2));
      setAttr(item.line, "y2", round(y2));
      if (edge.increment === null) return;
      const words = busy ? "…" : signed(edge.increment);
      const width = textWidth(words, 11) + 4;
      setText(item.words, words);
      const [x, y] = labelAt(edge, where, k);
      setAttr(item.label, "transform", `translate(${round(x)} ${round(y)})`);
      setAttr(item.plate, "x", round(-width / 2));
      setAttr(item.plate, "width", round(width));
    });
  }

  private build(): Stressed {
    const line = s("line");
    const plate = s("rect", { y: -7, height: 14, class: "pdpg-plate" });
    const words = text(0, 4, "", { "text-anchor": "middle" });
    const label = s("g", {}, plate, words);
    this.lines.append(line);
    this.labels.append(label);
    return { line, label, plate, words };
  }
}
