/** The chosen ε: the exact slack, and beside it every bound and every theorem as printed. */
import { createStale } from "../explorer/top";
import { fold, h, renew, setAttr, setText, type Component } from "../ui/dom";
import { count, fixed } from "../ui/format";
import { inlineMark } from "../ui/marks";
import { createNumberEntry } from "../ui/number-entry";
import { number as read } from "../ui/wire";
import { amountText, readBudget, refuseBudget } from "./amounts";
import type { Level, Status } from "./protocol";
import { boundsOf, drawnAt, valueAt, type Shown } from "./results";
import { budgetText, eventsLabel, factorText, percent, slackText } from "./words";

export interface FactsProps {
  shown: Shown | null;
  epsilon: number;
  level: Level;
  known: number;
  neighbours: number;
  /** Records that the release is of. */
  records: number;
  /** Theorems as printed are shown. */
  printed: boolean;
  busy: boolean;
  stale: string;
  disabled: boolean;
}

export interface FactsEvents {
  onEpsilon(value: number): void;
  onRefused(reason: string | null): void;
}

/** Short, beside the budget: what the adversary knows. */
export function knowing({ level, known, neighbours }: Pick<FactsProps, "level" | "known" | "neighbours">): string {
  const share = level === "III" || level === "IV" ? [`knowing ${percent(known)} of the records`] : [];
  const groups = level === "II" || level === "IV" ? [`groups of up to ${neighbours}`] : [];
  return [...share, ...groups].join(", ") || "knowing no record";
}

/** How many times the exact value a bound is. */
function timesExact(value: number, exact: number | null): string {
  if (value >= 1) return "vacuous";
  if (exact === null || !(exact > 0)) return "";
  const times = value / exact;
  return `${times < 9.95 ? times.toFixed(1) : times < 1e6 ? fixed(times, 0) : times.toExponential(0).replace("e+", "e")} times exact`;
}


export function createFacts(initial: FactsProps, events: FactsEvents): Component<FactsProps> {
  const heading = h("span", { class: "px-wrap" });
  const entry = createNumberEntry(entryProps(initial), {
    onCommit: events.onEpsilon,
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The budget stays as it was.`),
  });
  const number = h("span");
  const status = h("span", { class: "px-status" });
  const list = h("dl", { class: "kx-facts" });
  const steps = h("dl", { class: "kx-facts" });
  const old = createStale();
  const big = h(
    "div",
    { class: "px-big-row" },
    h("span", { class: "px-big" }, number, " ", h("small", {}, "δ")),
    status,
  );
  const el = h(
    "section",
    { class: "panel px-fact kx-fact", "aria-label": "Chosen budget" },
    h("h3", { class: "panel-head" }, heading, h("label", { class: "kx-epsilon muted" }, "ε ", entry.el)),
    h("div", {}, big, old.el),
    h("div", {}, list, fold("Steps of the bound", steps)),
  );

  function entryProps({ epsilon, disabled }: FactsProps) {
    return {
      label: "Budget ε as a number",
      value: epsilon,
      format: (value: number) => (Number.isFinite(value) ? amountText(value) : "∞"),
      refuse: refuseBudget,
      read: readBudget,
      disabled,
      width: 56,
    };
  }

  function draw(props: FactsProps): void {
    const { shown, epsilon, busy, stale } = props;
    setText(heading, `At ε = ${budgetText(epsilon)}, ${knowing(props)}`);
    entry.update(entryProps(props));
    setAttr(el, "data-stale", stale !== "");
    old.say(stale);
    const exact = shown?.exact ? valueAt(shown, shown.exact, epsilon) : null;
    setText(number, busy ? "…" : exact === null ? "–" : slackText(exact));
    const why = shown?.exact?.why;
    renew(
      status,
      ...(why
        ? [h("span", {}, "not computed"), h("br"), h("span", { class: "muted" }, why)]
        : [
            h("span", {}, inlineMark("exact"), " exact, any event"),
            h("br"),
            h(
              "span",
              { class: "muted" },
              epsilon === Infinity ? "odds within any factor" : `odds within a factor ${factorText(epsilon)}`,
            ),
          ]),
    );
    const rows: [string, string, string][] = [];
    const between: typeof rows = [];
    if (shown) {
      for (const curve of boundsOf(shown)) {
        const value = drawnAt(shown, curve, epsilon);
        const note = curve.why ? curve.why : timesExact(value, exact);
        rows.push([`Bound, ${eventsLabel(curve.events)}`, curve.why || Number.isNaN(value) ? "–" : slackText(value, true), note]);
      }
      const { recipe } = shown;
      if (recipe && recipe.delta1 !== null)
        between.push([
          `Recipe, δ₁ ${slackText(recipe.delta1)}`,
          slackText(read(recipe.delta), true),
          recipe.status === "vacuous" ? "vacuous" : `at ε = ${budgetText(read(recipe.epsilon))}`,
        ]);
      const now = epsilon === shown.epsilon;
      for (const { label, delta, status: state, holds } of props.printed ? shown.printed : []) {
        const theorem = label.split(",")[0] ?? label;
        const line = shown.curves.find(({ kind, label: name }) => kind === "printed" && name === label);
        const value = now || !line ? delta : valueAt(shown, line, epsilon);
        rows.push([`${theorem}, printed`, value === null ? "–" : slackText(value), now ? verdictOf(state, holds) : ""]);
      }
      if (shown.nothing_known !== null) rows.push(["Nothing known", now ? slackText(shown.nothing_known) : "…", `exact, ${count(nobody(props), "other")}`]);
      if (shown.ratio !== null) between.push(["Berry-Esseen ratio", slackText(shown.ratio), ""]);
    }
    const drawn = (some: typeof rows): HTMLElement[] =>
      some.flatMap(([term, value, note]) => [
        h("dt", {}, term),
        h("dd", { class: "kx-number" }, busy ? "…" : value),
        h("dd", { class: note.startsWith("▲") ? "over" : "muted" }, busy ? "" : note),
      ]);
    renew(list, ...drawn(rows));
    renew(steps, ...drawn(between));
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      entry.destroy();
      el.remove();
    },
  };
}

/** What becomes of a theorem as printed at the chosen ε. */
function verdictOf(status: Status, holds: boolean | null): string {
  if (status !== "ok") return status;
  return holds === null ? "" : holds ? "holds here" : "▲ violated";
}

/** Unknown others where nothing is known. */
function nobody({ level, neighbours, records }: FactsProps): number {
  return Math.max(0, records - (level === "II" || level === "IV" ? neighbours : 1));
}
