/**
 * The root of a widget: light or dark as the host is, a fence for the keyboard, and what is said where nothing can be
 * drawn.
 */
import { version } from "../../package.json";
import { APART, h, setAttr } from "./dom";
import { containKeys } from "./gestures";
import { measureLike } from "./lettering";
import { createLine } from "./lines";
import linesCss from "./lines.css";
import { looksOther, onPreferences } from "./preferences";
import { CANNOT_SHOW, type Model } from "./session";
import tokens from "./tokens.css";

// The root of a widget: style sheets, light or dark as the host is, and a fence for the keyboard, so
// that nothing typed here cuts, inserts or runs a cell of the notebook.

/** On the element the host gave, so that widgets stand side by side in a box; the host's own layout wins. */
const HOST = "pdp-host";

export interface Root {
  readonly root: HTMLElement;
  dark(): boolean;
  onChange(callback: (dark: boolean) => void): () => void;
  destroy(): void;
}

/** Style elements inside the root: they follow it into shadow trees, clones and detached outputs. */
export function mountStyles(root: HTMLElement, styles: readonly string[]): void {
  for (const css of new Set(styles)) root.append(h("style", {}, css));
}

/** What the host page says about its colours; null when it says nothing. */
export function hostDark(doc: Document): boolean | null {
  const body = doc.body?.dataset ?? {};
  const jupyter = body["jpThemeLight"];
  if (jupyter === "false" || jupyter === "true") return jupyter === "false";
  // Colab and marimo write an attribute or a class, VS Code "vscode-dark", "vscode-high-contrast-light" ...
  const page = doc.documentElement;
  const said = [page.getAttribute("theme"), page.dataset["theme"], body["theme"], page.className, doc.body?.className].join(" ");
  if (/(^| )(vscode-(high-contrast-)?)?light( |$)/.test(said)) return false;
  return /(^| )(vscode-)?(dark|high-contrast)( |$)/.test(said) || null;
}

export function createRoot(el: HTMLElement, styles: readonly string[]): Root {
  const doc = el.ownerDocument;
  const system = doc.defaultView?.matchMedia?.("(prefers-color-scheme: dark)") ?? null;
  const root = h("div", { class: "pdp" });
  mountStyles(root, [tokens, ...styles]);
  const releaseKeys = containKeys(root);
  const listeners = new Set<(dark: boolean) => void>();
  let dark = false;

  const look = (): void => {
    const now = hostDark(doc) ?? system?.matches ?? false;
    setAttr(root, "data-dark", now);
    if (now === dark) return;
    dark = now;
    for (const callback of listeners) callback(dark);
  };
  look();
  const observer = new MutationObserver(look);
  const attributeFilter = ["class", "theme", "data-theme", "data-jp-theme-light"];
  for (const node of [doc.documentElement, doc.body]) if (node) observer.observe(node, { attributeFilter });
  system?.addEventListener?.("change", look);
  el.classList.add(HOST);
  // Some hosts draw a widget before it stands in the page; it has no font there, but the one it will get.
  if (!el.isConnected) doc.body?.append(root);
  else el.append(root);
  measureLike(root);
  if (!el.isConnected) el.append(root);

  return {
    root,
    dark: () => dark,
    onChange(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    destroy() {
      observer.disconnect();
      system?.removeEventListener?.("change", look);
      releaseKeys();
      listeners.clear();
      el.classList.remove(HOST);
      root.remove();
    },
  };
}

// What cannot be drawn: the person is told in the view, nothing half-drawn stays, and the next state is tried again.

export interface Host<M> {
  model: M;
  el: HTMLElement;
}

type Render<M> = (host: Host<M>) => () => void;

/** A line in place of the view, and the end of it; the picture beside the view stays. */
function tell(el: HTMLElement, title: string, text: string): () => void {
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
function guarded(render: Render<Model>): Render<Model> {
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

/** Draws anew when people prefer another unit, other decimals or other colours. */
function preferred(render: Render<Model>): Render<Model> {
  return (host) => {
    let end = render(host);
    const stop = onPreferences((now, before) => {
      if (!looksOther(now, before)) return;
      end();
      end = render(host);
    });
    return () => {
      stop();
      end();
    };
  };
}

// Python and the front end are made for each other. Where they are of different versions, as after an update while
// the kernel runs, both are named and nothing is drawn; the picture beside the view stays.

/** Draws only for a Python of this version, and what can be drawn. A page without a kernel has no Python, and names none. */
export function sameVersion(render: Render<Model>): Render<Model> {
  return (host) => {
    const python = host.model.get("_package");
    if (python === undefined || python === version) return preferred(guarded(render))(host);
    const text =
      `Python runs ${String(python)}, this front end is of ${version}. Restart the kernel and run the notebook ` +
      "again. In a clone, run make build first.";
    return tell(host.el, "Two versions of pdp_widgets.", text);
  };
}
