/** How tuples, cells and numbers of a covariance matrix are written. */
import { fixed, scientific, tick, trimmed } from "../ui/format";
import { clip } from "../ui/lettering";

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
