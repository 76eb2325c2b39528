/** How much of the width the table takes: more where it needs it and others can spare it: columns that scroll are columns out of view. */
import { wantedWidth } from "../table/grid-view";
import type { Pivot } from "../table/pivot";
import type { TableSpec } from "../ui/protocol";

const LEAST = 264;
const MOST = 440;
/** What controls and gaps take beside the table, and what the graph keeps where it stands there too, px. */
const CONTROLS = 192 + 48;
const GRAPH = 460;
/** The same where the controls alone stand beside it. */
const NARROW_CONTROLS = 24 + 230;

/** Width of the table in an explorer of this width; without cells to show the least. */
export function tableRoom(spec: TableSpec | null, pivot: Pivot, width: number): number {
  if (spec === null) return LEAST;
  const free = width > 860 ? width - CONTROLS - GRAPH : width - NARROW_CONTROLS;
  return Math.max(LEAST, Math.min(wantedWidth(spec, pivot), free, MOST));
}
