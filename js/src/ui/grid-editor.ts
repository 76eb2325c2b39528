/** The one text field of a grid; it sits inside the cell it edits. */
import { h, listen, setAttr } from "./dom";

export interface EditorState {
  text: string;
  initial: string;
  selection: [number, number];
  replacing: boolean;
  label: string;
}

export interface EditorCallbacks {
  commit(text: string): void;
  /** The focus goes on by this many rows and columns; returns what commits the cell that was edited. */
  leave(rows: number, columns: number): (text: string) => void;
  /** The edit was given up: the focus goes back to the cell. */
  restore(): void;
}

export interface Editor {
  readonly isOpen: boolean;
  holds(target: EventTarget | null): boolean;
  /** `typed` replaces the content; null edits what is there. */
  open(cell: HTMLElement, content: string, typed: string | null, label: string): void;
  close(commit: boolean): void;
  /** Takes the field out of the page without ending the edit. */
  detach(): EditorState | null;
  attach(cell: HTMLElement, state: EditorState): void;
}

export function createEditor(on: EditorCallbacks): Editor {
  const input = h("input", { class: "gr-edit", type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  let cell: HTMLElement | null = null;
  let initial = "";
  /** Typing replaced the content: arrows then leave the cell, as in a spreadsheet. */
  let replacing = false;

  /** `first` may move the focus: asked for later, that would lay out the changed page before anything is sent. */
  function take(first?: () => void): void {
    const from = cell;
    cell = null;
    first?.();
    from?.removeAttribute("data-editing");
    input.remove();
  }

  function close(commit: boolean, step?: [number, number]): void {
    if (!cell) return;
    const text = input.value;
    let put = on.commit;
    take(step && (() => (put = on.leave(...step))));
    if (commit && text !== initial) put(text);
  }

  function show(into: HTMLElement, label: string): void {
    cell = into;
    setAttr(into, "data-editing", true);
    setAttr(input, "aria-label", label);
    into.append(input);
    input.focus();
  }

  listen(input, "keydown", (event) => {
    const { key, shiftKey } = event;
    if (event.isComposing) return;
    const arrow = replacing && !shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const step: [number, number] | null =
      key === "Enter" ? [shiftKey ? -1 : 1, 0]
      : key === "Tab" ? [0, shiftKey ? -1 : 1]
      : arrow && key === "ArrowUp" ? [-1, 0]
      : arrow && key === "ArrowDown" ? [1, 0]
      : arrow && key === "ArrowLeft" ? [0, -1]
      : arrow && key === "ArrowRight" ? [0, 1]
      : null;
    if (step) {
      event.preventDefault();
      close(true, step);
    } else if (key === "Escape") {
      event.preventDefault();
      close(false);
      on.restore();
    } else if (key === "F2") replacing = false;
  });
  listen(input, "pointerdown", () => (replacing = false));
  listen(input, "blur", () => close(true));

  return {
    get isOpen() {
      return cell !== null;
    },
    holds: (target) => target === input,
    open(into, content, typed, label) {
      close(true);
      initial = content;
      replacing = typed !== null;
      input.value = typed ?? content;
      show(into, label);
      if (typed === null) input.select();
      else input.setSelectionRange(input.value.length, input.value.length);
    },
    close,
    detach() {
      if (!cell) return null;
      const state: EditorState = {
        text: input.value,
        initial,
        selection: [input.selectionStart ?? 0, input.selectionEnd ?? 0],
        replacing,
        label: input.getAttribute("aria-label") ?? "",
      };
      take();
      return state;
    },
    attach(into, state) {
      initial = state.initial;
      replacing = state.replacing;
      input.value = state.text;
      show(into, state.label);
      input.setSelectionRange(...state.selection);
    },
  };
}
