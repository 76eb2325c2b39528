/** The slack for each ε: exact, bounded and as printed, with the line that is dragged along it. */
import { createRHandle } from "../curves/r-handle";
import { createMenu } from "../ui/choosing";
import { component, h, layered, listen, renew, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { fixed, tick } from "../ui/format";
import { inlineMark } from "../ui/marks";
import type { Change } from "../ui/slider";
import { drawAxes, drawCurves, plotOf, spokenCurves, vacuousBand, vacuousWords } from "./curve-drawing";
import type { ReleaseChoice } from "./protocol";
import { hidingTitle } from "./release";
import { boundsOf, printedOf, type Shown } from "./results";
import { slackText } from "./words";

export interface CurvePanelProps {
  kind: "count" | "sum" | "records";
  noun: string;
  shown: Shown | null;
  /** Unknown records with the target. */
  unknown: number;
  epsilon: number;
  printed: boolean;
  reading: string;
  readings: readonly ReleaseChoice[];
  busy: boolean;
  disabled: boolean;
  width: number;
}

export interface CurvePanelEvents {
  onEpsilon(value: number, how: Change): void;
  onPrinted(on: boolean): void;
  onReading(key: string): void;
}

/** Height of the picture, lower where it is narrow, px. */
function heightAt(width: number): number {
  return width < 420 ? 380 : 500;
}

let patterns = 0;

export function createCurvePanel(initial: CurvePanelProps, events: CurvePanelEvents): Component<CurvePanelProps> {
  patterns += 1;
  const pattern = `kx-vacuous-${patterns}`;
  let props = initial;
  let listed: Shown | null = null;
  let withPrinted = initial.printed;
  const title = h("span");
  const checkbox = h("input", { type: "checkbox" });
  const toggle = h("label", { class: "muted small nowrap kx-switch" }, checkbox, "as printed");
  const [svg, drawn, over] = layered({ class: "density-svg kx-curve", role: "group" }, {}, { class: "kx-over" });
  const handle = createRHandle(svg, events.onEpsilon, { name: "Budget ε", sign: "ε" });
  over.before(handle.el);
  const empty = h("p", { class: "px-empty kx-empty" });
  const reading = h("button", { type: "button", class: "kx-reading", "aria-haspopup": "menu", "aria-expanded": "false" });
  const key = h("div", { class: "small muted kx-key" });
  const paper = h("span", { class: "kx-paper" }, inlineMark("paper"), " as printed: ", reading);
  const words = h("p", { class: "small muted kx-curve-words" });
  const rows = h("tbody");
  const column = h("th", { scope: "col" }, "as printed");
  const table = h(
    "div",
    { class: "sr-only" },
    h(
      "table",
      {},
      h("caption", {}, "Slack by ε"),
      h("thead", {}, h("tr", {}, ...["ε", "exact", "bounds"].map((name) => h("th", { scope: "col" }, name)), column)),
      rows,
    ),
  );
  const el = h(
    "section",
    { class: "panel px-leak kx-curves", "aria-label": "What leaks" },
    h("h3", { class: "panel-head" }, title, toggle),
    svg,
    empty,
    h("div", { class: "kx-keys" }, key, paper),
    words,
    table,
  );
  const menu = createMenu(el, "Readings of the theorems");
  listen(checkbox, "change", () => events.onPrinted(checkbox.checked));
  listen(reading, "click", () => {
    if (props.disabled) return;
    if (menu.isOpen) return menu.close();
    menu.open(
      reading,
      props.readings.map((one) => ({
        label: one.label,
        checked: one.key === props.reading,
        run: () => one.key !== props.reading && events.onReading(one.key),
      })),
    );
  });

  function draw(): void {
    const { kind, noun, shown, epsilon, printed, readings, busy, disabled, width } = props;
    renew(title, hidingTitle(kind, noun), " ", h("span", { class: "muted" }, "slack δ for each ε"));
    checkbox.checked = printed;
    checkbox.disabled = disabled || readings.length === 0;
    svg.style.display = shown ? "" : "none";
    empty.hidden = shown !== null;
    setText(empty, "There are no curves: no class is formed.");
    paper.hidden = !printed || readings.length === 0 || !shown;
    reading.disabled = disabled;
    const chosen = readings.find((one) => one.key === props.reading);
    setText(reading, chosen && shown ? `${chosen.label}, n = ${fixed(chosen.key.startsWith("t1:") ? shown.unknown : props.unknown, 0)} ▾` : "");
    if (!shown) {
      handle.update(null);
      renew(key);
      setText(words, "");
      return;
    }
    const height = heightAt(width);
    const plot = plotOf(shown, width, height);
    const { axis, end } = plot;
    setAttrs(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    const spoken = busy ? "being computed" : `at ε = ${fixed(epsilon, 2)}, ${spokenCurves(shown, epsilon)}`;
    setAttr(svg, "aria-label", `Slack δ against ε, logarithmic: ${spoken}`);
    setAttr(svg, "data-old", busy);
    const drawing = drawCurves(shown, epsilon, plot);
    const at = Math.min(end, epsilon);
    renew(drawn, ...vacuousBand(plot, pattern), ...drawAxes(plot, at), ...drawing.below);
    handle.update({ r: at, low: 0, high: end, left: axis.left, right: axis.right, width, bottom: axis.bottom, disabled });
    renew(over, ...vacuousWords(plot), ...(busy ? [] : drawing.above));
    const { exact } = shown;
    renew(
      key,
      h("span", { class: "nowrap" }, inlineMark("exact"), exact?.why ? ` not computed: ${exact.why}` : " exact, any event"),
      h("span", { class: "nowrap" }, inlineMark("bound"), " bound, corrected"),
    );
    const why = shown.curves.flatMap((curve) => (curve.kind === "bound" && curve.why ? [`No bound: ${curve.why}.`] : []));
    const beyond = epsilon > end ? [`ε = ${epsilon === Infinity ? "∞" : fixed(epsilon, 2)} is beyond the axis: its numbers stand below.`] : [];
    const line = printedOf(shown);
    const nothing = printed && line && line.status === "undefined" ? [`As printed: undefined at this ε.`] : [];
    setText(words, [...drawing.words.map((part) => `${part}.`), ...why, ...nothing, ...beyond].join(" "));
    list(busy ? null : shown);
  }

  /** Every tenth point for screen readers. */
  function list(shown: Shown | null): void {
    if (shown === listed && props.printed === withPrinted) return;
    [listed, withPrinted] = [shown, props.printed];
    const line = shown && props.printed ? printedOf(shown) : null;
    column.hidden = line === null;
    if (!shown) return renew(rows);
    const bounds = boundsOf(shown);
    const picked = Array.from(shown.axis.keys()).filter((k) => k % 10 === 0);
    renew(
      rows,
      ...picked.map((k) => {
        const number = (value: number | undefined, up = false): string =>
          value === undefined || Number.isNaN(value) ? "–" : slackText(value, up);
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, tick(shown.axis[k] as number)),
          h("td", {}, number(shown.exact?.delta[k])),
          h("td", {}, bounds.map((curve) => number(curve.drawn[k], true)).join(", ") || "–"),
          line && h("td", {}, number(line.delta[k])),
        );
      }),
    );
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  }, menu);
}
