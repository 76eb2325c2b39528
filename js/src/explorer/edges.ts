/** The edges of the chosen adversary as a table: IC and IR as the paper has them, and the exact correlation. */
import { h, renew, type Component } from "../ui/dom";
import { change, fixed } from "../ui/format";
import type { Link } from "./protocol";
import { nameOf, type Naming } from "./words";

export interface EdgesProps {
  links: readonly Link[];
  naming: Naming;
  /** What the adversary knows. */
  known: readonly number[];
  /** Numbers are awaited. */
  busy: boolean;
  /** All known values that can occur count, not those of one row. */
  worst: boolean;
}

/** "without item 2": to the one who no longer knows it. "with item 3 too": from the one who knows it as well. */
export function edgeName(link: Link, { naming, known }: Pick<EdgesProps, "naming" | "known">, limit = 24): string {
  const name = nameOf(naming, link.removed, limit);
  return known.includes(link.removed) ? `without ${name}` : `with ${name} too`;
}

/** One number, or the smallest and the largest. */
export function span(ends: readonly [number, number] | null): string {
  if (!ends) return "–";
  const [low, high] = [change(ends[0]), change(ends[1])];
  return low === high ? low : `${low} to ${high}`;
}

export function createEdges(initial: EdgesProps): Component<EdgesProps> {
  const body = h("tbody");
  const note = h("p", { class: "small muted" });
  const head = (text: string, title: string): HTMLElement => h("th", { scope: "col", title }, text);
  const table = h(
    "table",
    { class: "px-edges-table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Edge"),
        head("IC, nats", "Increment, as printed in the paper (Eq. 9)"),
        head("IR", "Increment ratio, as printed in the paper (Eq. 12)"),
        head("ρ", "Correlation of the two contributions given the known values (Eq. 13), exact"),
      ),
    ),
    body,
  );
  const el = h("details", { class: "px-edges" }, h("summary", {}, "Edges: IC, IR and correlation"), table, note);

  function draw(props: EdgesProps): void {
    el.hidden = props.links.length === 0;
    const number = (text: string): HTMLElement => h("td", {}, props.busy ? "…" : text);
    renew(
      body,
      ...props.links.map((link) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", title: edgeName(link, props, 300) }, edgeName(link, props)),
          number(span(link.ic)),
          number(span(link.ir)),
          number(link.rho === null ? "–" : fixed(link.rho, 3)),
        ),
      ),
    );
    renew(
      note,
      "IC and IR as printed in the paper: what knowing that tuple no longer adds to its estimate. ρ exact: " +
        "correlation of the two contributions, " +
        `${props.worst ? "over all known values the one farthest from 0" : "given what stays known"}.`,
    );
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
