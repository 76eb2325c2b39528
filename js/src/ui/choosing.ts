/** Choosing one of a few: a popup menu, and a switch of words side by side. */
import { CHECK, component, h, icon, listen, setAttr, type Component } from "./dom";

// A popup menu: opened from a button or at a point, walked by arrows and first letters.

export interface MenuItem {
  label: string;
  /** true or false make it a switch. */
  checked?: boolean;
  disabled?: boolean;
  /** Why it is off, or what it does. */
  title?: string;
  /** A rule above this item. */
  separated?: boolean;
  run(): void;
}

export interface Menu {
  readonly isOpen: boolean;
  /** Below the anchor; `at` (page coordinates of the pointer) opens it there instead. */
  open(anchor: HTMLElement, items: MenuItem[], at?: { x: number; y: number }): void;
  close(): void;
  destroy(): void;
}

/** `home` is where the menu lives: inside the widget's root, so that its colours and key fence hold. */
export function createMenu(home: HTMLElement, label: string): Menu {
  const list = h("div", { class: "menu", role: "menu", "aria-label": label });
  let anchor: HTMLElement | null = null;
  let items: MenuItem[] = [];
  let nodes: HTMLElement[] = [];

  function close(returnFocus = true): void {
    if (!anchor) return;
    const from = anchor;
    anchor = null;
    list.remove();
    if (from.hasAttribute("aria-expanded")) setAttr(from, "aria-expanded", "false");
    list.ownerDocument.removeEventListener("pointerdown", outside, true);
    if (returnFocus) from.focus();
  }

  function outside(event: Event): void {
    if (!event.composedPath().includes(list)) close(false);
  }

  function focus(k: number): void {
    const n = nodes.length;
    const at = ((k % n) + n) % n;
    nodes.forEach((node, i) => (node.tabIndex = i === at ? 0 : -1));
    nodes[at]?.focus();
  }

  function pick(k: number): void {
    const item = items[k];
    if (!item || item.disabled) return;
    close();
    item.run();
  }

  listen(list, "keydown", (event) => {
    const at = nodes.indexOf(event.target as HTMLElement);
    const key = event.key;
    if (key === "ArrowDown") focus(at + 1);
    else if (key === "ArrowUp") focus(at - 1);
    else if (key === "Home") focus(0);
    else if (key === "End") focus(nodes.length - 1);
    else if (key === "Escape") close();
    else if (key === "Tab") return close();
    else if (key === "Enter" || key === " ") pick(at);
    else if (key.length === 1) {
      const order = nodes.map((_, k) => (at + 1 + k) % nodes.length);
      const hit = order.find((k) => items[k]?.label.toLowerCase().startsWith(key.toLowerCase()));
      if (hit !== undefined) focus(hit);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    get isOpen() {
      return anchor !== null;
    },
    open(from, entries, at) {
      close(false);
      anchor = from;
      items = entries;
      nodes = items.map((item, k) => {
        const node = h(
          "div",
          {
            class: "menu-item",
            role: item.checked === undefined ? "menuitem" : "menuitemcheckbox",
            "aria-checked": item.checked === undefined ? null : String(item.checked),
            "aria-disabled": item.disabled ? "true" : null,
            "data-separated": item.separated ?? false,
            title: item.title ?? null,
            tabindex: -1,
          },
          h("span", { class: "menu-tick" }, item.checked ? icon(CHECK, 12) : null),
          item.label,
        );
        listen(node, "click", () => pick(k));
        return node;
      });
      list.replaceChildren(...nodes);
      home.append(list);
      if (from.hasAttribute("aria-expanded")) setAttr(from, "aria-expanded", "true");
      place(list, home, from, at);
      list.ownerDocument.addEventListener("pointerdown", outside, true);
      focus(Math.max(0, items.findIndex((item) => !item.disabled)));
    },
    close: () => close(),
    destroy: () => close(false),
  };
}

/** Below the anchor, flipped above it and shifted left where the window or the root would cut it. */
function place(list: HTMLElement, home: HTMLElement, from: HTMLElement, at?: { x: number; y: number }): void {
  const base = home.getBoundingClientRect();
  const box = from.getBoundingClientRect();
  const size = list.getBoundingClientRect();
  const view = list.ownerDocument.defaultView;
  const right = Math.min(base.right, view?.innerWidth ?? base.right);
  const x = Math.max(base.left, Math.min(at?.x ?? box.left, right - size.width));
  let y = at?.y ?? box.bottom + 2;
  if (view && y + size.height > view.innerHeight) {
    const above = (at?.y ?? box.top - 2) - size.height;
    if (above >= 0) y = above;
  }
  list.style.left = `${x - base.left}px`;
  list.style.top = `${y - base.top}px`;
}

// A switch of a few words side by side, exactly one of them on.

export interface SegmentsProps<T extends string> {
  /** What is switched, for screen readers. */
  label: string;
  options: readonly { value: T; text: string }[];
  value: T;
  disabled: boolean;
}

let groups = 0;

/** The options never change; value and disabled do. */
export function createSegments<T extends string>(first: SegmentsProps<T>, onChange: (value: T) => void): Component<SegmentsProps<T>> {
  groups += 1;
  const name = `segments-${groups}`;
  let props = first;
  const inputs = first.options.map(({ value }) => h("input", { type: "radio", name, value }));
  const el = h(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": first.label },
    ...first.options.map(({ text }, k) => h("label", { class: "segment" }, inputs[k], text)),
  );
  inputs.forEach((input, k) =>
    listen(input, "change", () => {
      const value = first.options[k]?.value;
      if (value !== undefined && value !== props.value) onChange(value);
    }),
  );

  function draw(): void {
    inputs.forEach((input, k) => {
      input.checked = first.options[k]?.value === props.value;
      input.disabled = props.disabled;
      setAttr(input.parentElement as Element, "data-on", input.checked);
    });
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}
