/** Mechanisms side by side: a sample of the curve, the noise, the largest leakage, and the chance of an error. */
import { triangle } from "../explorer/facts";
import { isOver } from "../explorer/words";
import { component, h, listen, renew, s, setText, type Component } from "../ui/dom";
import { bound, leakage, probability, tick } from "../ui/format";
import type { Shown, ShownMechanism } from "./results";
import { nats } from "./words";

export interface MechanismTableProps {
  shown: Shown | null;
  /** Key of the row in use. */
  chosen: string;
  epsilon: number;
  alpha: number;
  busy: boolean;
  disabled: boolean;
}

export interface CurveLook {
  colour: string;
  dash: string | null;
  width: number;
}

const LOOKS: Record<string, CurveLook> = {
  lpm: { colour: "var(--ink2)", dash: "2 3", width: 1.5 },
  dpm_mean: { colour: "var(--b)", dash: "5 2.5", width: 2 },
  baseline: { colour: "var(--promise)", dash: "8 3", width: 2 },
  dpm_exact: { colour: "var(--ink2)", dash: "8 3 2 3", width: 1.5 },
};

/** How a mechanism's curve is drawn; null where it has none: more than a few would not be told apart. */
export function curveOf(key: string, chosen: string): CurveLook | null {
  if (key === chosen) return { colour: "var(--a)", dash: null, width: 2.5 };
  return LOOKS[key] ?? null;
}

const HOLDS: Record<ShownMechanism["holds"], string> = {
  always: "Keeps the promise always",
  here: "Keeps the promise here",
  no: "Does not keep the promise here",
};

export function createMechanismTable(initial: MechanismTableProps, events: { onMechanism(key: string): void }): Component<MechanismTableProps> {
  let props = initial;
  const atHead = h("th", { scope: "col" });
  const body = h("tbody");
  const heads = ["mechanism", "σ", "worst leak"].map((head) => h("th", { scope: "col" }, head));
  const el = h("table", { class: "dx-numbers dx-mechanisms" }, h("thead", {}, h("tr", {}, ...heads, atHead)), body);
  listen(body, "click", (event) => {
    const key = (event.target as Element).closest<HTMLElement>("button[data-key]")?.dataset["key"];
    if (key !== undefined && !props.disabled && key !== props.chosen) events.onMechanism(key);
  });

  function draw(): void {
    const { shown, chosen, epsilon, alpha, busy, disabled } = props;
    el.hidden = shown === null;
    setText(atHead, `at α = ${tick(Number(alpha.toPrecision(3)))}`);
    if (!shown) return;
    const rows = shown.mechanisms.map((row) => {
      const { key, label, scale, largest, holds, why } = row;
      const over = isOver(largest, epsilon) && !busy;
      const title = `${HOLDS[holds]}: ${why}`;
      const button = h("button", { type: "button", class: "dx-mechanism-name", "data-key": key, "aria-pressed": String(key === chosen), title }, label);
      button.disabled = disabled;
      const write = (text: string): string => (busy ? "…" : text);
      return h(
        "tr",
        { "data-on": key === chosen },
        h("th", { scope: "row" }, sample(curveOf(key, chosen)), button),
        h("td", {}, write(key === "calibrated" ? bound(scale) : leakage(scale))),
        h("td", { class: over ? "over" : null }, over ? triangle("high") : null, `${over ? " " : ""}${write(nats(largest, epsilon))}`),
        h("td", {}, write(probability(Math.exp(-alpha / scale)))),
      );
    });
    renew(body, ...rows);
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  });
}

function sample(look: CurveLook | null): SVGSVGElement {
  const line = look && s("line", { x1: 0, x2: 22, y1: 4, y2: 4, style: `stroke:${look.colour}`, "stroke-width": look.width, "stroke-dasharray": look.dash });
  return s("svg", { class: "dx-line-sample", viewBox: "0 0 22 8", width: 22, height: 8, "aria-hidden": "true" }, line);
}
