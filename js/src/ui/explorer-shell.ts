/**
 * What every explorer does around its parts: undo by keys, its width, when it is drawn, its end, and computations that
 * take long.
 */
import { button, h, listen, setAttr, setText, type Component } from "./dom";
import { historyKey } from "./gestures";
import type { ProgressState, Running } from "./protocol";
import type { Root } from "./root";
import { BUSY_AFTER, type Model } from "./session";

// A computation that takes longer than a moment: shown once it has lasted, with the share done and a way to end it. The
// numbers it will replace stay on screen until then.

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

// What may stand on the screen one frame later, so that what the hand moves is drawn before it.

export interface AfterPaint {
  /**
   * Run this after the next frame has been drawn; of several asked for meanwhile the last runs. What took long waits
   * so long that at least three quarters of the time are left for the hand.
   */
  ask(run: () => void): void;
  /** What was asked for is not wanted any more. */
  cancel(): void;
}

export function createAfterPaint(): AfterPaint {
  let wanted: (() => void) | null = null;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let free = -Infinity;

  function cancel(): void {
    cancelAnimationFrame(frame);
    if (timer !== null) clearTimeout(timer);
    [wanted, frame, timer] = [null, 0, null];
  }

  return {
    ask(run) {
      const under = wanted !== null;
      wanted = run;
      if (under) return;
      // A frame's callbacks run before it is drawn: what they put off comes after.
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => {
          const last = wanted;
          cancel();
          const begin = performance.now();
          last?.();
          const now = performance.now();
          free = now + 3 * (now - begin);
        }, Math.max(0, free - performance.now()));
      });
    },
    cancel,
  };
}

/** Widths that explorers are drawn for, px. Narrower than the least, what is wider scrolls in a frame of its own. */
const LEAST = 320;
const MOST = 1200;

type Part = { destroy(): void } | null;

export interface ShellOptions {
  root: Root;
  /** Narrowest width that the parts are drawn for, where it is another one, px. */
  least?: number;
  session: { subscribe(callback: () => void): () => void };
  /** Undo or redo, by the keys. */
  travel(way: "undo" | "redo"): void;
  /** Called before the next drawing. */
  resized(width: number): void;
  draw(): void;
  /** All that ends with it. */
  parts?(): readonly Part[];
}

export interface Shell {
  /** Ends listening, then the parts in their order, and the root last. */
  destroy(parts?: readonly Part[]): void;
}

/** Draws for the first time, and from then on whenever state, colours or width are others. */
export function runShell({ root, least = LEAST, session, travel, resized, draw, parts = () => [] }: ShellOptions): Shell {
  const el = root.root;
  // A field with typing in it that has not been taken over yet has an undo of its own.
  let typing: EventTarget | null = null;
  listen(el, "input", (event) => {
    typing = event.target;
  });
  for (const name of ["change", "focusout"] as const) listen(el, name, () => (typing = null));
  listen(el, "keydown", (event) => {
    if (event.key === "Enter" || event.key === "Escape") typing = null;
    const step = historyKey(event);
    if (step === null || event.defaultPrevented || (typing !== null && typing === event.target)) return;
    event.preventDefault();
    travel(step);
  });

  let width = 0;
  /** Whether the width is another one; hidden it keeps the last, and the observer calls again when it is shown. */
  function measure(): boolean {
    if (el.clientWidth === 0) return false;
    const now = Math.round(Math.min(MOST, Math.max(least, el.clientWidth)));
    if (now === width) return false;
    width = now;
    resized(now);
    return true;
  }

  const observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => measure() && draw());
  observer?.observe(el);
  const unsubscribe = session.subscribe(draw);
  const untheme = root.onChange(draw);
  measure();
  draw();

  return {
    destroy(all = parts()) {
      unsubscribe();
      untheme();
      observer?.disconnect();
      for (const part of all) part?.destroy();
      root.destroy();
    },
  };
}
