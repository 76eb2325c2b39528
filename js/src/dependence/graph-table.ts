/** The numbers of the graph as a plain table for screen readers. Follows the picture after a short pause. */
import { nameOf, type Naming } from "../explorer/words";
import { h, renew } from "../ui/dom";
import { coefficientOf, paperError, type Shown } from "./results";
import { coefficient, KIND_NAMES, nats } from "./words";

export interface GraphTableProps {
  naming: Naming;
  blocks: readonly number[];
  shown: Shown | null;
  tuple: number;
  busy: boolean;
}

export interface GraphTable {
  readonly el: HTMLElement;
  update(props: GraphTableProps): void;
  destroy(): void;
}

const PAUSE = 250;

export function createGraphTable(initial: GraphTableProps): GraphTable {
  const caption = h("caption");
  const body = h("tbody");
  const heads = [
    "Tuple",
    "Block",
    "Exact leakage, nats",
    "Paper’s estimate",
    "Mean bound",
    ...Object.values(KIND_NAMES).map((kind) => `ρ, ${kind}`),
  ].map((head) => h("th", { scope: "col" }, head));
  const el = h("div", { class: "sr-only" }, h("table", {}, caption, h("thead", {}, h("tr", {}, ...heads)), body));
  let timer: ReturnType<typeof setTimeout> | null = null;

  function draw({ naming, blocks, shown, tuple, busy }: GraphTableProps): void {
    renew(caption, `Leakage about every ${naming.noun}, and coefficients given ${nameOf(naming, tuple)}`);
    const rows = naming.names.map((_, k) => {
      const number = (write: (found: Shown) => string): HTMLElement => h("td", {}, busy || !shown ? "…" : write(shown));
      const joined = blocks[k] === blocks[tuple] && k !== tuple;
      const rho = (kind: "exact" | "mean" | "eq18"): HTMLElement =>
        joined
          ? number((found) => coefficient(coefficientOf(found, kind, tuple, k)))
          : h("td", {}, k === tuple ? "itself" : "0");
      const paper = (found: Shown): string => {
        const error = paperError(found, k);
        return error ? `${nats(found.paper[k] as number, found.exact[k])}, too ${error.direction}` : "the same";
      };
      const mean = (found: Shown): string => (Number.isNaN(found.mean[k]) ? "none" : nats(found.mean[k] as number));
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, nameOf(naming, k)),
        h("td", {}, String((blocks[k] ?? 0) + 1)),
        number((found) => nats(found.exact[k] as number, found.epsilon)),
        number(paper),
        number(mean),
        rho("exact"),
        rho("mean"),
        rho("eq18"),
      );
    });
    renew(body, ...rows);
  }

  draw(initial);
  return {
    el,
    update(next) {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => {
        timer = null;
        draw(next);
      }, PAUSE);
    },
    destroy() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
