/** The last steps as a table for screen readers: written when the stream rests, never while it plays. */
import type { Component } from "../ui/component";
import { h } from "../ui/dom";
import { fixed, leakage, probability } from "../ui/format";
import type { MechanismChoice } from "./protocol";
import { NOTHING, type StepRecord } from "./step-record";
import { stateText } from "./words";

export interface LastStepsProps {
  record: StepRecord;
  position: number;
  states: readonly string[];
  lanes: readonly MechanismChoice[];
  playing: boolean;
}

const MANY = 10;

export function createLastSteps(initial: LastStepsProps): Component<LastStepsProps> {
  const body = h("tbody");
  const head = h("tr");
  const el = h("div", { class: "sr-only" }, h("table", { "aria-label": "The last steps" }, h("thead", {}, head), body));

  function draw({ record, position, states, lanes, playing }: LastStepsProps): void {
    if (playing) return;
    const cells = lanes.flatMap(({ short }) => [`${short}: released`, `${short}: belief in the true symbol`, `${short}: leakage, nats`, `${short}: sum so far, nats`]);
    head.replaceChildren(...["step", "true", "promise, nats", ...cells].map((text) => h("th", { scope: "col" }, text)));
    const rows: HTMLElement[] = [];
    for (let step = Math.max(record.first + 1, position - MANY + 1); step <= position; step++) {
      if (!record.has(step)) continue;
      const k = record.at(step);
      const truth = record.symbols[k] as number;
      const promise = record.promise[k] as number;
      const texts = record.lanes.flatMap((lane) => {
        const released = lane.released[k] as number;
        const belief = record.columns === 1 ? lane.belief[k] : lane.belief[k * record.columns + truth];
        return [released === NOTHING ? "nothing" : stateText(states, released), probability(belief as number), `${leakage(lane.leakage[k] as number, promise)}${lane.over[k] ? ", over" : ""}`, fixed(lane.sum[k] as number, 3)];
      });
      rows.push(h("tr", {}, h("th", { scope: "row" }, fixed(step, 0)), ...[stateText(states, truth), leakage(promise), ...texts].map((text) => h("td", {}, text))));
    }
    body.replaceChildren(...rows);
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
