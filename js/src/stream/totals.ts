/** What each lane has come to up to the step that is shown: counted on from what Python counted. */
import { number } from "../ui/wire";
import type { LaneState } from "./protocol";
import type { StepRecord } from "./step-record";

export interface LaneTotals {
  /** The largest leakage of a step. */
  largest: number;
  /** Steps over their promise, and the first of them. */
  over: number;
  first: number | null;
}

export class Totals {
  lanes: LaneTotals[] = [];
  private at = 0;

  /** Begins at what Python says of a step. */
  reset(lanes: readonly LaneState[], position: number): void {
    this.lanes = lanes.map(({ largest, over, first_over }) => ({ largest: number(largest), over, first: first_over }));
    this.at = position;
  }

  /** Counts on to a step; tells which lanes broke their promise for the first time on the way. */
  reach(record: StepRecord, position: number): number[] {
    const broke: number[] = [];
    for (let step = this.at + 1; step <= position; step++) {
      if (!record.has(step)) continue;
      const k = record.at(step);
      this.lanes.forEach((lane, j) => {
        const arrays = record.lanes[j];
        if (!arrays) return;
        const leaks = arrays.leakage[k] as number;
        if (leaks > lane.largest) lane.largest = leaks;
        if (!arrays.over[k]) return;
        lane.over += 1;
        if (lane.first === null) {
          lane.first = step;
          broke.push(j);
        }
      });
    }
    this.at = Math.max(this.at, position);
    return broke;
  }
}
