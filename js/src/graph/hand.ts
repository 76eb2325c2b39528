/**
 * Pointer and keyboard over anything that shows adversaries: an element stands for one when it, or
 * an ancestor, carries `data-node` with the flat number. One set of listeners per part, not per node.
 */

/** What a part tells the graph. */
export interface Hand {
  choose(flat: number): void;
  /** The pointer or the focus is on an adversary, or on none. */
  point(flat: number | null, anchor: Element | null): void;
}

export interface HandOptions {
  /** Where a key leads from an adversary; null when nowhere. */
  step?(flat: number, key: string): number | null;
  focus?(flat: number): void;
  /** Called before `hand.point`, to stress the edges there. */
  pointed?(flat: number | null): void;
}

const NO_NODE = -1;

export function nodeUnder(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest("[data-node]") : null;
}

export function flatUnder(target: EventTarget | null): number {
  const el = nodeUnder(target);
  return el ? Number(el.getAttribute("data-node")) : NO_NODE;
}

/** Listens on the part; the returned function takes the listeners off again. */
export function attachHand(part: Element, hand: Hand, options: HandOptions = {}): () => void {
  const off = new AbortController();
  let hovered = NO_NODE;
  function on<E extends Event>(type: string, listener: (event: E, flat: number) => void): void {
    part.addEventListener(type, (event) => listener(event as E, flatUnder(event.target)), { signal: off.signal });
  }
  function point(flat: number, anchor: EventTarget | null): void {
    const node = flat === NO_NODE ? null : flat;
    options.pointed?.(node);
    hand.point(node, node === null ? null : nodeUnder(anchor));
  }
  function hover(flat: number, anchor: EventTarget | null): void {
    if (flat === hovered) return;
    hovered = flat;
    point(flat, anchor);
  }
  on("pointerover", (event, flat) => hover(flat, event.target));
  on("pointerleave", () => hover(NO_NODE, null));
  on("focusin", (event, flat) => {
    if (flat !== NO_NODE) point(flat, event.target);
  });
  on("focusout", () => point(NO_NODE, null));
  on("click", (_, flat) => {
    if (flat !== NO_NODE) hand.choose(flat);
  });
  on<KeyboardEvent>("keydown", (event, flat) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || flat === NO_NODE) return;
    if (key === "Escape") point(NO_NODE, null);
    else if (key === "Enter" || key === " ") {
      event.preventDefault();
      hand.choose(flat);
    } else {
      const next = options.step?.(flat, key) ?? null;
      if (next === null) return;
      event.preventDefault();
      options.focus?.(next);
    }
  });
  return () => off.abort();
}
