/** The line below the graph that says how to read it. */
import { h, setText } from "../ui/dom";
import { clip } from "../ui/lettering";
import { inlineBadge } from "../ui/marks";
import { isDetermined, paperError, type Scene } from "./data";
import { targetOf } from "./nodes";

export interface Caption {
  readonly el: HTMLElement;
  update(scene: Scene): void;
}

export function createCaption(): Caption {
  const [start, lead, same, edges, determined] = Array.from({ length: 5 }, () => h("span")) as unknown as [Node, Node, Node, Node, Node];
  const paper = h("span", {}, lead, inlineBadge("low"), " too low or ", inlineBadge("high"), " too high. ");
  const el = h("p", { class: "muted small lg-caption" }, start, paper, same, edges, determined);
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
              ? `First line: known ${names.numbered ? "items" : "tuples"}. `
              : "",
      );
      const apart = data.exact.some((_, k) => paperError(scene, k) !== null);
      paper.hidden = !apart;
      setText(same, scene.paper && !apart ? "The paper’s estimate is the same everywhere. " : "");
      setText(lead, squares ? "Corners: the paper’s estimate is " : `${strips ? "In table and cards" : "Second number"}: the paper’s estimate, `);
      const marked = (data.increments !== null && data.n > 1) || (scene.edges?.length ?? 0) > 0;
      setText(edges, marked ? `On edges: ${scene.paper ? "its" : "the paper’s"} increments. ` : "");
      const count = data.exact.filter((_, k) => isDetermined(data, k)).length;
      setText(determined, count ? `Dashed: determined, nothing is left to learn (${count}). ` : "");
      el.hidden = !el.textContent;
    },
  };
}
