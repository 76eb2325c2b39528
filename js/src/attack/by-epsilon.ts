/** Attack 2 at some budgets, beside what the budget allows in bits: the printed score may be above it. */
import { h, renew, setAttr, setText, type Component } from "../ui/dom";
import { inlineMark } from "../ui/marks";
import type { Curves, Mean } from "./results";
import { bitsInTable, bitsOf, budgetInTable, limitName } from "./words";

export interface ByEpsilonProps {
  curves: Curves | null;
  /** At the budget in the controls. */
  mean: Mean | null;
  epsilon: number;
  /** The budget is a guarantee. */
  holds: boolean;
  busy: boolean;
  /** What stands in place of numbers. */
  none: string;
}

/** Budgets that are always listed. */
const LISTED = [0.1, 1, 10, 100];
/** Adds no more than this, bits: next to nothing. */
const LITTLE = 0.05;

interface Line {
  epsilon: number;
  printed: number;
  adds: number;
  chosen: boolean;
  /** The numbers are read from the curves. */
  near: boolean;
}

export function linesOf({ curves, mean, epsilon }: Pick<ByEpsilonProps, "curves" | "mean" | "epsilon">): Line[] {
  const out: Line[] = [];
  curves?.epsilon.forEach((budget, k) => {
    const same = Math.abs(budget - epsilon) <= 1e-9 * epsilon;
    if (!same && !LISTED.some((one) => Math.abs(one - budget) <= 1e-9 * one)) return;
    const numbers = same && mean && mean.half !== null ? mean : { printed: curves.printed[k] as number, adds: curves.adds[1][k] as number };
    out.push({ epsilon: budget, printed: numbers.printed, adds: numbers.adds, chosen: same, near: false });
  });
  if (mean && !out.some(({ chosen }) => chosen)) out.push({ epsilon, printed: mean.printed, adds: mean.adds, chosen: true, near: mean.half === null });
  return out.sort((a, b) => a.epsilon - b.epsilon);
}

/** How scores stand to ε/ln 2; without a guarantee nothing keeps them below it. */
export function scoresInWords(lines: readonly Pick<Line, "epsilon" | "printed" | "adds">[], holds: boolean): string {
  const limit = limitName(holds);
  const past = (value: (line: (typeof lines)[number]) => number): typeof lines => lines.filter((line) => value(line) > bitsOf(line.epsilon) * (1 + 1e-9));
  if (past(({ adds }) => adds).length > 0 && !holds) return "The release adds more than ε/ln 2 at some budgets: nothing is promised here.";
  const above = past(({ printed }) => printed);
  if (above.length === 0) return `The release adds less than the ${limit} at every budget listed.`;
  const little = above.every(({ adds }) => adds < LITTLE) ? "next to nothing" : "less";
  return `▲ The printed score is above the ${limit} although the release adds ${little}. It shows the prior gap${holds ? ", not a broken promise" : ""}.`;
}

export function createByEpsilon(initial: ByEpsilonProps): Component<ByEpsilonProps> {
  const body = h("tbody");
  const limit = h("span");
  const head = (...name: (Node | string)[]): HTMLElement => h("th", { scope: "col" }, ...name);
  const table = h(
    "table",
    { class: "ax-numbers ax-by" },
    h("caption", { class: "sr-only" }, "Attack 2 by budget, bits"),
    h("thead", {}, h("tr", {}, head("ε"), head(inlineMark("paper"), " printed"), head("adds"), head(inlineMark("promise"), limit))),
    body,
  );
  const words = h("p", { class: "small muted ax-words" });
  const el = h(
    "section",
    { class: "panel ax-by-panel", "aria-label": "Attack 2 by budget" },
    h("h3", { class: "panel-head" }, h("span", {}, "Attack 2 by ε"), h("span", { class: "muted" }, "bits")),
    table,
    words,
  );

  function draw(props: ByEpsilonProps): void {
    const { busy, none, curves, holds } = props;
    const lines = linesOf(props);
    const rows = lines.map(({ epsilon, printed, adds, chosen, near }) => {
      const bound = bitsOf(epsilon);
      const above = printed > bound * (1 + 1e-9);
      const awaited = busy && !(chosen && props.mean !== null && !near);
      const number = (value: number): string => (awaited ? "…" : `${near ? "≈ " : ""}${bitsInTable(value)}`);
      return h(
        "tr",
        { "data-on": chosen, "aria-current": chosen ? "true" : null },
        h("th", { scope: "row" }, above && !awaited ? "▲ " : "", budgetInTable(epsilon)),
        h("td", { class: above && !awaited ? "paper" : null }, number(printed)),
        h("td", {}, h("b", {}, number(adds))),
        h("td", {}, bitsInTable(bound)),
      );
    });
    renew(body, ...(rows.length > 0 ? rows : [h("tr", {}, h("td", { colspan: 4, class: "muted ax-none" }, none))]));
    setAttr(body, "aria-busy", busy ? "true" : null);
    setText(limit, holds ? " bound" : " ε/ln 2");
    setText(words, busy || (lines.length === 0 && !curves) ? "" : scoresInWords(lines, holds));
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
