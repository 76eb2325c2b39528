/** Marginals and pairwise correlations of the table, each with a bar. */
import type { Component } from "../ui/component";
import { h, s, setAttr, setAttrs, setText } from "../ui/dom";
import { fixed, probability, probabilityDecimals, signed } from "../ui/format";
import { textWidth } from "../ui/lettering";
import type { TableSpec } from "../ui/protocol";
import { correlations, scores } from "./dependence";
import { marginals, total } from "./editing";
import { commonStem, numberOf } from "./names";

export interface SummariesProps {
  spec: TableSpec;
  /** Entries that are probabilities; their sum need not be 1. */
  entries: Float64Array;
  /** They belong to the last valid table, not to what stands in the grid. */
  stale: boolean;
}

/** Pairs shown at once; the strongest come first when there are more. */
const PAIRS = 5;
/** What a bar and its number take beside a name, px. */
const BAR = 84;
const AXES = [0.1, 0.25, 0.5, 1];

export interface Line {
  /** Parts are isolated from one another: scripts of both directions may meet. */
  name: string[];
  /** Between the parts. */
  joint: string;
  title: string;
  value: number;
  text: string;
}

/** One row of a bar list; kept and refilled, because numbers change far more often than rows. */
export function createBars(signedBars: boolean): { el: HTMLElement; update(lines: Line[], limit: number): void } {
  const body = h("tbody");
  const el = h("table", { class: "jt-bars" }, body);
  let rows: { name: HTMLElement; bar: SVGRectElement; value: HTMLElement }[] = [];
  const width = 30;
  const build = (): { name: HTMLElement; bar: SVGRectElement; value: HTMLElement } => {
    const bar = s("rect", { y: 2, height: 4, class: signedBars ? "jt-bar-signed" : "jt-bar-plain" });
    const picture = s("svg", { width, height: 8, viewBox: `0 0 ${width} 8`, "aria-hidden": "true" });
    if (signedBars) {
      picture.append(
        s("rect", { x: 0, y: 3.5, width, height: 1, class: "jt-bar-axis" }),
        s("path", { d: `M${width / 2} 0V8`, class: "jt-bar-zero" }),
      );
    } else picture.append(s("rect", { x: 0, y: 2, width, height: 4, class: "jt-bar-track" }));
    picture.append(bar);
    const name = h("th", { scope: "row" });
    const value = h("td", { class: "jt-bars-value" });
    body.append(h("tr", {}, name, h("td", { class: "jt-bars-picture" }, picture), value));
    return { name, bar, value };
  };
  return {
    el,
    update(lines, limit) {
      if (rows.length !== lines.length) {
        body.replaceChildren();
        rows = lines.map(build);
      }
      lines.forEach((line, k) => {
        const row = rows[k] as (typeof rows)[number];
        if (row.name.textContent !== line.name.join(line.joint)) {
          row.name.replaceChildren(...line.name.flatMap((part, i) => [i > 0 ? line.joint : "", h("bdi", {}, part)]));
        }
        setAttr(row.name, "title", line.title.slice(0, 1000));
        setText(row.value, line.text);
        const share = Number.isFinite(line.value) ? line.value / limit : 0;
        const length = Math.abs(share) * (signedBars ? width / 2 : width);
        setAttrs(row.bar, {
          x: signedBars ? (share < 0 ? width / 2 - length : width / 2) : 0,
          width: Number(length.toFixed(2)),
          "data-below": signedBars && share < 0,
        });
      });
    },
  };
}

export function createSummaries(first: SummariesProps): Component<SummariesProps> {
  const marginalHead = h("div", { class: "label" });
  const correlationHead = h("div", { class: "label" });
  const marginalBars = createBars(false);
  const correlationBars = createBars(true);
  const more = h("div", { class: "small muted" });
  const scroll = h("div", { class: "jt-list" }, marginalBars.el);
  const right = h("section", {}, correlationHead, correlationBars.el, more);
  const el = h("div", { class: "jt-summaries" }, h("section", {}, marginalHead, scroll), right);

  function draw({ spec, entries, stale }: SummariesProps): void {
    const shape = spec.labels.map((domain) => domain.length);
    const stem = commonStem(spec.names);
    const sum = total(entries);
    const weights = sum > 0 ? entries.map((p) => p / sum) : entries;
    const parts = marginals(weights, shape);
    const decimals = Math.min(4, probabilityDecimals(Float64Array.from(parts.flatMap((m) => [...m]))));
    // Two labels each, and the same second label everywhere: one number per tuple says it all.
    const second = spec.labels[0]?.[1];
    const shared = second !== undefined && spec.labels.every((domain) => domain.length === 2 && domain[1] === second);
    setText(marginalHead, `${shared && second ? `P(${second})` : "Marginals"}${stale ? ", last valid table" : ""}`);
    setAttr(marginalHead, "title", shared ? `Probability that a tuple is ${second}` : null);
    const lines = parts.flatMap((marginal, j) =>
        Array.from(marginal, (value, k) => ({ value, k, j })).filter(({ k }) => (shared ? k === 1 : true)),
      ).map(({ value, k, j }) => {
        const label = spec.labels[j]?.[k] ?? "";
        const name = shared ? [spec.names[j] as string] : [spec.names[j] as string, label];
        return { name, joint: " ", title: name.join(" "), value, text: probability(value, decimals) };
      });
    marginalBars.update(lines, 1);
    const all = correlations(weights, shape, scores(spec.labels));
    const chosen =
      all.length <= PAIRS ? all : [...all].sort((a, b) => size(b.value) - size(a.value) || a.pair[0] - b.pair[0]).slice(0, PAIRS);
    const limit = AXES.find((axis) => all.every(({ value }) => !(Math.abs(value) > axis))) ?? 1;
    setText(correlationHead, `Correlation (±${limit})`);
    setAttr(
      correlationHead,
      "title",
      "Pearson's correlation; the axis ends as in brackets. Labels that are no numbers count by position.",
    );
    const pairs = chosen.map(({ pair, value }) => {
        const names = pair.map((j) => spec.names[j] as string);
        return {
          name: stem === null ? names : names.map(numberOf),
          joint: ", ",
          title: names.join(", "),
          value,
          text: Number.isNaN(value) ? "undefined" : signed(value),
        };
      });
    correlationBars.update(pairs, limit);
    // Beside each other where the longest name has the room there, else one under the other.
    const longest = Math.max(...[...lines, ...pairs].map(({ name, joint }) => textWidth(name.join(joint).slice(0, 80), 12)));
    el.style.gridTemplateColumns = `repeat(auto-fit,minmax(min(100%,${Math.ceil(longest) + BAR}px),1fr))`;
    setText(more, all.length > chosen.length ? `${chosen.length} largest of ${fixed(all.length, 0)} pairs` : "");
    right.hidden = all.length === 0;
  }
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}

function size(value: number): number {
  return Number.isNaN(value) ? -1 : Math.abs(value);
}
