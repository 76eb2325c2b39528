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
