/** Leakage against the budget, for the chosen pair and its mirror, with the promise and what large budgets lead to. */
import { followsWords, hasBudget, type Mechanism, type Output } from "../compute/local-mechanisms";
import { boxOf, placeLabels, written, type Place, type Wanted } from "../curves/labels";
import { createRHandle, rAxis } from "../curves/r-handle";
import { told, type Naming } from "../explorer/words";
import { axisText, leakageTicks, linear, niceCeiling, polyline, rule, ticks, valueAxis } from "../ui/axes";
import { component, h, renew, s, setAttr, setAttrs, setText, type Attrs, type Component } from "../ui/dom";
import { capital, fixed, leakageTick, nats, tick } from "../ui/format";
import { clip, textWidth } from "../ui/lettering";
import { leakageUnit } from "../ui/preferences";
import { budgetText } from "../ui/scale";
import type { Change } from "../ui/slider";
import { axisEnd, curveLines, type CurveLines, type ReportsLine, type Shown, type ShownPair } from "./results";
import { everything } from "./words";

// Below the curves of a pair, over the same budgets: what all reports together say about its secret.

export interface ReportsCurveProps {
  naming: Naming;
  /** Attributes that are released. */
  n: number;
  secret: number | null;
  output: Output;
  line: ReportsLine | null;
  /** Numbers of all reports together are awaited. */
  late: boolean;
  epsilon: number;
  /** Where the axis of budgets ends, and its place, px. */
  end: number;
  left: number;
  right: number;
  width: number;
}

const REPORTS_HEIGHT = 112;
const REPORTS_TOP = 6;
const REPORTS_BOTTOM = REPORTS_HEIGHT - 20;

/** The value at a budget, on the straight line between the two nearest. */
export function valueAt({ epsilon, values }: Pick<ReportsLine, "epsilon" | "values">, budget: number): number {
  const after = epsilon.findIndex((e) => e >= budget);
  if (after < 0) return NaN;
  const [high, upper] = [epsilon[after] as number, values[after] as number];
  if (after === 0 || high === budget) return upper;
  const [low, lower] = [epsilon[after - 1] as number, values[after - 1] as number];
  return lower + ((upper - lower) * (budget - low)) / (high - low);
}

export function createReportsCurve(): Component<ReportsCurveProps | null> {
  const heading = h("p", { class: "small lx-reports-head" });
  const svg = s("svg", { class: "lx-reports-curve", role: "img" });
  const el = h("div", { class: "lx-reports", hidden: true }, heading, svg);

  function draw(props: ReportsCurveProps): void {
    const { naming, n, output, line, late, epsilon, end, left, right, width } = props;
    const secret = props.secret === null ? "" : told(naming, props.secret, 30);
    const who = `${capital(everything(output, n))} about ${secret}`;
    const kind = line ? (line.exact ? "exact" : "joint bound") : "";
    renew(heading, h("b", {}, who), line ? `, ${kind}` : late ? ": being computed" : ": no curve here, there are too many combinations");
    // Its place stays while it is awaited.
    svg.style.display = line || late ? "" : "none";
    setAttrs(svg, { width, height: REPORTS_HEIGHT, viewBox: `0 0 ${width} ${REPORTS_HEIGHT}` });
    if (!line) return svg.replaceChildren();
    const points = [...line.epsilon].flatMap((e, k): [number, number][] =>
      e <= end && Number.isFinite(line.values[k]) ? [[e, line.values[k] as number]] : [],
    );
    const top = niceCeiling(
      Math.max(end, ...points.map(([, value]) => value)),
      [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10],
    );
    const x = linear(0, end, left, right);
    const y = linear(0, top, REPORTS_BOTTOM, REPORTS_TOP);
    const at = Number.isFinite(epsilon) && epsilon <= end ? epsilon : null;
    const now = at === null ? NaN : valueAt(line, at);
    const parts: (SVGElement | null)[] = [
      valueAxis(ticks(0, top, 2), y, left, right),
      ...ticks(0, end, 5).map((value) => axisText(x(value), REPORTS_BOTTOM + 15, tick(value), { "text-anchor": "middle" })),
      s("path", {
        d: polyline([
          [x(0), y(0)],
          [x(end), y(end)],
        ]),
        stroke: "var(--promise)",
        "stroke-width": 1.5,
        "stroke-dasharray": "4 3",
        fill: "none",
      }),
      s("path", {
        d: polyline(points.map(([e, value]) => [x(e), y(value)])),
        stroke: "var(--ink)",
        "stroke-width": 2,
        "stroke-dasharray": line.exact ? null : "7 3 1.5 3",
        fill: "none",
      }),
      at === null ? null : rule(x(at), REPORTS_TOP, x(at), REPORTS_BOTTOM, { stroke: "var(--brand)", "stroke-width": 1.5 }),
      Number.isFinite(now) && at !== null ? s("circle", { cx: x(at), cy: y(now), r: 4.5, fill: "var(--ink)", stroke: "var(--bg)" }) : null,
    ];
    renew(svg, ...parts.filter((part) => part !== null));
    const [last, value] = points[points.length - 1] ?? [0, 0];
    svg.setAttribute("aria-label", `${who}, ${kind}: up to ${nats(value)} ${leakageUnit()} at ε ${budgetText(last)}. The promise about its own report is ε.`);
  }

  return {
    el,
    update(props) {
      el.hidden = props === null;
      if (props) draw(props);
    },
    destroy: () => el.remove(),
  };
}

