/** The terms of the comparison: what of one record differs, which events count, and by how much groups and sums may change. */
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { h, setText, type Component } from "../ui/dom";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { number } from "../ui/wire";
import { amountText, createOptionalNumber, refuseAbove, refuseShift, refuseSlack, type OptionalNumberProps } from "./amounts";
import type { Events, Level, Neighbour, Recipe } from "./protocol";
import { budgetText, eventsLabel, slackText } from "./words";

export interface TermsProps {
  neighbour: Neighbour;
  events: Events;
  groupChange: number;
  /** Change of the released sum; null for that of the target's values, which is `range` where it is known. */
  shift: number | null;
  range: number | null;
  /** Slack of the Gaussian step; null for `root`, one over the root of the number unknown. */
  delta1: number | null;
  root: number | null;
  /** What follows from it. */
  recipe: Recipe | null;
  /** What decides where a term has an effect. */
  kind: "count" | "sum" | "records";
  level: Level;
  printed: boolean;
  disabled: boolean;
}

export interface TermsEvents {
  onNeighbour(neighbour: Neighbour): void;
  onEvents(events: Events): void;
  onGroupChange(value: number): void;
  onShift(value: number | null): void;
  onDelta1(value: number | null): void;
  onRefused(reason: string | null): void;
}

/** What a term changes: δ₁ the recipe, the change in group size only theorems as printed, that of the sum not everything. */
export function effects({
  kind,
  level,
  neighbour,
  printed,
  recipe,
}: Pick<TermsProps, "kind" | "level" | "neighbour" | "printed" | "recipe">): Record<
  "delta1" | "group" | "shift",
  string
> {
  const theorem = { I: "Theorem 4", II: "", III: "Theorem 6", IV: "" }[level];
  const group =
    kind === "records" || theorem === ""
      ? "no theorem uses it here"
      : `${theorem} as printed only${printed ? "" : ", not shown"}`;
  const shift =
    kind === "records"
      ? "not for published records"
      : neighbour === "presence"
        ? "only where its value differs"
        : "exact curve and bounds";
  const delta1 =
    kind === "records"
      ? "not for published records"
      : recipe === null
        ? "no bound for these events"
        : recipe.delta1 === null
          ? "nobody is unknown"
          : `gives δ ${slackText(number(recipe.delta), true)} at ε = ${budgetText(number(recipe.epsilon))}`;
  return { delta1, group, shift };
}

let blocks = 0;

export function createTerms(initial: TermsProps, events: TermsEvents): Component<TermsProps> {
  blocks += 1;
  let props = initial;
  const neighbour = createSegments<Neighbour>(neighbourProps(), events.onNeighbour);
  const classes = createSegments<Events>(eventsProps(), events.onEvents);
  const delta1 = createOptionalNumber(delta1Props(), { onCommit: events.onDelta1, onRefused: events.onRefused });
  const group = createNumberEntry(groupProps(), { onCommit: events.onGroupChange, onRefused: events.onRefused });
  const shift = createOptionalNumber(shiftProps(), { onCommit: events.onShift, onRefused: events.onRefused });
  const hints = { delta1: h("span"), group: h("span"), shift: h("span") };
  const label = (text: string): HTMLElement => h("span", { class: "label", "aria-hidden": "true" }, text);
  const now = h("span", { class: "kx-terms-now" });
  const el = h(
    "details",
    { class: "kx-settings kx-terms", role: "group", "aria-label": "Terms of the comparison" },
    h("summary", {}, "Terms: ", now),
    h(
      "div",
      { class: "kx-term-row" },
      h("div", {}, label("What of one record may differ"), neighbour.el),
      h("div", {}, label("Bound holds for"), classes.el),
    ),
    h(
      "div",
      { class: "kx-term-row kx-term-numbers" },
      hinted("delta1", delta1.el),
      hinted(
        "group",
        h("label", { class: "kx-optional" }, h("span", { class: "label" }, "Change in group size, s"), group.el),
      ),
      hinted("shift", shift.el),
    ),
  );

  /** Where a number has an effect, below its field and in its description. */
  function hinted(name: keyof typeof hints, field: HTMLElement): HTMLElement {
    const id = `kx-term-${blocks}-${name}`;
    const hint = hints[name];
    hint.id = id;
    hint.className = "kx-hint muted";
    field.querySelector("input")?.setAttribute("aria-describedby", id);
    field.append(hint);
    return field;
  }

  function neighbourProps(): SegmentsProps<Neighbour> {
    return {
      label: "What of one record may differ",
      options: [
        { value: "value", text: "its value" },
        { value: "presence", text: "being there" },
      ],
      value: props.neighbour,
      disabled: props.disabled,
    };
  }

  function eventsProps(): SegmentsProps<Events> {
    return {
      label: "Events that the bound holds for",
      options: [
        { value: "halfline", text: "thresholds" },
        { value: "interval", text: "intervals" },
        { value: "all", text: "all" },
      ],
      value: props.events,
      disabled: props.disabled,
    };
  }

  function delta1Props(): OptionalNumberProps {
    const { root, disabled } = props;
    return {
      label: "Slack of the Gaussian step, δ₁",
      value: props.delta1,
      instead: root === null ? "1/√m" : amountText(Number(root.toPrecision(3))),
      refuse: refuseSlack,
      title: DELTA1,
      disabled,
    };
  }

  function groupProps(): NumberEntryProps {
    return {
      label: "Change in group size, s",
      value: props.groupChange,
      format: amountText,
      refuse: (value, typed) => refuseAbove(value, "change", typed),
      title: GROUP,
      disabled: props.disabled,
    };
  }

  function shiftProps(): OptionalNumberProps {
    const { range, disabled } = props;
    return {
      label: "Change in released sum",
      value: props.shift,
      instead: range === null ? "its range" : amountText(range),
      refuse: refuseShift,
      title: SHIFT,
      disabled,
    };
  }

  function draw(): void {
    setText(now, `${props.neighbour === "value" ? "a record’s value" : "whether a record is there"} may differ; bound for ${eventsLabel(props.events)}`);
    neighbour.update(neighbourProps());
    classes.update(eventsProps());
    delta1.update(delta1Props());
    group.update(groupProps());
    shift.update(shiftProps());
    for (const [name, text] of Object.entries(effects(props))) setText(hints[name as keyof typeof hints], text);
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [neighbour, classes, delta1, group, shift]) part.destroy();
      el.remove();
    },
  };
}

const DELTA1 =
  "The paper chooses it first, as one over the root of the records unknown, and finds ε and δ: δ is never " +
    "below it. The curves have the exact slack of that step";
const GROUP = "The paper’s theorems take the change in group size for that of the sum";
const SHIFT = "How far the value of one record moves what is published; empty: from its least to its largest value";
