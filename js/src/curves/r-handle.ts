/** The line at one value, such as a published r: dragged anywhere in the picture, moved with the keys, and its axis. */
import { axisText, linear, rule, type Scale } from "../ui/axes";
import { become, s } from "../ui/dom";
import { fixed, tick } from "../ui/format";
import { dragIn, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import { listenShare, type Change } from "../ui/slider";
import type { Box } from "./labels";

export interface RHandleProps {
  r: number;
  /** Ends of the axis of r. */
  low: number;
  high: number;
  /** The same in px, in a picture of this width. */
  left: number;
  right: number;
  width: number;
  /** y of the axis. */
  bottom: number;
  /** Words that the line does not strike through, px; left out where there are none. */
  spared?: Box | null;
  disabled: boolean;
}

export interface RHandle {
  readonly el: SVGGElement;
  /** null while there is nothing to move along. */
  update(props: RHandleProps | null): void;
}

/** Decimals that r deserves on a range: about 300 steps across. */
export function rDecimals({ low, high }: Pick<RHandleProps, "low" | "high">): number {
  return Math.min(10, Math.max(0, Math.ceil(-Math.log10((high - low) / 300) - 1e-9)));
}

/** What the line stands at, for screen readers. */
export interface RWords {
  name: string;
  /** "r": stands before the number. */
  sign: string;
}

/** Where a handle stands, px, and what it says of itself. */
export interface HandlePlace {
  x: number;
  /** y of the axis. */
  bottom: number;
  spared?: Box | null;
  low: number;
  high: number;
  value: number;
  text: string;
  disabled: boolean;
}

/** The line with its grip, broken where words are spared; without a place only what will be placed. */
export function drawHandle(name: string, at: HandlePlace | null): SVGGElement {
  const x = at?.x.toFixed(1);
  const gap = at?.spared && at.x > at.spared.x0 - 3 && at.x < at.spared.x1 + 3 ? `V${at.spared.y0 - 1}M${x} ${at.spared.y1 + 1}` : "";
  const said = at && {
    "aria-valuemin": at.low,
    "aria-valuemax": at.high,
    "aria-valuenow": at.value,
    "aria-valuetext": at.text,
    "aria-disabled": at.disabled ? "true" : null,
  };
  return s(
    "g",
    { class: "density-handle", role: "slider", tabindex: at?.disabled ? -1 : 0, "aria-label": name, ...said },
    s("rect", { width: 28, fill: "transparent", ...(at && { x: at.x - 14, y: 0, height: at.bottom + 18 }) }),
    s("path", { class: "density-line", stroke: "var(--brand)", "stroke-width": 1.5, fill: "none", d: at && `M${x} 4${gap}V${at.bottom + 4}` }),
    s("path", { class: "density-grip", fill: "var(--brand)", d: at && `M${x} ${at.bottom + 1}l6 6v10h-12v-10z` }),
  );
}

/** `onR` hears `commit` false while the line is held, and true at the end of a move. */
export function createRHandle(
  picture: SVGSVGElement,
  onR: (r: number, how: Change) => void,
  spoken: RWords = { name: "Published value r", sign: "r" },
): RHandle {
  let props: RHandleProps | null = null;
  const el = drawHandle(spoken.name, null);

  function move(at: RHandleProps, r: number, how: Change): void {
    const next = Math.min(at.high, Math.max(at.low, Number(r.toFixed(rDecimals(at)))));
    if (next !== at.r) onR(next, how);
  }

  dragIn(picture, el, {
    begin: () => props !== null && !props.disabled,
    follow(event) {
      if (!props) return;
      const [px] = placeIn(picture, event, props.width);
      move(props, linear(props.left, props.right, props.low, props.high)(px), { commit: false });
    },
    end: () => props && onR(props.r, { commit: true }),
  });
  listenShare(el, () => (props && !props.disabled ? (props.r - props.low) / (props.high - props.low) : null), (next) => {
    if (props) move(props, props.low + next * (props.high - props.low), { commit: true, pressed: true });
  });

  return {
    el,
    update(next) {
      props = next;
      if (!next) return;
      const { low, high, left, right, r } = next;
      const text = `${spoken.sign} = ${fixed(r, rDecimals(next))}`;
      become(el, drawHandle(spoken.name, { ...next, x: linear(low, high, left, right)(r), value: r, text }));
    },
  };
}

/** Tick labels, with every digit where the short ones would be the same. */
function tickTexts(values: readonly number[]): string[] {
  const short = values.map(tick);
  if (new Set(short).size === short.length) return short;
  const step = Math.abs((values[1] as number) - (values[0] as number));
  return values.map((value) => fixed(value, Math.min(10, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))));
}

/** Ticks of r with their labels, except those that the grip covers or that would meet; the unit stands at the last. */
export function rAxis(values: readonly number[], x: Scale, r: number, bottom: number, unit = ""): SVGElement[] {
  const out: SVGElement[] = [];
  const texts = tickTexts(values);
  let edge = -Infinity;
  values.forEach((value, k) => {
    const label = texts[k] as string;
    const half = textWidth(label) / 2;
    out.push(rule(x(value), bottom, x(value), bottom + 4));
    if (Math.abs(x(value) - x(r)) < half + 8 || x(value) - half < edge + 6) return;
    edge = x(value) + half;
    out.push(axisText(x(value), bottom + 16, label, { "text-anchor": "middle" }));
    if (unit !== "" && k === values.length - 1) out.push(axisText(edge + 3, bottom + 16, unit, { "text-anchor": "start" }));
  });
  return out;
}
