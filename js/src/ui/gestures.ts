/** What a hand does: keys and the fence around them, where a pointer is in a picture, and a drag on a cell. */
import { listen } from "./dom";

// Keys: what a press means here, and a fence that keeps presses from the notebook around us.

/** Undo or redo as the platforms write them: Ctrl or Cmd with Z, Shift+Z or Y. */
export function historyKey(event: KeyboardEvent): "undo" | "redo" | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && !event.shiftKey ? "redo" : null;
}

/** With a key that makes it a shortcut of the host or the browser. */
export function isModified(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/** A press that would put a character into a text field. */
export function isTyping(event: KeyboardEvent): boolean {
  return event.key.length === 1 && !isModified(event) && !event.isComposing;
}

const FENCED = ["keydown", "keypress", "keyup", "copy", "cut", "paste"] as const;

/**
 * Lumino reads shortcuts on the document in the capture phase and honours the attribute; hosts that
 * listen while events bubble never see them.
 */
export function containKeys(root: HTMLElement): () => void {
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  const stop = (event: Event): void => event.stopPropagation();
  for (const type of FENCED) root.addEventListener(type, stop);
  return () => {
    for (const type of FENCED) root.removeEventListener(type, stop);
  };
}

/** Where a pointer is in a picture; in the units of its drawing where that has this width, and may be shown at another. */
export function placeIn(picture: Element, event: MouseEvent, width?: number): [number, number] {
  const box = picture.getBoundingClientRect();
  const scale = width === undefined ? 1 : width / Math.max(1, box.width);
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

/** A handle that is dragged from anywhere in its picture. */
export interface Drag {
  /** False where nothing can be dragged now. */
  begin(): boolean;
  follow(event: PointerEvent): void;
  /** `kept` is false when the pointer was taken away. */
  end?(kept: boolean): void;
}

/** Listens on the picture and brings the focus to the handle; what is returned says whether it is held. */
export function dragIn(picture: Element, handle: HTMLElement | SVGElement, drag: Drag): () => boolean {
  let held = false;
  listen(picture, "pointerdown", (event) => {
    if (event.button !== 0 || !drag.begin()) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    held = true;
    picture.setPointerCapture(event.pointerId);
    drag.follow(event);
  });
  listen(picture, "pointermove", (event) => {
    if (held) drag.follow(event);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    listen(picture, type, () => {
      if (held) drag.end?.(type === "pointerup");
      held = false;
    });
  }
  return () => held;
}

/** Follows one pointer from its press to its end, wherever it goes. */
export interface Follower {
  move(event: PointerEvent): void;
  /** `kept` is false when the pointer was taken away or Escape gave the gesture up. */
  end(event: Event, kept: boolean): void;
  /** Escape ends it only when this says that a gesture is under way. */
  active(): boolean;
}

export function followPointer(press: PointerEvent, follower: Follower): void {
  const doc = (press.target as Node).ownerDocument as Document;
  const types = ["pointermove", "pointerup", "pointercancel", "keydown"];
  const listener = (event: Event): void => {
    if (event instanceof KeyboardEvent) {
      if (event.key !== "Escape" || !follower.active()) return;
      event.preventDefault();
      event.stopPropagation();
    } else if ((event as PointerEvent).pointerId !== press.pointerId) return;
    if (event.type === "pointermove") return follower.move(event as PointerEvent);
    for (const type of types) doc.removeEventListener(type, listener, true);
    follower.end(event, event.type === "pointerup");
  };
  for (const type of types) doc.addEventListener(type, listener, true);
}

// A horizontal drag on a cell changes its value; Escape takes it back.

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
