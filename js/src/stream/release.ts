/** How the stream is released: the budget of a step, the lanes, and what goes with them. */
import { createMenu, type MenuItem } from "../ui/choosing";
import { component, DOWN, h, icon, listen, setAttrs, setText, type Component } from "../ui/dom";
import { createDragNumber, type DragNumberProps } from "../ui/drag-number";
import { probability, tick } from "../ui/format";
import { clip } from "../ui/lettering";
import { parseNumber } from "../ui/number-entry";
import { budgetText, readBudget, refuseBudget, trackTicks, widen } from "../ui/scale";
import { createSliderField, type Change, type SliderFieldProps } from "../ui/slider";
import type { DistanceChoice, MechanismChoice } from "./protocol";
import { ENTRY, entryBudget, keptLines, laneSample, validFrom, wholeNumber, type LinesByLane } from "./words";

// Which mechanisms release the stream side by side: chips to take away, chips to add, and a menu of the rest.

export const MOST_LANES = 4;
/** Offered without opening the menu. */
const OFFERED = 2;
const PLUS = "M8 3v10M3 8h10";
const TIMES = "M4 4l8 8M12 4l-8 8";

export interface LaneChipsProps {
  menu: readonly MechanismChoice[];
  lanes: readonly string[];
  /** Of the lanes that are shown. */
  lines: LinesByLane;
  disabled: boolean;
}

export function createLaneChips(initial: LaneChipsProps, home: HTMLElement, onLanes: (lanes: string[]) => void): Component<LaneChipsProps> {
  let props = initial;
  const list = h("div", { class: "sx-chips", role: "group", "aria-label": "Lanes" });
  const offers = h("div", { class: "sx-chips" });
  const el = h("div", { class: "px-field" }, h("span", { class: "label" }, "Lanes, up to four"), list, offers);
  const menu = createMenu(home, "Mechanisms");
  const more = h(
    "button",
    { type: "button", class: "chip", "aria-haspopup": "menu", "aria-expanded": "false" },
    icon(PLUS, 13),
    h("span", { class: "chip-name" }, "more"),
    icon(DOWN, 13),
  );
  listen(more, "click", () => more.getAttribute("aria-disabled") === null && menu.open(more, items()));
  let drawn = "";

  const free = (): MechanismChoice[] => props.menu.filter(({ key }) => !props.lanes.includes(key));

  function items(): MenuItem[] {
    return free().map(({ key, label, private: safe, why }) => ({
      label: why === null ? label : `${label}. ${why}`,
      title: why ?? (safe ? "Its promise holds for every belief" : "Its promise may break"),
      disabled: why !== null,
      run: () => onLanes([...props.lanes, key]),
    }));
  }

  function remove(key: string, at: number): void {
    if (props.disabled || props.lanes.length < 2) return;
    onLanes(props.lanes.filter((lane) => lane !== key));
    // The next one is at hand.
    queueMicrotask(() => (list.querySelectorAll<HTMLElement>(".sx-remove")[Math.min(at, props.lanes.length - 1)] ?? more).focus());
  }

  function draw(): void {
    const key = JSON.stringify([props.lanes, props.lines, props.menu, props.disabled]);
    if (key === drawn) return;
    drawn = key;
    const named = new Map(props.menu.map((choice) => [choice.key, choice]));
    const single = props.lanes.length < 2;
    const lines = keptLines(props.lines, props.lanes);
    list.replaceChildren(
      ...props.lanes.map((lane, k) => {
        const choice = named.get(lane);
        const name = choice?.short ?? lane;
        const off = h(
          "button",
          {
            type: "button",
            class: "sx-remove",
            "aria-label": `Take ${name} away`,
            title: single ? "One lane stays" : `Take ${name} away`,
            "aria-disabled": single || props.disabled ? "true" : null,
          },
          icon(TIMES, 13),
        );
        listen(off, "click", () => remove(lane, k));
        return h(
          "span",
          { class: "chip chip-on sx-chip", title: choice?.label ?? lane },
          laneSample(lines[lane] ?? k),
          h("span", { class: "chip-name" }, clip(name, 40)),
          off,
        );
      }),
    );
    const full = props.lanes.length >= MOST_LANES;
    const offered = full ? [] : free().filter(({ why }) => why === null).slice(0, OFFERED);
    offers.replaceChildren(
      ...offered.map((choice) => {
        const add = h(
          "button",
          { type: "button", class: "chip", title: `Add: ${choice.label}` },
          icon(PLUS, 13),
          h("span", { class: "chip-name" }, clip(choice.short, 40)),
        );
        add.disabled = props.disabled;
        listen(add, "click", () => {
          onLanes([...props.lanes, choice.key]);
          queueMicrotask(() => more.focus());
        });
        return add;
      }),
      more,
    );
    setAttrs(more, { "aria-disabled": full || props.disabled ? "true" : null, title: full ? "Four lanes are there: take one away first" : "More mechanisms" });
    setText(more.querySelector(".chip-name") as Element, full ? "four are there" : "more");
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, menu);
}

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
