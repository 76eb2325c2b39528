/**
 * Columns of pixels, in each of which several steps meet. All of them are one image: as thousands of lines and
 * rectangles they were drawn many times more slowly.
 */

/** A pixel with a share of its opacity. */
export function faded(pixel: number, share: number): number {
  return ((Math.round((pixel >>> 24) * share) << 24) | (pixel & 0xffffff)) >>> 0;
}

export class PixelColumns {
  /** Left edge in px, and how many columns of 1 px there are. */
  left = 0;
  columns = 0;
  /** Rows are pixels of the device: the first of them, and how many. */
  first = 0;
  rows = 0;
  pixels = new Uint32Array(0);
  private ratio = 1;

  /** Begins anew, with nothing drawn, over a place in px; `ratio` pixels of the device are one px. */
  begin(left: number, top: number, columns: number, bottom: number, ratio: number): void {
    this.left = left;
    this.ratio = ratio;
    this.columns = columns;
    this.first = Math.floor(top * ratio);
    this.rows = Math.ceil(bottom * ratio) - this.first;
    if (this.pixels.length === columns * this.rows) this.pixels.fill(0);
    else this.pixels = new Uint32Array(columns * this.rows);
  }

  /** Fills a column from one height to another, in px; ends within a pixel are as faint as the part of it they cover. */
  bar(column: number, top: number, bottom: number, pixel: number): void {
    if (column < 0 || column >= this.columns) return;
    const from = Math.max(0, top * this.ratio - this.first);
    const to = Math.min(this.rows, bottom * this.ratio - this.first);
    const [begin, end] = [Math.ceil(from), Math.floor(to)];
    if (begin > end) return this.edge(begin - 1, column, pixel, to - from);
    this.edge(begin - 1, column, pixel, begin - from);
    for (let row = begin; row < end; row++) this.pixels[row * this.columns + column] = pixel;
    this.edge(end, column, pixel, to - end);
  }

  /** Fills a column between heights that are rounded to whole pixels. */
  block(column: number, top: number, bottom: number, pixel: number): void {
    const end = Math.min(this.rows, Math.round(bottom * this.ratio) - this.first);
    for (let row = Math.max(0, Math.round(top * this.ratio) - this.first); row < end; row++) this.pixels[row * this.columns + column] = pixel;
  }

  private edge(row: number, column: number, pixel: number, share: number): void {
    if (!(share > 1e-6)) return;
    const at = row * this.columns + column;
    const mine = faded(pixel, share);
    // Where two ends meet in one pixel, the stronger one is seen.
    if (mine >>> 24 > (this.pixels[at] as number) >>> 24) this.pixels[at] = mine;
  }
}
