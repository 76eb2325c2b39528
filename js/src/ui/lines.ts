/** Lines that speak to the person: an error, work under way, a lost kernel, a remark. */
import type { Component } from "./component";
import { button, h, listen, setAttr, setText } from "./dom";
import { INFO, PLUG, WARN, icon } from "./icons";

export interface LineProps {
  kind: "error" | "busy" | "disconnected" | "info";
  /** The culprit or the state, in bold; may be empty. */
  title?: string;
  /** With title and text both empty the line is not shown. */
  text: string;
  /** The one thing that helps: Normalise, Cancel. */
  action?: { label: string; run(): void } | null;
}

export const NO_KERNEL: LineProps = {
  kind: "disconnected",
  title: "No kernel.",
  text: "You see the last state. Editing is off until the kernel is back; nothing you typed was lost.",
};

export const SILENT_KERNEL: LineProps = {
  kind: "disconnected",
  title: "The kernel does not answer.",
  text: "It may be busy with another cell, or stopped. What you entered is kept here and takes effect once it answers.",
};

const ICONS: Record<LineProps["kind"], string | null> = { error: WARN, busy: null, disconnected: PLUG, info: INFO };

export function createLine(first: LineProps): Component<LineProps> {
  let props = first;
  let drawn: LineProps["kind"] | null = null;
  const title = h("b");
  const text = h("span");
  const sign = h("span", { class: "line-sign" });
  const action = button("");
  const bar = h("span", { class: "line-bar", role: "progressbar", "aria-label": "At work" });
  const el = h("div", { class: "line", role: "status" }, bar, sign, h("span", { class: "line-text" }, title, text), action);
  listen(action, "click", () => props.action?.run());

  function draw(): void {
    const { kind } = props;
    if (kind !== drawn) {
      drawn = kind;
      const path = ICONS[kind];
      sign.replaceChildren(...(path ? [icon(path)] : []));
      setAttr(el, "data-kind", kind);
      // Errors interrupt a screen reader; the rest waits for its turn.
      setAttr(el, "aria-live", kind === "error" ? "assertive" : "polite");
    }
    el.hidden = !props.text && !props.title;
    setText(title, props.title ? `${props.title} ` : "");
    setText(text, props.text);
    action.hidden = !props.action;
    setText(action, props.action?.label ?? "");
    bar.hidden = kind !== "busy";
  }
  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy: () => el.remove(),
  };
}
