/**
 * A document without a page: what the front end's own parts need to draw themselves where there is no browser, in the
 * JavaScript engine that Python embeds. It holds elements, attributes and text; nothing is laid out and no event comes.
 */
import { StillContext } from "./canvas";
import { matches, parseSelector, type Selector } from "./selectors";

const SVG = "http://www.w3.org/2000/svg";
const NOTHING = (): void => {};

class StillNode {
  parent: StillElement | null = null;
  readonly ownerDocument = still;
  get parentNode(): StillElement | null {
    return this.parent;
  }
  get parentElement(): StillElement | null {
    return this.parent;
  }
  get isConnected(): boolean {
    return false;
  }
  get nextSibling(): StillNode | null {
    return this.beside(1);
  }
  get previousSibling(): StillNode | null {
    return this.beside(-1);
  }
  private beside(step: number): StillNode | null {
    const all = this.parent?.childNodes ?? [];
    return all[all.indexOf(this) + step] ?? null;
  }
  remove(): void {
    const all = this.parent?.childNodes;
    if (all) all.splice(all.indexOf(this), 1);
    this.parent = null;
  }
  before(...nodes: Child[]): void {
    this.parent?.insert(this.parent.childNodes.indexOf(this), nodes);
  }
  after(...nodes: Child[]): void {
    this.parent?.insert(this.parent.childNodes.indexOf(this) + 1, nodes);
  }
  replaceWith(...nodes: Child[]): void {
    this.before(...nodes);
    this.remove();
  }
  getRootNode(): StillNode {
    return this.parent ? this.parent.getRootNode() : this;
  }
}

class StillText extends StillNode {
  readonly nodeType = 3;
  readonly nodeName = "#text";
  constructor(public nodeValue: string) {
    super();
  }
  get textContent(): string {
    return this.nodeValue;
  }
  set textContent(text: string) {
    this.nodeValue = text;
  }
}

type Child = StillNode | string;

