/** The picture of a run: symbols, lanes and sums on one canvas, with headings and a cursor over it. */
import { h, listen, s, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { fixed, leakage, probability } from "../ui/format";
import { dragIn, isModified, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { Brush, PixelColumns } from "./brush";
import { AT, earliestOf, paintPlot, readingOf, readText } from "./paint-plot";
import { plotLayout, spanOf, stepAt, stepX, type PlotLayout, type Span } from "./plot-layout";
import type { ChangeState, Lane, MechanismChoice } from "./protocol";
import { NOTHING, type LaneTotals, type StepRecord } from "./step-record";
import { laneSample, stateText, statusWords, wrongSymbols } from "./words";
import { leakageUnit } from "../ui/preferences";

// The last steps as a table for screen readers: the steps of the picture, frame by frame.

export interface LastStepsProps {
  record: StepRecord;
  position: number;
  states: readonly string[];
  lanes: readonly MechanismChoice[];
}

const MANY = 10;

export function createLastSteps(initial: LastStepsProps): Component<LastStepsProps> {
  // Roles are said: laid out as blocks, rows and cells would have none everywhere.
  const body = h("tbody", { role: "rowgroup" });
  const head = h("tr", { role: "row" });
  const el = h(
    "div",
    { class: "sr-only sx-steps" },
    h("table", { role: "table", "aria-label": "The last steps" }, h("thead", { role: "rowgroup" }, head), body),
  );
  let drawn: LastStepsProps | null = null;
  /** What the record had given up by then, and the step of the first row. */
  let [cuts, first] = [0, 0];

  function heads({ lanes }: LastStepsProps): void {
    const cells = lanes.flatMap(({ short }) => [
      `${short}: released`,
      `${short}: belief in the true symbol`,
      `${short}: leakage, ${leakageUnit()}`,
      `${short}: sum so far, ${leakageUnit()}`,
    ]);
    write(head, ["step", "true", `promise, ${leakageUnit()}`, ...cells], () => h("th", { scope: "col", role: "columnheader" }));
  }

  /** What stands in the row of a step. */
  function texts({ record, states }: LastStepsProps, step: number): string[] {
    const k = record.at(step);
    const truth = record.symbols[k] as number;
    const promise = record.promise[k] as number;
    const own = record.lanes.flatMap((lane) => {
      const released = lane.released[k] as number;
      const belief = record.columns === 1 ? lane.belief[k] : lane.belief[k * record.columns + truth];
      return [
        released === NOTHING ? "nothing" : stateText(states, released),
        probability(belief as number),
        `${leakage(lane.leakage[k] as number, promise)}${lane.over[k] ? ", over" : ""}`,
        fixed(lane.sum[k] as number, 3),
      ];
    });
    return [fixed(step, 0), stateText(states, truth), leakage(promise), ...own];
  }

  /** Cells that are there stay: a run of minutes gives up its first steps again and again. */
  function write(
    row: Element,
    cells: readonly string[],
    made = (k: number): HTMLElement =>
      k === 0 ? h("th", { scope: "row", role: "rowheader" }) : h("td", { role: "cell" }),
  ): void {
    while (row.childElementCount > cells.length) row.lastElementChild?.remove();
    cells.forEach((text, k) => setText(row.children[k] ?? row.appendChild(made(k)), text));
  }

  function draw(props: LastStepsProps): void {
    const { record, position, states, lanes } = props;
    const begin = Math.max(record.first, position - MANY) + 1;
    const count = Math.max(0, Math.min(position, record.end) - begin + 1);
    const same = drawn !== null && drawn.record === record && record.cuts === cuts && drawn.states === states && drawn.lanes === lanes && first <= begin;
    if (!same) heads(props);
    // One step further, all rows but one are there already: the first becomes the last.
    const passed = same ? begin - first : count;
    const left = same ? Math.max(0, Math.min(body.childElementCount, count) - passed) : 0;
    if (left > 0) for (let k = 0; k < passed; k++) body.append(body.firstElementChild as Element);
    while (body.childElementCount > count) body.lastElementChild?.remove();
    for (let k = left; k < count; k++) write(body.children[k] ?? body.appendChild(h("tr", { role: "row" })), texts(props, begin + k));
    [drawn, cuts, first] = [props, record.cuts, begin];
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

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

/** Marks and gaps in the heading of a lane, px. */
const BESIDE_NAME = 84;

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
  const handle = h("div", { class: "sx-handle", role: "slider", tabindex: 0, "aria-label": "Step that is read" }, drawGrip());
  const at = h("span", { class: "sx-at", "aria-hidden": "true" });
  const empty = h("p", { class: "sx-empty muted" });
  const el = h("div", { class: "sx-plot" }, canvas, heads, handle, at, empty);
  let drawn: Head[] = [];

  function layoutOf({ width, states, lanes }: PlotProps): PlotLayout {
    return plotLayout(width, states.length, lanes.length);
  }

  const span = (): Span => spanOf(props.position, props.zoom);
  const earliest = (): number => earliestOf(props);
  const reading = (): number => readingOf(props, cursor);

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
    if (brush) paintPlot(brush, image, props, layout, cursor);
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
        head.status.replaceChildren(...(state === "over" ? [inlineMark("over")] : state === "within" ? [drawTick()] : []), head.words);
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
        `${leakage(lane.leakage[k] as number, record.promise[k])} ${leakageUnit()}` +
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

  function place(): void {
    const x = stepX(layout, span(), reading() + 1);
    const top = layout.bottom - 4;
    handle.style.transform = `translate(${x - 6}px, ${top}px)`;
    at.style.transform = `translate(${x + AT}px, ${top}px)`;
    setText(at, readText(layout, reading()));
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

  const follow = (event: PointerEvent): void => move(stepAt(layout, span(), placeIn(el, event)[0]));
  dragIn(el, handle, { begin: () => props.position !== 0, follow });
  listen(el, "dblclick", () => move(null));
  listen(handle, "keydown", (event) => {
    if (isModified(event)) return;
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

function drawGrip(): SVGElement {
  return s("svg", { width: 12, height: 16, "aria-hidden": "true" }, s("path", { d: "M6 0l6 6v10H0V6z", fill: "var(--brand)" }));
}

function drawTick(): SVGElement {
  const look = { viewBox: "0 0 16 16", width: 12, height: 12, class: "sx-tick", "aria-hidden": "true" };
  return s("svg", look, s("path", { d: "M3 8.5l3.5 3.5L13 4.5" }));
}
