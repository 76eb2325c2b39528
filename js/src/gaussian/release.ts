/** The release: which query, how much noise, which change it is to hide, and how much noise is enough for a goal. */
import { createQuery, type QueryProps } from "../explorer/release";
import type { Naming } from "../explorer/words";
import { h, setText, type Component } from "../ui/dom";
import { leakage } from "../ui/format";
import { createGoal, type GoalEvents, type GoalProps } from "../ui/goal";
import { inlineMark } from "../ui/marks";
import type { Change } from "../ui/slider";
import { CHANGE, SCALE, createAmount } from "./amount";
import { CHOICES, spelled } from "./query";

export interface ReleaseProps extends GoalProps {
  naming: Naming;
  query: string;
  weights: Float64Array;
  unit: string;
  change: number;
  promise: number;
}

export interface ReleaseEvents extends GoalEvents {
  onQuery(query: string): void;
  onChange(value: number, how: Change): void;
}

/** The promise with the largest weight where that is not 1. */
export function promiseName(weights: ArrayLike<number>): string {
  const largest = Array.from(weights).reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  return largest === 1 ? "Promise M/λ" : "Promise |a|M/λ";
}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let props = initial;
  const query = createQuery(queryProps(), { onQuery: (key) => events.onQuery(key), onRefused: events.onRefused });
  const scale = createAmount(SCALE, scaleProps(), { onChange: events.onScale, onRefused: events.onRefused });
  const change = createAmount(CHANGE, changeProps(), { onChange: events.onChange, onRefused: events.onRefused });
  const name = h("span");
  const promise = h("b");
  const goal = createGoal(props, events);
  const el = h(
    "section",
    { class: "panel", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    query.el,
    scale.el,
    change.el,
    h(
      "dl",
      { class: "px-promise" },
      h("div", {}, h("dt", { title: "The largest weight times M over the scale" }, inlineMark("promise"), " ", name), h("dd", {}, promise, " nats")),
    ),
    goal.el,
  );

  /** The weights are edited above the matrix: here is no field for them. */
  function queryProps(): QueryProps {
    const { naming, weights, disabled } = props;
    const text = `${spelled(props.query, naming.names, weights, naming.noun)}, weights above the matrix`;
    return { naming: { ...naming, names: [] }, choices: CHOICES, chosen: props.query, weights: [], text, disabled };
  }

  function scaleProps() {
    return { value: props.scale, label: "Laplace noise, scale λ", disabled: props.disabled };
  }

  function changeProps() {
    return { value: props.change, label: `Change to hide, M${props.unit ? `, ${props.unit}` : ""}`, disabled: props.disabled };
  }

  function draw(): void {
    query.update(queryProps());
    scale.update(scaleProps());
    change.update(changeProps());
    setText(name, promiseName(props.weights));
    setText(promise, leakage(props.promise));
    goal.update(props);
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [query, scale, change, goal]) part.destroy();
      el.remove();
    },
  };
}
