/** Beyond the chosen pair: one of four further views at a time. */
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { h, type Component } from "../ui/dom";
import { createCalibration, type CalibrationEvents, type CalibrationProps } from "./calibration";
import { createCompared, type ComparedProps } from "./compared";
import { createCounterexample, type CounterexampleProps } from "./counterexample";
import { createScatter, type ScatterProps } from "./scatter";

export interface MoreProps {
  scatter: ScatterProps;
  compared: ComparedProps;
  calibration: CalibrationProps;
  counterexample: CounterexampleProps;
  disabled: boolean;
}

export interface MoreEvents extends CalibrationEvents {
  onExample(example: "" | "xor"): void;
  onChoose(source: number, secret: number): void;
}

type Tab = "scatter" | "compared" | "calibration" | "counterexample";

const TABS: SegmentsProps<Tab>["options"] = [
  { value: "scatter", text: "Association" },
  { value: "compared", text: "Mechanisms" },
  { value: "calibration", text: "Find a budget" },
  { value: "counterexample", text: "When the sum is too low" },
];

export function createMore(initial: MoreProps, events: MoreEvents): Component<MoreProps> {
  let props = initial;
  // A way of looking, so it is not shared.
  let tab: Tab = "scatter";
  const segments = createSegments(segmentsProps(), (next) => {
    tab = next;
    draw();
  });
  const parts = {
    scatter: createScatter(initial.scatter, events.onChoose),
    compared: createCompared(initial.compared),
    calibration: createCalibration(initial.calibration, events),
    counterexample: createCounterexample(initial.counterexample, events.onExample),
  };
  const places = (Object.keys(parts) as Tab[]).map((name) => ({ name, el: h("div", { class: "lx-more-part" }, parts[name].el) }));
  const head = h("h3", { class: "panel-head" }, h("span", {}, "More"));
  const el = h("section", { class: "panel lx-more", "aria-label": "More" }, head, segments.el, ...places.map((place) => place.el));

  function segmentsProps(): SegmentsProps<Tab> {
    return { label: "Further views", options: TABS, value: tab, disabled: false };
  }

  function draw(): void {
    segments.update(segmentsProps());
    for (const place of places) place.el.hidden = place.name !== tab;
    // The others are drawn when they are looked at.
    if (tab === "scatter") parts.scatter.update(props.scatter);
    if (tab === "compared") parts.compared.update(props.compared);
    if (tab === "calibration") parts.calibration.update(props.calibration);
    if (tab === "counterexample") parts.counterexample.update(props.counterexample);
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [segments, ...Object.values(parts)]) part.destroy();
      el.remove();
    },
  };
}
