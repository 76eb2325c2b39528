/** How the stream is released: the budget of a step, the lanes, and what goes with them. */
import { DOWN, h, icon, listen, setText, type Component } from "../ui/dom";
import { createDragNumber, type DragNumberProps } from "../ui/drag-number";
import { probability, tick } from "../ui/format";
import { clip } from "../ui/lettering";
import { parseNumber } from "../ui/number-entry";
import { budgetText, readBudget, refuseBudget, trackTicks, widen } from "../ui/scale";
import { createSliderField, type Change, type SliderFieldProps } from "../ui/slider";
import { createLaneChips } from "./lane-chips";
import type { LinesByLane } from "./lane-lines";
import type { DistanceChoice, MechanismChoice } from "./protocol";
import { ENTRY, entryBudget, validFrom, wholeNumber } from "./words";

export interface ReleaseProps {
  epsilon: number;
  delta: number;
  seed: number;
  distance: string;
  distances: readonly DistanceChoice[];
  menu: readonly MechanismChoice[];
  lanes: readonly string[];
  /** Of the lanes that are shown. */
  lines: LinesByLane;
  disabled: boolean;
}

export interface ReleaseEvents {
  onEpsilon(value: number, how: Change): void;
  onDelta(value: number, how: Change): void;
  onSeed(value: number, how: Change): void;
  onDistance(key: string): void;
  onLanes(lanes: string[]): void;
  onRefused(reason: string | null): void;
}

const TRACK = { min: 0.05, max: 5 };
const LARGEST_SEED = 2 ** 53;

export function createRelease(initial: ReleaseProps, home: HTMLElement, on: ReleaseEvents): Component<ReleaseProps> {
  let props = initial;
  let track = TRACK;
  let dragging = false;
  const budget = createSliderField(budgetProps(), {
    onChange(value, how) {
      dragging = !how.commit;
      on.onEpsilon(value, how);
    },
    onRefused: on.onRefused,
  });
  const chips = createLaneChips(props, home, on.onLanes);
  const valid = h("dd");
  const delta = createDragNumber(deltaProps(), { onChange: on.onDelta });
  const seed = createDragNumber(seedProps(), { onChange: on.onSeed });
  const choice = h("select", { class: "px-query-choice sx-distance", "aria-label": "Errors are counted as" });
  const distance = h(
    "div",
    { class: "px-field" },
    h("span", { class: "label", "aria-hidden": "true" }, "Errors are counted as"),
    h("span", { class: "px-query-frame" }, choice, h("span", { class: "select-arrow" }, icon(DOWN))),
  );
  listen(choice, "change", () => {
    const key = props.distances[choice.selectedIndex]?.key;
    if (key !== undefined && key !== props.distance) on.onDistance(key);
  });
  const el = h(
    "section",
    { class: "panel sx-release", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, "Release"),
    budget.el,
    chips.el,
    distance,
    h(
      "dl",
      { class: "px-promise" },
      h(
        "div",
        { title: "Where the conditional response as printed keeps its promise" },
        h("dt", {}, "Valid while beliefs ≥ 1/(1+e", h("sup", {}, "ε"), ")"),
        valid,
      ),
      h("div", {}, h("dt", {}, "Composition, δ"), h("dd", {}, delta.el)),
      h("div", {}, h("dt", {}, "Seed"), h("dd", {}, seed.el)),
    ),
  );

  function budgetProps(): SliderFieldProps {
    const { epsilon, disabled } = props;
    const shown = Math.min(track.max, Math.max(track.min, epsilon));
    const ticks = trackTicks(track);
    return {
      label: "Budget ε, nats per step",
      slider: {
        value: shown,
        min: track.min,
        max: track.max,
        log: true,
        label: "Budget ε, nats per step",
        valueText: `ε = ${budgetText(epsilon)}`,
        ticks,
        disabled,
      },
      entry: {
        label: "Budget ε as a number",
        value: epsilon,
        format: entryBudget,
        title: wholeNumber(epsilon, entryBudget(epsilon)),
        refuse: refuseBudget,
        read: readBudget,
        disabled,
        width: ENTRY,
      },
      stays: `The budget stays ${budgetText(epsilon)}`,
    };
  }

  function deltaProps(): DragNumberProps {
    const { delta: value, disabled } = props;
    const text = tick(value);
    const accept = (next: number, typed?: string) =>
      next >= 0 && next < 1
        ? ({ ok: true } as const)
        : ({
            ok: false,
            reason: `${clip(typed ?? String(next), 24)} is refused. Enter a number from 0 to below 1.`,
          } as const);
    return {
      value,
      text,
      entryText: String(value),
      label: "δ of the advanced composition",
      valueText: `δ = ${text}`,
      disabled,
      accept,
    };
  }

  function seedProps(): DragNumberProps {
    const { seed: value, disabled } = props;
    const refused = (typed: string) =>
      ({ ok: false, reason: `${clip(typed, 24)} is refused. Enter a whole number from 0 on.` }) as const;
    const accept = (next: number, typed?: string) =>
      Number.isInteger(next) && next >= 0 && next <= LARGEST_SEED
        ? ({ ok: true } as const)
        : refused(typed ?? String(next));
    const read = (text: string) => {
      const parsed = parseNumber(text);
      return parsed.ok ? parsed : refused(text.trim() || "An empty entry");
    };
    return { value, text: String(value), label: "Seed of all random numbers", valueText: `seed ${value}`, disabled, accept, read, whole: true };
  }

  function draw(): void {
    const { epsilon, distances, disabled } = props;
    // The track does not change under a thumb, and an infinite budget stands at its end.
    if (!dragging) track = widen(TRACK, epsilon);
    budget.update(budgetProps());
    chips.update(props);
    setText(valid, Number.isFinite(epsilon) ? probability(validFrom(epsilon), 3) : "0");
    delta.update(deltaProps());
    seed.update(seedProps());
    distance.hidden = distances.length < 2;
    const texts = distances.map(({ label }) => clip(label, 60));
    if ([...choice.options].map(({ text }) => text).join("\n") !== texts.join("\n")) choice.replaceChildren(...texts.map((text) => h("option", {}, text)));
    choice.selectedIndex = distances.findIndex(({ key }) => key === props.distance);
    choice.disabled = disabled;
    choice.title = distances.find(({ key }) => key === props.distance)?.label ?? "";
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [budget, chips, delta, seed]) part.destroy();
      el.remove();
    },
  };
}
