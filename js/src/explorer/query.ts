/** Which query is released: picked by name, or one weight for each tuple. */
import type { Component } from "../ui/component";
import { h, listen, setAttr, setText } from "../ui/dom";
import { DOWN, icon } from "../ui/icons";
import { clip, isolate } from "../ui/lettering";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { WEIGHTS, type QueryChoice } from "../ui/protocol";
import { nameOf, type Naming } from "./words";

export interface QueryProps {
  naming: Naming;
  choices: readonly QueryChoice[];
  /** Key of the choice that stands. */
  chosen: string;
  weights: readonly number[];
  /** What the query adds up, in a line. */
  text: string;
  disabled: boolean;
}

export interface QueryEvents {
  onQuery(key: string, weights: number[]): void;
  /** Why a weight as typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
}

/** A weight as it stands in its field: exact, with a true minus sign. */
export function weightText(value: number): string {
  return String(value).replace(/-/g, "−");
}

export function createQuery(initial: QueryProps, events: QueryEvents): Component<QueryProps> {
  let props = initial;
  let drawn = "";
  const select = h("select", { class: "px-query-choice", "aria-label": "Query" });
  const frame = h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN)));
  const text = h("p", { class: "px-query small muted" });
  const list = h("div", { class: "px-weights", role: "group", "aria-label": "Weight of each tuple" });
  const el = h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "Query"), frame, list, text);
  let entries: { label: HTMLElement; entry: Component<NumberEntryProps> }[] = [];

  listen(select, "change", () => {
    const key = props.choices[select.selectedIndex]?.key;
    if (key !== undefined && key !== props.chosen) events.onQuery(key, [...props.weights]);
  });

  function weightProps(k: number): NumberEntryProps {
    return {
      label: `Weight of ${nameOf(props.naming, k)}`,
      value: props.weights[k] ?? 0,
      format: weightText,
      disabled: props.disabled,
      width: 56,
    };
  }

  function drawWeights(): void {
    list.hidden = props.chosen !== WEIGHTS;
    const n = list.hidden ? 0 : props.naming.names.length;
    if (entries.length !== n) {
      entries.forEach(({ entry }) => entry.destroy());
      entries = Array.from({ length: n }, (_, k) => {
        const entry = createNumberEntry(weightProps(k), {
          onCommit: (value) => events.onQuery(WEIGHTS, props.naming.names.map((_, j) => (j === k ? value : (props.weights[j] ?? 0)))),
          onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The weight stays ${weightText(props.weights[k] ?? 0)}.`),
        });
        return { label: h("span", { class: "px-weight-name", "aria-hidden": "true" }), entry };
      });
      list.replaceChildren(...entries.map(({ label, entry }) => h("span", { class: "px-weight" }, label, entry.el)));
    }
    entries.forEach(({ label, entry }, k) => {
      setText(label, nameOf(props.naming, k));
      setAttr(label, "title", nameOf(props.naming, k, 300));
      entry.update(weightProps(k));
    });
  }

  function draw(): void {
    const key = JSON.stringify(props.choices);
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...props.choices.map(({ label }) => h("option", {}, isolate(clip(label, 80)) || "(no name)")));
    }
    select.selectedIndex = props.choices.findIndex((choice) => choice.key === props.chosen);
    select.disabled = props.disabled;
    const full = props.text.trim();
    setText(text, isolate(clip(full, 80)));
    setAttr(text, "title", full.length > 80 ? clip(full, 2000) : null);
    drawWeights();
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      entries.forEach(({ entry }) => entry.destroy());
      el.remove();
    },
  };
}
