/** An icon for each explorer, in the colours of JupyterLab's own, light and dark. */
import graph from "./icon.svg";

/** Of the first notebook, and of documents. */
export const FIRST = graph;

const svg = (inside: string): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="16">${inside}</svg>`;
/** JupyterLab gives a fill to whatever has one and such a class: lines inherit that they have none. */
const lines = (d: string): string => `<g fill="none"><path class="jp-icon3" stroke="#616161" stroke-width="1.5" d="${d}"/></g>`;
const accent = (d: string): string => `<g fill="none"><path class="jp-icon-brand0" stroke="#1976D2" stroke-width="1.8" d="${d}"/></g>`;
const dot = (x: number, y: number, r: number): string => `<circle class="jp-icon-brand0" fill="#1976D2" cx="${x}" cy="${y}" r="${r}"/>`;
const box = (x: number, y: number, width: number, height: number): string =>
  `<rect class="jp-icon3" fill="#616161" x="${x}" y="${y}" width="${width}" height="${height}"/>`;

export const ICONS: Record<string, string> = {
  // All adversaries, and the one who learns most.
  PriorExplorer: svg(lines("M12 4L5 12l7 8 7-8zM5 12h14") + dot(12, 4, 3) + box(3, 10, 4, 4) + box(17, 10, 4, 4) + box(10, 18, 4, 4)),
  // Two bells, one moved.
  GaussianExplorer: svg(lines("M2 20C8 20 7 6 10 6s2 14 8 14") + accent("M6 20c6 0 5-14 8-14s2 14 8 14")),
  // One answer behind a fence.
  LocalExplorer: svg(lines("M4 20V8l8-5 8 5v12zM9 20v-6h6v6") + dot(12, 9, 2)),
  // Three people who depend on each other.
  DependenceExplorer: svg(lines("M6 17L12 6l6 11z") + dot(12, 6, 2.8) + dot(6, 17, 2.8) + dot(18, 17, 2.8)),
  // A place on a map.
  AttackExplorer: svg(lines("M12 21c-4-5-6-8-6-11a6 6 0 0 1 12 0c0 3-2 6-6 11z") + dot(12, 10, 2.4)),
  // Classes of one size.
  AnonymityExplorer: svg(
    box(3, 4, 8, 7) + box(13, 4, 8, 7) + box(3, 13, 8, 7) + '<rect class="jp-icon-brand0" fill="#1976D2" x="13" y="13" width="8" height="7"/>',
  ),
  // A tree of tuples, one of them attacked.
  NetworkExplorer: svg(
    lines("M12 5L6 12l6-7 6 7M6 12l-2 7 2-7 3 7") + box(10, 3, 4, 4) + box(16, 10, 4, 4) + box(2, 17, 4, 4) + box(8, 17, 4, 4) + dot(6, 12, 2.8),
  ),
  // Steps of leakage that add up.
  StreamSimulator: svg(lines("M3 21V3M3 21h18") + accent("M5 18h4v-4h4v-4h4V6h4")),
};
