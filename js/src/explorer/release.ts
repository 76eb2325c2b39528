/** The release: which query, how much noise, what that promises, and how much noise is enough for a goal. */
import { component, DOWN, h, icon, listen, setAttr, setText, type Component } from "../ui/dom";
import { leakage, parameter } from "../ui/format";
import { createGoal, type GoalEvents, type GoalProps } from "../ui/goal";
import { clip, isolate } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { createWeights, type NumberEntryProps, type WeightsProps } from "../ui/number-entry";
import { leakageUnit } from "../ui/preferences";
import { WEIGHTS, type QueryChoice } from "../ui/protocol";
import { entryText, refuseScale, TRACK, trackTicks, widen } from "../ui/scale";
import { createSliderField, type SliderFieldProps, type SliderProps } from "../ui/slider";
import type { Naming } from "./words";

// Which query is released: picked by name, or one weight for each tuple.

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

interface QueryEvents {
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

  return component(el, props, (next) => {
    props = next;
    draw();
  }, weights);
}

export interface ReleaseProps extends Omit<QueryProps, "disabled">, GoalProps {
  promise: number | null;
}

export interface ReleaseEvents extends QueryEvents, GoalEvents {}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let track = widen(TRACK, initial.scale);
  let props = initial;
  const field = createSliderField(fieldProps(), { onChange: events.onScale, onRefused: events.onRefused });
  const goal = createGoal(props, events);
  const query = createQuery(props, events);
  const promise = h("b");
  const el = h(
    "section",
    { class: "panel", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    query.el,
    field.el,
    h(
      "dl",
      { class: "px-promise" },
      h("div", {}, h("dt", {}, inlineMark("promise"), " Promise GS/λ"), h("dd", {}, promise, ` ${leakageUnit()}`)),
    ),
    goal.el,
  );

  function fieldProps(): SliderFieldProps {
    return { label: "Laplace noise, scale λ", slider: sliderProps(), entry: entryProps(), stays: `The scale stays ${parameter(props.scale)}` };
  }

  function sliderProps(): SliderProps {
    return {
      value: props.scale,
      ...track,
      log: true,
      label: "Laplace noise, scale λ",
      valueText: `scale ${parameter(props.scale)}`,
      ticks: trackTicks(track),
      disabled: props.disabled,
    };
  }

  function entryProps(): NumberEntryProps {
    return {
      label: "Scale λ as a number",
      value: props.scale,
      format: entryText,
      refuse: refuseScale,
      disabled: props.disabled,
      width: entryText(props.scale).length > 5 ? 84 : 64,
    };
  }

  function draw(): void {
    track = widen(track, props.scale);
    field.update(fieldProps());
    goal.update(props);
    query.update(props);
    setText(promise, props.promise === null ? "…" : leakage(props.promise));
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, field, goal, query);
}
