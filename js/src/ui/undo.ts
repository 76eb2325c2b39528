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
