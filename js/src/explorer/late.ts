/** Results that are not of this moment: numbers that take longer than an edit, and the mark of old results. */
import { h, icon, INFO, setText } from "../ui/dom";
import type { Enough, Late, Sample } from "../ui/protocol";
import type { Model } from "../ui/session";
import { heard } from "../ui/wire";
import type { PriorView } from "./protocol";
import { belongs } from "./words";

// The mark of old results: a sign and a sentence that says what they belong to; all panels of results lose their
// colour.

export interface Stale {
  el: HTMLElement;
  /** `stale`: what the results belong to instead of what stands in the controls; empty when they belong to that. */
  say(stale: string): void;
}

/** Panels that show results: the sheet takes their colour while those are old. */
export function results(...panels: HTMLElement[]): HTMLElement[] {
  for (const panel of panels) panel.classList.add("px-result");
  return panels;
}

export function createStale(): Stale {
  const words = h("span");
  const el = h("p", { class: "small px-stale" }, icon(INFO, 12), words);
  return {
    el,
    say(stale) {
      el.hidden = stale === "";
      setText(words, belongs(stale));
    },
  };
}

// Numbers that take longer than an edit: they are asked for once the hand has been quiet for a while, come in a
// trait of their own, and are shown only beside the view they belong to.

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
