/** What undo and redo cover in the explorer: the table's entries and locks, the scale, the query and its weights. */
import { sameBytes } from "../ui/codec";
import type { Bytes } from "../ui/protocol";
import { History } from "../ui/undo";

export interface Edit {
  entries: Bytes;
  locks: Bytes;
  scale: number;
  query: string;
  weights: number[];
}

export function sameEdit(a: Edit, b: Edit): boolean {
  const release = Object.is(a.scale, b.scale) && a.query === b.query && sameNumbers(a.weights, b.weights);
  return release && sameBytes(a.entries, b.entries) && sameBytes(a.locks, b.locks);
}

export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, k) => Object.is(x, b[k]));
}

/** Presses of an arrow key that follow each other faster than this are one step. */
const ONE_STEP = 500;

export class EditHistory {
  private history: History<Edit>;
  private pressedAt = -Infinity;

  constructor(first: Edit, private readonly now: () => number = () => performance.now()) {
    this.history = new History(first, sameEdit);
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  /** The hand finished an edit; `pressed` when it was one press of an arrow key. */
  record(next: Edit, pressed = false): void {
    const time = this.now();
    if (pressed && time - this.pressedAt < ONE_STEP && this.history.canUndo) this.history.amend(next);
    else this.history.record(next);
    this.pressedAt = pressed ? time : -Infinity;
  }

  /** What stands now came from elsewhere: from Python or another view. A table of other tuples starts anew. */
  follow(next: Edit, another = false): void {
    if (!another && sameEdit(this.history.current, next)) return;
    this.pressedAt = -Infinity;
    if (another) this.history = new History(next, sameEdit);
    else this.history.amend(next);
  }

  undo(): Edit | null {
    this.pressedAt = -Infinity;
    return this.history.undo();
  }

  redo(): Edit | null {
    this.pressedAt = -Infinity;
    return this.history.redo();
  }
}
