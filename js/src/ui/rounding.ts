/** What rounding makes of leakages: one rule for verdicts and for the numbers beside them. As in models/rounding_rule.py. */

/** What rounding makes of a leakage of 0 at most, nats. */
export const NOTHING = 1e-14;
/** What two ways to compute one leakage may differ by, as a share of it. */
export const SHARE = 1e-9;
/** A line is of ordinary size where what counts as nothing is a smaller share of it. */
const SEEN = 1e-6;

/** The largest number that is no more than a line, rounding aside; `precision` is what the number may be off by as it is computed. */
export function atMost(line: number, share = SHARE, precision = 0): number {
  return line + (line === 0 ? Math.max(NOTHING, precision) : share * Math.abs(line) + precision);
}

/** Whether a number is what rounding makes of 0, beside a line of 0 or of ordinary size. */
export function isNothing(size: number, line: number): boolean {
  return Math.abs(size) <= NOTHING && (line === 0 || NOTHING < SEEN * Math.abs(line));
}
