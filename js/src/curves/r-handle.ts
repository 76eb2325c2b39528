/** The line at one value, such as a published r: dragged anywhere in the picture, moved with the keys, and its axis. */
import { axisText, linear, rule, type Scale } from "../ui/axes";
import { listen, s, setAttr, setAttrs } from "../ui/dom";
import { fixed, tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { keyShare, type Change } from "../ui/slider";
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

/** `onR` hears `commit` false while the line is held, and true at the end of a move. */
export function createRHandle(
  picture: SVGSVGElement,
  onR: (r: number, how: Change) => void,
  spoken: RWords = { name: "Published value r", sign: "r" },
): RHandle {
  let props: RHandleProps | null = null;
  let held = false;
  const line = s("path", { class: "density-line", stroke: "var(--brand)", "stroke-width": 1.5, fill: "none" });
  const grip = s("path", { class: "density-grip", fill: "var(--brand)" });
  const target = s("rect", { width: 28, fill: "transparent" });
  const el = s("g", { class: "density-handle", role: "slider", tabindex: 0, "aria-label": spoken.name }, target, line, grip);

  function move(at: RHandleProps, r: number, how: Change): void {
    const next = Math.min(at.high, Math.max(at.low, Number(r.toFixed(rDecimals(at)))));
    if (next !== at.r) onR(next, how);
  }

  function follow(event: PointerEvent): void {
    if (!props) return;
    const box = picture.getBoundingClientRect();
    const px = ((event.clientX - box.left) * props.width) / Math.max(1, box.width);
    move(props, linear(props.left, props.right, props.low, props.high)(px), { commit: false });
  }

  listen(picture, "pointerdown", (event) => {
    if (!props || props.disabled || event.button !== 0) return;
    event.preventDefault();
    el.focus({ preventScroll: true });
    held = true;
    picture.setPointerCapture(event.pointerId);
    follow(event);
  });
  listen(picture, "pointermove", (event) => {
    if (held) follow(event);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    listen(picture, name, () => {
      if (held && props) onR(props.r, { commit: true });
      held = false;
    });
  }
  listen(el, "keydown", (event) => {
    if (!props || props.disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    const { low, high, r } = props;
    const next = keyShare(event.key, event.shiftKey, (r - low) / (high - low));
    if (next === null) return;
    event.preventDefault();
    move(props, low + next * (high - low), { commit: true, pressed: true });
  });

  return {
    el,
    update(next) {
      props = next;
      if (!next) return;
      const { low, high, left, right, bottom, spared, r, disabled } = next;
      const x = linear(low, high, left, right)(r);
      const broken = spared && x > spared.x0 - 3 && x < spared.x1 + 3 ? `V${spared.y0 - 1}M${x.toFixed(1)} ${spared.y1 + 1}` : "";
      setAttr(line, "d", `M${x.toFixed(1)} 4${broken}V${bottom + 4}`);
      setAttr(grip, "d", `M${x.toFixed(1)} ${bottom + 1}l6 6v10h-12v-10z`);
      setAttrs(target, { x: x - 14, y: 0, height: bottom + 18 });
      setAttrs(el, {
        "aria-valuemin": low,
        "aria-valuemax": high,
        "aria-valuenow": r,
        "aria-valuetext": `${spoken.sign} = ${fixed(r, rDecimals(next))}`,
        "aria-disabled": disabled ? "true" : null,
        tabindex: disabled ? -1 : 0,
      });
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
