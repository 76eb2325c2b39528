/** The head of the explorer: its name, what the data are, undo and redo, the picture, and what all this is. */
import type { Component } from "../ui/component";
import { h, listen, setAttr, setAttrs, setText } from "../ui/dom";
import { count } from "../ui/format";
import { INFO, PICTURE, REDO, UNDO, icon } from "../ui/icons";
import { clip, isolate } from "../ui/lettering";
import { inlineMark, type Mark } from "../ui/marks";

export interface HeaderProps {
  title: string;
  canUndo: boolean;
  canRedo: boolean;
  /** Python is there to draw the picture. */
  canSave: boolean;
  disabled: boolean;
}

export interface HeaderEvents {
  onUndo(): void;
  onRedo(): void;
  onSave(): void;
}

const LEGEND: [Mark, string][] = [
  ["exact", "exact: computed from the table, no approximation"],
  ["promise", "promise: what the noise guarantees for one tuple on its own, GS/λ"],
  ["paper", "paper’s estimate: the chain rule as printed; it may be too low or too high"],
  ["bound", "group bound: holds for every table and every adversary"],
  ["low", "the paper’s estimate is too low here"],
  ["high", "the paper’s estimate is too high here"],
];

const SAVE = "Save the picture (SVG)";

let popovers = 0;

/** What the data are: their title or their tuples, and how many records they come from unless the title says it. */
export function headline(title: string, names: readonly string[], records: number | null): string {
  const of = records === null || title.replace(/\D/g, "").includes(String(records)) ? "" : count(records, "record");
  return [title || names.slice(0, 12).join(", "), of].filter(Boolean).join(", ");
}

export function createHeader(initial: HeaderProps, events: HeaderEvents): Component<HeaderProps> {
  const title = h("span", { class: "px-title muted" });
  const undo = tool(UNDO, "Undo (Ctrl Z)", events.onUndo);
  const redo = tool(REDO, "Redo (Ctrl Shift Z)", events.onRedo);
  const save = tool(PICTURE, SAVE, () => {
    if (save.getAttribute("aria-disabled") === null) events.onSave();
  });
  const info = tool(INFO, "What is this?", () => toggle(popover.hidden));
  const popover = createInfo();
  setAttrs(info, {
    "aria-expanded": "false",
    "aria-controls": popover.id,
  });
  const tools = h("span", { class: "px-tools" }, undo, redo, save, info, popover);
  const el = h("div", { class: "px-head" }, h("h2", {}, "Prior knowledge"), title, tools);

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

  function draw(props: HeaderProps): void {
    setText(title, isolate(clip(props.title, 300)));
    setAttr(title, "title", clip(props.title, 2000) || null);
    undo.disabled = props.disabled || !props.canUndo;
    redo.disabled = props.disabled || !props.canRedo;
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
      el.remove();
    },
  };
}

function tool(path: string, label: string, run: () => void): HTMLButtonElement {
  const button = h("button", { type: "button", class: "icon-button", "aria-label": label, title: label }, icon(path));
  listen(button, "click", run);
  return button;
}

function createInfo(): HTMLDivElement {
  popovers += 1;
  return h(
    "div",
    { class: "px-info", id: `px-info-${popovers}`, role: "dialog", "aria-label": "What is this?", tabindex: -1, hidden: true },
    h("h3", {}, "What is this?"),
    h(
      "p",
      {},
      "A number is published with Laplace noise. The noise promises that no single tuple leaks more than the promise. ",
      "When tuples hang together, someone who knows some of them can learn more about another. ",
      "Here you see how much, exactly, for every such adversary.",
    ),
    h(
      "p",
      {},
      "Leakage is the largest change of the log odds of two values that any published r can cause, in nats. ",
      "Edit the table, drag the scale, choose who knows what.",
    ),
    h("h3", {}, "Marks"),
    h("ul", {}, ...LEGEND.map(([kind, words]) => h("li", {}, h("span", {}, inlineMark(kind)), h("span", {}, words)))),
    h("h3", {}, "Paper"),
    h(
      "p",
      {},
      "Y. Li, X. Ren, S. Yang, X. Yang: Impact of Prior Knowledge and Data Correlation on Privacy Leakage: A Unified Analysis.",
    ),
  );
}
