/** The line below the graph that says how to read it. */
import { h, setText } from "../ui/dom";
import { inlineMark } from "../ui/marks";
import { isDetermined, paperError, type Scene } from "./data";
import { targetOf } from "./nodes";
import { clip } from "./names";

export interface Caption {
  readonly el: HTMLElement;
  update(scene: Scene): void;
}

export function createCaption(): Caption {
  const start = h("span");
  const paper = h("span", {}, "", inlineMark("low"), " too low or ", inlineMark("high"), " too high. ");
  const lead = document.createTextNode("");
  paper.prepend(lead);
  const same = h("span");
  const edges = h("span");
  const determined = h("span");
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
          ? `One dot per adversary; coloured: about ${about}, grey: about the others. `
          : squares
            ? "One square per adversary. "
            : data.n > 3
              ? `First line: known ${names.numbered ? "items" : "tuples"}. `
              : "",
      );
      let apart = false;
      for (let k = 0; k < data.exact.length && !apart; k++) apart = paperError(scene, k) !== null;
      paper.hidden = !apart;
      setText(same, scene.paper && !apart ? "The paper’s estimate is the same everywhere. " : "");
      setText(lead, squares ? "Corners: the paper’s estimate is " : strips ? "In table and cards: the paper’s estimate, " : "Second number: the paper’s estimate, ");
      const marked = (data.increments !== null && data.n > 1) || (scene.edges?.length ?? 0) > 0;
      setText(edges, !marked ? "" : scene.paper ? "On edges: its increments. " : "On edges: the paper’s increments. ");
      let count = 0;
      for (let k = 0; k < data.exact.length; k++) if (isDetermined(data, k)) count += 1;
      setText(determined, count ? `Dashed: determined, nothing is left to learn (${count}). ` : "");
      el.hidden = !el.textContent;
    },
  };
}
