/** The users of a page about inferred places as Python embeds them: where they are, who is whose friend, their clusters. */
import { floats } from "../ui/codec";
import type { AttackView } from "../attack/protocol";
import { laplace, wordsOf } from "./attack-numbers";
import { Pcg64 } from "./pcg64";

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
