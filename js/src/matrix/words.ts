/** How tuples, cells and numbers of a covariance matrix are written, and the colours of signed amounts. */
import { niceCeiling } from "../ui/axes";
import { css, inkOn, type Rgb } from "../ui/colours";
import { fixed, scientific, tick, trimmed } from "../ui/format";
import { clip } from "../ui/lettering";

// How tuples, cells and numbers of a covariance matrix are written.

/** In sentences and accessible names. */
const LONG = 60;

/** "A", "B" and "solar" for "flat A", "flat B" and "solar": a first word that several share is left out. */
export function shortNames(names: readonly string[]): string[] {
  const parts = names.map((name) => /^(\S+)\s+(.+)$/.exec(name.trim()));
  const shared = (word: string | undefined): boolean => parts.filter((part) => part?.[1] === word).length > 1;
  const short = names.map((name, j) => (parts[j] && shared(parts[j]?.[1]) ? (parts[j]?.[2] as string) : name));
  return new Set(short).size === names.length ? short : [...names];
}

export function clipped(names: readonly string[]): string[] {
  return names.map((name) => clip(name, LONG, names));
}

/** Decimals that give the largest number three digits, at most six. */
export function decimalsFor(largest: number): number {
  if (!(largest > 0) || !Number.isFinite(largest)) return 2;
  return Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(largest) + 1e-9)));
}

/** One number of a matrix: exact zero is `0`, what the decimals do not show is written 3e−5, a large one 1.23e6. */
export function entry(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return "?";
  if (value === 0) return "0";
  const size = Math.abs(value);
  // Beside a large number a small one keeps two decimals of its own.
  const own = Math.max(decimals, Math.min(2, decimalsFor(size)));
  if (size >= 1e6) return trimmed(value, 2);
  return size < 0.5 * 10 ** -own ? scientific(value, 0) : fixed(value, own);
}

/** A mean or a weight: as short as it can be, one decimal where others have one. */
export function plain(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return "?";
  const size = Math.abs(value);
  return value !== 0 && (size < 1e-3 || size >= 1e6) ? scientific(value, 1) : fixed(value, decimals);
}

/** Decimals that all these numbers need, at most `most`. */
export function decimalsOf(values: ArrayLike<number>, most: number): number {
  let decimals = 0;
  for (let k = 0; k < values.length; k++) {
    const value = values[k] as number;
    while (decimals < most && Math.abs(Number(value.toFixed(decimals)) - value) > 1e-9 * Math.abs(value)) decimals += 1;
  }
  return decimals;
}

/** The ends of a range, rounded inwards, so that typing them is accepted. */
export function inward(value: number, end: "low" | "high", decimals: number): number {
  const factor = 10 ** decimals;
  const scaled = value * factor;
  const whole = Math.round(scaled);
  // A value that is round already stays, whatever the last bits say.
  if (Math.abs(scaled - whole) < 1e-7 * Math.max(1, Math.abs(scaled))) return whole / factor;
  return (end === "low" ? Math.ceil(scaled) : Math.floor(scaled)) / factor;
}

/** "kWh²", "(kWh per day)²", "" without a unit. */
export function squared(unit: string): string {
  return unit && (/\s/.test(unit) ? `(${unit})²` : `${unit}²`);
}

export function withUnit(value: number, unit: string): string {
  return unit ? `${tick(value)} ${unit}` : tick(value);
}

// Signed amounts: blue to red through the background, with the same ends on both sides of 0.

const LIGHT = ["2166ac", "67a9cf", "d1e5f0", "ffffff", "fddbc7", "ef8a62", "b2182b"];
const DARK = ["2166ac", "3e78aa", "244262", "1c1c1c", "683026", "c45c42", "b2182b"];
const stops = (hexes: string[]): Rgb[] => hexes.map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)) as unknown as Rgb);
const STOPS = { light: stops(LIGHT), dark: stops(DARK) };
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The colour at t in [-1, 1]; what lies beyond, and NaN, has that of the nearer end, or of 0. */
export function signedColour(t: number, dark: boolean): Rgb {
  const scale = dark ? STOPS.dark : STOPS.light;
  const x = (Math.min(1, Math.max(-1, Number.isNaN(t) ? 0 : t)) + 1) * 3;
  const i = Math.min(5, Math.floor(x));
  const [low, high] = [scale[i] as Rgb, scale[i + 1] as Rgb];
  const mix = (k: 0 | 1 | 2): number => Math.round(low[k] + (high[k] - low[k]) * (x - i));
  return [mix(0), mix(1), mix(2)];
}

export function signedFill(t: number, dark: boolean): { background: string; ink: string } {
  const colour = signedColour(t, dark);
  return { background: css(colour), ink: inkOn(colour) };
}

/** Where the scale ends: the largest entry, rounded up. */
export function signedDomain(values: ArrayLike<number>): number {
  let largest = 0;
  for (let k = 0; k < values.length; k++) {
    const size = Math.abs(values[k] as number);
    if (Number.isFinite(size) && size > largest) largest = size;
  }
  return niceCeiling(largest, ROUND);
}
