/** The strongest pairs of tuples: correlations where labels are numbers, associations where they are words. */
import { h, setText } from "../ui/dom";
import { fixed, probability, signed } from "../ui/format";
import { createBars, type Line } from "./bars";
import type { Dependence } from "./dependence";
import { commonStem, numberOf } from "./names";

const AXES = [0.1, 0.25, 0.5, 1];

export interface PairList {
  el: HTMLElement;
  /** Draws some of `count` pairs and returns the lines as written. */
  update(names: readonly string[], pairs: readonly Dependence[], count: number): Line[];
}

export function createPairList(): PairList {
  const correlationHead = h("div", { class: "label", title: "Pearson’s correlation; the axis ends as in brackets." });
  const associationHead = h(
    "div",
    { class: "label", title: "Cramér’s V: 0 where the two are independent, 1 where one determines the other. Words have no order, so it has no sign." },
    "Association, 0 to 1",
  );
  const correlations = { part: h("div"), bars: createBars(true) };
  const associations = { part: h("div"), bars: createBars(false) };
  correlations.part.append(correlationHead, correlations.bars.el);
  associations.part.append(associationHead, associations.bars.el);
  const more = h("div", { class: "small muted" });
  const el = h("section", { class: "jt-pairs" }, correlations.part, associations.part, more);
  return {
    el,
    update(names, pairs, count) {
      const stem = commonStem(names);
      const line = ({ pair, value, signed: correlation }: Dependence): Line => {
        const both = pair.map((j) => names[j] as string);
        const text = Number.isNaN(value) ? "undefined" : correlation ? signed(value) : probability(value, 3);
        return { name: stem === null ? both : both.map(numberOf), joint: ", ", title: both.join(", "), value, text };
      };
      const [numeric, worded] = [pairs.filter((one) => one.signed), pairs.filter((one) => !one.signed)];
      const limit = AXES.find((axis) => numeric.every(({ value }) => !(Math.abs(value) > axis))) ?? 1;
      const lines = [numeric.map(line), worded.map(line)] as [Line[], Line[]];
      setText(correlationHead, `Correlation (±${limit})`);
      correlations.bars.update(lines[0], limit);
      associations.bars.update(lines[1], 1);
      correlations.part.hidden = numeric.length === 0;
      associations.part.hidden = worded.length === 0;
      setText(more, count > pairs.length ? `${pairs.length} largest of ${fixed(count, 0)} pairs` : "");
      el.hidden = count === 0;
      return lines.flat();
    },
  };
}
