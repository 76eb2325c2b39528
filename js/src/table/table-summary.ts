/** A table with too many cells to be shown, in a few numbers: its size, marginals, dependence, common rows. */
import { h, setText, type Component } from "../ui/dom";
import { count, fixed, probability } from "../ui/format";
import { textWidth } from "../ui/lettering";
import type { TableSpec } from "../ui/protocol";
import { number } from "../ui/wire";
import { commonStem, numberOf } from "./pivot";
import { createPairList, marginalHeading } from "./summaries";
import { BAR, createBars, type Line } from "./bars";

/** As in `table_edits.py`; positions are those of the domains. */
export interface TableSummary {
  cells: number;
  /** Cells that can occur. */
  possible: number;
  /** The most probable labels of every tuple, in the order of the domain; `others` are left out. */
  marginals: { labels: number[]; values: number[]; others: number }[];
  /** The strongest pairs, a word where one is undefined, and whether it is a correlation. */
  pairs: [[number, number], unknown, boolean][];
  pairs_count: number;
  /** The most probable rows. */
  rows: [number[], number][];
}

export interface SummaryProps {
  spec: TableSpec;
  summary: TableSummary;
  /** What the adversary knows: rows that fit carry the bar. */
  fit: { known: number[]; instance: number[] };
}

const CODE = "explorer.value = JointDistribution(table)";
/** Names of so many letters are no longer than their place. */
const SHORT = 4;
/** What the columns of a row have beside the probability, px. */
const ROOM = 200;
/** What the probability takes, and what a column has beside its text, px. */
const PROBABILITY = 62;
const PAD = 4;

