/** A linear history of whole states, the steps that a hand makes over it, and whether data are still those loaded. */

/** A linear history of whole states. States are kept as they are, so floats come back exactly. */
export class History<T> {
  private readonly past: T[] = [];
  private readonly future: T[] = [];
  private present: T;

  constructor(
    initial: T,
    private readonly same: (a: T, b: T) => boolean = Object.is,
    private readonly limit = 500,
  ) {
    this.present = initial;
  }

  /** The state the history stands at. */
  get current(): T {
    return this.present;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** One step of the hand. A state equal to the present one is no step. */
  record(state: T): void {
    if (this.same(state, this.present)) return;
    this.past.push(this.present);
    if (this.past.length > this.limit) this.past.shift();
    this.present = state;
    this.future.length = 0;
  }

  /** The present changed from elsewhere (Python, another view): no step of its own. */
  amend(state: T): void {
    this.present = state;
  }

  /** The state before the last step, or null when there is none. */
  undo(): T | null {
    const state = this.past.pop();
    if (state === undefined) return null;
    this.future.push(this.present);
    this.present = state;
    return state;
  }

  redo(): T | null {
    const state = this.future.pop();
    if (state === undefined) return null;
    this.past.push(this.present);
    this.present = state;
    return state;
  }
}

// Steps of the hand over one whole state: keys pressed in a row are one step, an act at another view is one, what comes
// from Python is none.

/** Presses of an arrow key that follow each other faster than this are one step. */
const ONE_STEP = 500;

/** What goes on while something comes. */
export interface Now {
  /** Another subject: the history before is none of this one. */
  another?: boolean;
  /** The hand drags. */
  dragging?: boolean;
  /** Something that the hand did is unanswered. */
  pending?: boolean;
  /** How many answers to the hand at other views have come. */
  acts: number;
}

export class Steps<T> {
  private history: History<T>;
  private pressedAt = -Infinity;

  /** `acts`: how many answers to the hand at other views have come (`Session.elsewhere`). */
  constructor(
    first: T,
    private readonly same: (a: T, b: T) => boolean,
    private acts: number,
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

  /**
   * What stands now. Another subject starts anew; a new act at another view is a step like one here, a drag there one
   * in all; what comes from Python is taken over into the present step. While the hand drags here nothing is, nor,
   * while its own answer is due, what no hand did. Gives whether this was such an act.
   */
  follow(next: T, { another = false, dragging = false, pending = false, acts }: Now): boolean {
    const act = acts !== this.acts;
    this.acts = acts;
    if (another) {
      this.pressedAt = -Infinity;
      this.history = new History(next, this.same);
    } else if (act && !dragging) {
      this.record(next, true);
      return true;
    } else if (!dragging && !pending && !this.same(this.history.current, next)) {
      this.pressedAt = -Infinity;
      this.history.amend(next);
    }
    return false;
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

// The name of data, and whether they still are those data: cells that were edited are not what was loaded.

/** In front: the end of a long name is cut. */
const MARK = "Edited from ";

/** Whether a number is another one than was loaded; two that are no number are alike. */
export function differs(a: number, b: number): boolean {
  return !(Math.abs(a - b) <= 1e-12) && !(Number.isNaN(a) && Number.isNaN(b));
}

export function isEdited(now: ArrayLike<number>, loaded: ArrayLike<number>): boolean {
  // Nothing loaded is sent where nothing can be edited.
  if (now.length !== loaded.length) return false;
  for (let k = 0; k < now.length; k++) if (differs(now[k] as number, loaded[k] as number)) return true;
  return false;
}

/** As `edited_title` in Python. */
export function editedTitle(title: string, edited: boolean): string {
  return edited && title && !title.startsWith(MARK) ? MARK + title : title;
}
