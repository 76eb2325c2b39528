/**
 * What paints on the canvas: colours and the font of the page around it, columns of pixels, lines with the corners
 * that are seen.
 */

// Columns of pixels, in each of which several steps meet. All of them are one image: as thousands of lines and
// rectangles they were drawn many times more slowly.

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

// Lines with the corners that are seen.

/** Nobody sees a line pass so far beside a point, px. */
const UNSEEN = 0.2;

/** A line from left to right through given points, of which those are left out that it passes unseen: fewer corners are drawn faster. */
export class Way {
  /** The last corner, the last point, and the slopes that pass all points since the corner. */
  private lastX: number;
  private lastY: number;
  private least = -Infinity;
  private most = Infinity;

  constructor(
    private readonly path: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void },
    private x: number,
    private y: number,
  ) {
    [this.lastX, this.lastY] = [x, y];
    path.moveTo(x, y);
  }

  to(x: number, y: number): void {
    const slope = (y - this.y) / (x - this.x);
    if (slope < this.least || slope > this.most) {
      this.path.lineTo(this.lastX, this.lastY);
      [this.x, this.y, this.least, this.most] = [this.lastX, this.lastY, -Infinity, Infinity];
    }
    const run = x - this.x;
    this.least = Math.max(this.least, (y - UNSEEN - this.y) / run);
    this.most = Math.min(this.most, (y + UNSEEN - this.y) / run);
    [this.lastX, this.lastY] = [x, y];
  }

  end(): void {
    this.path.lineTo(this.lastX, this.lastY);
  }
}

// A canvas context with the colours and the font of the page around it.

/** Colours by their names in the style sheet. */
const NAMES = ["bg", "ink", "ink2", "line", "line2", "brand", "promise", "over", "overtint", "tint", "a", "b", "c", "d"] as const;
export type ColourName = (typeof NAMES)[number];

export interface TextStyle {
  colour?: ColourName;
  size?: number;
  bold?: boolean;
  align?: CanvasTextAlign;
  /** A rim of background, over lines. */
  halo?: boolean;
}

/** Canvases beside the picture: for small images, and for columns of pixels. A large one would make the small ones slow. */
const beside: Partial<Record<"small" | "large", CanvasRenderingContext2D | null>> = {};

/** A canvas of its own for images, at least so large. */
function scratch(name: "small" | "large", width: number, height: number): CanvasRenderingContext2D | null {
  const context = (beside[name] ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true }));
  if (!context) return null;
  const { canvas } = context;
  if (canvas.width < width || canvas.height < height) Object.assign(canvas, { width: Math.max(width, canvas.width), height: Math.max(height, canvas.height) });
  return context;
}

export class Brush {
  private colours = {} as Record<ColourName, string>;
  private family = "sans-serif";
  private pixels = new Map<ColourName, number>();
  /** Drawn on whole device pixels where lines are thin. */
  ratio = 1;

  constructor(readonly context: CanvasRenderingContext2D) {}

  /** Takes colours and font from an element. */
  mix(el: Element): void {
    const style = getComputedStyle(el);
    for (const name of NAMES) this.colours[name] = style.getPropertyValue(`--${name}`).trim() || "#888";
    this.family = style.fontFamily;
    this.pixels.clear();
  }

  /** A colour as one pixel of an image. */
  pixel(name: ColourName): number {
    const known = this.pixels.get(name);
    if (known !== undefined) return known;
    const context = scratch("small", 1, 1);
    if (!context) return 0;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = this.colours[name];
    context.fillRect(0, 0, 1, 1);
    const made = new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0] ?? 0;
    this.pixels.set(name, made);
    return made;
  }

  /** An image of so many pixels, stretched over a place: far faster than as many rectangles. */
  image(columns: number, rows: number, x: number, y: number, width: number, height: number, fill: (pixels: Uint32Array) => void): void {
    const source = scratch("small", columns, rows);
    if (!source) return;
    const data = source.createImageData(columns, rows);
    fill(new Uint32Array(data.data.buffer));
    source.putImageData(data, 0, 0);
    const { context } = this;
    context.imageSmoothingEnabled = false;
    context.drawImage(source.canvas, 0, 0, columns, rows, x, y, width, height);
  }

  /** Columns of pixels, at their place. */
  columns({ left, columns, first, rows, pixels }: PixelColumns): void {
    if (pixels.length === 0) return;
    const source = scratch("large", columns, rows);
    if (!source) return;
    source.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer as ArrayBuffer), columns, rows), 0, 0);
    const { context } = this;
    context.imageSmoothingEnabled = false;
    context.drawImage(source.canvas, 0, 0, columns, rows, left, first / this.ratio, columns, rows / this.ratio);
  }

  colour(name: ColourName): string {
    return this.colours[name];
  }

  /** Begins a drawing of this size in px. */
  clear(width: number, height: number): void {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
  }

  /** A px edge that falls on a device pixel. */
  snap(value: number): number {
    return Math.round(value * this.ratio) / this.ratio;
  }

  rect(x: number, y: number, width: number, height: number, colour: ColourName, alpha = 1): void {
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = this.colours[colour];
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
  }

  /** Many rectangles of one colour. One path of all of them would be filled far more slowly. */
  rects(colour: ColourName, alpha: number, fill: (add: (x: number, y: number, width: number, height: number) => void) => void): void {
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = this.colours[colour];
    fill((x, y, width, height) => context.fillRect(x, y, width, height));
    context.globalAlpha = 1;
  }

  /** Begins a line; points follow on the context, and `stroke` ends it. */
  pen(colour: ColourName, width: number, dash: readonly number[] = []): CanvasRenderingContext2D {
    const { context } = this;
    context.strokeStyle = this.colours[colour];
    context.lineWidth = width;
    context.setLineDash(dash as number[]);
    context.lineCap = dash[0] === 1 ? "round" : "butt";
    context.beginPath();
    return context;
  }

  line(x1: number, y1: number, x2: number, y2: number, colour: ColourName, width = 1, dash: readonly number[] = []): void {
    const context = this.pen(colour, width, dash);
    // A line of one pixel lies on a pixel, not across two.
    const half = width === 1 ? 0.5 / this.ratio : 0;
    const level = y1 === y2;
    context.moveTo(level ? x1 : this.snap(x1) + half, level ? this.snap(y1) + half : y1);
    context.lineTo(level ? x2 : this.snap(x2) + half, level ? this.snap(y2) + half : y2);
    context.stroke();
  }

  text(x: number, y: number, words: string, { colour = "ink", size = 11, bold = false, align = "start", halo = false }: TextStyle = {}): void {
    const { context } = this;
    context.font = `${bold ? 600 : 400} ${size}px ${this.family}`;
    context.textAlign = align;
    if (halo) {
      context.strokeStyle = this.colours.bg;
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.setLineDash([]);
      context.strokeText(words, x, y);
    }
    context.fillStyle = this.colours[colour];
    context.fillText(words, x, y);
  }

  triangle(x: number, y: number, size: number, colour: ColourName): void {
    const { context } = this;
    context.fillStyle = this.colours[colour];
    context.beginPath();
    context.moveTo(x, y - size);
    context.lineTo(x + size, y + size);
    context.lineTo(x - size, y + size);
    context.fill();
  }
}
