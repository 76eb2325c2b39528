/**
 * The users of a page about inferred places, by how much one of them moves the released centres, and what friends make
 * of the noise.
 */
import type { AttackView, Sensitivity } from "../attack/protocol";
import { floats } from "../ui/wire";
import { laplace, Pcg64, sum, wordsOf } from "./numpy-numbers";

// The users of a page about inferred places as Python embeds them: where they are, who is whose friend, their clusters.

/** The largest that Python embeds: tests/data/page-limits.json, for both sides. */
export const LIMITS = { users: 2000, friendships: 16_000, work: 20_000_000 } as const;

/** A list with two numbers each, to the north and to the east, stands flat. */
export interface City {
  n: number;
  /** Cells a side, and the centres of the cells along one side. */
  grid: number;
  middle: Float64Array;
  /** Clusters. */
  k: number;
  /** In the unit square. */
  points: Float64Array;
  /** In degrees, with the least and the largest of them. */
  places: Float64Array;
  box: Float64Array;
  /** Positions of the friends of every user, ascending. */
  friends: number[][];
  largestComponent: number;
  /** By how much one user moves the centres of these data. */
  local: number;
  /** The cluster of every user, and the centres before noise. */
  assign: Uint16Array;
  centroids: Float64Array;
  /** The cell of every user. */
  cells: Int32Array;
  /** Who becomes known first. */
  order: Uint16Array;
  /** How near a friend is near. */
  radius: number;
  /** Added to how many known users are in each cell. */
  smoothing: number;
  /** Noise of scale 1 by its number, one for each coordinate of the centres. */
  noise(draw: number): Float64Array;
}

/** Noises that are kept: the means and the many draws ask for the same ones again. */
const MOST_KEPT = 500;

/** What is embedded as it is computed with; null where the page holds too little. */
export function cityOf({ city: shown }: AttackView, embedded: Record<string, unknown>): City | null {
  const { places: held, seed, largest_component: largest, local } = embedded;
  if (
    !(held instanceof DataView) ||
    typeof seed !== "string" ||
    !/^\d{1,20}$/.test(seed) ||
    typeof largest !== "number" ||
    typeof local !== "number"
  )
    return null;
  const read = (name: string): Uint16Array => positionsOf(embedded[name] as DataView);
  const [places, box, centroids] = ["places", "box", "centroids"].map((name) => floats(embedded[name] as DataView)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const { grid, clusters: k, radius, smoothing } = shown;
  const [n, points] = [places.length / 2, unitPoints(places, box)];
  const row = (user: number): number => Math.min(grid - 1, Math.floor((points[2 * user] as number) * grid));
  const column = (user: number): number => Math.min(grid - 1, Math.floor((points[2 * user + 1] as number) * grid));
  return {
    n,
    grid,
    middle: Float64Array.from({ length: grid }, (_, at) => (at + 0.5) / grid),
    k,
    points,
    places,
    box,
    friends: friendsOf(n, read("edges")),
    largestComponent: largest,
    local,
    assign: read("assign"),
    centroids,
    cells: Int32Array.from({ length: n }, (_, user) => row(user) * grid + column(user)),
    order: read("order"),
    radius,
    smoothing,
    noise: noises(seed, 2 * k),
  };
}

/** Positions of two bytes each. */
export function positionsOf(bytes: DataView): Uint16Array {
  return Uint16Array.from({ length: bytes.byteLength / 2 }, (_, k) => bytes.getUint16(2 * k, true));
}

function unitPoints(places: Float64Array, box: Float64Array): Float64Array {
  return places.map((value, at) => {
    const low = box[at % 2] as number;
    const span = (box[2 + (at % 2)] as number) - low;
    return span > 0 ? (value - low) / span : 0;
  });
}

function friendsOf(n: number, edges: Uint16Array): number[][] {
  const found = Array.from({ length: n }, (): number[] => []);
  for (let k = 0; k < edges.length; k += 2) {
    const [one, other] = [edges[k] as number, edges[k + 1] as number];
    found[one]?.push(other);
    found[other]?.push(one);
  }
  for (const listed of found) listed.sort((a, b) => a - b);
  return found;
}

function noises(seed: string, count: number): City["noise"] {
  const kept = new Map<number, Float64Array>();
  return (draw) => {
    const known = kept.get(draw);
    if (known) return known;
    const made = laplace(new Pcg64([...wordsOf(seed), 1, draw]), count);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(draw, made);
    return made;
  };
}

/** A point of the unit square in degrees: latitude, longitude. */
export function degreesOf({ box }: City, north: number, east: number): [number, number] {
  const [low, left, high, right] = box as unknown as [number, number, number, number];
  return [low + north * (high - low), left + east * (right - left)];
}

const EARTH_RADIUS_KM = 6371;

/** Kilometres along the surface of the earth between two places in degrees. */
export function kilometres(one: readonly [number, number], other: readonly [number, number]): number {
  const radians = (degrees: number): number => degrees * (Math.PI / 180);
  const [a, b, c, d] = [...one, ...other].map(radians) as [number, number, number, number];
  const share = Math.sin((c - a) / 2) ** 2 + Math.cos(a) * Math.cos(c) * Math.sin((d - b) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, Math.max(0, share))));
}

/** Kilometres from a user to the centre of every cell. */
export function errorsOf(city: City, user: number): Float64Array {
  const { grid, middle, places } = city;
  const here: [number, number] = [places[2 * user] as number, places[2 * user + 1] as number];
  return Float64Array.from({ length: grid ** 2 }, (_, cell) =>
    kilometres(here, degreesOf(city, middle[Math.floor(cell / grid)] as number, middle[cell % grid] as number)),
  );
}

// By how much one user can move the released centres, in four readings; only the last can be a guarantee.

export function sensitivityOf(reading: Sensitivity, city: City): number {
  switch (reading) {
    case "unit":
      return 1;
    case "local":
      return city.local;
    case "fixed_bound":
      return fixedBound(city);
    case "worst_case":
      return 2 * city.k;
  }
}

function fixedBound({ k, assign }: City): number {
  const sizes = new Float64Array(k);
  for (const cluster of assign) sizes[cluster] = (sizes[cluster] as number) + 1;
  return 2 * sum(sizes.sort().subarray(0, 2).map((size) => 1 / (size + 1)));
}

// By how much friends multiply the noise: the root of factor = 1 + friends rho(factor D / epsilon), rho the bound of Eq. 18 on cells.

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
