/** All mechanisms at one budget, read both ways: why a ranking of guesses is not one of releases. */
import { h, renew, type Component } from "../ui/dom";
import { fixed, probability } from "../ui/format";
import type { ComparedState, MechanismChoice } from "./protocol";

export interface ComparedProps {
  compared: readonly ComparedState[] | null;
  mechanisms: readonly MechanismChoice[];
  mechanism: string;
  busy: boolean;
}

export function createCompared(initial: ComparedProps): Component<ComparedProps> {
  const place = h("div", {});
  const words = h(
    "p",
    { class: "small muted" },
    "Leakage of all pairs together, as a share of what any mechanism with this budget may leak. Raw: what is " +
      "released. Guess: what an attacker’s one guess keeps of it, which the paper measured. Read raw, OUE, SUE, " +
      "BLH, OLH and SHE leak all that any mechanism may, and GRR never more. By their guesses GRR seems to leak " +
      "most. Error of shares: expected squared error of all estimated shares, over the sum of their squares (Eq. " +
      "23). * RAPPOR keeps the budget of the paper’s parameters, 0.537.",
  );
  const el = h("div", {}, place, words);

  function draw({ compared, mechanisms, mechanism, busy }: ComparedProps): void {
    if (!compared || busy) {
      renew(place, h("p", { class: "muted" }, busy ? "…" : "Not computed for this table."));
      return;
    }
    const share = (value: number | null, kind: string): HTMLElement =>
      h(
        "td",
        { class: "lx-bar-cell" },
        h(
          "span",
          { class: "lx-track" },
          h("span", { class: `lx-bar lx-bar-${kind}`, style: `width:${(100 * Math.min(1, value ?? 0)).toFixed(1)}%` }),
        ),
        h(
          "span",
          { class: "lx-share" },
          value === null ? "–" : value > 1 + 1e-9 ? fixed(value, 2) : probability(value),
        ),
      );
    const rows = compared.map(({ key, raw, inferred, error, frequency }) => {
      const name = mechanisms.find((one) => one.key === key)?.label ?? key;
      const label = key === "RAPPOR" ? `${name}*` : name;
      return h(
        "tr",
        { "data-on": key === mechanism },
        h("th", { scope: "row" }, label),
        share(raw, "raw"),
        share(inferred, "inferred"),
        h("td", {}, error === null ? "–" : probability(error)),
        h("td", {}, frequency === null ? "–" : fixed(frequency, frequency < 1 ? 4 : 2)),
      );
    });
    const heads = ["Mechanism", "Raw", "Guess", "Guess is wrong", "Error of shares"].map((head, k) =>
      h("th", { scope: "col", class: k === 1 || k === 2 ? "lx-bar-cell" : null }, head),
    );
    renew(
      place,
      h(
        "div",
        { class: "lx-frame" },
        h("table", { class: "lx-numbers" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows)),
      ),
    );
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
