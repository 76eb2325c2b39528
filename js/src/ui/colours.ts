/**
 * Colour means amount: viridis for magnitude, directed away from the background, as single colours and as a band.
 */
import { s } from "./dom";
import { preferences, type PALETTES } from "./preferences";

// Colour means amount: viridis for magnitude, directed away from the background.

const colours = (hexes: string): number[][] => hexes.split(" ").map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)));

/** From the least of it to the largest, on a dark background: viridis, and two for eyes and printers that see fewer colours. */
const SCALES: Record<(typeof PALETTES)[number], number[][]> = {
  viridis: colours("440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725"),
  cividis: colours("00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 fee838"),
  greys: colours("1a1a1a 343434 4e4e4e 686868 828282 9e9e9e bababa d8d8d8 f6f6f6"),
};

export type Rgb = readonly [number, number, number];

/** The colour at t in [0, 1], of the palette that is preferred; large values lie farthest from the background. */
export function magnitude(t: number, dark: boolean): Rgb {
  const scale = SCALES[preferences().palette];
  const clipped = Math.min(1, Math.max(0, Number.isFinite(t) ? t : 0));
  const x = (dark ? clipped : 1 - clipped) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(x));
  const low = scale[i] as number[];
  const high = scale[i + 1] as number[];
  const mix = (k: number) => Math.round((low[k] as number) + ((high[k] as number) - (low[k] as number)) * (x - i));
  return [mix(0), mix(1), mix(2)];
}

export function css(colour: Rgb): string {
  return `rgb(${colour[0]},${colour[1]},${colour[2]})`;
}

function luminance(colour: Rgb): number {
  const linear = colour.map((v) => {
    const c = v / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (linear[0] as number) + 0.7152 * (linear[1] as number) + 0.0722 * (linear[2] as number);
}

/** Black or white, whichever stands out more on the colour. */
export function inkOn(colour: Rgb): "#000" | "#fff" {
  return luminance(colour) > 0.179 ? "#000" : "#fff";
}

/** A shorter scale has places for its colours no longer; from so many steps on they are not told apart. */
const SHORTEST = 2 ** -1000;
const MOST_STEPS = 2 ** 40;

/**
 * The ends of the colour scale: multiples of half the promise around the data, so that colours stay
 * put while a number is dragged.
 */
export function magnitudeDomain(values: ArrayLike<number>, promise: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < values.length; k++) {
    const v = values[k] as number;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const step = promise > 0 && Number.isFinite(promise) ? Math.max(promise / 2, SHORTEST) : 0.5;
  if (!(low <= high)) return [0, step];
  if (!(high / step < MOST_STEPS)) return [0, high];
  const lo = Math.max(0, Math.floor(low / step - 1e-9) * step);
  const hi = Math.ceil(high / step + 1e-9) * step;
  if (!Number.isFinite(hi)) return [0, high];
  return [lo, hi > lo ? hi : lo + step];
}

// The colours of a magnitude as a band across, from the least to the largest.

const STEPS = 72;

/** Draws into a group, anew only where width or scheme are others; says whether it did. */
export function colourBand(group: SVGElement, top: number): (width: number, dark: boolean) => boolean {
  let drawn = "";
  return (width, dark) => {
    const now = `${width}/${dark}`;
    if (now === drawn) return false;
    drawn = now;
    const steps = Array.from({ length: STEPS }, (_, k) =>
      s("rect", {
        x: ((width * k) / STEPS).toFixed(1),
        y: top,
        width: (width / STEPS + 0.5).toFixed(1),
        height: 8,
        fill: css(magnitude((k + 0.5) / STEPS, dark)),
      }),
    );
    group.replaceChildren(
      ...steps,
      s("rect", {
        x: 0.5,
        y: top,
        width: width - 1,
        height: 8,
        fill: "none",
        stroke: "var(--line2)",
        "stroke-width": 0.5,
      }),
    );
    return true;
  };
}
