/**
 * What the tables below the graph say: a row for each tuple, and the coefficients of pairs by every way to find them.
 */
import { isOver, told, type Naming } from "../explorer/words";
import { axisText, leakageTicks, linear, niceCeiling, rule } from "../ui/axes";
import { component, h, layered, listen, renew, s, setAttrs, setText, text, type Component } from "../ui/dom";
import { amount, leakageTick, list } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { inlineMark, mark } from "../ui/marks";
import type { Coefficient, Knowing } from "./protocol";
import { coefficientOf, countOver, isApart, mostLeaking, neighboursOf, paperError, type Shown } from "./results";
import { arrow, brief, coefficient as write, COEFFICIENTS, inShort, KIND_NAMES, nats } from "./words";
import { leakageUnit } from "../ui/preferences";

// Coefficients of pairs by every way to find them, the chosen pair first.

export interface CoefficientTableProps {
  naming: Naming;
  blocks: readonly number[];
  shown: Shown | null;
  tuple: number;
  other: number | null;
  busy: boolean;
}

const KINDS: readonly Coefficient[] = ["exact", "mean", "eq18"];
/** Rows that there is room for. */
const ROWS = 5;

/** The chosen pair, the others of the chosen tuple, the way back, then the closest pairs elsewhere. */
export function pairsShown({ blocks, shown, tuple, other }: Pick<CoefficientTableProps, "blocks" | "shown" | "tuple" | "other">): [number, number][] {
  if (!shown || other === null) return [];
  const strength = ([first, second]: [number, number]): number =>
    coefficientOf(shown, "exact", first, second) + 1e-3 * coefficientOf(shown, "mean", first, second);
  const sorted = (pairs: [number, number][]): [number, number][] =>
    pairs.sort((a, b) => strength(b) - strength(a) || a[0] - b[0] || a[1] - b[1]);
  const mine = sorted(
    neighboursOf(blocks, tuple).flatMap((far): [number, number][] => (far === other ? [] : [[tuple, far]])),
  );
  const back = sorted(neighboursOf(blocks, other).map((far): [number, number] => [other, far]));
  const elsewhere = sorted(
    blocks.flatMap((block, first) =>
      block === blocks[tuple] || block === blocks[other]
        ? []
        : neighboursOf(blocks, first).flatMap((second): [number, number][] =>
            second > first ? [[first, second]] : [],
          ),
    ),
  );
  return [[tuple, other] as [number, number], ...mine.slice(0, ROWS - 2), ...back, ...elsewhere].slice(0, ROWS);
}

