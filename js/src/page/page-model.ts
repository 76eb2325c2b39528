/**
 * A widget in a page without a kernel: its embedded state, what its module declares, and a model that answers in the
 * page.
 */
import { version as own } from "../../package.json";
import { InputFault } from "../compute/faults";
import type { AnyRequest, AnyView, Model } from "../ui/session";

// The state of a widget as Python embeds it in a page: JSON in which bytes stand as base64.

export interface PageState {
  /** Name of the widget's module. */
  module: string;
  /** What a model holds, `_view` among it. */
  traits: Record<string, unknown>;
  /** What the page needs to compute and the view does not say. */
  embedded: Record<string, unknown>;
}

/** Counts changes that this reader could not follow; Python's is the same. */
export const STATE_VERSION = 1;

/** Reads a state, or throws what is wrong with it. */
export function readState(text: string): PageState {
  const { version, package: saved, module, traits, embedded } = JSON.parse(text) as Record<string, unknown>;
  if (version !== STATE_VERSION) {
    throw new Error(
      `It was saved by pdp_widgets ${String(saved)} (state ${String(version)}); this page is of pdp_widgets ${own} and reads state ${STATE_VERSION}.`,
    );
  }
  if (typeof module !== "string" || !isRecord(traits)) throw new Error("The state names no module or no traits.");
  return { module, traits: decoded(traits) as Record<string, unknown>, embedded: decoded(embedded ?? {}) as Record<string, unknown> };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (!isRecord(value)) return value;
  const { base64, ...others } = value;
  if (typeof base64 === "string" && Object.keys(others).length === 0) return bytesOf(base64);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decoded(item)]));
}

function bytesOf(base64: string): DataView {
  const raw = atob(base64);
  return new DataView(Uint8Array.from(raw, (sign) => sign.charCodeAt(0)).buffer);
}

// What a widget declares so that it lives in a page without a kernel.

export type Embedded = Record<string, unknown>;

/** `V` is the view of the widget, `R` what its hand can ask for. */
export interface Joined<V extends AnyView = AnyView, R extends AnyRequest = AnyRequest> {
  /** As the module gives it to a notebook; returns how to end it. */
  render(host: { model: Model; el: HTMLElement }): () => void;
  /** The view as it stands in a page: what waited for the kernel waits no more. `late` is what came beside it. */
  opened?(view: V, embedded: Embedded, late?: unknown): V;
  /** Why the page cannot answer for this view, in a sentence, or null. Controls are then off. */
  needsKernel(view: V, embedded: Embedded): string | null;
  /** The next view; its revision, since and ack are the page's own affair. */
  answer(view: V, request: Partial<R>, embedded: Embedded): V;
  /** The view has just been drawn or answered: what takes longer can begin. */
  shown?(model: PageModel<V, R>): void;
  /** A message beside the requests. */
  hear?(model: PageModel<V, R>, content: Record<string, unknown>): void;
  /** Settings of a document that no view says: of a run that was edited on its way. */
  kept?(view: V, embedded: Embedded): Record<string, unknown>;
  /** The state with all settings of a document; without it they are asked for, as a hand would. */
  resumed?(state: PageState, settings: Record<string, unknown>): PageState;
  /** File name of the picture that can be saved; without it there is no such button. */
  picture?: string;
}

// The widgets of this page, by the name of their module: those whose code the page carries.

const joined = new Map<string, Joined>();

/** Joins a widget to pages; the file of `some_widget` here is some-widget.ts, and the build looks for it by that name. */
export function join<V extends AnyView, R extends AnyRequest>(module: string, widget: Joined<V, R>): Joined<V, R> {
  // Each reads and writes views of its own kind only: the state says which module it belongs to.
  joined.set(module, widget as unknown as Joined);
  return widget;
}

export function joinedAs(module: string): Joined | undefined {
  return joined.get(module);
}

// What is read once from what a page embeds, and kept while the page is there.

export interface PerPage<V, T> {
  /** What was kept last, else what is made of the view; null where a page holds too little to make it. */
  of(view: V, embedded: Embedded): T;
  /** From now on it is this one. */
  keep(embedded: Embedded, made: T): void;
}

/** The first call of a page comes with the view that was saved with it, so that this is what `make` sees. */
export function perPage<V, T>(make: (view: V, embedded: Embedded) => T): PerPage<V, T> {
  const kept = new WeakMap<Embedded, T>();
  return {
    of(view, embedded) {
      const known = kept.get(embedded);
      if (known !== undefined) return known;
      const made = make(view, embedded);
      if (made !== null) kept.set(embedded, made);
      return made;
    },
    keep: (embedded, made) => void kept.set(embedded, made),
  };
}

// A model with no kernel behind it. It speaks as anywidget's do; requests are answered in the page, one after the
// other: one that is overtaken before its turn is passed over, since the newer one carries all that is unanswered.

type Callback = (...values: unknown[]) => void;

