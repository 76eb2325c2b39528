/** Small builders for elements. Text is always set as text, never parsed as HTML. */

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
