/** How a network is drawn: places of its tuples in a width, and the picture of them, free of listeners. */
import { HALO } from "../ui/axes";
import { s, type Attrs } from "../ui/dom";
import { css, inkOn, magnitude } from "../ui/colours";
import { fit } from "../ui/lettering";
import type { LayoutState } from "./protocol";

export type Place = readonly [x: number, y: number];

export interface Placed {
  places: readonly Place[];
  /** Distance of the nearest two on a row, and size of the whole, in units of the picture. */
  step: number;
  width: number;
  height: number;
}

/** The least distance of two tuples on a line before it is broken, and of two rows; radius of a tuple. */
const [NEAR, ROW] = [44, 62];
export const RADIUS = 11;
const EDGE = 26;
const TALLEST = 520;
/** Width of the key to the colours, px. */
export const KEY = 180;

/** Places in a width: a line is broken as often as it must be, to and fro; layers and springs are stretched. */
export function place({ kind, x, y }: LayoutState, width: number): Placed {
  if (kind === "line") {
    const across = Math.max(1, Math.min(x.length, Math.floor((width - 2 * EDGE) / NEAR) + 1));
    const step = across > 1 ? Math.min(84, (width - 2 * EDGE) / (across - 1)) : NEAR;
    const rows = Math.ceil(x.length / across);
    // To and fro, so that a step is never longer than from one row to the next.
    const places = x.map((_, j): Place => {
      const row = Math.floor(j / across);
      const at = row % 2 === 0 ? j % across : across - 1 - (j % across);
      return [EDGE + at * step, EDGE + row * ROW];
    });
    return { places, step, width, height: 2 * EDGE + (rows - 1) * ROW + 24 };
  }
  const [left, right] = [Math.min(...x), Math.max(...x)];
  const [top, bottom] = [Math.min(...y), Math.max(...y)];
  const across = right > left ? (width - 2 * EDGE) / (right - left) : 0;
  const tall = kind === "layers" ? (bottom - top) * ROW : Math.min(TALLEST, width * 0.8);
  const down = bottom > top ? tall / (bottom - top) : 0;
  const stretch = Math.min(across, 150);
  const shift = (width - 2 * EDGE - stretch * (right - left)) / 2;
  const places = x.map((at, j): Place => [EDGE + shift + (at - left) * stretch, EDGE + ((y[j] as number) - top) * down]);
  return { places, step: kind === "layers" ? stretch : Math.max(12, width / Math.sqrt(2 * x.length)), width, height: 2 * EDGE + tall + 24 };
}

/** What a tuple is to the adversary who is looked at. */
export type Role = "target" | "known" | "boundary" | "inside" | "beyond" | "";

export interface NodeLook {
  name: string;
  /** Leakage; NaN where it is known. */
  value: number;
  over: boolean;
  role: Role;
  /** The label that is known of it. */
  label: string;
}

export interface DrawingProps {
  placed: Placed;
  edges: readonly (readonly number[])[];
  directed: boolean;
  nodes: readonly NodeLook[];
  /** Ends of the colours. */
  domain: readonly [number, number];
  /** How far it is zoomed in: texts stay as large as they are. */
  zoom: number;
  dark: boolean;
}

const OUTLINE: Readonly<Record<Role, Attrs>> = {
  target: { stroke: "var(--ink)", "stroke-width": 3 },
  known: { stroke: "var(--ink2)", "stroke-width": 1.5, "stroke-dasharray": "3 2" },
  boundary: { stroke: "var(--brand)", "stroke-width": 3 },
  inside: { stroke: "var(--line2)", "stroke-width": 1 },
  beyond: { stroke: "var(--line)", "stroke-width": 1 },
  "": { stroke: "var(--line2)", "stroke-width": 1 },
};

