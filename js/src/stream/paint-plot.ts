/** What a run looks like at one step, on one canvas: symbols, lanes and sums, without its headings. */
import { fixed } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import type { Brush } from "./brush";
import { columnsOfSymbols } from "./paint-columns";
import { fillColumns, leakageTop, paintGround, paintLane, paintRims, type LanePicture } from "./paint-lane";
import { paintSum } from "./paint-sum";
import { paintSymbols } from "./paint-symbols";
import type { PixelColumns } from "./pixel-columns";
import type { PlotProps } from "./plot";
import { isDense, SQUARES, spanOf, stepX, stretches, timeTicks, type PlotLayout, type Span } from "./plot-layout";
import type { ChangeState } from "./protocol";
import { stateText, validFrom } from "./words";

/** From the handle to the step beside it, px. */
export const AT = 12;
/** Lanes whose promise depends on the belief. */
const CONDITIONAL = "crr";

/** First step on screen that is there. */
export function earliestOf({ position, zoom, record }: PlotProps): number {
  return Math.max(spanOf(position, zoom).first, record.first) + 1;
}

/** The step that is read: the last one while there is no cursor. */
export function readingOf(props: PlotProps, cursor: number | null): number {
  return cursor === null ? props.position : Math.min(props.position, Math.max(earliestOf(props), cursor));
}

/** The step beside the handle. */
export function readText({ narrow }: PlotLayout, step: number): string {
  return `${narrow ? "" : "step "}${fixed(step, 0)}`;
}

/** The whole canvas: ground, symbols, lanes, sums, what was edited, and the line of the step that is read. */
export function paintPlot(brush: Brush, image: PixelColumns, props: PlotProps, layout: PlotLayout, cursor: number | null): void {
  const { record, position, states, lanes, totals, mark, changes, dark, forced, epsilon, delta } = props;
  const now = spanOf(position, props.zoom);
  const earliest = earliestOf(props);
  const { left, right, bottom } = layout;
  const seen = readingOf(props, cursor);
  const promise = record.has(seen) ? (record.promise[record.at(seen)] as number) : epsilon;
  brush.clear(layout.width, layout.height);
  const end = stepX(layout, now, position + 1);
  const free = cursor === null || seen === position;
  const valueX = (free ? end : right) + 8;
  brush.text(0, layout.true + Math.min(8, layout.strip / 2 + 4), "true");
  const dense = isDense(layout, now);
  const parts = stretches(layout, now, earliest, position);
  const top = leakageTop(record, earliest, position);
  const pictures = record.lanes.map((lane, k) => {
    const frame = layout.lanes[k];
    const choice = lanes[k];
    if (!frame || !choice) return null;
    const band = choice.key === CONDITIONAL ? validFrom(promise) : null;
    const picture: LanePicture = {
      layout,
      span: now,
      record,
      states,
      until: position,
      cursor: seen,
      valueX,
      top,
      band,
      marked: mark ? (totals[k]?.first ?? null) : null,
      dark,
      heat: !forced,
      first: k === 0,
      parts,
      dense,
    };
    return { lane, frame, picture };
  });
  for (const each of pictures) if (each) paintGround(brush, each.frame, each.picture);
  if (dense) {
    image.begin(left, layout.true, Math.floor(right - left), layout.sum, brush.ratio);
    columnsOfSymbols(brush, image, { layout, record, states, parts }, layout.true, record.symbols, null);
    for (const each of pictures) if (each && parts.length > 0) fillColumns(brush, image, each.lane, each.frame, each.picture);
    brush.columns(image);
    paintRims(brush, layout.true, { layout, span: now, record, states, until: position });
  } else paintSymbols(brush, layout, now, record, states.length, position, { top: layout.true, symbols: record.symbols, truth: null });
  if (record.has(seen)) {
    const word = states.length === SQUARES ? `filled is ${stateText(states, 1, 60)}` : stateText(states, record.symbols[record.at(seen)] as number, 60);
    brush.text(valueX, layout.true + Math.min(8, layout.strip / 2 + 4), fit(word, layout.width - valueX), { colour: "ink2", halo: true });
    const first = layout.lanes[0];
    const underlined = ["underlined: wrong", "▁ wrong"].find((text) => textWidth(text) <= layout.width - valueX);
    if (first && underlined) brush.text(valueX, first.released + layout.strip / 2 + 8, underlined, { colour: "ink2", halo: true });
  }
  for (const each of pictures) if (each) paintLane(brush, each.lane, each.frame, each.picture);
  paintSum(brush, {
    layout,
    span: now,
    record,
    until: position,
    cursor: seen,
    valueX,
    delta,
    names: lanes.map(({ short }) => short),
    lines: lanes.map(({ line }) => line),
    broken: totals.map(({ first }) => first !== null),
  });
  paintChanges(brush, layout, changes, now);
  // The handle and the step beside it stand in the line of the ticks.
  const mine = stepX(layout, now, seen + 1);
  const taken = mine + AT + textWidth(readText(layout, seen), 11, true) + 4;
  for (const tick of timeTicks(now, layout.narrow ? 4 : 6)) {
    const x = Math.max(left + 3, (stepX(layout, now, tick) + stepX(layout, now, tick + 1)) / 2);
    const half = textWidth(fixed(tick, 0)) / 2;
    if (position === 0 || x + half < mine - AT || x - half > taken) brush.text(x, bottom + 9, fixed(tick, 0), { colour: "ink2", align: "center" });
  }
  brush.text(0, bottom + 9, "step", { colour: "ink2" });
  if (position === 0) return;
  brush.line(mine, 14, mine, bottom, "brand", 1.5);
  if (!free) brush.line(end, 14, end, bottom - 8, "line2", 1);
}

/** Where something was edited: a line through all, and in words what it was and what it is. */
function paintChanges(brush: Brush, layout: PlotLayout, changes: readonly ChangeState[], now: Span): void {
  let free = layout.width;
  for (const { step, before, after } of [...changes].reverse()) {
    if (step <= now.first + 1 || step > now.first + now.places) continue;
    const x = stepX(layout, now, step);
    brush.line(x, 14, x, layout.bottom - 8, "ink", 1, [2, 3]);
    const words = `${after} from step ${fixed(step, 0)}`;
    const width = textWidth(words, 11, true) + 8;
    if (x + 6 + width <= free) {
      brush.text(x + 6, 9, words, { bold: true, halo: true });
      free = x - 2;
      const was = textWidth(before, 11) + 12;
      if (x - was > 0) {
        brush.text(x - 6, 9, before, { colour: "ink2", align: "end", halo: true });
        free = x - was;
      }
    } else if (x - 6 - width >= 0 && x - 6 <= free) {
      brush.text(x - 6, 9, words, { bold: true, align: "end", halo: true });
      free = x - 6 - width;
    }
  }
}
