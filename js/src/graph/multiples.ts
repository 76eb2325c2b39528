/** Small multiples: every lattice as squares, to choose which one is enlarged. */
import { leakage } from "../ui/format";
import { fit, textWidth } from "../ui/lettering";
import { s, setText, text } from "../ui/dom";
import { maxTag } from "./card";
import { fillOf, isDetermined, largestAbout, standsBack, type Scene } from "./data";
import { columnCount, flatOf, layers, targetOf, widestLayer } from "./nodes";
import { sentence, describe } from "./words";
import { rect, round, set, show, yes } from "./svg";

/** Height of the strip of small multiples, px. */
export const MULTIPLES_HEIGHT = 72;

interface Multiple {
  el: SVGGElement;
  frame: SVGRectElement;
  heading: SVGTextElement;
  value: SVGTextElement;
  full: SVGTitleElement;
  squares: SVGRectElement[];
  tag: SVGGElement;
}

export class Multiples {
  readonly el = s("g", { role: "radiogroup", "aria-label": "Attacked tuple" });
  private readonly items: Multiple[] = [];
  private width = 0;
  private twoLines = false;

  constructor(private readonly n: number) {
    for (let target = 0; target < n; target++) {
      const frame = s("rect", { class: "lg-pick", rx: 3, height: MULTIPLES_HEIGHT });
      const heading = text(0, 13, "", { class: "lg-middle" });
      const value = text(0, 25, "", { class: "lg-middle" });
      const full = s("title");
      const squares = Array.from({ length: columnCount(n) }, (_, column) =>
        s("rect", { class: "lg-mini", "data-mini": flatOf(n, target, column) }),
      );
      const tag = maxTag();
      const el = s("g", { class: "lg-small", role: "radio", tabindex: -1 }, full, frame, heading, value, ...squares, tag);
      this.items.push({ el, frame, heading, value, full, squares, tag });
      this.el.append(el);
    }
  }

  /** Lays the strip out from `left` over `width` px; `update` must follow. */
  shape(left: number, width: number): void {
    const { n } = this;
    this.width = width / n;
    const pitch = Math.min(10, (this.width - 10) / widestLayer(n));
    // Name and largest value side by side where there is room, else one above the other.
    this.twoLines = this.width < 84;
    const top = this.twoLines ? 30 : 20;
    const rise = Math.min(10, (MULTIPLES_HEIGHT - top - 2) / n);
    const gap = pitch > 5 ? 2 : 0.7;
    this.items.forEach((item, target) => {
      const middle = left + this.width * (target + 0.5);
      rect(item.frame, middle - this.width / 2 + 2, 0, this.width - 4, MULTIPLES_HEIGHT);
      set(item.heading, { x: middle });
      set(item.value, { x: middle });
      set(item.tag, { transform: `translate(${round(middle - this.width / 2 + 5)} -7)` });
      layers(n).forEach((row, unknown) => {
        row.forEach((column, k) => {
          const x = middle + (k - (row.length - 1) / 2) * pitch - (pitch - gap) / 2;
          rect(item.squares[column] as SVGRectElement, x, top + (n - unknown) * rise, pitch - gap, rise - Math.max(gap, 1.2));
        });
      });
    });
  }

  update(scene: Scene, tabStop: number): void {
    const { data } = scene;
    const chosenTarget = targetOf(data.n, scene.chosen);
    this.items.forEach((item, target) => {
      const best = largestAbout(data, target);
      const checked = target === chosenTarget;
      const value = scene.busy ? "…" : leakage(data.exact[best] as number, data.promise);
      const room = this.width - 6;
      const name = scene.names.full[target] as string;
      // The name gives way to the number, never the other way round.
      const title = fit(name, this.twoLines ? room : room - textWidth(` ${value}`, 11, checked), 11, checked, scene.names.full);
      setText(item.heading, this.twoLines ? title : `${title} ${value}`);
      setText(item.value, this.twoLines ? value : "");
      const whole = title === name ? "" : name;
      setText(item.full, whole);
      set(item.el, {
        "data-node": best,
        tabindex: target === tabStop ? 0 : -1,
        "aria-checked": yes(checked),
        "aria-disabled": scene.disabled ? "true" : null,
        "aria-label": `${whole} ${title} ${value}. Largest ${sentence(describe(scene, best))}`.trim(),
      });
      show(item.tag, best === data.largest && !checked && !scene.busy);
      item.squares.forEach((square, column) => {
        const flat = flatOf(data.n, target, column);
        const fill = isDetermined(data, flat) || standsBack(scene, flat) ? "var(--bg)" : fillOf(scene, data.exact[flat] as number);
        if (square.style.getPropertyValue("--face") !== fill) square.style.setProperty("--face", fill);
        square.classList.toggle("lg-chosen", flat === scene.chosen);
      });
      item.el.classList.toggle("lg-waiting", scene.busy);
    });
  }

  focus(target: number): void {
    this.items[target]?.el.focus();
  }
}
