/** Numbers as numpy and Python make them: sums in the same order, rounding to even, Laplace noise. */
import { Pcg64 } from "./pcg64";

/** What numpy sums at once; longer lists are halved. */
const BLOCK = 128;

/** The sum of some numbers in the order in which numpy adds them: where much cancels, the order shows. */
export function sum(values: ArrayLike<number>, from = 0, to = values.length): number {
  const n = to - from;
  const at = (k: number): number => values[from + k] as number;
  if (n < 8) {
    let total = 0;
    for (let k = 0; k < n; k++) total += at(k);
    return total;
  }
  if (n <= BLOCK) {
    const eight = Float64Array.from({ length: 8 }, (_, k) => at(k));
    const whole = n - (n % 8);
    for (let k = 8; k < whole; k++) eight[k % 8] = (eight[k % 8] as number) + at(k);
    const [a, b, c, d, e, f, g, h] = eight as unknown as [number, number, number, number, number, number, number, number];
    let total = a + b + (c + d) + (e + f + (g + h));
    for (let k = whole; k < n; k++) total += at(k);
    return total;
  }
  const half = Math.floor(n / 2) - (Math.floor(n / 2) % 8);
  return sum(values, from, from + half) + sum(values, from + half, to);
}

export function mean(values: ArrayLike<number>): number {
  return sum(values) / values.length;
}

/** The position of the first of the largest numbers. */
export function firstLargest(values: ArrayLike<number>): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if ((values[k] as number) > (values[best] as number)) best = k;
  return best;
}

/** To the nearest whole number, and of two equally near ones to the even one. */
export function roundToEven(value: number): number {
  const low = Math.floor(value);
  const part = value - low;
  if (part !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}

/** The words of 32 bits of a whole number given by its digits: the low ones first, one for 0. */
export function wordsOf(digits: string): number[] {
  const words: number[] = [];
  for (let left = BigInt(digits); left > 0n; left >>= 32n) words.push(Number(left & 0xffffffffn));
  return words.length > 0 ? words : [0];
}

/** Laplace noise of scale 1, as numpy's generator draws it. */
export function laplace(generator: Pcg64, count: number): Float64Array {
  const one = (): number => {
    const u = generator.random();
    if (u >= 0.5) return -Math.log(2 - u - u);
    return u > 0 ? Math.log(u + u) : one();
  };
  return Float64Array.from({ length: count }, one);
}
