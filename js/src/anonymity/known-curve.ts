/** More known, more leakage: the exact slack at ε by the share of the records known, with a line to drag. */
import { placeLabels, written, type Wanted } from "../curves/labels";
import { createRHandle } from "../curves/r-handle";
import { axisText, linear, polyline, rule } from "../ui/axes";
import { component, h, renew, s, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { mark } from "../ui/marks";
import type { Change } from "../ui/slider";
import { logAxis, logLines } from "./curve-drawing";
import { along, type Shown } from "./results";
import { budgetText, percent, slackText } from "./words";

export interface KnownCurveProps {
  shown: Shown | null;
  epsilon: number;
  /** 0 to 1; without effect at levels that know no values. */
  known: number;
  effective: boolean;
  busy: boolean;
  disabled: boolean;
  width: number;
}

const HEIGHT = 164;
const LEFT = 42;
/** Powers of ten below it are not drawn. */
const LOWEST = -60;

/** Points of the curve that are not below a least value, and those at which it comes from there or goes there; NaN parts pieces. */
function above(shares: Float64Array, values: Float64Array, least: number): [number, number][] {
  const meets = (k: number, from: number): [number, number] => {
    const [high, below] = [Math.log(values[k] as number), Math.log(Math.max(values[from] as number, Number.MIN_VALUE))];
    const part = (high - Math.log(least)) / (high - below);
    return [(shares[k] as number) + part * ((shares[from] as number) - (shares[k] as number)), least];
  };
  return Array.from(values).flatMap((value, k) => {
    if (!(value >= least)) return [[shares[k] as number, NaN]];
    const lower = (j: number): boolean => (values[j] as number) < least;
    return [...(lower(k - 1) ? [meets(k, k - 1)] : []), [shares[k] as number, value], ...(lower(k + 1) ? [meets(k, k + 1)] : [])] as [number, number][];
  });
}

export function createKnownCurve(initial: KnownCurveProps, onKnown: (share: number, how: Change) => void): Component<KnownCurveProps> {
  let props = initial;
  const note = h("span", { class: "muted nowrap" });
  const drawn = s("g", {});
  const over = s("g", { class: "kx-over" });
  const svg = s("svg", { class: "density-svg kx-known-curve", role: "group" });
  const handle = createRHandle(svg, (percentage, how) => onKnown(Number((percentage / 100).toPrecision(6)), how), {
    name: "Share known, per cent",
    sign: "share",
  });
  svg.append(drawn, handle.el, over);
  const empty = h("p", { class: "px-empty kx-empty" });
  const words = h("p", { class: "small muted kx-curve-words" });
  const el = h(
    "section",
    { class: "panel kx-known", "aria-label": "Slack by the share known" },
    h("h3", { class: "panel-head" }, h("span", {}, "More known, more leakage"), note),
    svg,
    empty,
    words,
  );

  function draw(): void {
    const { shown, epsilon, known, effective, busy, disabled, width } = props;
    setText(note, `δ at ε = ${budgetText(shown ? shown.epsilon : epsilon)}`);
    const shares = shown?.known.share ?? new Float64Array();
    const values = shown?.known.delta ?? new Float64Array();
    const found = Array.from(values).filter((value) => !Number.isNaN(value));
    svg.style.display = found.length > 0 ? "" : "none";
    empty.hidden = found.length > 0;
    setText(empty, busy ? "Being computed." : shown?.exact?.why ? `Not computed: ${shown.exact.why}.` : "Not computed here: it needs a kernel.");
    if (found.length === 0) {
      handle.update(null);
      return setText(words, "");
    }
    const right = width - 14;
    const bottom = HEIGHT - 24;
    const least = Math.min(...found.filter((value) => value > 0), 1);
    const low = Math.max(LOWEST, Math.min(-3, Math.floor(Math.log10(least) + 1e-9)));
    const axis = logAxis(low, LEFT, right, 10, bottom);
    const x = linear(0, 1, LEFT, right);
    setAttrs(svg, { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` });
    setAttr(svg, "data-old", busy);
    const points = above(shares, values, 10 ** low).map(([share, value]): [number, number] => [
      x(share),
      Number.isNaN(value) ? NaN : axis.y(Math.min(1, value)),
    ]);
    const share = effective ? known : 0;
    const at = x(share);
    const now = along(shares, values, share);
    const exact = shown?.exact?.at ?? null;
    const here = exact !== null && shown?.epsilon === epsilon ? exact : now;
    const ends = [0, 0.9]
      .filter((one) => Math.abs(one - share) > 0.08)
      .map((one) => ({ share: one, value: along(shares, values, one) }))
      .filter(({ value }) => value > 0);
    const ticksAt = [0, 0.5, 0.9].filter((one) => Math.abs(x(one) - at) > 16);
    renew(
      drawn,
      ...logLines(axis),
      s("path", { d: polyline(points), stroke: "var(--ink)", "stroke-width": 2.5, fill: "none" }),
      ...[0, 0.5, 0.9].map((one) => rule(x(one), bottom, x(one), bottom + 4)),
      ...ticksAt.map((one) => axisText(x(one), bottom + 16, one === 0.9 ? "90 %" : String(one * 100), { "text-anchor": "middle" })),
      ...ends.map(({ share: one, value }) => s("circle", { cx: x(one), cy: Math.min(bottom, axis.y(value)), r: 3, fill: "var(--ink)" })),
    );
    const wanted: Wanted[] = [];
    if (!Number.isNaN(here)) {
      const y = Math.min(bottom, axis.y(Math.max(0, Math.min(1, here))));
      wanted.push({
        key: "now",
        text: slackText(here),
        bold: true,
        mark: [at, y],
        places: [
          { x: at + 9, y: y + 14, anchor: "start" },
          { x: at - 9, y: y - 6, anchor: "end" },
          { x: at + 9, y: y + 26, anchor: "start" },
          { x: at - 9, y: y + 16, anchor: "end" },
          { x: at + 9, y: y - 8, anchor: "start" },
        ],
      });
    }
    for (const { share: one, value } of ends) {
      const y = Math.min(bottom, axis.y(value));
      wanted.push({
        key: `end ${one}`,
        text: slackText(value),
        bold: false,
        mark: [x(one), y],
        places: [
          { x: x(one) + 9, y: y + 13, anchor: "start" },
          { x: x(one) - 8, y: y - 4, anchor: "end" },
          { x: x(one) + 6, y: y - 8, anchor: "start" },
          { x: x(one) - 8, y: y + 14, anchor: "end" },
        ],
      });
    }
    const { places } = placeLabels(wanted, {
      curves: [points],
      verticals: [at],
      boxes: [],
      frame: { x0: LEFT + 2, y0: 0, x1: width, y1: bottom },
    });
    renew(
      over,
      ...(busy
        ? []
        : [
            ...(Number.isNaN(here)
              ? []
              : [mark("exact", at, Math.min(bottom, axis.y(Math.max(0, Math.min(1, here)))), 5)]),
            ...written(wanted, places, {}),
          ]),
    );
    setAttr(
      svg,
      "aria-label",
      `Exact slack by the share known, at ε = ${budgetText(epsilon)}: ` +
        `${busy ? "being computed" : [0, 0.25, 0.5, 0.75, 0.9].map((one) => `${percent(one)} ${slackText(along(shares, values, one))}`).join(", ")}`,
    );
    const lost = wanted
      .filter(({ key }) => key === "now" && !places.get(key))
      .map(({ text: value }) => `δ = ${value} here.`);
    setText(
      words,
      [...lost, effective ? "" : "This adversary knows no values: the line stands at 0."].join(" ").trim(),
    );
    handle.update({
      r: Number((share * 100).toPrecision(12)),
      low: 0,
      high: 100,
      left: LEFT,
      right,
      width,
      bottom,
      disabled: disabled || !effective,
    });
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}
