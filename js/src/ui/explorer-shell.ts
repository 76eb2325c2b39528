/** What every explorer does around its parts: undo by keys, its width, when it is drawn, and its end. */
import { listen } from "./dom";
import { historyKey } from "./gestures";
import type { Root } from "./root";

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
