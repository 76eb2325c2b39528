/** Which query is released: picked by name, or one weight for each tuple. */
import { DOWN, h, icon, listen, setAttr, setText, type Component } from "../ui/dom";
import { clip, isolate } from "../ui/lettering";
import { createWeights, type WeightsProps } from "../ui/number-entry";
import { WEIGHTS, type QueryChoice } from "../ui/protocol";
import type { Naming } from "./words";

export interface QueryProps {
  naming: Naming;
  choices: readonly QueryChoice[];
  /** Key of the choice that stands. */
  chosen: string;
  weights: readonly number[];
  /** The table shows the weights in its header. */
  weightsElsewhere?: boolean;
  /** What the query adds up, in a line. */
  text: string;
  disabled: boolean;
}

export interface QueryEvents {
  onQuery(key: string, weights: number[]): void;
  /** Why a weight as typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
}

export function createQuery(initial: QueryProps, events: QueryEvents): Component<QueryProps> {
  let props = initial;
  let drawn = "";
  const select = h("select", { class: "px-query-choice", "aria-label": "Query" });
  const frame = h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN)));
  const text = h("p", { class: "px-query small muted" });
  const weights = createWeights(weightsProps(), { onWeights: (next) => events.onQuery(WEIGHTS, next), onRefused: events.onRefused });
  const el = h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "Query"), frame, weights.el, text);

  listen(select, "change", () => {
    const key = props.choices[select.selectedIndex]?.key;
    if (key !== undefined && key !== props.chosen) events.onQuery(key, [...props.weights]);
  });

  function weightsProps(): WeightsProps {
    const here = props.chosen === WEIGHTS && !props.weightsElsewhere;
    return { names: props.naming.names, weights: here ? props.weights : null, disabled: props.disabled };
  }

  function draw(): void {
    const key = JSON.stringify(props.choices);
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...props.choices.map(({ label }) => h("option", {}, isolate(clip(label, 80)) || "(no name)")));
    }
    select.selectedIndex = props.choices.findIndex((choice) => choice.key === props.chosen);
    select.disabled = props.disabled;
    const where = props.chosen === WEIGHTS && props.weightsElsewhere ? "; weights in the table’s header" : "";
    const full = `${props.text.trim()}${where}`;
    setText(text, isolate(clip(full, 80)));
    setAttr(text, "title", full.length > 80 ? clip(full, 2000) : null);
    weights.update(weightsProps());
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      weights.destroy();
      el.remove();
    },
  };
}
