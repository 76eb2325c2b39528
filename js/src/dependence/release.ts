/** The release: which query, which mechanism and coefficient, which budget, and how much noise that makes. */
import { plural, type Naming } from "../explorer/words";
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { DOWN, h, icon, listen, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { amount } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { leakageUnit } from "../ui/preferences";
import type { QueryChoice } from "../ui/protocol";
import {
  budgetText,
  budgetWithin,
  enoughScale,
  ENTRY,
  entryText,
  refuseNoiseBudget,
  TRACK,
  trackTicks,
  wholeNumber,
  widen,
} from "../ui/scale";
import { createSliderField, type Change, type SliderFieldEvents, type SliderFieldProps } from "../ui/slider";
import type { Coefficient, MechanismChoice } from "./protocol";
import { countOver, type Shown } from "./results";
import { COEFFICIENTS, KIND_NAMES, nats } from "./words";

// The promise ε as a field: a slider on a logarithmic track, and a number beside it.

export interface BudgetProps {
  value: number;
  disabled: boolean;
}

function createBudget(initial: BudgetProps, events: SliderFieldEvents): Component<BudgetProps> {
  let track = widen(TRACK, initial.value);
  const field = createSliderField(fieldProps(initial), events);

  function fieldProps({ value, disabled }: BudgetProps): SliderFieldProps {
    const text = budgetText(value);
    const format = (budget: number): string => budgetWithin(budget, budgetText(budget));
    return {
      label: "Budget ε, nats",
      slider: { value, ...track, log: true, label: "Budget ε, nats", valueText: `ε = ${text}`, ticks: trackTicks(track), disabled },
      entry: { label: "Budget ε as a number", value, format, title: wholeNumber(value, format(value)), refuse: refuseNoiseBudget, disabled, width: ENTRY },
      stays: `The budget stays ${text}`,
    };
  }

  return {
    el: field.el,
    update(next) {
      // It never shrinks under a thumb.
      track = widen(track, next.value);
      field.update(fieldProps(next));
    },
    destroy: () => field.destroy(),
  };
}

export interface ReleaseProps {
  naming: Naming;
  query: string;
  queries: readonly QueryChoice[];
  mechanism: MechanismChoice["key"];
  mechanisms: readonly MechanismChoice[];
  coefficient: Coefficient;
  epsilon: number;
  shown: Shown | null;
  /** The noise that is enough is so against those who know no other tuple. */
  nobody: boolean;
  busy: boolean;
  disabled: boolean;
}

export interface ReleaseEvents {
  onQuery(key: string): void;
  onMechanism(key: MechanismChoice["key"]): void;
  onCoefficient(kind: Coefficient): void;
  onEpsilon(value: number, how: Change): void;
  onRefused(reason: string | null): void;
}

const KINDS: SegmentsProps<Coefficient>["options"] = (["exact", "mean", "eq18"] as const).map((value) => ({ value, text: KIND_NAMES[value] }));

/** Calibrated noise keeps the promise against those who know no other tuple; what it does not against those who do. */
export function brokenWords({ mechanism, nobody, naming, shown }: Pick<ReleaseProps, "mechanism" | "nobody" | "naming" | "shown">): string {
  const over = shown && mechanism === "calibrated" && !nobody ? countOver(shown) : 0;
  if (over === 0 || !shown) return "";
  return `Calibrated for an adversary who knows no other ${naming.noun}: the one chosen below learns more than ` +
    `promised about ${over === shown.n ? "all" : over} of ${shown.n} ${plural(naming.noun)}.`;
}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let props = initial;
  let drawn = "";
  const select = h("select", { class: "px-query-choice", "aria-label": "Query" });
  const frame = h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN)));
  listen(select, "change", () => {
    const key = props.queries[select.selectedIndex]?.key;
    if (key !== undefined && key !== props.query) events.onQuery(key);
  });
  const mechanism = createSegments(mechanismProps(), (key) => {
    const why = props.mechanisms.find((one) => one.key === key)?.why ?? null;
    events.onRefused(why);
    if (why === null) events.onMechanism(key);
    else draw();
  });
  const coefficient = createSegments(coefficientProps(), events.onCoefficient);
  const budget = createBudget({ value: initial.epsilon, disabled: initial.disabled }, { onChange: events.onEpsilon, onRefused: events.onRefused });
  const values = Array.from({ length: 3 }, () => h("span")) as [HTMLElement, HTMLElement, HTMLElement];
  const [promise, sensitivity, scale] = values;
  const enough = h("button", { type: "button", class: "px-quiet" });
  listen(enough, "click", () => enough.getAttribute("aria-disabled") === null && events.onMechanism("calibrated"));
  const [dependence, least] = [h("dt"), h("dt")];
  const row = (term: Node | string, value: Node): HTMLElement => h("div", {}, typeof term === "string" ? h("dt", {}, term) : term, h("dd", {}, value));
  const list = h(
    "dl",
    { class: "px-promise" },
    row(h("dt", {}, inlineMark("promise"), " Promise ε"), h("span", {}, h("b", {}, promise), ` ${leakageUnit()}`)),
    row(dependence, sensitivity),
    row("Noise scale σ", scale),
    row(least, enough),
  );
  const does = h("p", { class: "small muted dx-does", role: "status" });
  const field = (label: string, ...controls: HTMLElement[]): HTMLElement =>
    h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, label), ...controls);
  const el = h(
    "section",
    { class: "panel dx-release", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    field("Query", frame),
    field("Mechanism", mechanism.el),
    field("Coefficient ρ", coefficient.el, does),
    budget.el,
    list,
  );
  mechanism.el.classList.add("dx-mechanism");

  function mechanismProps(): SegmentsProps<MechanismChoice["key"]> {
    return {
      label: "Mechanism",
      options: initial.mechanisms.map(({ key, short }) => ({ value: key, text: short })),
      value: props.mechanism,
      disabled: props.disabled,
    };
  }

  function coefficientProps(): SegmentsProps<Coefficient> {
    const takes = props.mechanisms.find(({ key }) => key === props.mechanism)?.coefficient ?? false;
    return { label: "Coefficient", options: KINDS, value: props.coefficient, disabled: props.disabled || !takes };
  }

  function draw(): void {
    const { naming, queries, query, epsilon, shown, busy, disabled } = props;
    const key = JSON.stringify(queries);
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...queries.map(({ label }) => h("option", {}, isolate(clip(label, 80)))));
    }
    select.selectedIndex = queries.findIndex((one) => one.key === query);
    select.disabled = disabled;
    mechanism.update(mechanismProps());
    coefficient.update(coefficientProps());
    [...mechanism.el.children].forEach((label, k) => setAttr(label, "title", props.mechanisms[k]?.why ?? props.mechanisms[k]?.label ?? null));
    const broken = busy ? "" : brokenWords(props);
    setText(does, broken || (coefficientProps().disabled ? "" : COEFFICIENTS[props.coefficient]));
    setAttr(does, "class", `small dx-does ${broken ? "over" : "muted"}`);
    budget.update({ value: epsilon, disabled });
    const write = (value: number | undefined): string => (busy || value === undefined ? "…" : amount(value));
    setText(promise, nats(epsilon));
    setText(dependence, props.mechanism === "dpm" ? "Dependent sensitivity" : "Sensitivity in use");
    // What the noise is divided by is what is in use, whichever mechanism it is.
    setText(sensitivity, write(shown ? shown.scale * shown.epsilon : undefined));
    setText(scale, write(shown?.scale));
    const found = shown && Number.isFinite(shown.enough) ? enoughScale(shown.enough) : null;
    setText(least, props.nobody ? "σ that keeps it for all" : "Least σ, nobody known");
    setText(enough, busy || !shown ? "…" : found === null ? "–" : entryText(found));
    const there = props.mechanism === "calibrated";
    // Off without losing the focus of whoever has just pressed it: undo by keys goes on from here.
    enough.disabled = disabled || (found === null && !busy);
    const whom = props.nobody ? "" : `, to an adversary who knows no other ${naming.noun}`;
    const words =
      found === null
        ? null
        : `At scale ${entryText(found)} no more than ${nats(epsilon)} ${leakageUnit()} leak about any of the ${plural(naming.noun)}${whom}`;
    setAttrs(enough, {
      "aria-disabled": there || busy ? "true" : null,
      title: words,
      "aria-label": words === null || there ? null : `${words}: set this scale`,
    });
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [mechanism, coefficient, budget]) part.destroy();
      el.remove();
    },
  };
}
