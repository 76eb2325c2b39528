/**
 * The colours of many cells at once, on a canvas below them: a step of a drag sets no attribute, lays out no shape and
 * leaves the thousands of elements above as they are painted.
 */
import { css, viridis } from "../ui/colours";
import { h } from "../ui/dom";
import { boxOf, type Frame } from "./heat-map-frame";

/** Colours that are told apart: neighbours differ by less than an eye sees. */
const LEVELS = 128;

export interface Fills {
  readonly el: HTMLCanvasElement;
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
  const el = h("canvas", { class: "lx-fills", "aria-hidden": "true" });
  const context = typeof CanvasRenderingContext2D === "undefined" ? null : el.getContext("2d");
  let boxes = new Float64Array(0);
  let [width, height, ratio] = [0, 0, 1];
  let scale: string[] = [];
  let coloured: boolean | null = null;

  return {
    el,
    place(frame) {
      el.hidden = frame === null;
      const n = frame?.n ?? 0;
      boxes = new Float64Array(4 * n * n);
      [width, height] = [0, 0];
      if (frame === null) return;
      for (let place = 0; place < n * n; place++) {
        const box = boxOf(frame, Math.floor(place / n), place % n);
        const [x, y, w, tall] = [Number(box.x), box.y, Number(box.width), box.height];
        if (place % (n + 1) !== 0) boxes.set([x, y, w, tall], 4 * place);
        [width, height] = [Math.max(width, Math.ceil(x + w)), Math.max(height, Math.ceil(y + tall))];
      }
      ratio = Math.max(1, Math.min(2, window.devicePixelRatio || 1));
      Object.assign(el, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
      Object.assign(el.style, { width: `${width}px`, height: `${height}px` });
    },
    draw(values, top, dark) {
      if (!context) return;
      if (dark !== coloured) scale = Array.from({ length: LEVELS }, (_, level) => css(viridis(level / (LEVELS - 1), dark)));
      coloured = dark;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      if (!values) context.fillStyle = getComputedStyle(el).getPropertyValue("--tint").trim() || "transparent";
      for (let place = 0; place < boxes.length / 4; place++) {
        const [at, w] = [4 * place, boxes[4 * place + 2] as number];
        if (w === 0) continue;
        if (values) context.fillStyle = scale[levelOf(values[place] as number, top)] as string;
        context.fillRect(boxes[at] as number, boxes[at + 1] as number, w, boxes[at + 3] as number);
      }
    },
  };
}
