/** Keys: what a press means here, and a fence that keeps presses from the notebook around us. */

/** Undo or redo as the platforms write them: Ctrl or Cmd with Z, Shift+Z or Y. */
export function historyKey(event: KeyboardEvent): "undo" | "redo" | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

/** With a key that makes it a shortcut of the host or the browser. */
export function isModified(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** A press that would put a character into a text field. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !isModified(event) && !event.isComposing;
}

const FENCED = ["keydown", "keypress", "keyup", "copy", "cut", "paste"] as const;

/**
 * Lumino reads shortcuts on the document in the capture phase and honours the attribute; hosts that
 * listen while events bubble never see them.
 */
export function containKeys(root: HTMLElement): () => void {
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  const stop = (event: Event): void => event.stopPropagation();
  for (const type of FENCED) root.addEventListener(type, stop);
  return () => {
    for (const type of FENCED) root.removeEventListener(type, stop);
  };
}
