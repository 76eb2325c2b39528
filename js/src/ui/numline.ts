/** A number line with marks of published and exact values, and the strip of numbers at the foot of an explorer. */
import { axisText, linear, rule, ticks, type Scale } from "./axes";
import { h, renew, s, setAttr, text, type Component } from "./dom";
import { tick } from "./format";
import { textWidth } from "./lettering";
import { inlineMark, mark, type Mark } from "./marks";

// A number line: marks of published and exact values on one axis.

export interface LineMark {
  mark: Mark;
  value: number;
  /** Read out by screen readers, with its number. */
  label: string;
  /** Written above the mark. */
  text?: string;
  colour?: string;
  bold?: boolean;
  radius?: number;
}

export interface NumlineProps {
  width: number;
  /** Right end; the line starts at 0. */
  max: number;
  /** Left end of a logarithmic line, a power of ten above 0; what is below stands there. */
  low?: number;
  marks: LineMark[];
  /** Thick segment: from the promise to what exceeds it. */
  over: [number, number] | null;
  /** An interval above the line, in words and from where to where. */
  whisker?: { label: string; range: [number, number] } | null;
  /** Height in px; 32 without texts, 56 with them. */
  height: number;
  tickCount: number;
  unit: string;
  /** How many of the unit are one of what the marks are given in; 1 where it is left out. */
  per?: number;
}

const EDGE = 6;

/** Where texts above a line may start so that none meets its neighbour; in the order given. */
export function spread(wanted: readonly number[], widths: readonly number[], low: number, high: number, gap = 6): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => (wanted[a] as number) - (wanted[b] as number) || a - b);
  const left = wanted.map((x, k) => x - (widths[k] as number) / 2);
  let edge = low;
  for (const k of order) {
    left[k] = Math.max(left[k] as number, edge);
    edge = (left[k] as number) + (widths[k] as number) + gap;
  }
  edge = high;
  for (const k of order.reverse()) {
    left[k] = Math.min(left[k] as number, edge - (widths[k] as number));
    edge = (left[k] as number) - gap;
  }
  return left;
}

