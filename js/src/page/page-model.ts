/**
 * A model with no kernel behind it. It speaks as anywidget's do; requests are answered in the page, one after the
 * other: one that is overtaken before its turn is passed over, since the newer one carries all that is unanswered.
 */
import type { AnyRequest, AnyView, Model } from "../ui/session";
import type { Embedded, Joined } from "./joined";
import type { PageState } from "./state";

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