/** Lines below, tuples above; nodes are in the order of the tuples. */
export function drawEdges({ placed, edges, directed, nodes, zoom }: DrawingProps): SVGElement[] {
  const r = radiusAt(placed, zoom);
  const shaded = nodes.map(({ role }) => role === "inside" || role === "target");
  return edges.map(([from, to]) => {
    const [a, b] = [placed.places[from as number] as Place, placed.places[to as number] as Place];
    const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    const tip: Place = [b[0] - ux * (r + 2), b[1] - uy * (r + 2)];
    const wing = 5 / zoom;
    const point = (side: number): string => `${(tip[0] - wing * (ux - side * uy * 0.6)).toFixed(1)} ${(tip[1] - wing * (uy + side * ux * 0.6)).toFixed(1)}`;
    const head = directed ? `M${point(1)}L${tip[0].toFixed(1)} ${tip[1].toFixed(1)}L${point(-1)}` : "";
    const matters = shaded[from as number] || shaded[to as number];
    return s("path", {
      d: `M${a[0].toFixed(1)} ${a[1].toFixed(1)}L${tip[0].toFixed(1)} ${tip[1].toFixed(1)}${head}`,
      fill: "none",
      stroke: matters ? "var(--ink2)" : "var(--line2)",
      "stroke-width": (matters ? 1.5 : 1) / zoom,
    });
  });
}

/** Of many tuples small discs, which grow as they are zoomed in. */
export function radiusAt({ step }: Placed, zoom: number): number {
  return Math.max(3, Math.min(RADIUS, 0.4 * step * zoom)) / zoom;
}

/** One tuple: shade for what matters, disc, a ring where it leaks more than promised, its name below. */
function drawNode(props: DrawingProps, j: number): SVGElement[] {
  const { placed, nodes, domain, zoom, dark } = props;
  const look = nodes[j] as NodeLook;
  const [x, y] = placed.places[j] as Place;
  const r = radiusAt(placed, zoom);
  const t = domain[1] > domain[0] ? (look.value - domain[0]) / (domain[1] - domain[0]) : 0;
  const colour = magnitude(t, dark);
  const open = Number.isNaN(look.value);
  const { "stroke-width": thick, ...line } = OUTLINE[look.role];
  const parts: SVGElement[] = [];
  const inside = look.role === "inside" || look.role === "target";
  if (inside) parts.push(s("circle", { cx: x, cy: y, r: r + 7 / zoom, fill: "var(--sel)" }));
  if (look.over) parts.push(s("circle", { cx: x, cy: y, r: r + 3.5 / zoom, fill: "none", stroke: "var(--over)", "stroke-width": 1.5 / zoom }));
  parts.push(s("circle", { cx: x, cy: y, r, fill: open ? "var(--bg)" : css(colour), ...line, "stroke-width": (thick as number) / zoom }));
  if (look.role === "target") parts.push(s("circle", { cx: x, cy: y, r: r / 3, fill: open ? "var(--ink)" : inkOn(colour) }));
  const room = placed.step * zoom - 4;
  const size = 11 / zoom;
  const text = { "text-anchor": "middle", "font-size": size, ...HALO, "stroke-width": 3 / zoom };
  const chosen = look.role === "target" || look.label !== "";
  const among = nodes.map(({ name }) => name);
  // Names that have no room are left out, but those of who is chosen.
  const named = { x, y: y + r + 13 / zoom, ...text, "font-weight": chosen ? 600 : 400 };
  if (chosen || room >= 34) parts.push(s("text", named, fit(look.name, chosen ? Math.max(room + 10, 44) : room, 11, chosen, among)));
  if (look.label) parts.push(s("text", { x, y: y + r + 25 / zoom, ...text }, fit(`= ${look.label}`, Math.max(room, 60), 11)));
  return parts;
}

/** A tuple as a group that the hand finds by its position. */
export function nodeGroup(props: DrawingProps, j: number, attrs: Attrs): SVGElement {
  return s("g", { "data-tuple": j, class: "nw-node", role: "button", ...attrs }, ...drawNode(props, j));
}

/** Ends of the colours, below their band. */
export function drawEnds(low: string, high: string): SVGElement[] {
  return [
    s("text", { x: 0, y: 20, "font-size": 11 }, low),
    s("text", { x: KEY, y: 20, "font-size": 11, "text-anchor": "end" }, high),
  ];
}
