/** The picture of a run: symbols, lanes and sums on one canvas, with headings and a cursor over it. */
import type { Component } from "../ui/component";
import { h, listen, s, setAttr, setAttrs, setText } from "../ui/dom";
import { fixed, leakage, probability } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { Brush } from "./brush";
import { laneSample } from "./lane-lines";
import { columnsOfSymbols } from "./paint-columns";
import { fillColumns, leakageTop, paintGround, paintLane, paintRims, type LanePicture } from "./paint-lane";
import { paintSum } from "./paint-sum";
import { paintSymbols } from "./paint-symbols";
import { PixelColumns } from "./pixel-columns";
import { isDense, plotLayout, SQUARES, spanOf, stepAt, stepX, stretches, timeTicks, type PlotLayout, type Span } from "./plot-layout";
import type { ChangeState, Lane } from "./protocol";
import { NOTHING, type StepRecord } from "./step-record";
import type { LaneTotals } from "./totals";
import { stateText, statusWords, validFrom, wrongSymbols } from "./words";

export interface PlotProps {
  record: StepRecord;
  position: number;
  states: readonly string[];
  lanes: readonly Lane[];
  totals: readonly LaneTotals[];
  ended: readonly (string | null)[];
  /** Errors are counted as 0 or 1. */
  hamming: boolean;
  epsilon: number;
  delta: number;
  zoom: number;
  mark: boolean;
  changes: readonly ChangeState[];
  playing: boolean;
  dark: boolean;
  /** Only the system's colours are to be seen. */
  forced: boolean;
  width: number;
  /** What stands where nothing has been released. */
  empty: string;
}

export interface PlotEvents {
  onToggle(): void;
  /** The step that is read, or null for the one that is shown last. */
  onCursor(step: number | null): void;
}

export interface Plot extends Component<PlotProps> {
  /** Another step of the same run: nothing has another size or another colour. */
  frame(props: PlotProps): void;
}

const CHECK = "M3 8.5l3.5 3.5L13 4.5";
/** From the handle to the step beside it, px. */
const AT = 12;
/** Marks and gaps in the heading of a lane, px. */
const BESIDE_NAME = 84;
/** Lanes whose promise depends on the belief. */
const CONDITIONAL = "crr";

interface Head {
  el: HTMLElement;
  /** The line of the lane, and which one it is. */
  sample: HTMLElement;
  line: number;
  name: HTMLElement;
  status: HTMLElement;
  words: HTMLElement;
  wrong: HTMLElement;
  /** What its mark says. */
  mark: "over" | "within" | "none" | null;
  /** There is room for its whole name. */
  long: boolean;
}

