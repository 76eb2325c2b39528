/**
 * Small builders for elements, the parts made of them, and how what is on the page is brought in line with a new
 * drawing.
 */

/** A part of the screen: built once, updated with whole new props, destroyed once. */
export interface Component<P> {
  readonly el: HTMLElement;
  update(props: P): void;
  destroy(): void;
}

/** A part that is drawn now, and anew with all new props; other parts that it holds end with it. */
export function component<P>(el: HTMLElement, initial: P, draw: (props: P) => void, ...parts: { destroy(): void }[]): Component<P> {
  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      for (const part of parts) part.destroy();
      el.remove();
    },
  };
}

// Small builders for elements. Text is always set as text, never parsed as HTML.

/** On the element the host gave: nothing is drawn, and the style of the picture lets it stand beside the view. */
export const APART = "data-pdp-apart";

export type Attrs = Record<string, string | number | boolean | null | undefined>;
export type Child = Node | string | null | undefined | false;

/** Several attributes at once. */
export function setAttrs(el: Element, attrs: Attrs): void {
  for (const [name, value] of Object.entries(attrs)) setAttr(el, name, value);
}

function fill(el: Element, attrs: Attrs, children: Child[]): void {
  setAttrs(el, attrs);
  for (const child of children) if (child) el.append(child);
}

/** Sets, or with null, undefined or false removes, one attribute; true sets it empty. */
export function setAttr(el: Element, name: string, value: Attrs[string]): void {
  if (value === null || value === undefined || value === false) el.removeAttribute(name);
  else {
    const text = value === true ? "" : String(value);
    if (el.getAttribute(name) !== text) el.setAttribute(name, text);
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attrs: Attrs = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const el = document.createElement(tag);
  fill(el, attrs, children);
  return el;
}

const SVG = "http://www.w3.org/2000/svg";

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attrs: Attrs = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const el = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
  fill(el, attrs, children);
  return el;
}

/** An empty part of a picture, for who listens to it: what stands in it is drawn by functions that do not. */
export function layer(attrs: Attrs = {}, ...parts: SVGElement[]): SVGGElement {
  return s("g", attrs, ...parts);
}

/** An empty picture and its layers. */
export function layered<L extends Attrs[]>(attrs: Attrs, ...layers: L): [SVGSVGElement, ...{ [K in keyof L]: SVGGElement }] {
  const groups = layers.map((one) => layer(one)) as { [K in keyof L]: SVGGElement };
  return [s("svg", attrs, ...groups), ...groups];
}

export function text(
  x: number,
  y: number,
  content: string,
  attrs: Attrs = {},
): SVGTextElement {
  return s("text", { x, y, "font-size": 11, ...attrs }, content);
}

/** Replaces text only when it differs, so that selections and screen readers are left alone. */
export function setText(node: Node, content: string): void {
  if (node.textContent === content) return;
  const only = node.firstChild;
  // Written into the text that is there: numbers that follow every frame leave no nodes behind.
  if (only?.nodeType === Node.TEXT_NODE && only.nextSibling === null) only.nodeValue = content;
  else node.textContent = content;
}

/** Listens on an element; shorter than the method, which counts in bundles with many controls. */
export function listen<K extends keyof HTMLElementEventMap>(
  el: Element,
  type: K,
  listener: (event: HTMLElementEventMap[K]) => void,
): void {
  el.addEventListener(type, listener as EventListener);
}

/** A plain button, 24 px high. */
export function button(label: string, attrs: Attrs = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "button", ...attrs }, label);
}

/** What few look at, behind its name. */
export function fold(name: string, ...parts: (Element | string)[]): HTMLElement {
  return h("details", { class: "px-fold" }, h("summary", {}, name), ...parts);
}

// Brings what is on the page in line with a new drawing by changing only what differs.

/**
 * Gives an element these children. A child of the same kind in the same place stays and takes over attributes,
 * text and children, so that an unchanged axis costs no layout. For pictures and words without listeners.
 */
export function renew(parent: Element, ...next: (Node | string)[]): void {
  const now = [...parent.childNodes];
  next.forEach((child, k) => {
    const fresh = typeof child === "string" ? document.createTextNode(child) : child;
    const old = now[k];
    if (!old) parent.append(fresh);
    else if (old.nodeName !== fresh.nodeName) old.replaceWith(fresh);
    else if (old instanceof Element && fresh instanceof Element) become(old, fresh);
    else if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
  });
  for (const old of now.slice(next.length)) old.remove();
}

/** Takes over what another drawing of the same element shows. */
export function become(old: Element, fresh: Element): void {
  if (old === fresh) return;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  renew(old, ...fresh.childNodes);
}

// Line icons on a 16 px grid, drawn in the colour of the text beside them. A module carries those it uses.

export const UNDO = "M5 3L2.5 5.5 5 8M3 5.5h6a3.5 3.5 0 010 7H6";
export const REDO = "M11 3l2.5 2.5L11 8M13 5.5H7a3.5 3.5 0 000 7h3";
export const LOCK = "M4 7.5h8v6H4zM5.5 7.5v-2a2.5 2.5 0 015 0v2";
export const CHECK = "M3 8.5l3.5 3.5L13 4.5";
export const SWAP = "M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13";
export const DOWN = "M4 6l4 4 4-4";
export const COPY = "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z";
export const PICTURE = "M2.5 3.5h11v9h-11zM2.5 11l3.5-3.5 2.5 2.5 2-2 3 3M10.5 6.2v.1";
export const INFO = "M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5v3.5M8 5v.1";
export const TARGET = "M8 13A5 5 0 108 3a5 5 0 000 10zM8 9.2A1.2 1.2 0 108 6.8a1.2 1.2 0 000 2.4z";
export const BOX = "M4 4h8v8H4z";
export const BOX_CHECKED = "M4 4h8v8H4zM5.5 8l2 2 3-4";
export const WARN = "M8 2.5l6 11H2zM8 6.5v3.5M8 12v.1";
export const PLUG = "M6 2.5v3M10 2.5v3M4.5 5.5h7v2a3.5 3.5 0 01-7 0zM8 11v3";
export const MORE = "M3 8h.1M8 8h.1M13 8h.1";

/** Decoration only: the control around it carries the name. */
export function icon(path: string, size = 16): SVGSVGElement {
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", style: size === 16 ? null : `width:${size}px;height:${size}px`, "aria-hidden": "true" },
    s("path", { d: path }),
  );
}
