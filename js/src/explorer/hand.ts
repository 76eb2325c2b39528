/** The hand at an explorer: what it does is seen at once, is one step of a history at its end, and can be undone and done again. */
import type { Bytes } from "../ui/protocol";
import type { Change } from "../ui/slider";
import { Steps } from "../ui/undo";
import { sameBytes } from "../ui/wire";

// Every answer brings new objects, mostly with what was there before. Kept under a name, equal content
// stays one object, so that a part is redrawn only when something it shows has changed.

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

/** What the hand needs of the conversation with Python. */
interface Conversation<E> {
  view(): { since: number };
  /** Something is unanswered: till then what stands in the controls is not taken for what came from elsewhere. */
  pending(): boolean;
  /** How many answers to the hand at other views have come. */
  elsewhere(): number;
  propose(patch: Partial<E>, how: { commit: boolean }): void;
}

export interface HandOptions<E extends object> {
  /** What stands in the controls, of that which undo and redo cover. */
  edit(): E;
  same(a: E, b: E): boolean;
  /** Controls are off. */
  disabled(): boolean;
  /** Undo or redo leads here; without it all of the edit is sent. */
  take?(edit: E): void;
}

export interface Hand<E extends object> {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** A drag goes on: what Python answers meanwhile is no state to undo to, and nothing is undone. */
  dragging(): boolean;
  /** One act: sent at once, a step of the history at its end. */
  propose(patch: Partial<E>, change: Change): void;
  /** The step alone, where something else is sent. */
  record(patch: Partial<E>, pressed?: boolean): void;
  travel(way: "undo" | "redo"): void;
  /** Whether this is another subject than the last time; a drag on the one before is over. */
  moved(since: number): boolean;
  /** What stands now is no step of the hand; `another`: the history before is none of this one. */
  follow(another: boolean): void;
}

export function createHand<E extends object>(
  session: Conversation<E>,
  { edit, same, disabled, take = (next) => session.propose(next, { commit: true }) }: HandOptions<E>,
): Hand<E> {
  const history = new Steps<E>(edit(), same, session.elsewhere());
  let { since } = session.view();
  let dragging = false;

  function record(patch: Partial<E>, pressed?: boolean): void {
    dragging = false;
    history.record({ ...edit(), ...patch }, pressed);
  }

  return {
    get canUndo() {
      return history.canUndo;
    },
    get canRedo() {
      return history.canRedo;
    },
    dragging: () => dragging,
    propose(patch, { commit, pressed }) {
      if (commit) record(patch, pressed);
      else dragging = true;
      session.propose(patch, { commit });
    },
    record,
    travel(way) {
      if (disabled() || dragging) return;
      const next = way === "undo" ? history.undo() : history.redo();
      if (next) take(next);
    },
    moved(next) {
      const another = next !== since;
      since = next;
      if (another) dragging = false;
      return another;
    },
    follow: (another) => void history.follow(edit(), { another, dragging, pending: session.pending(), acts: session.elsewhere() }),
  };
}
