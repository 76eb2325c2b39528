/**
 * The release and who receives it: which query, how much noise, which change it is to hide, which goal, and which
 * tuples are known.
 */
import { retarget } from "../explorer/adversary";
import { createQuery, type QueryProps } from "../explorer/release";
import { nameOf, plural, type Naming } from "../explorer/words";
import { createChips, type Chip, type ChipsProps } from "../ui/chips";
import { component, h, setText, type Component } from "../ui/dom";
import { leakage, number, parameter } from "../ui/format";
import { createGoal, type GoalEvents, type GoalProps } from "../ui/goal";
import { clip } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import type { NumberEntryProps } from "../ui/number-entry";
import { leakageUnit } from "../ui/preferences";
import { WEIGHTS, type QueryChoice } from "../ui/protocol";
import { entryText, refuseScale, TRACK, trackTicks, widen } from "../ui/scale";
import { createSliderField, type Change, type SliderFieldEvents, type SliderFieldProps, type SliderProps } from "../ui/slider";
import { briefNames } from "./words";

// The three queries of Gaussian data, their weights, and what they add up.

const CHOICES: readonly QueryChoice[] = [
  { key: "sum", label: "Sum" },
  { key: "mean", label: "Mean" },
  { key: WEIGHTS, label: "Weighted sum" },
];

/** Above this many tuples the sum is not spelled out. */
const SPELLED = 6;
const LONGEST = 14;

/** The weights of a query; a weighted sum starts from those that stand. */
export function weightsOf(query: string, standing: Float64Array): Float64Array {
  if (query === "sum") return standing.map(() => 1);
  return query === "mean" ? standing.map(() => 1 / standing.length) : standing;
}

/** "A + B + C − solar". */
export function spelled(query: string, names: readonly string[], weights: ArrayLike<number>, noun: string): string {
  const n = names.length;
  if (n > SPELLED) return `${query === WEIGHTS ? "Weighted sum" : query === "mean" ? "Mean" : "Sum"} of all ${n} ${plural(noun)}`;
  const short = briefNames(names).map((name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
  if (query === "mean") return n === 1 ? (short[0] as string) : `(${short.join(" + ")}) / ${n}`;
  let text = "";
  short.forEach((name, k) => {
    const weight = weights[k] as number;
    if (weight === 0) return;
    const size = Math.abs(weight) === 1 ? name : `${number(Math.abs(weight), 3)} ${name}`;
    text += text === "" ? (weight < 0 ? `−${size}` : size) : ` ${weight < 0 ? "−" : "+"} ${size}`;
  });
  return text || "0";
}

// A positive amount of the release as a field: slider and number entry side by side.

export interface AmountProps {
  value: number;
  /** "Change to hide, M, kWh". */
  label: string;
  disabled: boolean;
}

/** What an amount is called, and which values it may take. */
export interface AmountKind {
  /** "scale": in the slider's words. */
  name: string;
  /** "Scale λ as a number". */
  entry: string;
  /** "The scale stays": begins the end of a refusal. */
  stays: string;
  refuse(value: number, typed: string): string | null;
}

const SCALE: AmountKind = { name: "scale", entry: "Scale λ as a number", stays: "The scale stays", refuse: refuseScale };
const CHANGE: AmountKind = { name: "change", entry: "Change M as a number", stays: "The change stays", refuse: refuseChange };

/** Why a change is refused, or null; `typed` as it was entered. */
function refuseChange(value: number, typed = parameter(value)): string | null {
  if (value >= 0 && Number.isFinite(value)) return null;
  return `The change ${clip(typed.trim(), 24)} is refused. Enter a number, 0 or more.`;
}

export function acceptChange(value: number, typed?: string): { ok: true } | { ok: false; reason: string } {
  const reason = refuseChange(value, typed);
  return reason === null ? { ok: true } : { ok: false, reason };
}

function createAmount(kind: AmountKind, initial: AmountProps, events: SliderFieldEvents): Component<AmountProps> {
  let props = initial;
  let track = widen(TRACK, initial.value);
  const field = createSliderField(fieldProps(), events);

  function fieldProps(): SliderFieldProps {
    return { label: props.label, slider: sliderProps(), entry: entryProps(), stays: `${kind.stays} ${parameter(props.value)}` };
  }

  function sliderProps(): SliderProps {
    const { value, disabled } = props;
    return { value, ...track, log: true, label: props.label, valueText: `${kind.name} ${parameter(value)}`, ticks: trackTicks(track), disabled };
  }

  function entryProps(): NumberEntryProps {
    const { value, disabled } = props;
    return { label: kind.entry, value, format: entryText, refuse: kind.refuse, disabled, width: entryText(value).length > 5 ? 84 : 64 };
  }

  return {
    el: field.el,
    update(next) {
      props = next;
      track = widen(track, props.value);
      field.update(fieldProps());
    },
    destroy: () => field.destroy(),
  };
}

// The adversary: which tuple is attacked and which others are known. The values known do not matter.

export interface AdversaryProps {
  naming: Naming;
  target: number;
  known: number[];
  disabled: boolean;
}

/** More chips than this stand beside each other. */
const LISTED = 6;

export function createAdversary(initial: AdversaryProps, onChoose: (target: number, known: number[]) => void): Component<AdversaryProps> {
  let props = initial;
  const chips = createChips(chipsProps(), {
    onToggle(tuple, known) {
      const rest = props.known.filter((t) => t !== tuple);
      onChoose(props.target, known ? [...rest, tuple].sort((a, b) => a - b) : rest);
    },
    onTarget: (tuple) => onChoose(tuple, retarget(props.known, tuple)),
    onValue: () => undefined,
  });
  const note = h("p", { class: "small muted gx-note" }, "Which values it knows matters, what they are does not.");
  const el = h(
    "section",
    { class: "panel gx-adversary", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    chips.el,
    note,
  );

  function chipsProps(): ChipsProps {
    const { naming, target, known, disabled } = props;
    const list = naming.names.map((_, t): Chip => ({
      name: nameOf(naming, t),
      state: t === target ? "attacked" : known.includes(t) ? "known" : "unknown",
      values: [],
      value: 0,
    }));
    return { chips: list, label: "What the adversary knows", targetCaption: "", disabled };
  }

  function draw(): void {
    el.classList.toggle("gx-many", props.naming.names.length > LISTED);
    chips.update(chipsProps());
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, chips);
}

// The release: which query, how much noise, which change it is to hide, and how much noise is enough for a goal.

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
      h(
        "div",
        {},
        h("dt", { title: "The largest weight times M over the scale" }, inlineMark("promise"), " ", name),
        h("dd", {}, promise, ` ${leakageUnit()}`),
      ),
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
