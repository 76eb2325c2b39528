/** The line below the graph that says how to read it. */
import { h, setText } from "../ui/dom";
import { clip } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import { count as countOf, fixed } from "../ui/format";
import { isDetermined, paperError, standsBack, type LeakageData, type Scene } from "./data";
import { targetOf } from "./nodes";

function countWhere(data: LeakageData, holds: (flat: number) => boolean): number {
  let count = 0;
  for (let flat = 0; flat < data.exact.length; flat++) if (holds(flat)) count += 1;
  return count;
}

/** What stands on the edges around the chosen adversary without the paper's increments. */
export const EXACT_EDGES = "On edges: what forgetting that tuple adds. ";

export interface Caption {
  readonly el: HTMLElement;
  update(scene: Scene): void;
}

export function createCaption(): Caption {
  const [filter, start, lead, same, edges, determined] = Array.from({ length: 6 }, () => h("span")) as unknown as [HTMLElement, Node, Node, Node, Node, Node];
  const paper = h("span", {}, lead, inlineBadge("low"), " too low or ", inlineBadge("high"), " too high. ");
  const el = h("p", { class: "muted small lg-caption" }, filter, start, paper, same, edges, determined);
  return {
    el,
    update(scene) {
      const { data, names } = scene;
      const squares = data.n === 6 || data.n === 7;
      const strips = data.n > 7;
      const about = clip(names.full[targetOf(data.n, scene.chosen)] as string, 24);
      setText(
        start,
        strips
          ? `One dot per adversary; coloured: about ${about}. `
          : squares
            ? "One square per adversary. "
            : data.n > 1
              ? `First line: known ${scene.called ?? (names.numbered ? "items" : "tuples")}. `
              : "",
      );
      const apart = countWhere(data, (k) => paperError(scene, k) !== null) > 0;
      const filtered = scene.only !== null && scene.paper !== null;
      const kept = filtered ? countWhere(data, (k) => !standsBack(scene, k)) : 0;
      const rest = strips ? "the others are left out" : "the others are empty frames";
      setText(
        filter,
        filtered
          ? `Only where the paper’s estimate is too ${scene.only}: ${countOf(kept, "adversary", "adversaries")} of ${fixed(data.exact.length, 0)}; ${rest}. `
          : "",
      );
      paper.hidden = !apart;
      setText(same, scene.paper && !apart ? "The paper’s estimate is the same everywhere. " : "");
      setText(lead, squares ? "Corners: the paper’s estimate is " : `${strips ? "In table and cards" : "Second number"}: the paper’s estimate, `);
      const marked = (data.increments !== null && data.n > 1) || (scene.edges?.length ?? 0) > 0;
      const increments = marked ? `On edges: ${scene.paper ? "its" : "the paper’s"} increments. ` : "";
      setText(edges, strips && !marked ? EXACT_EDGES : increments);
      const count = countWhere(data, (k) => isDetermined(data, k));
      setText(determined, count ? `Dashed: determined, nothing is left to learn (${count}). ` : "");
      el.hidden = !el.textContent;
    },
  };
}
