/** The numbers of the graph as a plain table for screen readers. Follows the picture after a short pause. */
import { h, setText } from "../ui/dom";
import { isDetermined, type Scene } from "./data";
import { adversaryCount, adversaryOf } from "./nodes";
import { shown, shownPaper } from "./words";

const PAUSE = 250;

export interface HiddenTable {
  readonly el: HTMLElement;
  update(scene: Scene): void;
  destroy(): void;
}

export function createHiddenTable(n: number): HiddenTable {
  const heading = h("th", { scope: "col" }, "Paper’s estimate");
  const body = h("tbody");
  const cells: HTMLElement[][] = [];
  for (let flat = 0; flat < adversaryCount(n); flat++) {
    const row = [h("th", { scope: "row" }), h("td"), h("td"), h("td")];
    cells.push(row);
    body.append(h("tr", {}, ...row));
  }
  const columns = ["About", "Knows", "Exact leakage, nats"].map((title) => h("th", { scope: "col" }, title));
  const el = h(
    "div",
    { class: "sr-only" },
    h("table", {}, h("caption", {}, "Leakage of every adversary"), h("thead", {}, h("tr", {}, ...columns, heading)), body),
  );
  let timer: ReturnType<typeof setTimeout> | null = null;

  function draw(scene: Scene): void {
    heading.hidden = !scene.paper;
    cells.forEach((row, flat) => {
      const { target, known } = adversaryOf(n, flat);
      const spoken = scene.names.spoken;
      const [about, knows, exact, paper] = row as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
      setText(about, spoken[target] as string);
      setText(knows, known.length ? known.map((tuple) => spoken[tuple]).join(", ") : "none of the others");
      setText(exact, isDetermined(scene.data, flat) && !scene.busy ? "0, determined" : shown(scene, flat));
      paper.hidden = !scene.paper;
      setText(paper, shownPaper(scene, flat) || "the same");
    });
  }

  let drawn = false;
  return {
    el,
    update(scene) {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => {
        timer = null;
        drawn = true;
        draw(scene);
      }, drawn ? PAUSE : 0);
    },
    destroy() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
