/** Brent's method for a root between two places of opposite sign: R. P. Brent, Algorithms for Minimization Without Derivatives (1973), chapter 4. */

export interface Precision {
  absolute: number;
  relative: number;
  steps: number;
}

/** A place where f is 0 within the precision. f has opposite signs at the two ends. */
export function brent(f: (x: number) => number, from: number, to: number, { absolute, relative, steps }: Precision): number {
  let before = from;
  let now = to;
  let valueBefore = f(before);
  let valueNow = f(now);
  // The place on the other side of the root, and the last two steps.
  let other = 0;
  let valueOther = 0;
  let stepBefore = 0;
  let step = 0;
  if (valueBefore === 0) return before;
  for (let k = 0; k < steps; k++) {
    if (valueBefore !== 0 && valueNow !== 0 && valueBefore < 0 !== valueNow < 0) {
      [other, valueOther] = [before, valueBefore];
      stepBefore = step = now - before;
    }
    if (Math.abs(valueOther) < Math.abs(valueNow)) {
      [before, now, other] = [now, other, now];
      [valueBefore, valueNow, valueOther] = [valueNow, valueOther, valueNow];
    }
    const delta = (absolute + relative * Math.abs(now)) / 2;
    const half = (other - now) / 2;
    if (valueNow === 0 || Math.abs(half) < delta) return now;
    let tried = half;
    if (Math.abs(stepBefore) > delta && Math.abs(valueNow) < Math.abs(valueBefore)) {
      if (before === other) {
        tried = (-valueNow * (now - before)) / (valueNow - valueBefore);
      } else {
        const first = (valueBefore - valueNow) / (before - now);
        const second = (valueOther - valueNow) / (other - now);
        tried = (-valueNow * (valueOther * second - valueBefore * first)) / (second * first * (valueOther - valueBefore));
      }
      const good = 2 * Math.abs(tried) < Math.min(Math.abs(stepBefore), 3 * Math.abs(half) - delta);
      if (!good) tried = half;
      [stepBefore, step] = good ? [step, tried] : [half, half];
    } else {
      [stepBefore, step] = [half, half];
    }
    [before, valueBefore] = [now, valueNow];
    now += Math.abs(step) > delta ? step : half > 0 ? delta : -delta;
    valueNow = f(now);
  }
  return now;
}
