/** The release: which query, how much noise, what that promises, and how much noise is enough for a goal. */
import type { Component } from "../ui/component";
import { h, listen, setAttr, setText } from "../ui/dom";
import { leakage, parameter } from "../ui/format";
import { inlineMark } from "../ui/marks";
import { CHECK, icon } from "../ui/icons";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { createSlider, type Change, type SliderProps } from "../ui/slider";
import type { Enough } from "../ui/protocol";
import { createQuery, type QueryEvents, type QueryProps } from "./query";
import { TRACK, enoughScale, entryText, refuseGoal, refuseScale, trackTicks, widen } from "./scale";

export interface ReleaseProps extends Omit<QueryProps, "disabled"> {
  scale: number;
  promise: number | null;
  /** What all adversaries may learn at most, nats. */
  goal: number;
  /** Least scale that is enough for that; undefined while it is awaited. */
  enough: Enough | undefined;
  disabled: boolean;
}

export interface ReleaseEvents extends QueryEvents {
  onScale(value: number, how: Change): void;
  onGoal(value: number): void;
}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let track = widen(TRACK, initial.scale);
  let props = initial;
  const slider = createSlider(sliderProps(), { onChange: events.onScale });
  const entry = createNumberEntry(entryProps(), {
    onCommit: (value) => events.onScale(value, { commit: true }),
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The scale stays ${parameter(props.scale)}.`),
  });
  const goal = createNumberEntry(goalProps(), {
    onCommit: events.onGoal,
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The goal stays ${parameter(props.goal)}.`),
  });
  const query = createQuery(props, events);
  const promise = h("b");
  const enough = h("button", { type: "button", class: "px-quiet" });
  const reached = h("span", { class: "px-reached" }, icon(CHECK, 12), "reached");
  const why = h("p", { class: "small muted px-why" });
  listen(enough, "click", () => {
    const scale = props.enough?.scale ?? null;
    if (scale !== null) events.onScale(enoughScale(scale), { commit: true });
  });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    query.el,
    h(
      "div",
      { class: "px-field px-scale" },
      h("span", { class: "label" }, "Laplace noise, scale λ"),
      h("div", { class: "px-scale-row" }, slider.el, entry.el),
    ),
    h(
      "dl",
      { class: "px-promise" },
      h("div", {}, h("dt", {}, inlineMark("promise"), " Promise GS/λ"), h("dd", {}, promise, " nats")),
      h("div", { class: "px-goal" }, h("dt", {}, "λ for at most"), h("dd", {}, goal.el, " nats")),
      h("div", {}, h("dt", {}, "for all"), h("dd", {}, h("span", { role: "status" }, reached), enough)),
    ),
    why,
  );

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

  function goalProps(): NumberEntryProps {
    return {
      label: "λ for at most so many nats, for all adversaries",
      value: props.goal,
      format: entryText,
      refuse: refuseGoal,
      disabled: props.disabled,
      width: entryText(props.goal).length > 5 ? 72 : 48,
    };
  }

  function draw(): void {
    track = widen(track, props.scale);
    slider.update(sliderProps());
    entry.update(entryProps());
    goal.update(goalProps());
    query.update(props);
    setText(promise, props.promise === null ? "…" : leakage(props.promise));
    drawEnough();
  }

  function drawEnough(): void {
    const { scale } = props;
    const found = props.enough;
    const exact = found?.scale ?? null;
    const value = exact === null ? null : enoughScale(exact);
    setText(enough, value !== null ? entryText(value) : !found ? "…" : found.why === null ? "any" : "–");
    reached.hidden = value !== scale;
    enough.disabled = props.disabled || value === null || value === scale;
    const words = value === null ? (found?.why ?? null) : `At scale ${entryText(value)} no adversary learns more than ${leakage(props.goal)} nats`;
    setAttr(enough, "aria-label", enough.disabled ? null : `${words}: set this scale`);
    setAttr(enough, "title", words);
    setText(why, value === null ? (found?.why ?? "") : "");
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      slider.destroy();
      entry.destroy();
      goal.destroy();
      query.destroy();
      el.remove();
    },
  };
}
