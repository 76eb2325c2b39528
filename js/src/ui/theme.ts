/**
 * The root of a widget: style sheets, light or dark as the host is, and a fence for the keyboard, so
 * that nothing typed here cuts, inserts or runs a cell of the notebook.
 */
import { h, setAttr } from "./dom";
import { containKeys } from "./keys";
import { measureLike } from "./lettering";
import tokens from "./tokens.css";

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
