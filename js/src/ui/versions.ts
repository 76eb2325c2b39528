/**
 * Python and the front end are made for each other. Where they are of different versions, as after an update while
 * the kernel runs, both are named and nothing is drawn; the picture beside the view stays.
 */
import { version } from "../../package.json";
import { createLine } from "./lines";
import linesCss from "./lines.css";
import { createRoot } from "./theme";

export interface Host<M> {
  model: M;
  el: HTMLElement;
}

type Render<M> = (host: Host<M>) => () => void;

/** On the element the host gave; the style of the picture looks for it. */
const APART = "data-pdp-apart";

/** Draws only for a Python of this version. A page without a kernel has no Python, and names none. */
export function sameVersion<M extends { get(name: string): unknown }>(render: Render<M>): Render<M> {
  return (host) => {
    const python = host.model.get("_package");
    return python === undefined || python === version ? render(host) : tell(host.el, String(python));
  };
}

function tell(el: HTMLElement, python: string): () => void {
  const theme = createRoot(el, [linesCss]);
  const line = createLine({
    kind: "error",
    title: "Two versions of pdp_widgets.",
    text: `Python runs ${python}, this front end is of ${version}. Restart the kernel and run the notebook again. In a clone, run make build first.`,
  });
  theme.root.append(line.el);
  el.toggleAttribute(APART, true);
  return () => {
    el.removeAttribute(APART);
    line.destroy();
    theme.destroy();
  };
}
