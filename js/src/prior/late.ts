/** Numbers that take longer than an edit: asked for once the hand has been quiet for a while, shown only beside the view they belong to. */
import type { Enough, Late, Sample } from "../ui/protocol";
import type { Model } from "../ui/session";
import { heard } from "../ui/wire";
import type { PriorView } from "./protocol";

/** Quiet for this long, and nothing of the hand's unanswered: then the late numbers are asked for. */
export const LATE_AFTER = 600;

/** In place of what was not there yet when the kernel went, or when the page was saved. */
const WHY = "needs a kernel";
const NO_SAMPLE: Sample = { of: 0, low: null, high: null, level: 0.95, why: WHY };
const NOT_ENOUGH: Enough = { of: 0, scale: null, why: `It ${WHY}.` };

export interface LateNumbers {
  /** Least scale that reaches the goal for all; undefined while it is awaited. */
  enough: Enough | undefined;
  /** Interval of the chosen adversary; undefined while it is awaited, null when the table is no sample. */
  sample: Sample | null | undefined;
}

export interface LateDesk {
  /** What has come for this view so far. */
  numbers(view: PriorView): LateNumbers;
  /** Ask for what is missing, a little later; called at every change. `ready` when nothing else is under way. */
  expect(view: PriorView, ready: boolean): void;
  destroy(): void;
}

export function createLateDesk(model: Model, came: () => void, connected: () => boolean): LateDesk {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let waiting = "";
  let asked = "";

  const late = (): Late => (heard(model, "_late") as Late | undefined) ?? {};

  function numbers(view: PriorView): LateNumbers {
    const { enough, sample } = late();
    const never = !connected();
    return {
      enough: enough?.of === view.late.enough ? enough : never ? NOT_ENOUGH : undefined,
      sample: view.late.sample === null ? null : sample?.of === view.late.sample ? sample : never ? NO_SAMPLE : undefined,
    };
  }

  function cancel(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    waiting = "";
  }

  model.on("change:_late", came);
  return {
    numbers,
    expect(view, ready) {
      const { enough, sample } = numbers(view);
      if (!ready || view.results === null || !model.send || (enough !== undefined && sample !== undefined)) {
        // A question may be lost with what else was under way: it is asked again afterwards.
        asked = "";
        return cancel();
      }
      const key = `${view.late.enough}/${view.late.sample}`;
      if (key === asked || key === waiting) return;
      cancel();
      waiting = key;
      timer = setTimeout(() => {
        timer = null;
        waiting = "";
        asked = key;
        model.send?.({ late: key });
      }, LATE_AFTER);
    },
    destroy() {
      cancel();
      model.off("change:_late", came);
    },
  };
}