export function createCoefficientTable(initial: CoefficientTableProps): Component<CoefficientTableProps> {
  const label = h("div", { class: "label dx-rho-label" });
  const body = h("tbody");
  const heads = ["pair", ...KINDS.map((kind) => KIND_NAMES[kind]), "baseline"].map((head) => h("th", { scope: "col" }, head));
  const table = h("table", { class: "dx-numbers dx-rho" }, h("thead", {}, h("tr", {}, ...heads)), body);
  const note = h("p", { class: "small muted dx-rho-note" });
  const el = h("div", { class: "dx-coefficients" }, label, table, note);

  function draw(props: CoefficientTableProps): void {
    const { naming, shown, blocks, busy, tuple, other } = props;
    const pairs = pairsShown(props);
    table.hidden = pairs.length === 0;
    setText(
      label,
      !shown
        ? ""
        : pairs.length === 0
          ? "One tuple depends on no other."
          : `ρ of the second given the first, σ = ${busy ? "…" : amount(shown.scale)}`,
    );
    const rows = pairs.map(([first, second], k) => {
      const cells = KINDS.map((kind) => h("td", {}, busy || !shown ? "…" : write(coefficientOf(shown, kind, first, second))));
      const joined = blocks[first] === blocks[second] ? "1" : "0";
      return h(
        "tr",
        { "data-on": k === 0 },
        h(
          "th",
          { scope: "row", title: arrow(naming, first, second, 200) },
          h("span", {}, arrow(inShort(naming), first, second, 11)),
        ),
        ...cells,
        h("td", {}, joined),
      );
    });
    renew(body, ...rows);
    setText(note, shown && !busy && other !== null ? pairRemark(props, shown, tuple, other) : "");
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function pairRemark({ naming, blocks }: CoefficientTableProps, shown: Shown, tuple: number, other: number): string {
  const [exact, mean] = KINDS.map((kind) => coefficientOf(shown, kind, tuple, other)) as [number, number, number];
  if (blocks[tuple] !== blocks[other]) return "They lie in different blocks, which do not depend on each other.";
  if (exact === 0 && mean > 0)
    return `At this σ it is 0: ${told(naming, other, 24)} does not depend on ${told(naming, tuple, 24)}. The other two do not see that.`;
  return KINDS.map((kind) => COEFFICIENTS[kind]).join(" ");
}

// One row for each tuple: what is promised about it, what leaks, what the paper says, and a bound.

export interface RowsProps {
  naming: Naming;
  blocks: readonly number[];
  shown: Shown | null;
  tuple: number;
  epsilon: number;
  paper: boolean;
  knowing: Knowing;
  busy: boolean;
  disabled: boolean;
  width: number;
}

const ROW = 30;
/** Height of rows that are many, and how many of those are in sight at once. */
const LOW_ROW = 22;
const MANY = 14;
const SEEN = 16;
const HEAD = 22;
const FOOT = 24;
const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

export function createRows(initial: RowsProps, onTuple: (tuple: number) => void): Component<RowsProps> {
  let props = initial;
  const [head] = layered({ height: HEAD, "aria-hidden": "true" });
  const [body] = layered({ role: "img" });
  const [foot] = layered({ height: FOOT, "aria-hidden": "true" });
  const frame = h("div", { class: "dx-rows-frame" }, body);
  const key = h("p", { class: "small muted dx-rows-key" });
  const words = h("p", { class: "dx-words" });
  const el = h(
    "section",
    { class: "panel dx-rows", "aria-label": "Promise against truth" },
    h(
      "h3",
      { class: "panel-head" },
      h("span", {}, "Promise against truth ", h("span", { class: "muted" }, `per tuple, ${leakageUnit()}`)),
    ),
    head,
    frame,
    foot,
    key,
    words,
  );
  listen(frame, "click", (event) => {
    const row = (event.target as Element).closest<SVGElement>("[data-tuple]");
    if (row && !props.disabled) onTuple(Number(row.dataset["tuple"]));
  });

  function draw(): void {
    const { naming, shown, paper, busy, epsilon, width } = props;
    const n = naming.names.length;
    const high = n > MANY ? LOW_ROW : ROW;
    const some = shown !== null;
    for (const part of [head, body, foot]) setAttrs(part, { width, style: some ? null : "display:none" });
    // A list that scrolls can be reached by the keyboard too.
    const scrolls = n > SEEN && some;
    setAttrs(frame, { tabindex: scrolls ? 0 : null, role: scrolls ? "region" : null, "aria-label": scrolls ? "Leakage about every tuple" : null });
    frame.style.maxHeight = scrolls ? `${SEEN * LOW_ROW}px` : "";
    renew(key, ...legend(props));
    if (!shown) return renew(words, "No results yet.");
    const left = Math.round(Math.min(width * 0.3, 110, Math.max(32, ...naming.names.map((_, k) => textWidth(brief(naming, k), 12, true))) + 12));
    const finite = (values: ArrayLike<number>): number[] => Array.from(values).filter(Number.isFinite);
    const most = Math.max(epsilon, ...finite(shown.exact), ...finite(shown.mean), ...(paper ? finite(shown.paper) : []));
    const end = niceCeiling(most * 1.03, STEPS);
    const x = linear(0, end, left, width - 104);
    renew(head, ...header(x, width, epsilon));
    setAttrs(body, { height: n * high, viewBox: `0 0 ${width} ${n * high}`, "aria-label": spoken(props, shown) });
    renew(body, ...grid(x, end, n * high), ...naming.names.map((_, k) => drawRow(k, props, shown, x, high, left, end)), promiseLine(x(epsilon), 0, n * high));
    renew(foot, ...axis(x, end));
    renew(words, busy ? "…" : remark(props, shown));
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

function spoken({ naming, epsilon }: RowsProps, shown: Shown): string {
  const told = naming.names.slice(0, 12).map((_, k) => `${brief(naming, k)} ${nats(shown.exact[k] as number, epsilon)}`);
  const more = naming.names.length > 12 ? " and more" : "";
  return `Exact leakage of every ${naming.noun} beside the promise ${nats(epsilon)} ${leakageUnit()}: ${told.join(", ")}${more}`;
}

function promiseLine(x: number, from: number, to: number): SVGElement {
  return rule(x, from, x, to, { stroke: "var(--promise)", "stroke-width": 2, "stroke-dasharray": "4 3" });
}

function drawRow(k: number, props: RowsProps, shown: Shown, x: (v: number) => number, high: number, left: number, end: number): SVGElement {
  const { naming, tuple, epsilon, paper, busy, width } = props;
  const y = k * high + high / 2;
  const value = shown.exact[k] as number;
  const over = isOver(value, epsilon) && !busy;
  const at = (v: number): number => x(Math.min(end, Math.max(0, v)));
  const mean = shown.mean[k] as number;
  const parts: SVGElement[] = [
    s("rect", { x: 0, y: k * high, width, height: high, rx: 2, class: "dx-row-back", "data-on": k === tuple }),
    text(4, y + 4, fit(brief(naming, k, 60), left - 8, 12, k === tuple, inShort(naming).names), { "font-size": 12, "font-weight": k === tuple ? 600 : 400 }),
  ];
  if (!busy) {
    const far = Number.isFinite(mean) ? Math.max(mean, value) : value;
    parts.push(rule(x(0), y, at(far), y));
    if (over) parts.push(s("line", { x1: x(epsilon), y1: y, x2: at(value), y2: y, stroke: "var(--over)", "stroke-width": 4 }));
    if (Number.isFinite(mean)) parts.push(mark("bound", at(mean), y, 5));
    parts.push(mark("exact", at(value), y, 5));
    if (paper) parts.push(mark("paper", at(shown.paper[k] as number), y, 3.5));
  }
  const number = busy ? "…" : nats(value, epsilon);
  const right = width - 14 - textWidth(number, 13, true);
  if (over) {
    parts.push(
      s("path", { d: `M${right - textWidth("over") - 13} ${y + 4}h9l-4.5 -8z`, fill: "var(--over)" }),
      text(right, y + 4, "over", { "text-anchor": "end", style: "fill:var(--over)" }),
    );
  }
  parts.push(text(width - 6, y + 4, number, { "text-anchor": "end", "font-size": 13, "font-weight": 600, style: over ? "fill:var(--over)" : null }));
  return s("g", { class: "dx-row", "data-tuple": k }, ...parts);
}

function header(x: (v: number) => number, width: number, epsilon: number): SVGElement[] {
  const words = `promise ${nats(epsilon)}`;
  const half = textWidth(words) / 2;
  const at = Math.min(width - 60 - half, Math.max(half, x(epsilon)));
  return [
    text(at, 10, words, { "text-anchor": "middle", style: "fill:var(--promise)" }),
    promiseLine(x(epsilon), 15, HEAD),
    axisText(width - 6, 10, "exact", { "text-anchor": "end" }),
  ];
}

function grid(x: (v: number) => number, end: number, height: number): SVGElement[] {
  return leakageTicks(0, end, 4).map((t) => rule(x(t), 0, x(t), height, { stroke: t ? "var(--line)" : "var(--line2)" }));
}

function axis(x: (v: number) => number, end: number): SVGElement[] {
  const values = leakageTicks(0, end, 4);
  return values.map((t, k) => axisText(x(t), 16, `${leakageTick(t)}${k === values.length - 1 ? ` ${leakageUnit()}` : ""}`, { "text-anchor": "middle" }));
}

function legend({ paper, shown, knowing }: RowsProps): (Node | string)[] {
  const parts: (Node | string)[] = [h("span", {}, inlineMark("exact"), " exact")];
  if (paper) parts.push(h("span", {}, inlineMark("paper"), " paper’s estimate, pairs summed"));
  if (shown?.bounds.mean !== null) parts.push(h("span", {}, inlineMark("bound"), knowing === "nobody" ? " mean bound" : " mean bound if nobody is known"));
  return parts;
}

/** What the rows show, in a sentence or two. */
export function remark({ naming, blocks, epsilon }: Pick<RowsProps, "naming" | "blocks" | "epsilon">, shown: Shown): string {
  const over = Array.from(shown.exact, (_, k) => k).filter((k) => isOver(shown.exact[k] as number, epsilon));
  const n = naming.names.length;
  if (over.length === 0) {
    const most = mostLeaking(shown);
    return `Nothing is over the promise. Most leaks about ${told(naming, most, 30)}: ${nats(shown.exact[most] as number, epsilon)} ${leakageUnit()}.`;
  }
  const named = over.length <= 3 ? list(over.map((k) => told(naming, k, 24))) : `${countOver(shown)} of ${n}`;
  const hidden = over.filter((k) => isApart(shown, blocks, k));
  const start = `More leaks about ${named} than is promised.`;
  if (hidden.length === over.length) {
    const who = hidden.length === 1 ? told(naming, hidden[0] as number, 24) : "them";
    return `${start} No pair shows this: whoever looks at two at a time finds ${who} independent of all others.`;
  }
  if (hidden.length > 0) {
    const who = hidden.length <= 3 ? list(hidden.map((k) => told(naming, k, 24))) : `${hidden.length} of them`;
    return `${start} Pair by pair ${who} would be independent of all others.`;
  }
  const low = over.filter((k) => paperError(shown, k)?.direction === "low").length;
  return low > 0 ? `${start} The coefficients of pairs, summed, are too little there.` : start;
}
