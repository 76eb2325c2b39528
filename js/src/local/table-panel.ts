/** The table: which attributes are released, what their labels are worth, and which rows count. */
import { nameOf, plural, type Naming } from "../explorer/words";
import { BOX, CHECK, component, h, icon, listen, renew, s, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { createDragNumber, type DragNumberProps } from "../ui/drag-number";
import { fixed, probability } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import type { Change } from "../ui/slider";

export interface TablePanelProps {
  naming: Naming;
  counts: readonly Float64Array[];
  names: readonly number[];
  records: number | null;
  minCount: number;
  missing: { rule: string; count: number | null };
  disabled: boolean;
}

export interface TablePanelEvents {
  onAttributes(attributes: number[]): void;
  onMinCount(value: number, how: Change): void;
}

/** More attributes than this stand beside each other, without their shares. */
const LISTED = 12;
/** More than this have no room for the names of their labels. */
const SPELLED = 6;
/** Labels that are spelled; the rest are counted. */
const LABELS = 6;

interface Row {
  el: HTMLElement;
  update(attribute: number): void;
}

export function createTablePanel(initial: TablePanelProps, events: TablePanelEvents): Component<TablePanelProps> {
  let props = initial;
  const note = h("span", { class: "muted" });
  const list = h("div", { class: "lx-attributes", role: "group", "aria-label": "Attributes that are released" });
  const least = createDragNumber(leastProps(), { onChange: (value, how) => events.onMinCount(Math.round(value), how) });
  const leastRow = h("div", {}, h("dt", {}, "Ignore rows with fewer than"), h("dd", {}, least.el));
  const missing = h("dd", {});
  const el = h(
    "section",
    { class: "panel lx-table", "aria-label": "Table" },
    h("h3", { class: "panel-head" }, h("span", {}, "Table"), note),
    list,
    h("dl", { class: "px-promise" }, leastRow, h("div", {}, h("dt", {}, "Missing values"), missing)),
  );
  let rows: Row[] = [];

  function leastProps(): DragNumberProps {
    const text = fixed(props.minCount, 0);
    return {
      value: props.minCount,
      text,
      label: "Ignore rows with fewer records than",
      valueText: `${text} ${plural(props.naming.noun)}`,
      disabled: props.disabled,
      whole: true,
      accept: (value) => (value >= 0 && Number.isInteger(value) ? { ok: true } : { ok: false, reason: "Enter a whole number of records, 0 or more." }),
    };
  }

  function toggle(attribute: number): void {
    const on = props.names.includes(attribute);
    if (on && props.names.length < 2) return;
    const next = on ? props.names.filter((name) => name !== attribute) : [...props.names, attribute].sort((a, b) => a - b);
    events.onAttributes(next);
  }

  function row(attribute: number): Row {
    const glyph = h("span", { class: "chip-icon" });
    const name = h("span", { class: "chip-name" });
    const chip = h("button", { type: "button", class: "chip lx-chip" }, glyph, name);
    const bar = h("div", { class: "lx-shares" });
    const words = h("div", { class: "small muted lx-labels" });
    listen(chip, "click", () => toggle(attribute));
    return {
      el: h("div", { class: "lx-attribute" }, h("div", { class: "lx-chip-cell" }, chip), bar, words),
      update() {
        const on = props.names.includes(attribute);
        const whole = nameOf(props.naming, attribute, 300);
        setText(name, nameOf(props.naming, attribute, 60));
        chip.classList.toggle("chip-on", on);
        // Pressed and box say the same twice: colour is not the only cue.
        glyph.replaceChildren(icon(on ? CHECK : BOX, 13));
        const last = on && props.names.length < 2;
        setAttrs(chip, {
          "aria-pressed": String(on),
          title: last ? `${whole}: one attribute must stay` : `${whole}: ${on ? "released" : "not released"}`,
          "aria-disabled": last ? "true" : null,
        });
        chip.disabled = props.disabled;
        const many = props.naming.names.length > LISTED;
        bar.hidden = many;
        words.hidden = props.naming.names.length > SPELLED;
        if (many) return;
        const counts = props.counts[attribute] ?? new Float64Array();
        renew(bar, shares(counts));
        setAttr(bar, "title", spelled(attribute, counts, 60));
        renew(words, ...labels(attribute, counts));
      },
    };
  }

  function amount(value: number): string {
    return props.records === null ? probability(value) : fixed(value, 0);
  }

  function label(attribute: number, k: number, limit: number): string {
    return isolate(clip(props.naming.labels[attribute]?.[k] ?? "", limit)) || "(empty)";
  }

  function spelled(attribute: number, counts: Float64Array, most: number): string {
    const parts = Array.from(counts.subarray(0, most), (count, k) => `${label(attribute, k, 40)} ${amount(count)}`);
    return [...parts, ...(counts.length > most ? [`${counts.length - most} more`] : [])].join(", ");
  }

  function labels(attribute: number, counts: Float64Array): HTMLElement[] {
    const spans = Array.from(counts.subarray(0, LABELS), (count, k) => h("span", {}, `${label(attribute, k, 18)} `, h("b", {}, amount(count)), " "));
    if (counts.length > LABELS) spans.push(h("span", {}, `${counts.length - LABELS} more`));
    return spans;
  }

  function draw(): void {
    const { naming, records, missing: gaps } = props;
    const n = naming.names.length;
    const many = n > LISTED;
    setText(note, many ? `${props.names.length} of ${n} released` : `share of ${records === null ? "probability" : plural(naming.noun)}`);
    list.classList.toggle("lx-many", many);
    if (rows.length !== n) {
      rows = Array.from({ length: n }, (_, k) => row(k));
      list.replaceChildren(...rows.map((one) => one.el));
    }
    rows.forEach((one, k) => one.update(k));
    leastRow.hidden = records === null;
    least.update(leastProps());
    setText(missing, gaps.count ? `${fixed(gaps.count, 0)}, ${gaps.rule}` : "none");
  }

  return component(el, initial, (next) => {
    props = next;
    draw();
  }, least);
}

/** One bar, cut into the shares of the labels. */
function shares(counts: Float64Array): SVGSVGElement {
  const total = counts.reduce((sum, count) => sum + count, 0) || 1;
  const svg = s("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", width: "100%", height: 8, "aria-hidden": "true" });
  let from = 0;
  const last = counts.length - 1;
  const gap = counts.length > 40 ? 0 : 0.6;
  counts.forEach((count, k) => {
    const width = (100 * count) / total;
    const opacity = last === 0 ? 0.6 : 0.3 + (0.65 * k) / last;
    if (width > 0)
      svg.append(
        s("rect", {
          x: from.toFixed(2),
          y: 0,
          width: Math.max(0.2, width - (k === last ? 0 : gap)).toFixed(2),
          height: 8,
          fill: "var(--ink2)",
          opacity: opacity.toFixed(2),
        }),
      );
    from += width;
  });
  return svg;
}
