/** The numbers of the maps for screen readers: the likeliest cells of any of them, with all four beliefs. */
import { h, renew, setAttr } from "../ui/dom";
import { probability } from "../ui/format";
import type { Attack } from "./results";
import { cellName } from "./words";

export interface MapTableProps {
  grid: number;
  /** null while they are awaited. */
  attacks: readonly [Attack, Attack] | null;
}

const ROWS = 12;

/** Cells by their largest belief after the release, likely ones first. */
export function likeliest([one, two]: readonly [Attack, Attack], many = ROWS): number[] {
  const most = (cell: number): number => Math.max(one.posterior[cell] as number, two.posterior[cell] as number);
  return Array.from(one.posterior, (_, cell) => cell)
    .filter((cell) => most(cell) > 0)
    .sort((a, b) => most(b) - most(a) || a - b)
    .slice(0, many);
}

export function createMapTable(): { el: HTMLElement; update(props: MapTableProps): void } {
  let drawn: MapTableProps["attacks"] | undefined;
  const body = h("tbody");
  const head = ["Cell", "Attack 1 before", "Attack 1 after", "Attack 2 before", "Attack 2 after"].map((name) =>
    h("th", { scope: "col" }, name),
  );
  const el = h(
    "div",
    { class: "sr-only" },
    h(
      "table",
      {},
      h("caption", {}, "The likeliest cells and their probabilities"),
      h("thead", {}, h("tr", {}, ...head)),
      body,
    ),
  );
  return {
    el,
    update({ grid, attacks }) {
      if (drawn !== undefined && attacks === drawn) return;
      drawn = attacks;
      setAttr(el, "aria-busy", attacks === null ? "true" : null);
      const rows = attacks
        ? likeliest(attacks).map((cell) => {
            const beliefs = attacks.flatMap(({ prior, posterior }) => [prior[cell] as number, posterior[cell] as number]);
            return h("tr", {}, h("th", { scope: "row" }, cellName(cell, grid)), ...beliefs.map((p) => h("td", {}, probability(p))));
          })
        : [];
      renew(body, ...rows);
    },
  };
}
