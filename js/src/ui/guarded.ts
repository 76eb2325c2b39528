/** What cannot be drawn: the person is told in the view, nothing half-drawn stays, and the next state is tried again. */
import { APART } from "./dom";
import { createLine } from "./lines";
import linesCss from "./lines.css";
import { CANNOT_SHOW, type Model } from "./session";
import { createRoot } from "./theme";

export interface Host<M> {
  model: M;
  el: HTMLElement;
}

export type Render<M> = (host: Host<M>) => () => void;

/** A line in place of the view, and the end of it; the picture beside the view stays. */
export function tell(el: HTMLElement, title: string, text: string): () => void {
  const theme = createRoot(el, [linesCss]);
  const line = createLine({ kind: "error", title, text });
  theme.root.append(line.el);
  el.toggleAttribute(APART, true);
  return () => {
    el.removeAttribute(APART);
    line.destroy();
    theme.destroy();
  };
}

/** The model, which notes what is listened to: a drawing that fails must not go on hearing. */
function overheard(model: Model, heard: [string, () => void][]): Model {
  return new Proxy({} as Model, {
    get(_, name) {
      const value: unknown = Reflect.get(model, name);
      if (typeof value !== "function") return value;
      return (...values: unknown[]): unknown => {
        if (name === "on") heard.push(values as [string, () => void]);
        return (value as (...values: unknown[]) => unknown).apply(model, values);
      };
    },
  });
}

/** Draws what can be drawn. A page without a kernel is thrown the error: it keeps its picture, and says so beside it. */
export function guarded(render: Render<Model>): Render<Model> {
  return ({ model, el }) => {
    const heard: [string, () => void][] = [];
    try {
      return render({ model: overheard(model, heard), el });
    } catch (error) {
      for (const [event, callback] of heard) model.off(event, callback);
      el.replaceChildren();
      if (model.get("_package") === undefined) throw error;
      console.error(CANNOT_SHOW, error);
      let end = tell(el, "The state of this widget is damaged.", "It cannot be shown. Run the cell again.");
      const stop = (): void => {
        model.off("change:_view", again);
        end();
      };
      const again = (): void => {
        stop();
        end = guarded(render)({ model, el });
      };
      model.on("change:_view", again);
      return stop;
    }
  };
}
