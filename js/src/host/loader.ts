/**
 * What a notebook evaluates of a widget at once: anywidget gives a model two seconds from its construction to the
 * end of its `initialize`, and a page that opens with twelve explorers on a busy machine needs longer for the rest.
 * The widget itself lies beside, packed; it is unpacked once a page, and views are drawn in turn, those on screen
 * first, with a rest for the page between them. All copies of this module in a page share one queue.
 */
import { APART } from "../ui/dom";
import type { Host } from "../ui/root";

interface HostModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  on(event: string, callback: (...told: unknown[]) => void): void;
  off(event: string, callback: (...told: unknown[]) => void): void;
  /** Of hosts that are built on ipywidgets. */
  widget_manager?: unknown;
}

type View = Host<HostModel>;

interface Widget {
  render(view: View): () => void;
}

interface Turn {
  el: HTMLElement;
  take(): Promise<void>;
}

interface Shared {
  widgets: Map<string, Promise<Widget>>;
  waiting: Turn[];
  working: boolean;
}

/** ipywidgets' own model, as far as it is needed here. */
interface Listening {
  comm?: { on_msg?(callback: (message: unknown) => unknown): void };
  _handle_comm_msg?(message: unknown): Promise<unknown>;
}

const KEY = Symbol.for("pdp_widgets.loader");
const shared = ((globalThis as unknown as Record<symbol, Shared>)[KEY] ??= { widgets: new Map(), waiting: [], working: false });

/** Milliseconds after which a page that never rests is no longer waited for. */
const LONGEST_WAIT = 300;

const rest = (): Promise<unknown> =>
  new Promise((done) => ("requestIdleCallback" in globalThis ? requestIdleCallback(done, { timeout: LONGEST_WAIT }) : setTimeout(done)));

async function unpack(code: DataView<ArrayBuffer>): Promise<Widget> {
  const text = await new Response(new Blob([code]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
  // A blob, as the host imports this module: no further permission is asked of a page.
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return ((await import(url)) as { default: Widget }).default;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The widget of a packed module. Twelve explorers of a kind are unpacked and evaluated once. */
async function widgetOf(code: DataView<ArrayBuffer>): Promise<Widget> {
  // What was packed ends with the checksum and the size of its text.
  const key = `${code.byteLength} ${code.getBigUint64(code.byteLength - 8)}`;
  let widget = shared.widgets.get(key);
  if (!widget) shared.widgets.set(key, (widget = unpack(code)));
  try {
    return await widget;
  } catch (error) {
    shared.widgets.delete(key);
    throw error;
  }
}

function onScreen({ el }: Turn): boolean {
  const { top, bottom } = el.getBoundingClientRect();
  return bottom > top && bottom > 0 && top < innerHeight;
}

async function work(): Promise<void> {
  if (shared.working) return;
  shared.working = true;
  while (shared.waiting.length) {
    await rest();
    const next = Math.max(shared.waiting.findIndex(onScreen), 0);
    await shared.waiting.splice(next, 1)[0]?.take();
  }
  shared.working = false;
}

/**
 * A model that was not ready in two seconds never hears of its kernel again, though its view is drawn: then the
 * kernel is listened to as ipywidgets does.
 */
async function hearLate(model: HostModel): Promise<void> {
  if (!model.widget_manager) return;
  let own: Listening | null = null;
  // Who listens to a change is told the host's own model.
  const told = (changed: unknown): void => {
    own = changed as Listening;
  };
  model.on("change:_drawn", told);
  for (const value of [true, undefined]) model.set("_drawn", value);
  model.off("change:_drawn", told);
  const { comm, _handle_comm_msg: handle } = (own ?? {}) as Listening;
  if (!comm?.on_msg || !handle) return;
  try {
    await handle.call(own, { content: { data: { method: "" } } });
  } catch {
    const above = Object.getPrototypeOf(Object.getPrototypeOf(own)) as Listening;
    comm.on_msg((message) => above._handle_comm_msg?.call(own, message));
  }
}

function render({ model, el, ...others }: View): () => void {
  const words = document.createElement("span");
  const again = document.createElement("button");
  again.textContent = "Try again";
  const line = document.createElement("div");
  line.className = "pdp-loading";
  line.setAttribute("role", "status");
  line.style.cssText = "font:13px/24px var(--jp-ui-font-family,system-ui,sans-serif);color:var(--jp-ui-font-color1,inherit)";
  line.append(words, " ", again);
  let release: (() => void) | null = null;
  let gone = false;

  const turn: Turn = {
    el,
    async take() {
      try {
        const widget = await widgetOf(model.get("_code") as DataView<ArrayBuffer>);
        await rest();
        if (gone) return;
        await hearLate(model);
        if (gone) return;
        line.remove();
        el.removeAttribute(APART);
        release = widget.render({ model, el, ...others });
      } catch (error) {
        console.error(error);
        show("This widget could not be loaded.", false);
      }
    },
  };

  function show(text: string, waits: boolean): void {
    words.textContent = text;
    again.hidden = waits;
    el.toggleAttribute(APART, true);
    el.replaceChildren(line);
  }

  function wait(): void {
    show("Loading …", true);
    shared.waiting.push(turn);
    void work();
  }
  again.addEventListener("click", wait);
  wait();

  return () => {
    gone = true;
    const place = shared.waiting.indexOf(turn);
    if (place >= 0) shared.waiting.splice(place, 1);
    line.remove();
    el.removeAttribute(APART);
    release?.();
  };
}

export default { render };
