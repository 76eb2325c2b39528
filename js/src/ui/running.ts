/**
 * A computation that takes longer than a moment: shown once it has lasted, with the share done and a way to end
 * it. The numbers it will replace stay on screen until then.
 */
import type { Component } from "./component";
import { button, h, listen, setAttr, setText } from "./dom";
import type { ProgressState, Running } from "./protocol";
import type { Model } from "./session";
import { BUSY_AFTER } from "./session";

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
