/** No matrix yet: two ways to begin. */
import { button, h, listen, type Component } from "../ui/dom";
import { createLine } from "../ui/lines";
import { createImportPanel, readMatrix } from "./import";

export interface EmptyProps {
  disabled: boolean;
}

/** How many tuples a fresh matrix has. */
const TUPLES = 3;

export function createEmpty(first: EmptyProps, onImport: (names: string[] | null, cov: Float64Array) => void): Component<EmptyProps> {
  const paste = button("Paste a matrix");
  const fresh = button(`Independent, ${TUPLES} tuples`);
  const line = createLine({ kind: "info", text: "" });
  const panel = createImportPanel(
    (text) => {
      const read = readMatrix(text);
      line.update(read.ok ? { kind: "info", text: "" } : { kind: "error", title: read.title, text: read.text });
      if (read.ok) onImport(read.names, read.cov);
    },
    () => paste.focus(),
  );
  const el = h(
    "div",
    { class: "mx-empty" },
    h("p", {}, "No matrix yet. Paste covariances, or start here."),
    h("div", { class: "jt-buttons" }, paste, fresh),
    line.el,
    panel.el,
  );
  listen(paste, "click", panel.open);
  listen(fresh, "click", () => onImport(null, Float64Array.from({ length: TUPLES * TUPLES }, (_, k) => (k % (TUPLES + 1) === 0 ? 1 : 0))));
  const draw = ({ disabled }: EmptyProps): void => void (paste.disabled = fresh.disabled = disabled);
  draw(first);
  return { el, update: draw, destroy: () => el.remove() };
}
