/** Edges of a lattice: all as one hairline path, those of an adversary in ink with their increments. */
import { change } from "../ui/format";
import { s, setText, text } from "../ui/dom";
import { textWidth } from "../ui/lettering";
import type { Place } from "./card";
import { round, set, show } from "./svg";

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

/** Numbers stand past the middle of their edge, at the neighbour's end where many edges meet, or above the neighbour. */
export type LabelPlace = "middle" | "end" | "above";

/** From one row of numbers to the next where a single row is too tight, px. */
const LINE = 13;

/** A text that stands in the way: its middle and its width. */
export interface Spot {
  x: number;
  y: number;
  width: number;
}

function labelAt({ segment, crowned }: Stress, where: LabelPlace): [number, number] {
  const { x1, y1, x2, y2 } = segment;
  if (where === "middle") return [x1 + (x2 - x1) * 0.72, y1 + (y2 - y1) * 0.72];
  if (where === "above") return [x2, y2 - 9];
  return [x2, y2 - Math.sign(y2 - y1) * (crowned ? 29 : 11)];
}

interface Stressed {
  line: SVGLineElement;
  label: SVGGElement;
  plate: SVGRectElement;
  words: SVGTextElement;
}

export interface StressedEdges {
  readonly lines: SVGGElement;
  readonly labels: SVGGElement;
  /** Numbers keep off what is `taken`; one that finds no place is left out: a pointer on the neighbour tells it. */
  draw(edges: readonly Stress[], where: LabelPlace, busy: boolean, taken?: readonly Spot[]): void;
}

/** Elements are kept and reused, so that drawing while values change builds nothing. */
export function createStressedEdges(kind: "chosen" | "passing"): StressedEdges {
  const lines = s("g", { class: `lg-hot lg-${kind}`, "aria-hidden": "true" });
  const labels = s("g", { class: "lg-increments", "aria-hidden": "true" });
  const pool: Stressed[] = [];

  function build(): Stressed {
    const line = s("line");
    const plate = s("rect", { y: -7, height: 14, class: "lg-plate" });
    const words = text(0, 4, "", { class: "lg-middle" });
    const label = s("g", {}, plate, words);
    lines.append(line);
    labels.append(label);
    return { line, label, plate, words };
  }

  return {
    lines,
    labels,
    draw(edges, where, busy, taken = []) {
      while (pool.length < edges.length) pool.push(build());
      const spots = [...taken];
      pool.forEach(({ line, label, plate, words }, k) => {
        const edge = edges[k];
        show(line, edge);
        show(label, edge && edge.increment !== null);
        if (!edge) return;
        set(line, { ...edge.segment });
        if (edge.increment === null) return;
        const number = busy ? "…" : change(edge.increment);
        const width = textWidth(number) + 4;
        const [x, first] = labelAt(edge, where);
        const towards = Math.sign(edge.segment.y1 - edge.segment.y2) * LINE;
        const y = [first, first + towards].find((at) => spots.every((o) => Math.abs(o.y - at) >= LINE - 1 || Math.abs(o.x - x) >= (o.width + width) / 2));
        show(label, y !== undefined);
        if (y === undefined) return;
        spots.push({ x, y, width });
        setText(words, number);
        set(label, { transform: `translate(${round(x)} ${round(y)})` });
        set(plate, { x: -width / 2, width });
      });
    },
  };
}
