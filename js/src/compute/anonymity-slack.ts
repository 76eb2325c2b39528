/** The slack between two laws on one lattice: how far one may exceed e^ε times the other. */

/** Chances of `start`, `start + 1`, ... steps of a lattice. */
export interface Law {
  start: number;
  chances: Float64Array;
}

/** Beyond it e^ε no longer fits beside small chances. */
const LARGE = 700;

/** The least delta at which the two are alike within e^ε for any event, in both directions. */
export function slackBetween(first: Law, second: Law, epsilon: number): number {
  return Math.max(oneWay(first, second, epsilon), oneWay(second, first, epsilon));
}

/** The sum of what is above e^ε times the other, compensated: small terms beside large ones. */
function oneWay(p: Law, q: Law, epsilon: number): number {
  const factor = Math.exp(epsilon);
  const apart = p.start - q.start;
  const width = q.chances.length;
  let [sum, lost] = [0, 0];
  for (let k = 0; k < p.chances.length; k++) {
    const own = p.chances[k] as number;
    const place = k + apart;
    const other = place >= 0 && place < width ? (q.chances[place] as number) : 0;
    const above = other === 0 ? own : epsilon <= LARGE ? own - factor * other : farAbove(own, other, epsilon);
    if (!(above > 0)) continue;
    const term = above - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  return sum;
}

/** The same where e^ε would leave the floats. */
function farAbove(p: number, q: number, epsilon: number): number {
  if (p === 0 || epsilon === Infinity) return 0;
  const above = Math.log(p) - Math.log(q) - epsilon;
  return above > 0 ? -p * Math.expm1(-above) : 0;
}

/** The least of all values so far: what holds at a smaller ε holds at a larger one. */
export function runningLeast(values: ArrayLike<number>): Float64Array {
  let least = Infinity;
  return Float64Array.from(values, (value) => {
    if (value < least) least = value;
    // Nothing was defined before.
    return least === Infinity ? NaN : least;
  });
}
