/** A canvas without a page: what is painted on it becomes marks of an SVG, images of pixels stay images. */
import type { StillElement } from "./document";
import { round, shortPath } from "./paths";

const escape = (text: string): string => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] as string);
const short = (value: number): string => String(Math.round(value * 10) / 10);
/** Marks of one drawing; what would need more is left to an image. */
const MOST_MARKS = 6000;
const ANCHORS: Record<string, string> = { center: "middle", right: "end", end: "end" };

export class StillImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(first: Uint8ClampedArray | number, width: number, height = 0) {
    this.data = typeof first === "number" ? new Uint8ClampedArray(4 * first * width) : first;
    [this.width, this.height] = typeof first === "number" ? [first, width] : [width, height];
  }
}

/** Widths of signs in a usual sans-serif font, in sizes of the font; rather too wide than too narrow. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[\p{M}\u200b-\u200f\u2060-\u2069]/u, 0],
  [/[ijl.,:;'|!I` ‘’·]/, 0.28],
  [/[frt()[\]{}\-/\\"*“”]/, 0.36],
  [/[mwMW@%—…]/, 0.9],
  [/[A-Z]/, 0.7],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{1ffff}]/u, 1.05],
];
const widths = new Map<string, number>();

function widthOf(sign: string): number {
  let known = widths.get(sign);
  if (known === undefined) widths.set(sign, (known = WIDTHS.find(([kind]) => kind.test(sign))?.[1] ?? 0.57));
  return known;
}

export class StillContext {
  fillStyle = "#000";
  strokeStyle = "#000";
  globalAlpha = 1;
  lineWidth = 1;
  lineCap = "butt";
  lineJoin = "miter";
  font = "11px sans-serif";
  textAlign = "start";
  imageSmoothingEnabled = true;
  private dash: number[] = [];
  private path: string[] = [];
  private marks: string[] = [];
  private image: StillImage | null = null;
  /** The halo that was painted last: where, of which letters, and how. */
  private halo = "";
  /** How the last mark looks, if it is a path that others of its look may join. */
  private look = "";
  private clips = 0;
  private depth: number[] = [];

  constructor(readonly canvas: StillElement & { width?: number; height?: number }) {}

  /** All that was painted, as SVG. */
  get svg(): string {
    return this.marks.join("").replace(/(?<=<path [^>]* d=")[^"]+/g, shortPath) + "</g>".repeat(this.depth.reduce((sum, n) => sum + n, 0));
  }
  setTransform(): void {}
  clearRect(): void {
    this.marks = [];
    this.look = "";
    this.depth = [];
  }
  setLineDash(dash: number[]): void {
    this.dash = dash;
  }
  beginPath(): void {
    this.path = [];
  }
  moveTo(x: number, y: number): void {
    this.path.push(`M${short(x)} ${short(y)}`);
  }
  lineTo(x: number, y: number): void {
    this.path.push(`L${short(x)} ${short(y)}`);
  }
  rect(x: number, y: number, width: number, height: number): void {
    this.path.push(`M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`);
  }
  arc(x: number, y: number, r: number): void {
    this.path.push(`M${short(x - r)} ${short(y)}a${short(r)} ${short(r)} 0 1 0 ${short(2 * r)} 0a${short(r)} ${short(r)} 0 1 0 ${short(-2 * r)} 0`);
  }
  closePath(): void {
    this.path.push("z");
  }
  fill(): void {
    this.drawn(`fill="${this.fillStyle}"`);
  }
  stroke(): void {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}" stroke-linecap="${this.lineCap}"` : "";
    const width = this.lineWidth === 1 ? "" : ` stroke-width="${round(this.lineWidth)}"`;
    this.drawn(`fill="none" stroke="${this.strokeStyle}"${width}${dash}`);
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.drawn(`fill="${this.fillStyle}"`, `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`);
  }
  fillText(words: string, x: number, y: number): void {
    const halo = this.halo;
    this.halo = "";
    // Letters upon their own halo are one mark.
    if (halo.startsWith(`${x} ${y} ${words}|`)) {
      this.marks.pop();
      this.words(words, x, y, `fill="${this.fillStyle}" paint-order="stroke" ${halo.slice(halo.indexOf("|") + 1)}`);
    } else this.words(words, x, y, `fill="${this.fillStyle}"`);
  }
  strokeText(words: string, x: number, y: number): void {
    const paint = `stroke="${this.strokeStyle}" stroke-width="${round(this.lineWidth)}" stroke-linejoin="${this.lineJoin}"`;
    this.words(words, x, y, `fill="none" ${paint}`);
    this.halo = `${x} ${y} ${words}|${paint}`;
  }
  measureText(words: string): { width: number } {
    const [, weight, size] = /^(\d+)? ?([\d.]+)px/.exec(this.font) ?? [];
    let sum = 0;
    for (const sign of words) sum += widthOf(sign);
    return { width: sum * Number(size ?? 11) * (weight === "600" ? 1.06 : 1) };
  }
  save(): void {
    this.depth.push(0);
  }
  restore(): void {
    this.look = "";
    this.marks.push("</g>".repeat(this.depth.pop() ?? 0));
  }
  clip(): void {
    const id = `k${(this.clips += 1)}`;
    this.look = "";
    this.marks.push(`<clipPath id="${id}"><path d="${this.path.join("")}"/></clipPath><g clip-path="url(#${id})">`);
    if (this.depth.length) this.depth[this.depth.length - 1] = (this.depth[this.depth.length - 1] as number) + 1;
    else this.depth.push(1);
  }
  createImageData(width: number, height: number): StillImage {
    return new StillImage(width, height);
  }
  putImageData(image: StillImage): void {
    this.image = image;
  }
  /** One pixel of a colour that is known by its name only: a middle grey. */
  getImageData(_x: number, _y: number, width: number, height: number): StillImage {
    const made = new StillImage(width, height);
    made.data.fill(0x80);
    return made;
  }
  drawImage(source: { getContext(kind: string): StillContext }, ...at: number[]): void {
    const { image } = source.getContext("2d");
    const [sx, sy, columns, rows, x, y, width, height] = at as [number, number, number, number, number, number, number, number];
    if (!image || sx || sy) return;
    this.mark(
      `<image x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" ` +
        `preserveAspectRatio="none" style="image-rendering:pixelated" href="${bitmap(image, columns, rows)}"/>`,
    );
  }

  private get alpha(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${round(this.globalAlpha)}"`;
  }
  /** Lines and areas of one look that follow each other are one mark. */
  private drawn(paint: string, d = this.path.join("")): void {
    const look = `${paint}${this.alpha}`;
    const last = this.marks.length - 1;
    if (this.alpha === "" && look === this.look) this.marks[last] = `${(this.marks[last] as string).slice(0, -3)}${d}"/>`;
    else {
      this.mark(`<path ${look} d="${d}"/>`);
      if (this.alpha === "") this.look = look;
    }
  }
  private mark(svg: string): void {
    this.look = "";
    if (this.marks.length < MOST_MARKS) this.marks.push(svg);
  }
  private words(words: string, x: number, y: number, paint: string): void {
    const [, weight, size] = /^(\d+)? ?([\d.]+)px/.exec(this.font) ?? [];
    const anchor = ANCHORS[this.textAlign];
    this.mark(
      `<text x="${short(x)}" y="${short(y)}"${size && size !== "11" ? ` font-size="${size}"` : ""}` +
        `${weight === "600" ? ' font-weight="600"' : ""}${anchor ? ` text-anchor="${anchor}"` : ""} ${paint}>` +
        `${escape(words)}</text>`,
    );
  }
}

