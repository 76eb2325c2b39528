/**
 * Lines that speak to the person: an error, a lost kernel, a remark, and a computation that takes longer than a
 * moment.
 */
import { button, h, icon, INFO, listen, PLUG, setAttr, setText, WARN, type Component } from "./dom";
import type { ProgressState, Running } from "./protocol";
import { BUSY_AFTER, type Loss, type Model, type Way } from "./session";

// A computation that takes longer than a moment: shown once it has lasted, with the share done and a way to end
// it. The numbers it will replace stay on screen until then.

export interface RunningDesk {
  /** What is computed, once that has lasted. */
  shown(view: { running: Running | null }): Running | null;
  /** Share done, 0 to 1. */
  share(running: Running): number;
  cancel(running: Running): void;
  /** Compute what was given up after all. */
  resume(): void;
  destroy(): void;
}

export function createRunningDesk(model: Model, came: () => void): RunningDesk {
  let since: number | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  model.on("change:_progress", came);
  function forget(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }
  return {
    shown({ running }) {
      if (!running) {
        forget();
        since = null;
        return null;
      }
      // One that takes the place of another goes on waiting.
      since ??= Date.now();
      const left = BUSY_AFTER - (Date.now() - since);
      if (left <= 0) return running;
      timer ??= setTimeout(() => {
        timer = null;
        came();
      }, left);
      return null;
    },
    share({ number }) {
      const told = (model.get("_progress") as ProgressState | undefined) ?? {};
      return told.of === number ? Math.min(1, Math.max(0, told.share ?? 0)) : 0;
    },
    cancel: ({ number }) => model.send?.({ cancel: number }),
    resume: () => model.send?.({ resume: true }),
    destroy() {
      forget();
      model.off("change:_progress", came);
    },
  };
}

export interface RunningProps {
  running: Running | null;
  share: number;
}

/** The line of a computation: said once to a screen reader, whose progress bar then tells the share. */
export function createRunningLine(first: RunningProps, onCancel: (running: Running) => void): Component<RunningProps> {
  let props = first;
  const fill = h("span", { class: "px-done" });
  const bar = h("span", { class: "line-bar", role: "progressbar", "aria-label": "Computing", "aria-valuemin": 0, "aria-valuemax": 100 }, fill);
  const words = h("span", { role: "status" });
  const percent = h("span", { class: "px-percent", "aria-hidden": "true" });
  const cancel = button("Cancel");
  const el = h("div", { class: "line px-running", "data-kind": "busy" }, bar, h("span", { class: "line-text" }, words, " ", percent), cancel);
  listen(cancel, "click", () => props.running && onCancel(props.running));

  function draw(): void {
    const { running } = props;
    el.hidden = running === null;
    if (!running) return setText(words, "");
    const done = Math.floor(props.share * 100);
    setText(words, running.paper ? "Computing the paper’s estimate." : "Computing. Numbers return when all are new.");
    setText(percent, `${done} %`);
    setAttr(bar, "aria-valuenow", done);
    fill.style.width = `${done}%`;
  }

  draw();
  return {
    el,
    update(next) {
      const before = props.running;
      const focused = before !== null && next.running === null && el.contains((el.getRootNode() as Document | ShadowRoot).activeElement);
      props = next;
      draw();
      // What was pressed is gone: what came in its place is at hand.
      if (focused)
        (
          el.parentElement?.querySelector<HTMLElement>(".line:not([hidden]) > .button:not([hidden])") ??
          el.closest<HTMLElement>("[tabindex]")
        )?.focus();
    },
    destroy: () => el.remove(),
  };
}

// Lines that speak to the person: an error, work under way, a lost kernel, a remark.

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
