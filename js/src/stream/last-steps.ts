/** The last steps as a table for screen readers: the steps of the picture, frame by frame. */
import { h, setText, type Component } from "../ui/dom";
import { fixed, leakage, probability } from "../ui/format";
import type { MechanismChoice } from "./protocol";
import { NOTHING, type StepRecord } from "./step-record";
import { stateText } from "./words";

export interface LastStepsProps {
  record: StepRecord;
  position: number;
  states: readonly string[];
  lanes: readonly MechanismChoice[];
}

const MANY = 10;

export function createLastSteps(initial: LastStepsProps): Component<LastStepsProps> {
  // Roles are said: laid out as blocks, rows and cells would have none everywhere.
  const body = h("tbody", { role: "rowgroup" });
  const head = h("tr", { role: "row" });
  const el = h(
    "div",
    { class: "sr-only sx-steps" },
    h("table", { role: "table", "aria-label": "The last steps" }, h("thead", { role: "rowgroup" }, head), body),
  );
  let drawn: LastStepsProps | null = null;
  /** What the record had given up by then, and the step of the first row. */
  let [cuts, first] = [0, 0];

  function heads({ lanes }: LastStepsProps): void {
    const cells = lanes.flatMap(({ short }) => [
      `${short}: released`,
      `${short}: belief in the true symbol`,
      `${short}: leakage, nats`,
      `${short}: sum so far, nats`,
    ]);
    write(head, ["step", "true", "promise, nats", ...cells], () => h("th", { scope: "col", role: "columnheader" }));
  }

  /** What stands in the row of a step. */
  function texts({ record, states }: LastStepsProps, step: number): string[] {
    const k = record.at(step);
    const truth = record.symbols[k] as number;
    const promise = record.promise[k] as number;
    const own = record.lanes.flatMap((lane) => {
      const released = lane.released[k] as number;
      const belief = record.columns === 1 ? lane.belief[k] : lane.belief[k * record.columns + truth];
      return [
        released === NOTHING ? "nothing" : stateText(states, released),
        probability(belief as number),
        `${leakage(lane.leakage[k] as number, promise)}${lane.over[k] ? ", over" : ""}`,
        fixed(lane.sum[k] as number, 3),
      ];
    });
    return [fixed(step, 0), stateText(states, truth), leakage(promise), ...own];
  }

  /** Cells that are there stay: a run of minutes gives up its first steps again and again. */
  function write(
    row: Element,
    cells: readonly string[],
    made = (k: number): HTMLElement =>
      k === 0 ? h("th", { scope: "row", role: "rowheader" }) : h("td", { role: "cell" }),
  ): void {
    while (row.childElementCount > cells.length) row.lastElementChild?.remove();
    cells.forEach((text, k) => setText(row.children[k] ?? row.appendChild(made(k)), text));
  }

  function draw(props: LastStepsProps): void {
    const { record, position, states, lanes } = props;
    const begin = Math.max(record.first, position - MANY) + 1;
    const count = Math.max(0, Math.min(position, record.end) - begin + 1);
    const same = drawn !== null && drawn.record === record && record.cuts === cuts && drawn.states === states && drawn.lanes === lanes && first <= begin;
    if (!same) heads(props);
    // One step further, all rows but one are there already: the first becomes the last.
    const passed = same ? begin - first : count;
    const left = same ? Math.max(0, Math.min(body.childElementCount, count) - passed) : 0;
    if (left > 0) for (let k = 0; k < passed; k++) body.append(body.firstElementChild as Element);
    while (body.childElementCount > count) body.lastElementChild?.remove();
    for (let k = left; k < count; k++) write(body.children[k] ?? body.appendChild(h("tr", { role: "row" })), texts(props, begin + k));
    [drawn, cuts, first] = [props, record.cuts, begin];
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
