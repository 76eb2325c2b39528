/** The logarithmic axis of budgets below both curves, and the line that is dragged along it. */
import { drawHandle } from "../curves/r-handle";
import { axisText, rule, type Scale } from "../ui/axes";
import { become } from "../ui/dom";
import { tick } from "../ui/format";
import { dragIn, placeIn } from "../ui/gestures";
import { textWidth } from "../ui/lettering";
import { fromShare, listenShare, round3, toShare, type Change } from "../ui/slider";
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
  const el = drawHandle(name, null);

  /** The budget at a share of the axis; the ends are exact. */
  function at({ low, high }: BudgetAxis, share: number): number {
    const value = fromShare(share, low, high, true);
    return share <= 0 || share >= 1 ? value : round3(value);
  }

  const held = dragIn(picture, el, {
    begin() {
      before = epsilon;
      return axis !== null && !off;
    },
    follow(event) {
      if (!axis) return;
      const [px] = placeIn(picture, event, axis.width);
      const next = at(axis, (px - axis.left) / (axis.right - axis.left));
      if (next === epsilon) return;
      epsilon = next;
      onEpsilon(next, { commit: false });
    },
    // A pointer that was taken away gives the gesture up.
    end: (kept) => onEpsilon(kept ? epsilon : before, { commit: true }),
  });
  listenShare(el, () => (axis && !off ? toShare(epsilon, axis.low, axis.high, true) : null), (next) => {
    if (axis) onEpsilon(at(axis, next), { commit: true, pressed: true });
  });

  return {
    el,
    update(next, value, disabled) {
      axis = next;
      off = disabled;
      if (!held()) epsilon = value;
      el.style.display = next ? "" : "none";
      if (!next) return;
      const text = `ε = ${amountText(value)} nats`;
      become(el, drawHandle(name, { ...next, x: budgetScale(next)(value), value, text, disabled }));
    },
  };
}