/** Inline styles: properties by name, written in either spelling. */
function styleOf(set: Map<string, string>): Record<string, unknown> {
  const dashed = (name: string): string => name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`);
  const put = (name: string, value: unknown): void => void (value === "" || value == null ? set.delete(name) : set.set(name, String(value)));
  const known: Record<string, unknown> = {
    setProperty: put,
    removeProperty: (name: string) => set.delete(name),
    getPropertyValue: (name: string) => set.get(name) ?? "",
  };
  return new Proxy(known, {
    get: (_, name) => known[name as string] ?? set.get(dashed(String(name))) ?? "",
    set: (_, name, value) => (put(dashed(String(name)), value), true),
  });
}

export class StillElement extends StillNode {
  readonly nodeType = 1;
  readonly childNodes: StillNode[] = [];
  readonly attrs = new Map<string, string>();
  readonly styles = new Map<string, string>();
  readonly style = styleOf(this.styles);
  /** What a control holds; attributes hold what it began with. */
  value: unknown = "";
  checked = false;
  scrollTop = 0;
  readonly clientWidth: number;

  constructor(
    readonly localName: string,
    readonly namespaceURI: string,
  ) {
    super();
    this.clientWidth = still.width;
  }

  get nodeName(): string {
    return this.tagName;
  }
  get tagName(): string {
    return this.namespaceURI === SVG ? this.localName : this.localName.toUpperCase();
  }
  get children(): StillElement[] {
    return this.childNodes.filter((node): node is StillElement => node instanceof StillElement);
  }
  get childElementCount(): number {
    return this.children.length;
  }
  get firstChild(): StillNode | null {
    return this.childNodes[0] ?? null;
  }
  get lastChild(): StillNode | null {
    return this.childNodes[this.childNodes.length - 1] ?? null;
  }
  get firstElementChild(): StillElement | null {
    return this.children[0] ?? null;
  }
  get lastElementChild(): StillElement | null {
    return this.children[this.children.length - 1] ?? null;
  }
  get nextElementSibling(): StillElement | null {
    const all = this.parent?.children ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  get previousElementSibling(): StillElement | null {
    const all = this.parent?.children ?? [];
    return all[all.indexOf(this) - 1] ?? null;
  }
  get textContent(): string {
    return this.childNodes.map((node) => (node as StillText | StillElement).textContent).join("");
  }
  set textContent(text: string) {
    this.replaceChildren(...(text === "" ? [] : [text]));
  }

  insert(at: number, nodes: Child[]): void {
    let place = at;
    for (const given of nodes) {
      const node = typeof given === "string" ? new StillText(given) : given;
      if (node.parent === this && this.childNodes.indexOf(node) < place) place -= 1;
      node.remove();
      node.parent = this;
      this.childNodes.splice(place, 0, node);
      place += 1;
    }
  }
  append(...nodes: Child[]): void {
    this.insert(this.childNodes.length, nodes);
  }
  appendChild(node: StillNode): StillNode {
    this.append(node);
    return node;
  }
  prepend(...nodes: Child[]): void {
    this.insert(0, nodes);
  }
  insertBefore(node: StillNode, next: StillNode | null): void {
    this.insert(next ? this.childNodes.indexOf(next) : this.childNodes.length, [node]);
  }
  replaceChildren(...nodes: Child[]): void {
    for (const node of [...this.childNodes]) node.remove();
    this.append(...nodes);
  }
  contains(node: StillNode | null): boolean {
    return node != null && (node === this || this.contains(node.parent));
  }

  getAttribute(name: string): string | null {
    return this.attrs.get(name) ?? null;
  }
  setAttribute(name: string, value: string): void {
    this.attrs.set(name, String(value));
    if (name === "class") this.named = null;
    if (name !== "style") return;
    for (const part of String(value).split(";")) {
      const at = part.indexOf(":");
      if (at > 0) this.styles.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
    }
  }
  removeAttribute(name: string): void {
    this.attrs.delete(name);
    if (name === "class") this.named = null;
  }
  private named: Set<string> | null = null;
  get classes(): Set<string> {
    return (this.named ??= new Set(this.className.split(" ").filter(Boolean)));
  }
  getAttributeNames(): string[] {
    return [...this.attrs.keys()];
  }
  get attributes(): { name: string; value: string }[] {
    return [...this.attrs].map(([name, value]) => ({ name, value }));
  }
  hasAttribute(name: string): boolean {
    return this.attrs.has(name);
  }
  toggleAttribute(name: string, force = !this.hasAttribute(name)): boolean {
    if (force) this.attrs.set(name, this.attrs.get(name) ?? "");
    else this.attrs.delete(name);
    return force;
  }
  get classList(): Pick<DOMTokenList, "add" | "remove" | "toggle" | "contains"> {
    const names = new Set(this.classes);
    const write = (): void => this.setAttribute("class", [...names].join(" "));
    const put = (name: string, there: boolean): void => void (there ? names.add(name) : names.delete(name));
    return {
      contains: (name) => names.has(name),
      add: (...all) => (all.forEach((name) => put(name, true)), write()),
      remove: (...all) => (all.forEach((name) => put(name, false)), write()),
      toggle: (name, force = !names.has(name)) => (put(name, force), write(), force),
    };
  }
  get dataset(): Record<string, string> {
    const own = (name: string): string => `data-${name.replace(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}`;
    return new Proxy({} as Record<string, string>, {
      get: (_, name) => this.attrs.get(own(String(name))),
      set: (_, name, value) => (this.attrs.set(own(String(name)), String(value)), true),
      has: (_, name) => this.attrs.has(own(String(name))),
      deleteProperty: (_, name) => (this.attrs.delete(own(String(name))), true),
    });
  }

  /** What a canvas is painted with. */
  getContext(): StillContext {
    return (this.context ??= new StillContext(this));
  }
  private context: StillContext | null = null;
  get painted(): string {
    return this.context?.svg ?? "";
  }

  get options(): StillElement[] {
    return this.querySelectorAll("option");
  }
  get text(): string {
    return this.textContent;
  }
  selectedIndex = 0;
  get selectedOptions(): StillElement[] {
    return this.options.slice(this.selectedIndex, this.selectedIndex + 1);
  }

  matches(selector: string): boolean {
    return compiled(selector).some((one) => matches(this, one));
  }
  closest(selector: string): StillElement | null {
    return this.matches(selector) ? this : (this.parent?.closest(selector) ?? null);
  }
  querySelectorAll(selector: string): StillElement[] {
    return [...this.within()].filter((element) => element.matches(selector));
  }
  querySelector(selector: string): StillElement | null {
    for (const element of this.within()) if (element.matches(selector)) return element;
    return null;
  }
  *within(): Generator<StillElement> {
    for (const child of this.children) {
      yield child;
      yield* child.within();
    }
  }
}

for (const [property, attribute] of Object.entries({
  className: "class",
  id: "id",
  title: "title",
  type: "type",
  name: "name",
  href: "href",
  placeholder: "placeholder",
  src: "src",
  htmlFor: "for",
})) {
  Object.defineProperty(StillElement.prototype, property, {
    get(this: StillElement) {
      return this.getAttribute(attribute) ?? "";
    },
    set(this: StillElement, value: string) {
      this.setAttribute(attribute, value);
    },
  });
}
for (const name of ["hidden", "disabled", "open", "readOnly", "draggable", "selected"]) {
  Object.defineProperty(StillElement.prototype, name, {
    get(this: StillElement) {
      return this.hasAttribute(name.toLowerCase());
    },
    set(this: StillElement, value: unknown) {
      this.toggleAttribute(name.toLowerCase(), Boolean(value));
    },
  });
}
const EMPTY = { left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0, x: 0, y: 0 };
for (const name of [
  "addEventListener",
  "removeEventListener",
  "focus",
  "blur",
  "select",
  "setSelectionRange",
  "scrollIntoView",
  "dispatchEvent",
  "animate",
  "setPointerCapture",
  "releasePointerCapture",
  "scrollTo",
]) {
  Object.defineProperty(StillElement.prototype, name, { value: NOTHING });
}
Object.assign(StillElement.prototype, {
  getBoundingClientRect: () => EMPTY,
  offsetTop: 0,
  offsetHeight: 0,
  offsetWidth: 0,
  clientHeight: 0,
  scrollHeight: 0,
  scrollWidth: 0,
  tabIndex: -1,
});
export interface StillElement {
  className: string;
  id: string;
  hidden: boolean;
}

const known = new Map<string, Selector[]>();
function compiled(selector: string): Selector[] {
  let found = known.get(selector);
  if (!found) known.set(selector, (found = parseSelector(selector)));
  return found;
}

/** The document that the front end's parts find as their own. */
const still = {
  /** How wide whatever is drawn may be, px. */
  width: 1000,
  activeElement: null,
  defaultView: null,
  createElement: (name: string) => new StillElement(name, "http://www.w3.org/1999/xhtml"),
  createElementNS: (space: string, name: string) => new StillElement(name, space),
  createTextNode: (text: string) => new StillText(text),
  addEventListener: NOTHING,
  removeEventListener: NOTHING,
} as unknown as {
  width: number;
  body: StillElement;
  documentElement: StillElement;
  createElement(name: string): StillElement;
  createElementNS(space: string, name: string): StillElement;
};
still.body = still.createElement("body");
still.documentElement = still.createElement("html");

export { StillNode, StillText, still };
