/** What a widget declares so that it lives in a page without a kernel. */
import type { AnyRequest, AnyView, Model } from "../ui/session";
import type { PageModel } from "./page-model";

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
  /** File name of the picture that can be saved; without it there is no such button. */
  picture?: string;
}
