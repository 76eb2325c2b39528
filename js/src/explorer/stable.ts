/**
 * Every answer brings new objects, mostly with what was there before. Kept under a name, equal content
 * stays one object, so that a part is redrawn only when something it shows has changed.
 */
import type { Bytes } from "../ui/protocol";
import { sameBytes } from "../ui/wire";

export class Stable {
  private readonly kept = new Map<string, unknown>();

  /** The object kept under this name while its content is the same. */
  value<T>(name: string, next: T): T {
    const old = this.kept.get(name) as T | undefined;
    if (old !== undefined && (Object.is(old, next) || JSON.stringify(old) === JSON.stringify(next))) return old;
    this.kept.set(name, next);
    return next;
  }

  /** Bytes read once for each content. */
  read<T>(name: string, bytes: Bytes, reader: (bytes: Bytes) => T): T {
    const old = this.kept.get(name) as { bytes: Bytes; value: T } | undefined;
    if (old && (old.bytes === bytes || sameBytes(old.bytes, bytes))) return old.value;
    const value = reader(bytes);
    this.kept.set(name, { bytes, value });
    return value;
  }
}

/** Runs something again only when one of the things it depends on is another one. */
export function gate(): (on: readonly unknown[], run: () => void) => void {
  let last: readonly unknown[] | null = null;
  return (on, run) => {
    if (last && last.length === on.length && on.every((v, k) => Object.is(v, (last as readonly unknown[])[k]))) return;
    last = on;
    run();
  };
}
