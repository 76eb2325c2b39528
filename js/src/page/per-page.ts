/** What is read once from what a page embeds, and kept while the page is there. */
import type { Embedded } from "./joined";

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
