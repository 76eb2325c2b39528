/** Before and after: what one published r does to the odds of each label. */
import { apart, rule } from "../ui/axes";
import { h, renew, s, setText, text, type Component } from "../ui/dom";
import { amount, fixed, probability, scientific } from "../ui/format";
import { fit, inQuotes, textWidth } from "../ui/lettering";
import type { Chosen } from "../ui/protocol";
import { series, seriesColour } from "./frame";
import { extremePair, feasible, logRatio, posterior } from "./mixture";

export interface PosteriorProps {
  chosen: Chosen | null;
  scale: number;
  names: string[];
  labels: string[][];
  r: number;
  rDecimals: number;
  /** Numbers are awaited. */
  busy: boolean;
  /** What stands here when there is nothing to draw. */
  emptyText?: string;
}

const WIDTH = 212;
const TOP = 22;
const LEAST = 14;

/** Odds as people read them. */
export function odds(value: number): string {
  if (value !== 0 && (value < 0.005 || value >= 1e5)) return scientific(value);
  return fixed(value, value >= 1000 ? 0 : 2);
}

export function createPosterior(initial: PosteriorProps): Component<PosteriorProps> {
  const chart = h("div", { class: "posterior-chart" });
  const said = h("p", { class: "posterior-words" });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Posterior" },
    h("h3", { class: "panel-head" }, h("span", {}, "If r is published")),
    chart,
    said,
  );

  function draw(props: PosteriorProps): void {
    const { chosen, scale, r } = props;
    if (!chosen) {
      chart.replaceChildren();
      setText(said, props.emptyText ?? "");
      return;
    }
    const labels = props.labels[chosen.target] ?? [];
    const after = posterior(chosen.mixtures, chosen.prior, scale, r);
    renew(chart, slopes(props.names[chosen.target] ?? "", labels, chosen.prior, after, props.busy));
    renew(said, ...(props.busy ? ["…", h("br"), "\u00a0"] : sentence(props, chosen, labels)));
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function slopes(name: string, labels: string[], prior: readonly number[], after: readonly number[], busy: boolean): SVGSVGElement {
  const number = (p: number): string => (busy ? "…" : probability(p));
  const n = prior.length;
  const height = Math.max(142, TOP + LEAST * n + 12);
  const bottom = height - 10;
  const y = (p: number): number => bottom - p * (bottom - TOP);
  const xa = 52;
  const xb = 122;
  const list = prior.map((p, k) => `${fit(labels[k] ?? "", 200)} ${number(p)} before, ${number(after[k] as number)} after`);
  const svg = s("svg", {
    width: WIDTH,
    height,
    viewBox: `0 0 ${WIDTH} ${height}`,
    role: "img",
    "aria-label": `Probability of ${fit(name, 200)}: ${list.join("; ")}`,
  });
  svg.append(
    text(xa, 10, "before", { "text-anchor": "middle", style: "fill:var(--ink2)" }),
    text(xb, 10, "after", { "text-anchor": "middle", style: "fill:var(--ink2)" }),
    rule(xa, 18, xa, height - 6),
    rule(xb, 18, xb, height - 6),
  );
  const left = apart(prior.map((p) => y(p)), LEAST, TOP, bottom);
  const right = apart(after.map((p) => y(p)), LEAST, TOP, bottom);
  prior.forEach((p, k) => {
    const q = after[k] as number;
    svg.append(
      s("path", { d: `M${xa} ${y(p).toFixed(1)}L${xb} ${y(q).toFixed(1)}`, ...series(k) }),
      s("circle", { cx: xa, cy: y(p), r: 4, fill: seriesColour(k) }),
      s("circle", { cx: xb, cy: y(q), r: 4, fill: seriesColour(k) }),
    );
    const shown = number(q);
    svg.append(
      text(xa - 9, (left[k] as number) + 4, number(p), { "text-anchor": "end" }),
      text(xb + 9, (right[k] as number) + 4, shown, { "font-weight": 600 }),
      text(xb + 14 + Math.max(34, textWidth(shown, 11, true)), (right[k] as number) + 4, fit(isWord(labels[k] ?? ""), 42, 11, false, labels.map(isWord))),
    );
  });
  return svg;
}

/** A bare number would read like a value of the axis: "is 1". */
function isWord(label: string): string {
  return /^[-−+]?[\d.,]+$/.test(label) ? `is ${label}` : label;
}

function sentence(props: PosteriorProps, chosen: Chosen, labels: string[]): (Node | string)[] {
  const { scale, r } = props;
  const lead = `r = ${fixed(r, props.rDecimals)}: `;
  const pair = chosen.attained && chosen.mixtures.filter(feasible).length === 2 ? sorted(props, chosen) : extremePair(chosen.mixtures, scale, r);
  if (!pair) return [`${lead}${chosen.determined ? "nothing to learn, one label is left" : "the odds stay as they are"}.`];
  const [more, less] = pair;
  const [a, b] = [chosen.mixtures[more], chosen.mixtures[less]];
  if (!feasible(a) || !feasible(b)) return [lead];
  const gain = logRatio(a, b, scale, r);
  const before = (chosen.prior[more] as number) / (chosen.prior[less] as number);
  const two = chosen.prior.length === 2;
  const said = (whole: string, room: number): string => inQuotes(whole, fit(whole, room, 12));
  const who = `${said(props.names[chosen.target] ?? "", 90)} is ${said(labels[more] ?? "", 70)}`;
  const against = two ? "" : `, not ${said(labels[less] ?? "", 70)}`;
  const power = h("sup", {}, Math.abs(gain) < 1000 ? fixed(gain, 3) : amount(gain));
  const start = `${lead}odds that ${who}${against}`;
  // Beyond this the odds have more digits than anyone reads: the power says it.
  if (Math.abs(gain) > 200) return [start, h("br"), `${odds(before)}, now times e`, power];
  const factor = Math.exp(gain);
  return [start, h("br"), `${odds(before)} → ${odds(before * factor)}, that is `, h("span", { class: "nowrap" }, `× ${odds(factor)} = e`, power)];
}

/** Of two labels the one that r speaks for comes first. */
function sorted(props: PosteriorProps, chosen: Chosen): [number, number] | null {
  const pair = chosen.attained?.pair;
  if (!pair) return null;
  const [a, b] = [chosen.mixtures[pair[0]], chosen.mixtures[pair[1]]];
  if (!feasible(a) || !feasible(b)) return null;
  return logRatio(a, b, props.scale, props.r) >= 0 ? pair : [pair[1], pair[0]];
}
