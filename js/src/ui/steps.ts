/** Steps of the hand over one whole state: keys pressed in a row are one step, what comes from elsewhere is none. */
import { History } from "./undo";

/** Presses of an arrow key that follow each other faster than this are one step. */
const ONE_STEP = 500;

export class Steps<T> {
  private history: History<T>;
  private pressedAt = -Infinity;

  constructor(
    first: T,
    private readonly same: (a: T, b: T) => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.history = new History(first, same);
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  /** The hand finished an edit; `pressed` when it was one press of an arrow key. */
  record(next: T, pressed = false): void {
    const time = this.now();
    if (pressed && time - this.pressedAt < ONE_STEP && this.history.canUndo) this.history.amend(next);
    else this.history.record(next);
    this.pressedAt = pressed ? time : -Infinity;
  }

  /** What stands now came from elsewhere: from Python or another view. Another subject starts anew. */
  follow(next: T, another = false): void {
    if (!another && this.same(this.history.current, next)) return;
    this.pressedAt = -Infinity;
    if (another) this.history = new History(next, this.same);
    else this.history.amend(next);
  }

  undo(): T | null {
    this.pressedAt = -Infinity;
    return this.history.undo();
  }

  redo(): T | null {
    this.pressedAt = -Infinity;
    return this.history.redo();
  }
}
