/** The release: which query, how much noise, what that promises, and how much noise is enough for a goal. */
import { h, setText, type Component } from "../ui/dom";
import { leakage, parameter } from "../ui/format";
import { createGoal, type GoalEvents, type GoalProps } from "../ui/goal";
import { inlineMark } from "../ui/marks";
import type { NumberEntryProps } from "../ui/number-entry";
import { TRACK, entryText, refuseScale, trackTicks, widen } from "../ui/scale";
import { createSliderField, type SliderFieldProps, type SliderProps } from "../ui/slider";
import { createQuery, type QueryEvents, type QueryProps } from "./query";

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
      h("div", {}, h("dt", {}, inlineMark("promise"), " Promise GS/λ"), h("dd", {}, promise, " nats")),
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

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      field.destroy();
      goal.destroy();
      query.destroy();
      el.remove();
    },
  };
}
