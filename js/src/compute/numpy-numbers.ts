/** Numbers as numpy and Python make them: random ones, sums in the same order, and rounding. */

// The random numbers of numpy: its generator PCG64 (O'Neill, "PCG: A family of simple fast space-efficient statistically
// good algorithms", XSL RR 128/64), seeded as numpy seeds it. The same seed gives the same numbers, bit for bit.

const MASK = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
/** Words that a seed is spread over before the state is drawn from them. */
const POOL = 4;

/** What is hashed differs with every call, as the constant goes on. */
function hasher(constant: number, multiplier: number): (value: number) => number {
  let hash = constant;
  return (value) => {
    const mixed = value ^ hash;
    hash = Math.imul(hash, multiplier);
    const product = Math.imul(mixed, hash);
    return (product ^ (product >>> 16)) >>> 0;
  };
}

function mix(x: number, y: number): number {
  const both = (Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y)) | 0;
  return (both ^ (both >>> 16)) >>> 0;
}

/** The words of numpy's SeedSequence for a whole number from 0 to 2^53, or for up to four words of 32 bits. */
function seedWords(seed: number | readonly number[], count: number): number[] {
  const given = typeof seed === "number" ? [seed % 2 ** 32, Math.floor(seed / 2 ** 32)] : seed;
  const entropy = Array.from({ length: POOL }, (_, k) => given[k] ?? 0);
  const hash = hasher(0x43b0d7e5, 0x931e8875);
  const pool = entropy.map(hash);
  for (let from = 0; from < POOL; from++) {
    for (let to = 0; to < POOL; to++) {
      if (from !== to) pool[to] = mix(pool[to] as number, hash(pool[from] as number));
    }
  }
  const drawn = hasher(0x8b51f9dd, 0x58f38ded);
  return Array.from({ length: count }, (_, k) => drawn(pool[k % POOL] as number));
}

export class Pcg64 {
  private state: bigint;
  private readonly increment: bigint;

  /** `seed`: a whole number from 0 to 2^53, or the up to four words of 32 bits that a list of numbers has. */
  constructor(seed: number | readonly number[]) {
    const words = seedWords(seed, 8).map(BigInt);
    // Of each 64 bits the low half comes first, of each 128 bits the high one.
    const long = (k: number): bigint => ((words[k + 1] as bigint) << 32n) | (words[k] as bigint);
    const start = (long(0) << 64n) | long(2);
    this.increment = ((((long(4) << 64n) | long(6)) << 1n) | 1n) & MASK;
    this.state = (this.increment + start) & MASK;
    this.step();
  }

  /** Passes over numbers that would come next. */
  advance(count: number): this {
    let [left, multiplier, addend] = [BigInt(count), MULTIPLIER, this.increment];
    let [factor, sum] = [1n, 0n];
    while (left > 0n) {
      if (left & 1n) {
        factor = (factor * multiplier) & MASK;
        sum = (sum * multiplier + addend) & MASK;
      }
      addend = ((multiplier + 1n) * addend) & MASK;
      multiplier = (multiplier * multiplier) & MASK;
      left >>= 1n;
    }
    this.state = (factor * this.state + sum) & MASK;
    return this;
  }

  /** A number in [0, 1) with 53 random bits. */
  random(): number {
    this.step();
    const folded = (this.state >> 64n) ^ (this.state & 0xffffffffffffffffn);
    const turn = this.state >> 122n;
    const bits = BigInt.asUintN(64, (folded >> turn) | (folded << (64n - turn)));
    return Number(bits >> 11n) / 2 ** 53;
  }

  private step(): void {
    this.state = (this.state * MULTIPLIER + this.increment) & MASK;
  }
}

// Numbers as numpy and Python make them: sums in the same order, rounding to even, Laplace noise.

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