export function createNumline(initial: NumlineProps): Component<NumlineProps> {
  const el = h("div", { class: "numline" });

  function draw(props: NumlineProps): void {
    const { width, height } = props;
    const max = props.max > 0 && Number.isFinite(props.max) ? props.max : 1;
    const x = scaleOf(props, max);
    const y = height - 20;
    const said = [...props.marks, ...(props.whisker ? [props.whisker] : [])].map((m) => m.label);
    const name = `Number line, ${props.unit}: ${said.join(", ")}`;
    const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
    svg.append(rule(EDGE, y, width - EDGE, y));
    svg.append(...(props.low === undefined ? axis(x, max, y, props) : powers(x, props.low, max, y, props)));
    if (props.over) {
      const [from, to] = props.over;
      svg.append(s("line", { x1: x(from), y1: y, x2: x(Math.min(to, max)), y2: y, stroke: "var(--over)", "stroke-width": 4 }));
    }
    if (props.whisker) {
      const [low, high] = props.whisker.range.map((v) => x(Math.min(v, max))) as [number, number];
      const d = `M${low} ${y - 10}v5M${high} ${y - 10}v5M${low} ${y - 7.5}H${high}`;
      svg.append(s("path", { d, class: "numline-whisker", fill: "none", stroke: "var(--est)", "stroke-width": 1.5 }));
    }
    for (const m of props.marks) {
      if (Number.isFinite(m.value)) svg.append(mark(m.mark, x(Math.min(m.value, max)), y, m.radius ?? 5));
    }
    const named = props.marks.filter((m) => m.text !== undefined && Number.isFinite(m.value));
    const widths = named.map((m) => textWidth(m.text ?? "", 11, m.bold));
    const lefts = spread(named.map((m) => x(Math.min(m.value, max))), widths, 0, width);
    named.forEach((m, k) => {
      svg.append(
        text(lefts[k] as number, y - 11, m.text ?? "", {
          "font-weight": m.bold ? 600 : 400,
          style: `fill:${m.colour ?? "var(--ink)"}`,
        }),
      );
    });
    renew(el, svg);
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function scaleOf({ low, width }: NumlineProps, max: number): Scale {
  if (low === undefined) return linear(0, max, EDGE, width - EDGE);
  const logs = linear(Math.log10(low), Math.log10(max), EDGE, width - EDGE);
  return (value) => logs(Math.log10(Math.max(low, value)));
}

/** Powers of ten, the unit before the last one; as many as there is room for. */
function powers(x: Scale, low: number, max: number, y: number, { unit }: NumlineProps): SVGElement[] {
  const out: SVGElement[] = [];
  const last = `${unit} = ${tick(max)}`;
  const free = x(max) + EDGE - textWidth(last) - 8;
  let edge = -Infinity;
  for (let power = Math.round(Math.log10(low)); 10 ** power < max * (1 - 1e-9); power++) {
    const value = Number((10 ** power).toPrecision(3));
    const label = tick(value);
    const left = edge === -Infinity ? x(value) - EDGE : x(value) - textWidth(label) / 2;
    out.push(rule(x(value), y, x(value), y + 4));
    if (left < edge + 8 || left + textWidth(label) > free) continue;
    edge = left + textWidth(label);
    out.push(axisText(left, y + 16, label));
  }
  out.push(rule(x(max), y, x(max), y + 4), axisText(x(max) + EDGE, y + 16, last, { "text-anchor": "end" }));
  return out;
}

/** Ticks with the unit at the last one; a label that would meet the end is left out. */
function axis(x: (v: number) => number, max: number, y: number, props: NumlineProps): SVGElement[] {
  const out: SVGElement[] = [];
  const { per = 1 } = props;
  const values = ticks(0, max * per, props.tickCount)
    .map((v) => v / per)
    .filter((v) => v >= 0 && v < max * (1 - 1e-9));
  const last = `${endText(max * per)} ${props.unit}`;
  const free = x(max) + EDGE - textWidth(last) - 8;
  let edge = -Infinity;
  for (const v of values) {
    const label = tick(Number((v * per).toPrecision(12)));
    const half = v === 0 ? 0 : textWidth(label) / 2;
    out.push(rule(x(v), y, x(v), y + 4));
    const right = v === 0 ? textWidth(label) : x(v) + half;
    if (right > free || x(v) - half < edge + 6) continue;
    edge = right;
    out.push(axisText(x(v), y + 16, label, { "text-anchor": v === 0 ? "start" : "middle" }));
  }
  out.push(rule(x(max), y, x(max), y + 4), axisText(x(max) + EDGE, y + 16, last, { "text-anchor": "end" }));
  return out;
}

function endText(max: number): string {
  return max >= 1e6 || max < 1e-3 ? tick(max) : tick(Number(max.toFixed(max < 0.1 ? 4 : 3)));
}

// The strip at the foot of an explorer: numbers with their marks side by side, then all of them on one line.

export interface AuditCell {
  el: HTMLElement;
  mark: HTMLElement;
  key: HTMLElement;
  value: HTMLElement;
  note: HTMLElement;
}

/** One number of the strip: what it is, the number, and a note below it. */
export function auditCell(kind: Mark, title = ""): AuditCell {
  const mark = h("span", {}, inlineMark(kind));
  const key = h("span", {}, ` ${title}`);
  const value = h("div", { class: "px-audit-value" });
  const note = h("div", { class: "px-audit-note" });
  return { el: h("div", {}, h("div", { class: "px-audit-key" }, mark, key), value, note), mark, key, value, note };
}

export interface AuditStripProps {
  /** Without width and height. */
  line: Omit<NumlineProps, "width" | "height">;
  /** The line keeps its place while it is not shown. */
  lineShown: boolean;
  /** The numbers are those of something else. */
  stale: boolean;
  /** The number line stands below the numbers. */
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

/** The least width of the number line, px. */
const LEAST = 180;

export function createAuditStrip(name: string, cells: readonly AuditCell[], old: HTMLElement, initial: AuditStripProps): Component<AuditStripProps> {
  let props = initial;
  /** What the strip leaves free for the number line; measured when it changes, so that drawing never waits for layout. */
  let free = LEAST;
  const line = createNumline(lineProps());
  const place = h("div", { class: "px-audit-line" }, line.el);
  const el = h("section", { class: "px-audit px-result", "aria-label": name }, ...cells.map((cell) => cell.el), place, old);

  function lineProps(): NumlineProps {
    return { ...props.line, width: Math.max(LEAST, props.lineWidth ?? free), height: props.stacked ? 44 : 56 };
  }

  const observer =
    typeof ResizeObserver === "undefined"
      ? null
      : new ResizeObserver(() => {
          const room = place.clientWidth;
          if (room <= 0 || room === free) return;
          free = room;
          if (props.lineWidth === null) line.update(lineProps());
        });
  observer?.observe(place);
  return {
    el,
    update(next) {
      props = next;
      setAttr(el, "data-stale", props.stale);
      line.el.style.visibility = props.lineShown ? "" : "hidden";
      line.update(lineProps());
    },
    destroy() {
      observer?.disconnect();
      line.destroy();
      el.remove();
    },
  };
}
