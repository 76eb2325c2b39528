/** One weight for each tuple, under its name: in the header of the table, or beside the query where no table is. */
import type { Component } from "./component";
import { h, setAttr, setText } from "./dom";
import { clip, isolate } from "./lettering";
import { createNumberEntry, type NumberEntryProps } from "./number-entry";

export interface WeightsProps {
  names: readonly string[];
  /** null shows nothing. */
  weights: readonly number[] | null;
  disabled: boolean;
}

export interface WeightsEvents {
  onWeights(weights: number[]): void;
  /** Why a weight as typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
}

/** A weight as it stands in its field: exact, with a true minus sign. */
export function weightText(value: number): string {
  return String(value).replace(/-/g, "−");
}

export function createWeights(initial: WeightsProps, events: WeightsEvents): Component<WeightsProps> {
  let props = initial;
  const el = h("div", { class: "px-weights", role: "group", "aria-label": "Weight of each tuple" });
  let entries: { label: HTMLElement; entry: Component<NumberEntryProps> }[] = [];

  function name(k: number, limit: number): string {
    return isolate(clip(props.names[k] ?? `tuple ${k + 1}`, limit)) || "(no name)";
  }

  function entryProps(k: number): NumberEntryProps {
    return { label: `Weight of ${name(k, 60)}`, value: props.weights?.[k] ?? 0, format: weightText, disabled: props.disabled, width: 56 };
  }

  function draw(): void {
    el.hidden = props.weights === null;
    const n = el.hidden ? 0 : props.names.length;
    if (entries.length !== n) {
      entries.forEach(({ entry }) => entry.destroy());
      entries = Array.from({ length: n }, (_, k) => {
        const entry = createNumberEntry(entryProps(k), {
          onCommit: (value) => events.onWeights(props.names.map((_, j) => (j === k ? value : (props.weights?.[j] ?? 0)))),
          onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The weight stays ${weightText(props.weights?.[k] ?? 0)}.`),
        });
        return { label: h("span", { class: "px-weight-name", "aria-hidden": "true" }), entry };
      });
      el.replaceChildren(...entries.map(({ label, entry }) => h("span", { class: "px-weight" }, label, entry.el)));
    }
    entries.forEach(({ label, entry }, k) => {
      setText(label, name(k, 60));
      setAttr(label, "title", name(k, 300));
      entry.update(entryProps(k));
    });
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