const word = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
/** Bytes of a stored block at most. */
const BLOCK = 0xffff;
const REMAINDERS = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** Pixels as a PNG in an address, stored without compression: every viewer and every converter reads it. */
function bitmap(image: StillImage, columns: number, rows: number): string {
  const stride = 4 * columns + 1;
  const lines = new Uint8Array(rows * stride);
  for (let row = 0; row < rows; row++) lines.set(image.data.subarray(4 * row * image.width, 4 * (row * image.width + columns)), row * stride + 1);
  const stored = [0x78, 0x01];
  for (let from = 0; from < lines.length; from += BLOCK) {
    const block = lines.subarray(from, from + BLOCK);
    const [low, high] = [block.length & 255, block.length >> 8];
    stored.push(Number(from + BLOCK >= lines.length), low, high, low ^ 255, high ^ 255);
    block.forEach((byte) => stored.push(byte));
  }
  let [sum, sums] = [1, 0];
  for (const byte of lines) {
    sum = (sum + byte) % 65521;
    sums = (sums + sum) % 65521;
  }
  const head = [...word(columns), ...word(rows), 8, 6, 0, 0, 0];
  const parts = [chunk("IHDR", head), chunk("IDAT", stored.concat(word(sums * 65536 + sum))), chunk("IEND", [])];
  return `data:image/png;base64,${encode(Uint8Array.from([0x89, ...letters("PNG\r\n\x1a\n")].concat(...parts)))}`;
}

const letters = (text: string): number[] => [...text].map((sign) => sign.charCodeAt(0));

function chunk(kind: string, data: readonly number[]): number[] {
  const named = letters(kind).concat(data);
  let rest = -1;
  for (const byte of named) rest = (REMAINDERS[(rest ^ byte) & 255] as number) ^ (rest >>> 8);
  return word(data.length).concat(named, word(~rest));
}

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function encode(bytes: Uint8Array): string {
  const out: string[] = [];
  for (let k = 0; k < bytes.length; k += 3) {
    const [a, b, c] = [bytes[k] as number, bytes[k + 1], bytes[k + 2]];
    out.push(SIGNS[a >> 2] as string, SIGNS[((a & 3) << 4) | ((b ?? 0) >> 4)] as string);
    out.push(b === undefined ? "=" : (SIGNS[((b & 15) << 2) | ((c ?? 0) >> 6)] as string), c === undefined ? "=" : (SIGNS[c & 63] as string));
  }
  return out.join("");
}