export function createTableSummary(first: SummaryProps): Component<SummaryProps> {
  const size = h("p", { class: "small" });
  const how = h("p", { class: "small muted" }, "Too many cells to edit here. In Python: ", h("code", {}, CODE));
  const rowsHead = h("div", { class: "label" });
  const rows = h("table", { class: "ts-rows" });
  const marginalHead = h("div", { class: "label" });
  const marginalBars = createBars(false);
  const pairList = createPairList();
  const lists = h(
    "div",
    { class: "jt-summaries" },
    h(
      "section",
      {},
      marginalHead,
      h(
        "div",
        { class: "jt-list", tabindex: 0, role: "group", "aria-label": "Probabilities of single labels" },
        marginalBars.el,
      ),
    ),
    pairList.el,
  );
  const el = h(
    "div",
    { class: "jt ts" },
    size,
    how,
    rowsHead,
    h("div", { class: "ts-scroll", tabindex: 0, role: "group", "aria-label": "Most probable rows" }, rows),
    lists,
  );
  let drawn = "";
  let width = 264;
  let props = first;

  /** Names that are one word and a number are called by the number; long ones by their place, as in the list below. */
  function headings(names: readonly string[]): string[] | null {
    if (commonStem(names) !== null) return names.map(numberOf);
    if (names.every((name) => name.length <= SHORT)) return null;
    const wide = names.reduce((sum, name) => sum + textWidth(name, 11) + 6, 0) > ROOM;
    return wide ? names.map((_, tuple) => String(tuple + 1)) : null;
  }

  /** ", 12 of 17 tuples in view" where the columns of a row do not fit. */
  function inView(names: readonly string[], short: readonly string[] | null): string {
    let left = width - PROBABILITY;
    const seen = names.findIndex((name, tuple) => (left -= Math.max(7, textWidth(short?.[tuple] ?? name, 12)) + PAD) < 0);
    return seen < 0 ? "" : `; ${seen} of ${names.length} tuples in view`;
  }

  function drawRows({ spec, summary, fit }: SummaryProps): void {
    const { names, labels, records } = spec;
    const short = headings(names);
    setText(rowsHead, `Most probable rows, ${fixed(summary.rows.length, 0)} of ${fixed(summary.possible, 0)}${inView(names, short)}`);
    // As many decimals as the smallest of them asks for, and one more to tell them apart.
    const least = Math.min(...summary.rows.map(([, p]) => p).filter((p) => p > 0));
    const decimals = Number.isFinite(least) ? Math.min(8, Math.max(4, 1 - Math.floor(Math.log10(least)))) : 4;
    const head = names.map((name, tuple) => h("th", { scope: "col", title: name }, h("bdi", {}, short?.[tuple] ?? name)));
    const last = h("th", { scope: "col" }, records === null ? "P" : "records");
    const body = summary.rows.map(([index, p]) => {
      const fits = fit.known.every((tuple) => fit.instance[tuple] === index[tuple]);
      const cells = index.map((k, tuple) => h("td", {}, h("bdi", {}, labels[tuple]?.[k] ?? "")));
      const text = records === null ? probability(p, decimals) : fixed(Math.round(p * records), 0);
      return h(
        "tr",
        fits && fit.known.length > 0 ? { class: "ts-fits", title: "fits what the adversary knows" } : {},
        ...cells,
        h("td", { class: "ts-p" }, text),
      );
    });
    rows.replaceChildren(h("thead", {}, h("tr", {}, ...head, last)), h("tbody", {}, ...body));
  }

  function drawBars({ spec, summary }: SummaryProps): void {
    const { names, labels } = spec;
    const stem = commonStem(names);
    const second = labels[0]?.[1];
    const shared = second !== undefined && labels.every((domain) => domain.length === 2 && domain[1] === second);
    const places = stem === null && headings(names) !== null;
    const lines = summary.marginals.flatMap(({ labels: at, values, others }, tuple): Line[] => {
      const of = places ? `${tuple + 1} ${names[tuple]}` : (names[tuple] as string);
      const shown = at.flatMap((k, place) => (shared && k !== 1 ? [] : [{ k, value: values[place] as number }]));
      const made = shown.map(({ k, value }): Line => {
        const name = shared ? [of] : [of, labels[tuple]?.[k] ?? ""];
        return { name, joint: " ", title: name.join(" "), value, text: probability(value, 3) };
      });
      if (others === 0) return made;
      const rest = 1 - values.reduce((sum, value) => sum + value, 0);
      const name = [of, count(others, "other label")];
      return [...made, { name, joint: " ", title: name.join(" "), value: Math.max(0, rest), text: probability(Math.max(0, rest), 3) }];
    });
    setText(marginalHead, marginalHeading(shared ? second : undefined, lines.length));
    marginalBars.update(lines, 1);
    const dependences = summary.pairs.map(([pair, value, signed]) => ({ pair, value: number(value), signed }));
    const pairs = pairList.update(names, dependences, summary.pairs_count);
    const longest = Math.max(...[...lines, ...pairs].map(({ name, joint }) => textWidth(name.join(joint).slice(0, 80), 12)));
    lists.style.gridTemplateColumns = `repeat(auto-fit,minmax(min(100%,${Math.ceil(longest) + BAR}px),1fr))`;
  }

  function draw(next: SummaryProps): void {
    props = next;
    const key = JSON.stringify([props.spec, props.summary, props.fit, width]);
    if (key === drawn) return;
    drawn = key;
    const { spec, summary } = props;
    const can = summary.possible === summary.cells ? "all can occur" : `${fixed(summary.possible, 0)} can occur`;
    const from = spec.records === null ? "" : `, from ${count(spec.records, "record")}`;
    setText(size, `${count(spec.names.length, "tuple")}, ${count(summary.cells, "cell")}, ${can}${from}.`);
    drawRows(props);
    drawBars(props);
  }

  const observer =
    typeof ResizeObserver === "undefined"
      ? null
      : new ResizeObserver(() => {
          if (el.clientWidth <= 0) return;
          width = el.clientWidth;
          draw(props);
        });
  observer?.observe(el);
  draw(first);
  return {
    el,
    update: draw,
    destroy() {
      observer?.disconnect();
      el.remove();
    },
  };
}
