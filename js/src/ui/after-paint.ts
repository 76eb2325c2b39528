/** What may stand on the screen one frame later, so that what the hand moves is drawn before it. */

export interface AfterPaint {
  /**
   * Run this after the next frame has been drawn; of several asked for meanwhile the last runs. What took long waits
   * so long that at least three quarters of the time are left for the hand.
   */
  ask(run: () => void): void;
  /** What was asked for is not wanted any more. */
  cancel(): void;
}

export function createAfterPaint(): AfterPaint {
  let wanted: (() => void) | null = null;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let free = -Infinity;

  function cancel(): void {
    cancelAnimationFrame(frame);
    if (timer !== null) clearTimeout(timer);
    [wanted, frame, timer] = [null, 0, null];
  }

  return {
    ask(run) {
      const under = wanted !== null;
      wanted = run;
      if (under) return;
      // A frame's callbacks run before it is drawn: what they put off comes after.
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => {
          const last = wanted;
          cancel();
          const begin = performance.now();
          last?.();
          const now = performance.now();
          free = now + 3 * (now - begin);
        }, Math.max(0, free - performance.now()));
      });
    },
    cancel,
  };
}
