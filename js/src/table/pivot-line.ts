/** The line above the grid that says which tuples stand on rows and columns, and moves them. */
import type { Menu } from "../ui/choosing";
import { h, icon, listen, setAttr, setAttrs, SWAP, type Component } from "../ui/dom";
import { followPointer } from "../ui/gestures";
import { commonStem, numberOf } from "./names";
import { move, samePivot, shift, swap, type Pivot, type Side } from "./pivot";

export interface PivotLineProps {
  names: string[];
  pivot: Pivot;
  compact: boolean;
  disabled: boolean;
}

const SLOP = 4;

export function createPivotLine(first: PivotLineProps, menu: Menu, onPivot: (pivot: Pivot) => void): Component<PivotLineProps> {
  let props = first;
  const sides: Record<Side, HTMLElement> = {
    rows: h("span", { class: "jt-side", role: "group", "aria-label": "On rows" }),
    columns: h("span", { class: "jt-side", role: "group", "aria-label": "On columns" }),
  };
  const swapButton = h("button", { type: "button", class: "jt-swap", title: "Swap rows and columns" }, icon(SWAP, 14));
  const el = h("div", { class: "jt-pivot" }, sides.rows, swapButton, sides.columns);
  let buttons = new Map<number, HTMLButtonElement>();

  const ask = (pivot: Pivot): void => {
    if (!props.disabled && !samePivot(pivot, props.pivot)) onPivot(pivot);
  };
  listen(swapButton, "click", () => ask(swap(props.pivot)));

  function openMenu(tuple: number, button: HTMLElement): void {
    const { pivot } = props;
    const side: Side = pivot.rows.includes(tuple) ? "rows" : "columns";
    const other: Side = side === "rows" ? "columns" : "rows";
    const at = pivot[side].indexOf(tuple);
    menu.open(button, [
      { label: `Move to ${other}`, run: () => ask(move(pivot, tuple, other, other === "rows" ? pivot.rows.length : 0)) },
      { label: "Move outwards", disabled: at === 0, run: () => ask(move(pivot, tuple, side, at - 1)) },
      { label: "Move inwards", disabled: at === pivot[side].length - 1, run: () => ask(move(pivot, tuple, side, at + 1)) },
    ]);
  }

  /** Where a tuple dropped at this point would go: before the button it is over, or at a side's end. */
  function dropAt(tuple: number, x: number, y: number): Pivot {
    const gap = swapButton.getBoundingClientRect();
    const past = y > gap.bottom || (y >= gap.top && x > gap.left + gap.width / 2);
    const side: Side = past ? "columns" : "rows";
    const others = props.pivot[side].filter((j) => j !== tuple);
    const at = others.findIndex((j) => {
      const box = (buttons.get(j) as HTMLElement).getBoundingClientRect();
      return y < box.top || (y <= box.bottom && x < box.left + box.width / 2);
    });
    return move(props.pivot, tuple, side, at < 0 ? others.length : at);
  }

  function follow(tuple: number, button: HTMLElement, press: PointerEvent): void {
    let dragging = false;
    const show = (transform: string): void => {
      setAttr(button, "data-dragging", transform !== "");
      button.style.transform = transform;
    };
    followPointer(press, {
      active: () => dragging,
      move({ clientX, clientY }) {
        const [dx, dy] = [clientX - press.clientX, clientY - press.clientY];
        dragging ||= Math.hypot(dx, dy) > SLOP;
        if (dragging) show(`translate(${dx}px,${dy}px)`);
      },
      end(event, kept) {
        show("");
        if (!kept) return;
        if (dragging) ask(dropAt(tuple, (event as PointerEvent).clientX, (event as PointerEvent).clientY));
        else openMenu(tuple, button);
      },
    });
  }

  function createButton(tuple: number): HTMLButtonElement {
    const button = h("button", { type: "button", class: "jt-tuple", "aria-haspopup": "menu", "aria-expanded": "false" });
    listen(button, "pointerdown", (event) => {
      if (event.button !== 0 || props.disabled) return;
      event.preventDefault();
      button.focus();
      follow(tuple, button, event);
    });
    // A click without a pointer: a screen reader's.
    listen(button, "click", (event) => {
      if (event.detail === 0 && !menu.isOpen) openMenu(tuple, button);
    });
    listen(button, "keydown", (event) => {
      const order = [...props.pivot.rows, ...props.pivot.columns];
      const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (by && event.shiftKey) ask(shift(props.pivot, tuple, by));
      else if (by) buttons.get(order[order.indexOf(tuple) + by] ?? tuple)?.focus();
      else if (["Enter", " ", "ArrowDown"].includes(event.key) && !props.disabled) openMenu(tuple, button);
      else return;
      event.preventDefault();
    });
    return button;
  }

  function draw(): void {
    const { names, pivot, compact, disabled } = props;
    const stem = compact ? commonStem(names) : null;
    const focused = [...buttons].find(([, b]) => b === (b.getRootNode() as Document).activeElement)?.[0];
    const next = new Map<number, HTMLButtonElement>();
    for (const side of ["rows", "columns"] as const) {
      const tuples = pivot[side];
      const short = stem !== null && tuples.length > 1;
      const parts: (Node | string)[] = [h("span", { class: "muted" }, side)];
      if (short) parts.push(h("span", {}, `${stem}s`));
      tuples.forEach((tuple, k) => {
        const button = buttons.get(tuple) ?? createButton(tuple);
        const name = names[tuple] ?? "";
        button.replaceChildren(h("bdi", {}, short ? numberOf(name) : name));
        button.disabled = disabled;
        setAttrs(button, {
          "aria-label": `${name}, on ${side}`,
          title: `${name.slice(0, 1000)}: drag to move, click for a menu, Shift with arrows`,
        });
        next.set(tuple, button);
        parts.push(k < tuples.length - 1 ? h("span", { class: "jt-item" }, button, ",") : button);
      });
      if (tuples.length === 0) parts.push(h("span", { class: "muted" }, "none"));
      sides[side].replaceChildren(...parts);
    }
    buttons = next;
    swapButton.disabled = disabled;
    if (focused !== undefined) buttons.get(focused)?.focus();
  }
  draw();

  return {
    el,
    update(next) {
      const same =
        samePivot(next.pivot, props.pivot) &&
        next.compact === props.compact &&
        next.disabled === props.disabled &&
        next.names.join("\n") === props.names.join("\n");
      props = next;
      if (!same) draw();
    },
    destroy: () => el.remove(),
  };
}
