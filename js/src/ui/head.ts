/** The head of an explorer: its name, what the data are, undo and redo, the picture, and what all this is. */
import { COPY, h, icon, INFO, listen, PICTURE, REDO, setAttr, setAttrs, setText, UNDO, type Component } from "./dom";
import { clip, isolate } from "./lettering";
import { inlineMark, type Mark } from "./marks";

export interface HeadProps {
  title: string;
  canUndo: boolean;
  canRedo: boolean;
  /** Python is there to draw the picture. */
  canSave: boolean;
  disabled: boolean;
}

export interface HeadEvents {
  onUndo(): void;
  onRedo(): void;
  onSave(): void;
  onCopy(): void;
}

/** What the explorer says about itself. */
export interface HeadWords {
  name: string;
  /** Paragraphs of "What is this?". */
  about: readonly string[];
  legend: readonly (readonly [Mark, string])[];
  paper: string;
  /** The page of the documentation and the section in it that has the equation of the exact numbers. */
  equation: `${string}#${string}`;
}

const SAVE = "Save the picture (SVG)";

let popovers = 0;

export function createHead(words: HeadWords, initial: HeadProps, events: HeadEvents): Component<HeadProps> {
  const title = h("span", { class: "px-title muted" });
  const undo = tool(UNDO, "Undo (Ctrl Z)", events.onUndo);
  const redo = tool(REDO, "Redo (Ctrl Shift Z)", events.onRedo);
  const save = tool(PICTURE, SAVE, () => {
    if (save.getAttribute("aria-disabled") === null) events.onSave();
  });
  // Where Python is there: a document in JupyterLab says it by its toolbar too.
  const copy = tool(COPY, "Copy as Python", events.onCopy);
  const info = tool(INFO, "What is this?", () => toggle(popover.hidden));
  const popover = createInfo(words);
  setAttrs(info, {
    "aria-expanded": "false",
    "aria-controls": popover.id,
  });
  const tools = h("span", { class: "px-tools" }, undo, redo, copy, save, info, popover);
  const hint = createHint();
  const el = h("div", {}, h("div", { class: "px-head", "data-equation": words.equation }, h("h2", {}, words.name), title, tools), hint.el);

  function toggle(open: boolean): void {
    popover.hidden = !open;
    setAttr(info, "aria-expanded", String(open));
    if (open) popover.focus({ preventScroll: true });
  }
  listen(tools, "keydown", (event) => {
    if (event.key !== "Escape" || popover.hidden) return;
    event.preventDefault();
    toggle(false);
    info.focus();
  });
  const outside = (event: Event): void => {
    if (!popover.hidden && !event.composedPath().includes(tools)) toggle(false);
  };
  document.addEventListener("pointerdown", outside, true);
  // Leaving with the keyboard closes it too.
  listen(tools, "focusout", (event) => {
    if (event.relatedTarget instanceof Node && !tools.contains(event.relatedTarget)) toggle(false);
  });

  function draw(props: HeadProps): void {
    setText(title, isolate(clip(props.title, 300)));
    setAttr(title, "title", clip(props.title, 2000) || null);
    undo.disabled = props.disabled || !props.canUndo;
    redo.disabled = props.disabled || !props.canRedo;
    copy.hidden = !props.canSave;
    // Not `disabled`: a control that says why it is off must be reachable.
    const label = props.canSave ? SAVE : `${SAVE}: off, it needs a running kernel`;
    setAttrs(save, { "aria-disabled": props.canSave ? null : "true", "aria-label": label, title: label });
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      document.removeEventListener("pointerdown", outside, true);
      hint.destroy();
      el.remove();
    },
  };
}

const HINT = "Drag or type: numbers underlined with dots, cells of tables, sliders, and the handles of charts.";
/** Under this name a browser keeps that the line was read, and every explorer on the page is told. */
const READ = "pdp-widgets-hint-read";
let read = false;

function wasRead(): boolean {
  try {
    return read || localStorage.getItem(READ) !== null;
  } catch {
    // A page that may keep nothing.
    return read;
  }
}

/** At first sight one line says what can be touched, until somebody has read it. */
function createHint(): { el: HTMLElement; destroy(): void } {
  const close = h("button", { type: "button", class: "px-quiet" }, "Got it");
  const el = h("p", { class: "px-hint small muted", hidden: wasRead() }, icon(INFO, 12), h("span", {}, HINT), close);
  const hide = (): void => {
    read = true;
    el.hidden = true;
  };
  listen(close, "click", () => {
    try {
      localStorage.setItem(READ, "1");
    } catch {
      // It is forgotten with the page.
    }
    document.dispatchEvent(new Event(READ));
  });
  document.addEventListener(READ, hide);
  return { el, destroy: () => document.removeEventListener(READ, hide) };
}

function tool(path: string, label: string, run: () => void): HTMLButtonElement {
  const button = h("button", { type: "button", class: "icon-button", "aria-label": label, title: label }, icon(path));
  listen(button, "click", run);
  return button;
}

function createInfo({ about, legend, paper }: HeadWords): HTMLDivElement {
  popovers += 1;
  return h(
    "div",
    { class: "px-info", id: `px-info-${popovers}`, role: "dialog", "aria-label": "What is this?", tabindex: -1, hidden: true },
    h("h3", {}, "What is this?"),
    ...about.map((text) => h("p", {}, text)),
    h("h3", {}, "Marks"),
    h("ul", {}, ...legend.map(([kind, text]) => h("li", {}, h("span", {}, inlineMark(kind)), h("span", {}, text)))),
    h("h3", {}, "Paper"),
    h("p", {}, paper),
  );
}
