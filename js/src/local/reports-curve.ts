/** Below the curves of a pair, over the same budgets: what all reports together say about its secret. */
import type { Output } from "../compute/local-mechanisms";
import { told, type Naming } from "../explorer/words";
import { axisText, linear, niceCeiling, polyline, rule, ticks, valueAxis } from "../ui/axes";
import { h, renew, s, setAttrs, type Component } from "../ui/dom";
import { capital, nats, tick } from "../ui/format";
import { budgetText } from "../ui/scale";
import type { ReportsLine } from "./results";
import { everything } from "./words";

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

const HEIGHT = 112;
const TOP = 6;
const BOTTOM = HEIGHT - 20;

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
    setAttrs(svg, { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` });
    if (!line) return svg.replaceChildren();
    const points = [...line.epsilon].flatMap((e, k): [number, number][] =>
      e <= end && Number.isFinite(line.values[k]) ? [[e, line.values[k] as number]] : [],
    );
    const top = niceCeiling(
      Math.max(end, ...points.map(([, value]) => value)),
      [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10],
    );
    const x = linear(0, end, left, right);
    const y = linear(0, top, BOTTOM, TOP);
    const at = Number.isFinite(epsilon) && epsilon <= end ? epsilon : null;
    const now = at === null ? NaN : valueAt(line, at);
    const parts: (SVGElement | null)[] = [
      valueAxis(ticks(0, top, 2), y, left, right),
      ...ticks(0, end, 5).map((value) => axisText(x(value), BOTTOM + 15, tick(value), { "text-anchor": "middle" })),
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
      at === null ? null : rule(x(at), TOP, x(at), BOTTOM, { stroke: "var(--brand)", "stroke-width": 1.5 }),
      Number.isFinite(now) && at !== null ? s("circle", { cx: x(at), cy: y(now), r: 4.5, fill: "var(--ink)", stroke: "var(--bg)" }) : null,
    ];
    renew(svg, ...parts.filter((part) => part !== null));
    const [last, value] = points[points.length - 1] ?? [0, 0];
    svg.setAttribute("aria-label", `${who}, ${kind}: up to ${nats(value)} nats at ε ${budgetText(last)}. The promise about its own report is ε.`);
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
