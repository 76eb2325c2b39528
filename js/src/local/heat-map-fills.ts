/**
 * The colours of many cells at once. Cells of one colour are one path, so that a step of a drag sets some hundred
 * attributes instead of some thousand, and lays out as few shapes.
 */
import { s, setAttr } from "../ui/dom";
import { css, viridis } from "../ui/palette";
import { boxOf, type Frame } from "./heat-map-frame";

/** Colours that are told apart: neighbours differ by less than an eye sees. */
const LEVELS = 128;

export interface Fills {
  readonly el: SVGGElement;
  /** Where the cells stand; those of the diagonal have no colour. */
  place(frame: Frame | null): void;
  /** Values of all cells, row by row; null where all are awaited. */
  draw(values: ArrayLike<number> | null, top: number, dark: boolean): void;
}

/** The place of a value on the scale of colours; what is no number stands at its beginning. */
export function levelOf(value: number, top: number): number {
  const share = value / top;
  return share > 0 ? Math.round(Math.min(1, share) * (LEVELS - 1)) : 0;
}

export function createFills(): Fills {
  const paths = Array.from({ length: LEVELS }, () => s("path"));
  const awaited = s("path", { fill: "var(--tint)" });
  const el = s("g", { class: "lx-fills", "aria-hidden": "true" }, awaited, ...paths);
  const drawn: string[] = Array<string>(LEVELS).fill("");
  let shapes: string[] = [];
  let coloured: boolean | null = null;

  return {
    el,
    place(frame) {
      const n = frame?.n ?? 0;
      shapes = Array.from({ length: n * n }, (_, place) => {
        const [j, k] = [Math.floor(place / n), place % n];
        if (j === k) return "";
        const { x, y, width, height } = boxOf(frame as Frame, j, k);
        return `M${x} ${y}h${width}v${height}h-${width}z`;
      });
    },
    draw(values, top, dark) {
      if (dark !== coloured) paths.forEach((path, level) => setAttr(path, "fill", css(viridis(level / (LEVELS - 1), dark))));
      coloured = dark;
      const next: string[] = Array<string>(LEVELS).fill("");
      if (values) {
        for (let place = 0; place < shapes.length; place++) {
          const level = levelOf(values[place] as number, top);
          next[level] += shapes[place] as string;
        }
      }
      next.forEach((d, level) => {
        if (d !== drawn[level]) (paths[level] as SVGPathElement).setAttribute("d", d);
        drawn[level] = d;
      });
      setAttr(awaited, "d", values ? null : shapes.join(""));
    },
  };
}
