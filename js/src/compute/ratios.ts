/**
 * The largest ratio of the densities of two labels, over all releases, for many adversaries who attack one tuple. The
 * density of r given a label is a number of a weighted table over the same number of the table itself.
 */
import { logShare } from "./wide-noise";

/** Where an adversary's labels lie: the first of them, and the step from one to the next, in cells. */
export interface Places {
  starts: Int32Array;
  step: number;
  labels: number;
}

export class Ratios {
  /** Which labels can occur with the known values: fewer than two leave nothing to compare. */
  private readonly choices: Uint16Array;
  /** Largest ratio so far; of two labels largest and smallest, before their factor: one division for each release. */
  private readonly high: Float64Array;
  private readonly low: Float64Array;
  private readonly two: boolean;

  /** `factors` are the sums of probabilities by cell; they and the cells may be logarithms. */
  constructor(
    private readonly places: Places,
    private readonly factors: Float64Array,
    private readonly logarithms: boolean,
    /** Of wide noise, see wide-noise.ts; 0 for any other. */
    private readonly reach = 0,
  ) {
    const { starts, step, labels } = places;
    // Logarithms are large numbers: each is measured from its factor before they are compared.
    this.two = labels === 2 && !logarithms && reach === 0;
    this.high = new Float64Array(starts.length).fill(-Infinity);
    this.low = new Float64Array(starts.length).fill(Infinity);
    this.choices = new Uint16Array(starts.length);
    for (let k = 0; k < starts.length; k++) {
      let count = 0;
      for (let v = 0; v < labels; v++) if (this.possible(factors[(starts[k] as number) + v * step] as number)) count += 1;
      this.choices[k] = count;
    }
  }

  private possible(factor: number): boolean {
    return this.logarithms ? factor !== -Infinity : factor > 0;
  }

  /** Takes the weighted table for some releases, which stand side by side in each cell. */
  take(cells: Float64Array, width: number): void {
    for (let k = 0; k < this.choices.length; k++) {
      if ((this.choices[k] as number) < 2) continue;
      if (this.two) this.takeTwo(cells, width, k);
      else this.takeMany(cells, width, k);
    }
  }

  private takeTwo(cells: Float64Array, width: number, k: number): void {
    const first = (this.places.starts[k] as number) * width;
    const second = first + this.places.step * width;
    let high = this.high[k] as number;
    let low = this.low[k] as number;
    for (let r = 0; r < width; r++) {
      const ratio = (cells[second + r] as number) / (cells[first + r] as number);
      if (ratio > high) high = ratio;
      if (ratio < low) low = ratio;
    }
    this.high[k] = high;
    this.low[k] = low;
  }

  private takeMany(cells: Float64Array, width: number, k: number): void {
    const { starts, step, labels } = this.places;
    const { factors, logarithms, reach } = this;
    const first = starts[k] as number;
    let best = this.high[k] as number;
    for (let r = 0; r < width; r++) {
      let high = -Infinity;
      let low = Infinity;
      for (let v = 0; v < labels; v++) {
        const cell = first + v * step;
        const z = factors[cell] as number;
        if (logarithms ? z === -Infinity : z === 0) continue;
        const value = cells[cell * width + r] as number;
        const density = logarithms ? value - z : reach > 0 ? logShare(value / z, reach) : value / z;
        if (density > high) high = density;
        if (density < low) low = density;
      }
      const gain = logarithms || reach > 0 ? high - low : high / low;
      if (gain > best) best = gain;
    }
    this.high[k] = best;
  }

  /** The leakage of one adversary in nats; NaN when the target is determined. */
  leakage(k: number): number {
    if ((this.choices[k] as number) < 2) return NaN;
    const high = this.high[k] as number;
    const low = this.low[k] as number;
    if (this.reach > 0) return Math.max(0, high * this.reach);
    if (!this.two) return Math.max(0, this.logarithms ? high : Math.log(high));
    const first = this.places.starts[k] as number;
    const factor = (this.factors[first + this.places.step] as number) / (this.factors[first] as number);
    return Math.log(Math.max(1, high / factor, factor / low));
  }
}
