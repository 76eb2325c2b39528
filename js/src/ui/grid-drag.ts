/** A horizontal drag on a cell changes its value; Escape takes it back. */

import { followPointer } from "./pointer";

const PIXELS_PER_STEP = 4;
const SLOP = 4;

export type DragPhase = "start" | "move" | "end" | "cancel";

/**
 * Follows the pointer that pressed `cell`. Vertical movement is left to scrolling. Moves are reported
 * at most once a frame; the distance already gone is kept when Shift is pressed or released.
 */
export function followDrag(cell: HTMLElement, press: PointerEvent, report: (phase: DragPhase, steps: number) => unknown): void {
  let dragging = false;
  let steps = 0;
  let last = press.clientX;
  let frame = 0;
  followPointer(press, {
    active: () => dragging,
    move(event) {
      if (!dragging) {
        const dx = Math.abs(event.clientX - press.clientX);
        if (dx < SLOP || dx < Math.abs(event.clientY - press.clientY)) return;
        dragging = true;
        cell.setAttribute("data-dragging", "");
        report("start", 0);
      }
      steps += ((event.clientX - last) / PIXELS_PER_STEP) * (event.shiftKey ? 0.1 : 1);
      last = event.clientX;
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        report("move", steps);
      });
    },
    end(_, kept) {
      cancelAnimationFrame(frame);
      cell.removeAttribute("data-dragging");
      if (dragging) report(kept ? "end" : "cancel", steps);
    },
  });
}
