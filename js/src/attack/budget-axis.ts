/** The logarithmic axis of budgets below both curves, and the line that is dragged along it. */
import { axisText, rule, type Scale } from "../ui/axes";
import { listen, s, setAttr, setAttrs } from "../ui/dom";
import { tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { fromShare, keyShare, round3, toShare, type Change } from "../ui/slider";
import { amountText } from "./words";

export interface BudgetAxis {
  low: number;
  high: number;
  /** The same in px. */
  left: number;
  right: number;
  /** y of the axis, and width of the picture, px. */
  bottom: number;
  width: number;
}

export function budgetScale({ low, high, left, right }: BudgetAxis): Scale {
  return (epsilon) => left + toShare(epsilon, low, high, true) * (right - left);
}

/** Powers of ten with their labels, the last one named, except those that the grip covers or that would meet. */
export function budgetTicks(axis: BudgetAxis, at: number): SVGElement[] {
  const x = budgetScale(axis);
  const out: SVGElement[] = [];
  const last = `ε = ${tick(axis.high)}`;
  const lastLeft = axis.right + 4 - textWidth(last);
  const free = (from: number, to: number): boolean => to < x(at) - 8 || from > x(at) + 8;
  out.push(rule(x(axis.high), axis.bottom, x(axis.high), axis.bottom + 4));
  if (free(lastLeft, axis.right + 4)) out.push(axisText(axis.right + 4, axis.bottom + 16, last, { "text-anchor": "end" }));
  let edge = -Infinity;
  for (let power = Math.ceil(Math.log10(axis.low) - 1e-9); 10 ** power < axis.high * (1 - 1e-9); power++) {
    const value = Number((10 ** power).toPrecision(3));
    const half = textWidth(tick(value)) / 2;
    out.push(rule(x(value), axis.bottom, x(value), axis.bottom + 4));
    if (x(value) + half > lastLeft - 8 || x(value) - half < edge + 8 || !free(x(value) - half, x(value) + half)) continue;
    edge = x(value) + half;
    out.push(axisText(x(value), axis.bottom + 16, tick(value), { "text-anchor": "middle" }));
  }
  return out;
}

export interface BudgetHandle {
  readonly el: SVGGElement;
  /** null while there is nothing to move along. */
  update(axis: BudgetAxis | null, epsilon: number, disabled: boolean): void;
}

/** Dragged anywhere in the picture, moved with the keys; `commit` is true at the end of a move. */
export function createBudgetHandle(picture: SVGSVGElement, name: string, onEpsilon: (epsilon: number, how: Change) => void): BudgetHandle {
  let axis: BudgetAxis | null = null;
  let epsilon = 1;
  let before = 1;
  let off = false;
  let held = false;
  const line = s("path", { class: "density-line", stroke: "var(--brand)", "stroke-width": 1.5, fill: "none" });
  const grip = s("path", { class: "density-grip", fill: "var(--brand)" });
  const target = s("rect", { width: 28, fill: "transparent" });
  const el = s("g", { class: "density-handle", role: "slider", tabindex: 0, "aria-label": name }, target, line, grip);

  function follow(event: PointerEvent): void {
    if (!axis) return;
    const box = picture.getBoundingClientRect();
    const px = ((event.clientX - box.left) * axis.width) / Math.max(1, box.width);
    const share = (px - axis.left) / (axis.right - axis.left);
    const value = fromShare(share, axis.low, axis.high, true);
    const next = share <= 0 || share >= 1 ? value : round3(value);
    if (next === epsilon) return;
    epsilon = next;
    onEpsilon(next, { commit: false });
  }

  listen(picture, "pointerdown", (event) => {
    if (!axis || off || event.button !== 0) return;
    event.preventDefault();
    el.focus({ preventScroll: true });
    [held, before] = [true, epsilon];
    picture.setPointerCapture(event.pointerId);
    follow(event);
  });
  listen(picture, "pointermove", (event) => {
    if (held) follow(event);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    listen(picture, type, () => {
      // A pointer that was taken away gives the gesture up.
      if (held) onEpsilon(type === "pointerup" ? epsilon : before, { commit: true });
      held = false;
    });
  }
  listen(el, "keydown", (event) => {
    if (!axis || off || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = keyShare(event.key, event.shiftKey, toShare(epsilon, axis.low, axis.high, true));
    if (next === null) return;
    event.preventDefault();
    const value = fromShare(next, axis.low, axis.high, true);
    onEpsilon(next <= 0 || next >= 1 ? value : round3(value), { commit: true, pressed: true });
  });

  return {
    el,
    update(next, value, disabled) {
      axis = next;
      off = disabled;
      if (!held) epsilon = value;
      el.style.display = next ? "" : "none";
      if (!next) return;
      const x = budgetScale(next)(value);
      setAttr(line, "d", `M${x.toFixed(1)} 4V${next.bottom + 4}`);
      setAttr(grip, "d", `M${x.toFixed(1)} ${next.bottom + 1}l6 6v10h-12v-10z`);
      setAttrs(target, { x: x - 14, y: 0, height: next.bottom + 18 });
      setAttrs(el, {
        "aria-valuemin": next.low,
        "aria-valuemax": next.high,
        "aria-valuenow": value,
        "aria-valuetext": `ε = ${amountText(value)} nats`,
        "aria-disabled": disabled ? "true" : null,
        tabindex: disabled ? -1 : 0,
      });
    },
  };
}
