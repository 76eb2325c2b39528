/** The release: which query, how much noise, and what that promises. */
import type { Component } from "../ui/component";
import { h, setAttr, setText } from "../ui/dom";
import { leakage, parameter } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { createSlider, type Change, type SliderProps } from "../ui/slider";
import { TRACK, entryText, refuseScale, trackTicks, widen } from "./scale";

export interface ReleaseProps {
  query: string;
  scale: number;
  promise: number | null;
  disabled: boolean;
}

export interface ReleaseEvents {
  onScale(value: number, how: Change): void;
  /** Why the number as typed is refused; null when it is in order again. */
  onRefused(reason: string | null): void;
}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let track = widen(TRACK, initial.scale);
  let props = initial;
  const slider = createSlider(sliderProps(), { onChange: events.onScale });
  const entry = createNumberEntry(entryProps(), {
    onCommit: (value) => events.onScale(value, { commit: true }),
    onRefused: events.onRefused,
  });
  const query = h("div", { class: "px-query" });
  const promise = h("b");
  const el = h(
    "section",
    { class: "panel", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    h("div", { class: "px-field" }, h("span", { class: "label" }, "Query"), query),
    h(
      "div",
      { class: "px-field px-scale" },
      h("span", { class: "label" }, "Laplace noise, scale λ"),
      h("div", { class: "px-scale-row" }, slider.el, entry.el),
    ),
    h(
      "dl",
      { class: "px-promise" },
      h("dt", {}, inlineMark("promise"), " Promise GS/λ"),
      h("dd", {}, promise, " nats"),
    ),
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

  function draw(): void {
    track = widen(track, props.scale);
    slider.update(sliderProps());
    entry.update(entryProps());
    const full = props.query.trim() || "Release";
    setText(query, isolate(clip(full, 80)));
    setAttr(query, "title", full.length > 80 ? clip(full, 2000) : null);
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
      slider.destroy();
      entry.destroy();
      el.remove();
    },
  };
}