export interface PageOptions {
  /** The picture that was published, as SVG; null when there is none. */
  picture?(): string | null;
  /** The state is no longer the one that was published; called at every further change too. */
  changed?(view: AnyView): void;
}

const CHANGED = "This page has no kernel to draw what you see now. Reload it for the picture that was published.";
const NO_PICTURE = "This page holds none.";

/** What an error says, where we wrote it: those of the browser are no whole sentences, or have other names. */
export function inOurWords(error: unknown, otherwise: string): string {
  return error instanceof Error && /^(Range)?Error$/.test(error.name) && error.message.endsWith(".") ? error.message : otherwise;
}

export class PageModel<V extends AnyView, R extends AnyRequest> implements Model {
  readonly embedded: Embedded;
  /** Why the page cannot answer, or null. */
  readonly reason: string | null;
  private readonly traits: Record<string, unknown>;
  private readonly listeners = new Map<string, Set<Callback>>();
  private waiting: R | null = null;
  private turn: ReturnType<typeof setTimeout> | null = null;
  private changed = false;
  private asked = 0;

  constructor(
    private readonly joined: Joined<V, R>,
    state: PageState,
    private readonly options: PageOptions = {},
  ) {
    this.embedded = state.embedded;
    this.traits = { ...state.traits };
    const published = this.view;
    const view = joined.opened?.(published, this.embedded, this.traits["_late"]) ?? published;
    this.reason = joined.needsKernel(view, this.embedded);
    this.traits["_view"] = this.reason === null ? view : { ...view, disabled: true };
    if (this.reason === null) joined.shown?.(this);
  }

  get view(): V {
    return this.traits["_view"] as V;
  }

  get(name: string): unknown {
    return this.traits[name];
  }

  set(name: string, value: unknown): void {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    if (name === "_request") this.waiting = value as R;
    this.tell(`change:${name}`);
  }

  save_changes(): void {
    // Not at once: the hand sees its own edit first.
    if (this.waiting) this.turn ??= setTimeout(() => this.answer(), 0);
  }

  on(event: string, callback: Callback): void {
    const heard = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, heard.add(callback));
  }

  off(event: string, callback: Callback): void {
    this.listeners.get(event)?.delete(callback);
  }

  send(content: unknown): void {
    if (typeof content !== "object" || content === null) return;
    const message = content as Record<string, unknown>;
    if ("picture" in message) this.sendPicture(message["picture"]);
    else this.joined.hear?.(this, message);
  }

  /** What is asked for by the text around the widget, in place of a hand. */
  ask(parts: Record<string, unknown>): void {
    const { since } = this.view;
    this.set("_request", { origin: "page", seq: (this.asked += 1), base: since, ...(decoded(parts) as object) });
    this.save_changes();
  }

  /** Tell all listeners of an event; one that fails keeps it from no other. */
  tell(event: string, ...values: unknown[]): void {
    for (const callback of [...(this.listeners.get(event) ?? [])]) {
      try {
        callback(...values);
      } catch (error) {
        console.error(error);
      }
    }
  }

  /** Something else is shown, though nothing was asked for. */
  moved(): void {
    this.changed = true;
    this.options.changed?.(this.view);
  }

  no_picture(): boolean {
    return this.changed || !this.options.picture?.();
  }

  destroy(): void {
    if (this.turn !== null) clearTimeout(this.turn);
    this.listeners.clear();
  }

  private answer(): void {
    this.turn = null;
    const request = this.waiting;
    if (request === null) return;
    this.waiting = null;
    const { view } = this;
    const { origin, seq, base, ...wish } = request;
    const stands = { revision: view.revision + 1, since: view.since, ack: { origin, seq } };
    // Positions of a table that is gone would be taken for those of the present one; here no other one ever comes.
    const stale = base < view.since;
    const next = this.reason !== null || stale ? view : this.answered(view, wish as unknown as Partial<R>);
    // Before anybody draws it: whatever becomes of the drawing, the published picture shows something else.
    this.changed = this.changed || next !== view;
    this.set("_view", { ...next, ...stands });
    if (next === view) return;
    this.options.changed?.(this.view);
    this.joined.shown?.(this);
  }

  private answered(view: V, wish: Partial<R>): V {
    try {
      return this.joined.answer(view, wish, this.embedded);
    } catch (error) {
      if (error instanceof InputFault) return { ...view, fault: error.fault };
      console.error(error);
      const text = `Something went wrong in this page: ${inOurWords(error, "its state is damaged, or the code.")} The last results stay.`;
      return { ...view, fault: { text, where: null } };
    }
  }

  private sendPicture(asked: unknown): void {
    const svg = this.changed ? null : (this.options.picture?.() ?? null);
    const answer = svg === null ? { fault: this.changed ? CHANGED : NO_PICTURE } : { svg, name: this.joined.picture };
    setTimeout(() => this.tell("msg:custom", { picture: { asked, ...answer } }), 0);
  }
}