export function createPlot(initial: PlotProps, on: PlotEvents): Plot {
  let props = initial;
  let layout = layoutOf(props);
  let cursor: number | null = null;
  let mixed = "";
  let queued = 0;
  const canvas = h("canvas", { class: "sx-canvas", "aria-hidden": "true" });
  const able = typeof CanvasRenderingContext2D !== "undefined";
  const context = able ? canvas.getContext("2d") : null;
  const brush = context && new Brush(context);
  const image = new PixelColumns();
  const heads = h("div", { class: "sx-heads" });
  const handle = h(
    "div",
    { class: "sx-handle", role: "slider", tabindex: 0, "aria-label": "Step that is read" },
    s(
      "svg",
      { width: 12, height: 16, "aria-hidden": "true" },
      s("path", { d: "M6 0l6 6v10H0V6z", fill: "var(--brand)" }),
    ),
  );
  const at = h("span", { class: "sx-at", "aria-hidden": "true" });
  const empty = h("p", { class: "sx-empty muted" });
  const el = h("div", { class: "sx-plot" }, canvas, heads, handle, at, empty);
  let drawn: Head[] = [];

  function layoutOf({ width, states, lanes }: PlotProps): PlotLayout {
    return plotLayout(width, states.length, lanes.length);
  }

  const span = (): Span => spanOf(props.position, props.zoom);
  /** First step on screen that is there. */
  const earliest = (): number => Math.max(span().first, props.record.first) + 1;
  const reading = (): number => (cursor === null ? props.position : Math.min(props.position, Math.max(earliest(), cursor)));

  function size(): void {
    layout = layoutOf(props);
    const ratio = Math.max(1, Math.min(2, window.devicePixelRatio || 1));
    const [width, height] = [Math.round(layout.width * ratio), Math.round(layout.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    Object.assign(canvas.style, { width: `${layout.width}px`, height: `${layout.height}px` });
    el.style.height = `${layout.height}px`;
    if (brush) brush.ratio = ratio;
  }

  function paint(): void {
    if (!brush) return;
    const { record, position, states, lanes, totals, mark, changes, dark, forced, epsilon, delta } = props;
    const now = span();
    const { left, right, bottom } = layout;
    const seen = reading();
    brush.clear(layout.width, layout.height);
    const end = stepX(layout, now, position + 1);
    const free = cursor === null || seen === position;
    const valueX = (free ? end : right) + 8;
    brush.text(0, layout.true + Math.min(8, layout.strip / 2 + 4), "true");
    const dense = isDense(layout, now);
    const parts = stretches(layout, now, earliest(), position);
    const top = leakageTop(record, earliest(), position);
    const pictures = record.lanes.map((lane, k) => {
      const frame = layout.lanes[k];
      const choice = lanes[k];
      if (!frame || !choice) return null;
      const band = choice.key === CONDITIONAL ? validFrom(promiseAt(seen, epsilon)) : null;
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
    paintChanges(changes, now);
    // The handle and the step beside it stand in the line of the ticks.
    const mine = stepX(layout, now, seen + 1);
    const taken = mine + AT + textWidth(readText(seen), 11, true) + 4;
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

  function promiseAt(step: number, otherwise: number): number {
    const { record } = props;
    return record.has(step) ? (record.promise[record.at(step)] as number) : otherwise;
  }

  /** Where something was edited: a line through all, and in words what it was and what it is. */
  function paintChanges(changes: readonly ChangeState[], now: Span): void {
    if (!brush) return;
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

  /** Headings, the place of the cursor, and what it reads, in words. */
  function words(): void {
    const { record, position, lanes, totals, ended, hamming, playing, states } = props;
    while (drawn.length > lanes.length) drawn.pop()?.el.remove();
    lanes.forEach((choice, k) => {
      const head = (drawn[k] ??= makeHead());
      if (head.line !== choice.line) {
        head.line = choice.line;
        head.sample.replaceChildren(laneSample(choice.line));
      }
      const lane = totals[k] ?? { largest: 0, over: 0, first: null };
      head.el.style.top = `${layout.lanes[k]?.top ?? 0}px`;
      const state = lane.first !== null ? "over" : position === 0 || ended[k] ? "none" : "within";
      if (head.mark !== state) {
        head.mark = state;
        const tick = s("svg", { viewBox: "0 0 16 16", width: 12, height: 12, class: "sx-tick", "aria-hidden": "true" }, s("path", { d: CHECK }));
        head.status.replaceChildren(...(state === "over" ? [inlineMark("over")] : state === "within" ? [tick] : []), head.words);
        head.status.classList.toggle("over", state === "over");
      }
      setText(head.words, statusWords(lane, position, ended[k] ?? null, layout.narrow));
      const last = record.has(position) ? (record.lanes[k]?.error[record.at(position)] as number) : NaN;
      const wrong = layout.narrow ? `${fixed(100 * last, 0)} % wrong` : `${fixed(wrongSymbols(last, position), 0)} of ${fixed(position, 0)} wrong`;
      setText(head.wrong, !(last >= 0) ? "" : hamming ? wrong : `error ${fixed(last, 3)}`);
      // A name that had to be short stays so while it plays: it would change to and fro.
      head.long &&=
        !layout.narrow &&
        textWidth(choice.label, 12, true) +
          textWidth(head.words.textContent ?? "", 12, true) +
          textWidth(head.wrong.textContent ?? "", 12) <=
          layout.width - BESIDE_NAME;
      setText(head.name, head.long ? choice.label : choice.short);
      setAttr(head.name, "title", choice.label);
    });
    empty.hidden = position > 0;
    empty.style.left = `${layout.left}px`;
    setText(empty, props.empty);
    const seen = reading();
    handle.hidden = at.hidden = position === 0;
    // A value that changes is read out: while it plays the handle says only where it stands.
    if (playing && cursor === null) setAttr(handle, "aria-valuetext", "the last step, while it plays");
    else
      setAttrs(handle, {
        "aria-valuemin": position === 0 ? 0 : earliest(),
        "aria-valuemax": position,
        "aria-valuenow": seen,
        "aria-valuetext": said(seen, states),
      });
  }

  function said(step: number, states: readonly string[]): string {
    const { record, lanes } = props;
    if (!record.has(step)) return `step ${step}`;
    const k = record.at(step);
    const truth = record.symbols[k] as number;
    const parts = record.lanes.map((lane, j) => {
      const released = lane.released[k] as number;
      const columns = record.columns;
      const belief = columns === 1 ? lane.belief[k] : lane.belief[k * columns + truth];
      return `${lanes[j]?.short ?? ""}: released ${released === NOTHING ? "nothing" : stateText(states, released)}, ` +
        `belief in the true one ${probability(belief as number)}, leaks ` +
        `${leakage(lane.leakage[k] as number, record.promise[k])} nats` +
        `${lane.over[k] ? ", over its promise" : ""}, sum ${fixed(lane.sum[k] as number, 1)}`;
    });
    return [`step ${step}, true ${stateText(states, truth)}`, ...parts].join("; ");
  }

  function makeHead(): Head {
    const sample = h("span", { class: "sx-sample-frame" });
    const name = h("b", { class: "sx-lane-name" });
    const line = h("span");
    const status = h("span", { class: "sx-status" });
    const wrong = h("span", { class: "sx-wrong muted" });
    const made = h("div", { class: "sx-lane-head" }, sample, name, status, wrong);
    heads.append(made);
    return { el: made, sample, line: -1, name, status, words: line, wrong, mark: null, long: true };
  }

  function readText(step: number): string {
    return `${layout.narrow ? "" : "step "}${fixed(step, 0)}`;
  }

  function place(): void {
    const x = stepX(layout, span(), reading() + 1);
    const top = layout.bottom - 4;
    handle.style.transform = `translate(${x - 6}px, ${top}px)`;
    at.style.transform = `translate(${x + AT}px, ${top}px)`;
    setText(at, readText(reading()));
  }

  function whole(): void {
    size();
    const theme = `${props.dark}`;
    if (brush && (mixed !== theme || !props.playing)) {
      brush.mix(el);
      mixed = theme;
    }
    for (const head of drawn) head.long = true;
    paint();
    words();
    place();
  }

  /** The cursor moved: drawn with the next frame. */
  function soon(): void {
    queued ||= requestAnimationFrame(() => {
      queued = 0;
      paint();
      words();
      place();
    });
  }

  function move(step: number | null): void {
    const next = step === null || step >= props.position ? null : Math.max(earliest(), step);
    if (next === cursor) return;
    cursor = next;
    on.onCursor(cursor);
    soon();
  }

  const pointed = (event: PointerEvent): number => stepAt(layout, span(), event.clientX - el.getBoundingClientRect().left);
  let held = false;
  listen(el, "pointerdown", (event) => {
    if (event.button !== 0 || props.position === 0) return;
    event.preventDefault();
    held = true;
    el.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    move(pointed(event));
  });
  listen(el, "pointermove", (event) => held && move(pointed(event)));
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) listen(el, name, () => (held = false));
  listen(el, "dblclick", () => move(null));
  listen(handle, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const far = event.shiftKey ? 10 : 1;
    const from = reading();
    if (key === " ") on.onToggle();
    else if (key === "ArrowLeft" || key === "ArrowDown") move(from - far);
    else if (key === "ArrowRight" || key === "ArrowUp") move(from + far);
    else if (key === "PageDown") move(from - 10);
    else if (key === "PageUp") move(from + 10);
    else if (key === "Home") move(earliest());
    else if (key === "End" || (key === "Escape" && cursor !== null)) move(null);
    else return;
    event.preventDefault();
  });
  whole();

  return {
    el,
    update(next) {
      const other = next.record !== props.record;
      props = next;
      if (other && cursor !== null && cursor > props.position) cursor = null;
      whole();
    },
    frame(next) {
      props = next;
      paint();
      words();
      place();
    },
    destroy() {
      cancelAnimationFrame(queued);
      el.remove();
    },
  };
}
