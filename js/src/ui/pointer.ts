import { listen } from "./dom";

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