export interface CurveProps {
  naming: Naming;
  facts: ShownPair | null;
  shown: Shown | null;
  mechanism: Mechanism;
  output: Output;
  busy: boolean;
  disabled: boolean;
  /** Released attributes; numbers of all their reports together are awaited. */
  n: number;
  late: boolean;
  width: number;
}

export interface CurveEvents {
  onEpsilon(value: number, how: Change): void;
}

const HEIGHT = 200;
const LEFT = 32;
const BOTTOM = HEIGHT - 26;
const TOP = 8;
/** Room for a piece of the curve before its words: two curves may lie close. */
const SAMPLE = "\u2003\u2003";

export function createCurve(initial: CurveProps, events: CurveEvents): Component<CurveProps> {
  let props = initial;
  const note = h("span", { class: "muted nowrap" });
  const drawn = s("g", {});
  const over = s("g", {});
  const svg = s("svg", { class: "density-svg lx-curve", role: "group" });
  const handle = createRHandle(svg, events.onEpsilon, { name: "Budget ε", sign: "ε" });
  svg.append(drawn, handle.el, over);
  const words = h("p", { class: "small muted lx-curve-words" });
  const el = h(
    "section",
    { class: "panel lx-curves", "aria-label": "Leakage against the budget" },
    h("h3", { class: "panel-head" }, h("span", {}, "Leakage against ε"), note),
    svg,
    words,
  );
  const reports = createReportsCurve();
  el.append(reports.el);
  let kept: { on: unknown[]; lines: CurveLines | null; end: number } = { on: [], lines: null, end: 4 };

  /** The curves do not move with the budget; the axis grows where it must. */
  function linesFor(facts: ShownPair, shown: Shown): { lines: CurveLines | null; end: number } {
    const { mechanism, output, naming } = props;
    const end = Math.max(
      axisEnd(mechanism.epsilon),
      kept.on.length > 0 && Number.isFinite(mechanism.epsilon) && kept.end <= 2 * axisEnd(mechanism.epsilon)
        ? kept.end
        : 0,
    );
    const on = [
      facts.table ?? shown.points ?? facts.curve,
      facts.source,
      facts.secret,
      mechanism.key,
      JSON.stringify(mechanism.parameters),
      output,
      end,
    ];
    if (on.some((part, k) => part !== kept.on[k])) {
      const sizes = naming.labels.map((labels) => labels.length);
      kept = { on, lines: curveLines(facts, shown, mechanism, output, sizes, end), end };
    }
    return kept;
  }

  function draw(): void {
    const { facts, shown, mechanism, busy, disabled, width } = props;
    const budget = hasBudget(mechanism.key);
    const found = budget && facts && shown && !busy ? linesFor(facts, shown) : null;
    const lines = found?.lines ?? null;
    setText(note, lines && !disabled ? "drag ε" : "");
    svg.style.display = lines ? "" : "none";
    const said = !budget
      ? `${followsWords(mechanism.key)}: there is no curve.`
      : !facts
        ? busy
          ? "being computed"
          : shown && shown.names.length < 2
            ? "Two attributes make a pair."
            : ""
        : lines
          ? ""
          : busy
            ? "being computed"
            : "The table of this pair is too large for a curve here.";
    if (!lines || !found || !facts) {
      reports.update(null);
      return renew(words, said);
    }
    const { end } = found;
    setAttrs(svg, { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-label": "" });
    setAttr(svg, "aria-label", `Leakage against ε: ${spoken(facts)}`);
    const ends = [facts.limit, facts.mirrorLimit];
    const most = Math.max(
      ...lines.pair,
      ...lines.mirror,
      ...ends.filter(
        (v): v is number =>
          v !== null &&
          Number.isFinite(v) &&
          v <=
            1.6 *
              Math.max(lines.pair[lines.pair.length - 1] as number, lines.mirror[lines.mirror.length - 1] as number),
      ),
    );
    const top = most > 0 ? niceCeiling(most * 1.06, [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]) : 1;
    const limitTexts = ends.map((value) => (value !== null && Number.isFinite(value) && value <= top ? `limit ${fixed(value, 2)}` : ""));
    const right = width - Math.max(8, ...limitTexts.map((words) => (words ? textWidth(words) + 8 : 0)));
    const x = linear(0, end, LEFT, right);
    const y = linear(0, top, BOTTOM, TOP);
    const at = Number.isFinite(mechanism.epsilon) ? Math.min(end, mechanism.epsilon) : end;
    const curves = [lines.pair, lines.mirror].map((values) =>
      lines.budgets.flatMap((b, k): [number, number][] =>
        b <= end && Number.isFinite(values[k]) ? [[x(b), y(Math.min(top, values[k] as number))]] : [],
      ),
    ) as [[number, number][], [number, number][]];
    const stop = Math.min(end, top);
    const parts: SVGElement[] = [
      valueAxis(leakageTicks(0, top, 3), y, LEFT, right, leakageTick),
      ...rAxis(ticks(0, end, 5), x, at, BOTTOM),
      s("path", { d: polyline([[x(0), y(0)], [x(stop), y(stop)]]), stroke: "var(--promise)", "stroke-width": 1.5, "stroke-dasharray": "4 3", fill: "none" }),
    ];
    // Equal numbers are written once.
    const once = limitTexts[0] === limitTexts[1] ? [limitTexts[0] ?? "", ""] : limitTexts;
    const ys = limitLabels(ends.map((value, k) => (once[k] ? y(value as number) : null)));
    ends.forEach((value, k) => {
      if (!limitTexts[k] || value === null) return;
      const from = x(end * 0.8);
      parts.push(
        rule(from, y(value), right, y(value), {
          stroke: k === 0 ? "var(--b)" : "var(--a)",
          "stroke-dasharray": "1 3",
          "stroke-width": 1.5,
          "stroke-linecap": "round",
        }),
      );
      if (once[k]) parts.push(axisText(right + 4, (ys[k] as number) + 4, once[k]));
    });
    parts.push(
      s("path", { d: polyline(curves[1]), ...look(false) }),
      s("path", { d: polyline(curves[0]), ...look(true) }),
    );
    if (lines.coarse)
      [...curves]
        .reverse()
        .forEach((points, k) =>
          parts.push(
            ...points.map(([cx, cy]) => s("circle", { cx, cy, r: 2.5, fill: k === 0 ? "var(--a)" : "var(--b)" })),
          ),
        );
    const { elements, unplaced } = labelled(props.naming, facts, lines, curves, x, y, right, at, stop);
    parts.push(...elements);
    if (lines.coarse) unplaced.push(h("span", { class: "lx-coarse" }, `Exact at ${lines.budgets.length} budgets, straight lines between them.`));
    renew(words, ...unplaced);
    renew(drawn, ...parts);
    renew(
      over,
      ...[facts.mirror, facts.leakage].flatMap((value, k) =>
        Number.isFinite(value) && value <= top && Number.isFinite(mechanism.epsilon)
          ? [
              s("circle", {
                cx: x(at),
                cy: y(value),
                r: 4.5,
                fill: k === 0 ? "var(--a)" : "var(--b)",
                stroke: "var(--bg)",
              }),
            ]
          : [],
      ),
    );
    handle.update({ r: at, low: 0, high: end, left: LEFT, right, width, bottom: BOTTOM, disabled });
    const { n, late, naming, output } = props;
    const line = shown?.reports?.secret === facts.secret ? shown.reports : null;
    reports.update({ naming, n, secret: facts.secret, output, line, late, epsilon: mechanism.epsilon, end, left: LEFT, right, width });
  }

  function spoken(facts: ShownPair): string {
    const name = (k: number): string => told(props.naming, k);
    const [a, b] = [name(facts.source), name(facts.secret)];
    const limit = (value: number | null): string => (value === null ? "" : `, limit ${nats(value)}`);
    return `${a} about ${b} ${nats(facts.leakage)}${limit(facts.limit)}; ${b} about ${a} ${nats(facts.mirror)}${limit(facts.mirrorLimit)} ${leakageUnit()}`;
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

/** Labels of two limits that lie close stand apart. */
function limitLabels([first, second]: (number | null)[]): (number | null)[] {
  if (first == null || second == null || Math.abs(first - second) >= 13) return [first ?? null, second ?? null];
  const middle = (first + second) / 2;
  const sign = first <= second ? -1 : 1;
  return [middle + sign * 6.5, middle - sign * 6.5];
}

function labelled(
  naming: Naming,
  facts: ShownPair,
  lines: CurveLines,
  [pair, mirror]: [[number, number][], [number, number][]],
  x: (v: number) => number,
  y: (v: number) => number,
  right: number,
  at: number,
  stop: number,
): { elements: SVGElement[]; unplaced: Node[] } {
  const name = (k: number): string => told(naming, k, 20);
  const words = {
    pair: SAMPLE + clip(`${name(facts.source)} about ${name(facts.secret)}`, 44),
    mirror: SAMPLE + clip(`${name(facts.secret)} about ${name(facts.source)}`, 44),
  };
  const last = (curve: readonly (readonly [number, number])[]): number => curve[curve.length - 1]?.[1] ?? 0;
  // Labels follow the order in which the curves end.
  const higher = last(pair) <= last(mirror) ? "pair" : "mirror";
  const byEnd = (key: "pair" | "mirror"): Place[] =>
    besideEnd(
      key === "pair" ? pair : mirror,
      key === "pair" ? mirror : pair,
      textWidth(words[key], 11, true),
      key === higher,
    );
  const [ex, ey] = [x(stop), y(stop)];
  const wanted: Wanted[] = [
    {
      key: "promise",
      text: "promise ε",
      bold: false,
      places: [
        { x: ex + 6, y: ey + 10, anchor: "start" },
        { x: ex - 8, y: ey + 10, anchor: "end" },
        { x: (x(0) + ex) / 2 - 8, y: (y(0) + ey) / 2, anchor: "end" },
      ],
    },
    { key: "pair", text: words.pair, bold: true, places: byEnd("pair") },
    { key: "mirror", text: words.mirror, bold: true, places: byEnd("mirror") },
  ];
  const out: SVGElement[] = [];
  if (lines.equal) {
    const [px, py] = [x(lines.equal.budget), y(lines.equal.value)];
    if (px <= right) {
      out.push(s("circle", { cx: px, cy: py, r: 4, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 }));
      wanted.push({
        key: "equal",
        text: `equal at ${fixed(lines.equal.budget, 2)}`,
        bold: false,
        places: [
          { x: px + 8, y: py + 15, anchor: "start" },
          { x: px - 8, y: py - 9, anchor: "end" },
          { x: px + 8, y: py + 28, anchor: "start" },
          { x: px, y: py + 22, anchor: "middle" },
        ],
      });
    }
  }
  const steep: [number, number][] = [
    [x(0), y(0)],
    [ex, ey],
  ];
  const { places } = placeLabels(wanted, {
    curves: [pair, mirror, steep],
    verticals: [x(at)],
    boxes: [],
    frame: { x0: LEFT, y0: 0, x1: right + 4, y1: BOTTOM },
  });
  // One beside its curve and one below would look like two kinds.
  if (!places.get("pair") || !places.get("mirror")) for (const key of ["pair", "mirror"]) places.set(key, null);
  for (const { key, text: written } of wanted) {
    const place = places.get(key);
    if (!place || !written.startsWith(SAMPLE)) continue;
    const { x0 } = boxOf(place, textWidth(written, 11, true));
    out.push(s("path", { d: `M${x0.toFixed(1)} ${place.y - 4}h18`, ...look(key === "pair") }));
  }
  out.push(...written(wanted, places, { promise: "var(--promise)", equal: "var(--ink2)", pair: inkOf("--b"), mirror: inkOf("--a") }));
  // Where no place is free the words stand below.
  const lower = higher === "pair" ? "mirror" : "pair";
  const unplaced = ([higher, lower] as const)
    .filter((key) => !places.get(key))
    .map((key) =>
      h(
        "span",
        { style: `color:${inkOf(key === "pair" ? "--b" : "--a")}` },
        sample(key === "pair"),
        ` ${words[key].slice(SAMPLE.length)}`,
      ),
    );
  return { elements: out, unplaced };
}

/** Places by the end of a curve and nearer to it than to the other, the nearest first. */
function besideEnd(own: readonly (readonly [number, number])[], other: readonly (readonly [number, number])[], width: number, higher: boolean): Place[] {
  const out: Place[] = [];
  const ends = own.length > 0 ? [1, 0.94, 0.88, 0.82, 0.75, 0.68] : [];
  for (const share of ends) {
    const x1 = (own[Math.round(share * (own.length - 1))] as readonly [number, number])[0];
    const heights = (curve: typeof own): number[] => curve.filter(([x]) => x >= x1 - width - 2 && x <= x1 + 2).map(([, y]) => y);
    const [mine, its] = [heights(own), heights(other)];
    if (mine.length === 0 || its.length === 0) continue;
    const [above, below] = [Math.min(...mine) - 7, Math.max(...mine) + 14];
    // Between both there is room only for a label that is nearer to its own.
    if (higher) {
      if (above + 3 < Math.min(...its)) out.push({ x: x1, y: above, anchor: "end" });
      if (below + 14 < Math.min(...its)) out.push({ x: x1, y: below, anchor: "end" });
    } else {
      if (above - 26 > Math.max(...its)) out.push({ x: x1, y: above, anchor: "end" });
      if (below - 9 > Math.max(...its)) out.push({ x: x1, y: below, anchor: "end" });
    }
  }
  return out;
}

/** The colour of a curve, dark enough for text even where the ink of the host is a middle grey. */
function inkOf(colour: string): string {
  return `color-mix(in srgb, var(${colour}) 55%, var(--ink))`;
}

function look(full: boolean): Attrs {
  return { stroke: full ? "var(--b)" : "var(--a)", "stroke-width": 2.5, "stroke-dasharray": full ? null : "5 2.5", fill: "none" };
}

/** A short piece of a curve, to stand in text. */
function sample(full: boolean): SVGSVGElement {
  const path = s("path", { d: "M1 4H21", ...look(full) });
  return s("svg", { viewBox: "0 0 22 8", width: 22, height: 8, class: "line-sample", "aria-hidden": "true" }, path);
}
