/** A horizontal drag on a cell changes its value; Escape takes it back. */

const PIXELS_PER_STEP = 4;
const SLOP = 4;

export type DragPhase = "start" | "move" | "end" | "cancel";

/**
 * Follows the pointer that pressed `cell`. Vertical movement is left to scrolling. Moves are reported
 * at most once a frame; the distance already gone is kept when Shift is pressed or released.
 */
export function followDrag(cell: HTMLElement, press: PointerEvent, report: (phase: DragPhase, steps: number) => void): void {
  const doc = cell.ownerDocument;
  let dragging = false;
  let steps = 0;
  let last = press.clientX;
  let frame = 0;

  const move = (event: PointerEvent): void => {
    if (event.pointerId !== press.pointerId) return;
    const dx = event.clientX - press.clientX;
    if (!dragging) {
      if (Math.abs(dx) < SLOP || Math.abs(dx) < Math.abs(event.clientY - press.clientY)) return;
      dragging = true;
      last = press.clientX;
      cell.setAttribute("data-dragging", "");
      report("start", 0);
    }
    steps += ((event.clientX - last) / PIXELS_PER_STEP) * (event.shiftKey ? 0.1 : 1);
    last = event.clientX;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      report("move", steps);
    });
  };
  const finish = (phase: "end" | "cancel"): void => {
    for (const [type, listener] of listeners) doc.removeEventListener(type, listener as EventListener, true);
    cancelAnimationFrame(frame);
    cell.removeAttribute("data-dragging");
    if (dragging) report(phase, phase === "end" ? steps : 0);
  };
  const up = (event: PointerEvent): void => {
    if (event.pointerId === press.pointerId) finish("end");
  };
  const cancel = (event: PointerEvent): void => {
    if (event.pointerId === press.pointerId) finish("cancel");
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !dragging) return;
    event.preventDefault();
    event.stopPropagation();
    finish("cancel");
  };
  const listeners: [string, unknown][] = [
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", cancel],
    ["keydown", key],
  ];
  for (const [type, listener] of listeners) doc.addEventListener(type, listener as EventListener, true);
}
