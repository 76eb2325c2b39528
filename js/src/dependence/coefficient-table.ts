/** Coefficients of pairs by every way to find them, the chosen pair first. */
import { told, type Naming } from "../explorer/words";
import { h, renew, setText, type Component } from "../ui/dom";
import { leakage } from "../ui/format";
import type { Coefficient } from "./protocol";
import { coefficientOf, neighboursOf, type Shown } from "./results";
import { arrow, COEFFICIENTS, coefficient as write, inShort, KIND_NAMES } from "./words";

export interface CoefficientTableProps {
  naming: Naming;
  blocks: readonly number[];
  shown: Shown | null;
  tuple: number;
  other: number | null;
  busy: boolean;
}

const KINDS: readonly Coefficient[] = ["exact", "mean", "eq18"];
/** Rows that there is room for. */
const ROWS = 5;

/** The chosen pair, the others of the chosen tuple, the way back, then the closest pairs elsewhere. */
export function pairsShown({ blocks, shown, tuple, other }: Pick<CoefficientTableProps, "blocks" | "shown" | "tuple" | "other">): [number, number][] {
  if (!shown || other === null) return [];
  const strength = ([first, second]: [number, number]): number =>
    coefficientOf(shown, "exact", first, second) + 1e-3 * coefficientOf(shown, "mean", first, second);
  const sorted = (pairs: [number, number][]): [number, number][] =>
    pairs.sort((a, b) => strength(b) - strength(a) || a[0] - b[0] || a[1] - b[1]);
  const mine = sorted(
    neighboursOf(blocks, tuple).flatMap((far): [number, number][] => (far === other ? [] : [[tuple, far]])),
  );
  const back = sorted(neighboursOf(blocks, other).map((far): [number, number] => [other, far]));
  const elsewhere = sorted(
    blocks.flatMap((block, first) =>
      block === blocks[tuple] || block === blocks[other]
        ? []
        : neighboursOf(blocks, first).flatMap((second): [number, number][] =>
            second > first ? [[first, second]] : [],
          ),
    ),
  );
  return [[tuple, other] as [number, number], ...mine.slice(0, ROWS - 2), ...back, ...elsewhere].slice(0, ROWS);
}

export function createCoefficientTable(initial: CoefficientTableProps): Component<CoefficientTableProps> {
  const label = h("div", { class: "label dx-rho-label" });
  const body = h("tbody");
  const heads = ["pair", ...KINDS.map((kind) => KIND_NAMES[kind]), "baseline"].map((head) => h("th", { scope: "col" }, head));
  const table = h("table", { class: "dx-numbers dx-rho" }, h("thead", {}, h("tr", {}, ...heads)), body);
  const note = h("p", { class: "small muted dx-rho-note" });
  const el = h("div", { class: "dx-coefficients" }, label, table, note);

  function draw(props: CoefficientTableProps): void {
    const { naming, shown, blocks, busy, tuple, other } = props;
    const pairs = pairsShown(props);
    table.hidden = pairs.length === 0;
    setText(
      label,
      !shown
        ? ""
        : pairs.length === 0
          ? "One tuple depends on no other."
          : `ρ of the second given the first, σ = ${busy ? "…" : leakage(shown.scale)}`,
    );
    const rows = pairs.map(([first, second], k) => {
      const cells = KINDS.map((kind) => h("td", {}, busy || !shown ? "…" : write(coefficientOf(shown, kind, first, second))));
      const joined = blocks[first] === blocks[second] ? "1" : "0";
      return h(
        "tr",
        { "data-on": k === 0 },
        h(
          "th",
          { scope: "row", title: arrow(naming, first, second, 200) },
          h("span", {}, arrow(inShort(naming), first, second, 11)),
        ),
        ...cells,
        h("td", {}, joined),
      );
    });
    renew(body, ...rows);
    setText(note, shown && !busy && other !== null ? remark(props, shown, tuple, other) : "");
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

function remark({ naming, blocks }: CoefficientTableProps, shown: Shown, tuple: number, other: number): string {
  const [exact, mean] = KINDS.map((kind) => coefficientOf(shown, kind, tuple, other)) as [number, number, number];
  if (blocks[tuple] !== blocks[other]) return "They lie in different blocks, which do not depend on each other.";
  if (exact === 0 && mean > 0)
    return `At this σ it is 0: ${told(naming, other, 24)} does not depend on ${told(naming, tuple, 24)}. The other two do not see that.`;
  return KINDS.map((kind) => COEFFICIENTS[kind]).join(" ");
}
