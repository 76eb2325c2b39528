/** The other end of an explorer's model in tests: it keeps what the browser sends, and says what it is told to. */
import type { AnyRequest } from "../src/ui/session";

export type Sent<R extends AnyRequest> = Partial<R> & Pick<R, "origin" | "seq">;

export class OtherEnd<V, R extends AnyRequest> {
  requests: Sent<R>[] = [];
  messages: unknown[] = [];
  comm_live = true;
  /** What stands in the trait `_progress`. */
  progress: unknown = {};
  private listeners = new Map<string, Set<(content?: unknown) => void>>();

  constructor(public view: V) {}
  get(name: string): unknown {
    return name === "_progress" ? this.progress : this.view;
  }
  set(_name: string, value: unknown): void {
    this.requests.push(value as Sent<R>);
  }
  save_changes(): void {}
  on(event: string, callback: (content?: unknown) => void): void {
    this.listeners.set(event, (this.listeners.get(event) ?? new Set()).add(callback));
  }
  off(event: string, callback: (content?: unknown) => void): void {
    this.listeners.get(event)?.delete(callback);
  }
  emit(event: string, content?: unknown): void {
    this.listeners.get(event)?.forEach((callback) => callback(content));
  }
  send(content: unknown): void {
    this.messages.push(content);
  }
  get live(): number {
    return [...this.listeners.values()].reduce((n, set) => n + set.size, 0);
  }
  get last(): Sent<R> {
    return this.requests[this.requests.length - 1]!;
  }
}
