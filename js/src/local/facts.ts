/** The chosen pair: what one report says about the other attribute, and which report says most. */
import type { Output } from "../compute/local-mechanisms";
import { createStale } from "../explorer/late";
import { labelOf, plural, told, toldLabel, type Naming } from "../explorer/words";
import { h, renew, setAttr, setText, type Component } from "../ui/dom";
import { bound, capital, fixed, nats, probability } from "../ui/format";
import { inlineMark } from "../ui/marks";
import type { ShownPair } from "./results";
import { allSymbols, seen, symbolsInWords } from "./words";

export interface FactsProps {
  naming: Naming;
  pair: { source: number; secret: number } | null;
  facts: ShownPair | null;
  /** From the table of pairs, which may be there before the rest. */
  leakage: number | null;
  mirror: number | null;
  output: Output;
  promise: number;
  minCount: number;
  busy: boolean;
  stale: string;
}

export interface Fact {
  term: string;
  /** A number, or empty where the note says all. */
  value: string;
  note: string;
  title?: string;
}

/** Fewer records than this behind a label of the secret: its share is not well known. */
const RARE = 30;
/** Longer notes of two labels stand in two rows. */
const ONE_ROW = 18;

/** The rows below the number. */
export function factsOf({ naming, pair, facts, output, promise, minCount }: FactsProps): Fact[] {
  if (!pair || !facts) return [];
  const { worst, supports, limit } = facts;
  const rows: Fact[] = [];
  const kind = seen(output);
  if (worst) {
    const [more, less] = worst.secret.map((x) => toldLabel(naming, pair.secret, x, 20)) as [string, string];
    rows.push({
      term: `Worst ${kind}`,
      value: "",
      note: symbolsInWords(naming, pair.source, worst.symbols, 30),
      title: allSymbols(naming, pair.source, worst.symbols),
    });
    rows.push({ term: "Told apart", value: "", note: `${more} from ${less}` });
  } else if (facts.leakage === 0) rows.push({ term: `Worst ${kind}`, value: "", note: "none says anything" });
  if (!Number.isNaN(facts.generic)) rows.push({ term: "Any ε-LDP", value: bound(facts.generic), note: "bound" });
  if (limit !== null) rows.push({ term: "Limit, large ε", value: nats(limit, promise), note: limit === Infinity ? "grows with ε" : "saturates" });
  if (facts.delta) rows.push({ term: "With δ", value: probability(facts.delta.tight, 6), note: `paper ${probability(facts.delta.paper, 6)}` });
  if (worst && supports) {
    const [first, second] = supports;
    const rare = Math.min(first, second) < RARE;
    // A number beside a number would be taken for one of records.
    const labels = worst.secret
      .map((x) => labelOf(naming, pair.secret, x, 24))
      .map((label) => (/\p{L}/u.test(label) ? label : `with ${label}`)) as [string, string];
    const few = rare ? ": few" : "";
    const term = capital(plural(naming.noun));
    const together = `${labels[0]}, ${fixed(second, 0)} ${labels[1]}${few}`;
    if (together.length <= ONE_ROW) rows.push({ term, value: fixed(first, 0), note: together });
    else rows.push({ term, value: fixed(first, 0), note: labels[0] }, { term: "", value: fixed(second, 0), note: `${labels[1]}${few}` });
  }
  if (facts.leftOut > 0)
    rows.push({
      term: "Left out",
      value: fixed(facts.leftOut, 0),
      note: minCount > 0 ? `with fewer than ${fixed(minCount, 0)}` : "never seen",
    });
  return rows;
}

export function createFacts(initial: FactsProps): Component<FactsProps> {
  const heading = h("span", { class: "px-wrap" });
  const number = h("span");
  const status = h("span", { class: "px-status" });
  const list = h("dl", { class: "px-facts" });
  const old = createStale();
  const big = h("div", { class: "px-big-row" }, h("span", { class: "px-big" }, number, " ", h("small", {}, "nats")), status);
  const none = h("p", { class: "lx-words" }, "Choose a second attribute to see what one report leaks about another.");
  const el = h(
    "section",
    { class: "panel px-fact lx-fact", "aria-label": "Chosen pair" },
    h("h3", { class: "panel-head" }, heading),
    h("div", {}, big, old.el),
    none,
    list,
  );

  function draw(props: FactsProps): void {
    const { naming, pair, output, leakage, mirror, promise, busy, stale } = props;
    setText(
      heading,
      pair
        ? `${output === "raw" ? "Report" : "Guess"} of ${told(naming, pair.source, 40)}, secret ${told(naming, pair.secret, 40)}`
        : "No pair",
    );
    big.hidden = list.hidden = !pair;
    none.hidden = pair !== null;
    setAttr(el, "data-stale", stale !== "");
    old.say(stale);
    if (!pair) return;
    setText(number, busy || leakage === null ? "…" : nats(leakage, promise));
    renew(
      status,
      output === "raw" ? h("span", {}, inlineMark("exact"), " exact") : h("span", {}, "lower bound"),
      h("br"),
      h("span", { class: "muted" }, output === "raw" ? "raw report" : "one attack"),
    );
    const times =
      mirror !== null && leakage !== null && leakage > 0 && Number.isFinite(mirror / leakage) && mirror > 0
        ? ratio(mirror / leakage)
        : "";
    const back: Fact = { term: "Mirror", value: mirror === null ? "…" : nats(mirror, promise), note: times };
    const rows = [back, ...factsOf(props)].flatMap(({ term, value, note, title }) => {
      const number = value || busy ? h("span", { class: "px-fact-value" }, busy ? "…" : value) : null;
      const words = h("span", { class: number ? "px-fact-note" : null, title: title && title !== note ? title : null }, busy ? "" : note);
      return [h("dt", {}, term), h("dd", {}, number, number ? " " : null, words)];
    });
    renew(list, ...rows);
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy: () => el.remove(),
  };
}

function ratio(value: number): string {
  return `${value >= 100 || value < 0.01 ? Number(value.toPrecision(2)) : value.toFixed(2)} times`;
}
