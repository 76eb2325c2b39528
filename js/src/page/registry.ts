/** The widgets of this page, by the name of their module: those whose code the page carries. */
import type { AnyRequest, AnyView } from "../ui/session";
import type { Joined } from "./joined";

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
