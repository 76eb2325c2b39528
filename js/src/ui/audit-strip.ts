/** The strip at the foot of an explorer: numbers with their marks side by side, then all of them on one line. */
import type { Component } from "./component";
import { h, setAttr } from "./dom";
import { inlineMark, type Mark } from "./marks";
import { createNumline, type NumlineProps } from "./numline";

export interface AuditCell {
  el: HTMLElement;
  mark: HTMLElement;
  key: HTMLElement;
  value: HTMLElement;
  note: HTMLElement;
}

/** One number of the strip: what it is, the number, and a note below it. */
export function auditCell(kind: Mark, title = ""): AuditCell {
  const mark = h("span", {}, inlineMark(kind));
  const key = h("span", {}, ` ${title}`);
  const value = h("div", { class: "px-audit-value" });
  const note = h("div", { class: "px-audit-note" });
  return { el: h("div", {}, h("div", { class: "px-audit-key" }, mark, key), value, note), mark, key, value, note };
}

export interface AuditStripProps {
  /** Without width and height. */
  line: Omit<NumlineProps, "width" | "height">;
  /** The line keeps its place while it is not shown. */
  lineShown: boolean;
  /** The numbers are those of something else. */
  stale: boolean;
  /** The number line stands below the numbers. */
  stacked: boolean;
  /** Width of the number line, or null: what the strip leaves free. */
  lineWidth: number | null;
}

/** The least width of the number line, px. */
const LEAST = 180;

export function createAuditStrip(name: string, cells: readonly AuditCell[], old: HTMLElement, initial: AuditStripProps): Component<AuditStripProps> {
  let props = initial;
  /** What the strip leaves free for the number line; measured when it changes, so that drawing never waits for layout. */
  let free = LEAST;
  const line = createNumline(lineProps());
  const place = h("div", { class: "px-audit-line" }, line.el);
  const el = h("section", { class: "px-audit px-result", "aria-label": name }, ...cells.map((cell) => cell.el), place, old);

  function lineProps(): NumlineProps {
    return { ...props.line, width: Math.max(LEAST, props.lineWidth ?? free), height: props.stacked ? 44 : 56 };
  }

  const observer =
    typeof ResizeObserver === "undefined"
      ? null
      : new ResizeObserver(() => {
          const room = place.clientWidth;
          if (room <= 0 || room === free) return;
          free = room;
          if (props.lineWidth === null) line.update(lineProps());
        });
  observer?.observe(place);
  return {
    el,
    update(next) {
      props = next;
      setAttr(el, "data-stale", props.stale);
      line.el.style.visibility = props.lineShown ? "" : "hidden";
      line.update(lineProps());
    },
    destroy() {
      observer?.disconnect();
      line.destroy();
      el.remove();
    },
  };
}
