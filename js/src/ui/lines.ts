/** Lines that speak to the person: an error, work under way, a lost kernel, a remark. */
import { button, component, h, icon, INFO, listen, PLUG, setAttr, setText, WARN, type Component } from "./dom";
import type { Loss, Way } from "./session";

export interface LineProps {
  kind: "error" | "busy" | "disconnected" | "info";
  /** The culprit or the state, in bold; may be empty. */
  title?: string;
  /** With title and text both empty the line is not shown. */
  text: string;
  /** The one thing that helps: Normalise, Cancel. */
  action?: { label: string; run(): void } | null;
}

/** What each loss is called, and what has to be done before the cell is run. */
const LOSSES: Record<Loss, [title: string, first: string]> = {
  restarted: ["The kernel was restarted.", "To edit, run"],
  died: ["The kernel died and was started again.", "To edit, run"],
  dead: ["The kernel has ended.", "To edit, start one and run"],
  "shut down": ["The kernel was shut down.", "To edit, start one and run"],
  closed: ["This widget was closed in Python.", "To edit, run"],
  none: ["No kernel.", "To edit, open the notebook with a kernel and run"],
};

const KEPT = "What you enter is kept here and takes effect once it answers.";

/** What the session of a view knows of the other end. */
export interface OtherEnd {
  loss(): Loss | null;
  way(): Way;
  silent(): boolean;
  cell(): string | null;
}

/** What to say where nobody listens any more: what happened, and which cell makes the widget anew. */
export function lossLine(session: OtherEnd): LineProps | null {
  const loss = session.loss();
  if (loss === null) return null;
  const [title, first] = LOSSES[loss];
  const cell = session.cell();
  const needed = loss === "closed" ? "." : ", after the cells that it needs.";
  return { kind: "disconnected", title, text: `You see the last state. ${first} ${cell === null ? "its cell" : `cell [${cell}]`}${needed}` };
}

/** What to say where somebody may listen, but does not answer. */
export function silenceLine(session: OtherEnd): LineProps | null {
  const way = session.way();
  if (way === "open") {
    if (!session.silent()) return null;
    return { kind: "disconnected", title: "The kernel does not answer.", text: `It may be busy with another cell, or stopped. ${KEPT}` };
  }
  const next = way === "tried" ? "It is being tried again." : "To go on, choose “Reconnect to Kernel” in the menu Kernel.";
  return { kind: "disconnected", title: "The connection to the kernel is lost.", text: `${next} ${KEPT}` };
}

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
  return component(el, props, (next) => {
    props = next;
    draw();
  });
}
