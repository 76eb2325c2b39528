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
  const listen = { signal: off.signal };
  let hovered = NO_NODE;
  const point = (flat: number, anchor: Element | null): void => {
    const node = flat === NO_NODE ? null : flat;
    options.pointed?.(node);
    hand.point(node, anchor);
  };
  part.addEventListener(
    "pointerover",
    (event) => {
      const flat = flatUnder(event.target);
      if (flat === hovered) return;
      hovered = flat;
      point(flat, nodeUnder(event.target));
    },
    listen,
  );
  part.addEventListener(
    "pointerleave",
    () => {
      if (hovered === NO_NODE) return;
      hovered = NO_NODE;
      point(NO_NODE, null);
    },
    listen,
  );
  part.addEventListener(
    "focusin",
    (event) => {
      const flat = flatUnder(event.target);
      if (flat !== NO_NODE) point(flat, nodeUnder(event.target));
    },
    listen,
  );
  part.addEventListener("focusout", () => point(NO_NODE, null), listen);
  part.addEventListener(
    "click",
    (event) => {
      const flat = flatUnder(event.target);
      if (flat !== NO_NODE) hand.choose(flat);
    },
    listen,
  );
  part.addEventListener(
    "keydown",
    (event) => {
      const { key, ctrlKey, metaKey, altKey } = event as KeyboardEvent;
      if (ctrlKey || metaKey || altKey) return;
      const flat = flatUnder(event.target);
      if (flat === NO_NODE) return;
      if (key === "Enter" || key === " ") {
        event.preventDefault();
        hand.choose(flat);
        return;
      }
      if (key === "Escape") {
        point(NO_NODE, null);
        return;
      }
      const next = options.step?.(flat, key) ?? null;
      if (next === null) return;
      event.preventDefault();
      options.focus?.(next);
    },
    listen,
  );
  return () => off.abort();
}
