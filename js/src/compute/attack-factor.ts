/** By how much friends multiply the noise: the root of factor = 1 + friends rho(factor D / epsilon), rho the bound of Eq. 18 on cells. */

/** The friend model of Eq. 26, in its constants. */
const [NEAR, FALL] = [0.196, 1.05];
/** Relative tolerance of the root. */
const TINY = 1e-12;
/** Times the diameter: with more noise nothing changes that a float shows. */
const WIDE = 1e16;

/** For each cell of a victim the law of a friend's cell, by the steps that it is away from the corner: rows are cells. */
const laws = new Map<number, Float64Array>();

function lawsOf(grid: number): Float64Array {
  const known = laws.get(grid);
  if (known) return known;
  const weights = Float64Array.from({ length: 2 * grid - 1 }, (_, steps) => (steps / grid + NEAR) ** -FALL);
  const width = 2 * grid - 1;
  const made = new Float64Array(grid ** 2 * width);
  for (let row = 0; row < grid; row++) {
    for (let column = 0; column < grid; column++) {
      const start = (row * grid + column) * width;
      let total = 0;
      for (let r = 0; r < grid; r++) {
        for (let c = 0; c < grid; c++) {
          const weight = weights[Math.abs(r - row) + Math.abs(c - column)] as number;
          total += weight;
          made[start + r + c] = (made[start + r + c] as number) + weight;
        }
      }
      for (let steps = 0; steps < width; steps++) made[start + steps] = (made[start + steps] as number) / total;
    }
  }
  laws.set(grid, made);
  return made;
}

/** What is averaged is convex along both axes, so that it is largest at a corner, and all corners are alike. */
function coefficient(grid: number, scale: number): number {
  const [law, width, diameter] = [lawsOf(grid), 2 * grid - 1, (2 * (grid - 1)) / grid];
  // Where all is so near to 1 that what is left would be rounding, what is above 1 is averaged; else the farthest cell has exponent 0.
  const near = diameter / scale < 1;
  const grown = Float64Array.from({ length: width }, (_, steps) => (near ? Math.expm1(steps / grid / scale) : Math.exp((steps / grid - diameter) / scale)));
  let most = 0;
  for (let start = 0; start < law.length; start += width) {
    let total = 0;
    for (let steps = 0; steps < width; steps++) total += (law[start + steps] as number) * (grown[steps] as number);
    most = Math.max(most, total);
  }
  return (scale / diameter) * (near ? Math.log1p(most) : Math.log(most) + diameter / scale);
}

const roots = new Map<string, number>();

/** `friends`: the largest number of friends of a user. */
export function friendFactor(grid: number, friends: number, epsilon: number): number {
  if (friends < 1 || grid < 2) return 1;
  const key = `${grid} ${friends} ${epsilon}`;
  const known = roots.get(key);
  if (known !== undefined) return known;
  if (roots.size > 1000) roots.clear();
  const diameter = (2 * (grid - 1)) / grid;
  const made = root((factor) => factor - 1 - friends * coefficient(grid, diameter * Math.min(factor / epsilon, WIDE)), 1 + friends);
  roots.set(key, made);
  return made;
}

/** The only root of an increasing function from 1 to a number at which it may still be 0 or less. */
function root(over: (factor: number) => number, most: number): number {
  let [low, high] = [1, most];
  let above = over(high);
  if (above <= 0) return high;
  let below = over(low);
  let side = 0;
  while (high - low > TINY * high) {
    // Where the line through both ends crosses; an end that stays twice counts half (Illinois).
    const middle = (low * above - high * below) / (above - below);
    if (!(low < middle && middle < high)) break;
    const value = over(middle);
    if (value > 0) {
      [high, above] = [middle, value];
      if (side > 0) below /= 2;
      side = 1;
    } else {
      [low, below] = [middle, value];
      if (side < 0) above /= 2;
      side = -1;
    }
    if (value === 0) break;
  }
  return above === 0 || side > 0 ? high : low;
}
