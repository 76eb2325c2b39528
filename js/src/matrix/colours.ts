/** Signed amounts: blue to red through the background, with the same ends on both sides of 0. */
import { niceCeiling } from "../ui/axes";
import { css, inkOn, type Rgb } from "../ui/colours";

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
