/** The release: the mechanism, its budget, what its noise is measured by, and whether that is a guarantee. */
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { component, DOWN, h, icon, listen, setAttr, setText, type Component } from "../ui/dom";
import { capital, fixed, parameter, scientific } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import type { Change } from "../ui/slider";
import { createBudget } from "./amounts";
import type { AttackView, Choice, Sensitivity } from "./protocol";
import { isProved } from "./screen";
import { bits, limitName } from "./words";

export interface ReleaseProps {
  mechanisms: readonly Choice[];
  mechanism: AttackView["mechanism"];
  epsilon: number;
  sensitivities: readonly Choice[];
  sensitivity: string;
  /** All other users are known. */
  everyone: boolean;
  /** The budget is a guarantee. */
  holds: boolean;
  /** How far one user moves the centres; null while awaited. */
  delta: number | null;
  /** The factor of the mechanism on it. */
  factor: number | null;
  scale: number | null;
  bound: number;
  disabled: boolean;
}

export interface ReleaseEvents {
  onMechanism(key: AttackView["mechanism"]): void;
  onEpsilon(value: number, how: Change): void;
  onSensitivity(key: Sensitivity): void;
  onRefused(reason: string | null): void;
}

/** The word beside a choice: only some of them promise anything. */
export function choiceText({ label, formal }: Choice, proved: boolean): string {
  const shown = isolate(clip(label, 60));
  return formal === undefined || /guarantee/i.test(label) ? shown : `${shown}, ${formal && proved ? "a guarantee" : "no guarantee"}`;
}

/** What a choice rests on. */
export function restsOn({ key, formal }: Choice, proved: boolean): string {
  if (formal) return proved ? "Holds for every data set." : "No guarantee here: it needs all others known, or baseline.";
  return key === "unit" ? "Assumed in the paper: it promises nothing." : "Measured on these data: it promises nothing.";
}

/** A small number of the unit square: four significant digits. */
function small(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-3) return scientific(value, 2);
  return Math.abs(value) < 10 ? fixed(value, value < 0.1 ? 5 : 4) : value < 1e6 ? fixed(value, 2) : parameter(value);
}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let props = initial;
  let drawn = "";
  const mechanism = createSegments(mechanismProps(), (key) => {
    const why = props.mechanisms.find((one) => one.key === key)?.why ?? null;
    events.onRefused(why);
    if (why === null) return events.onMechanism(key as AttackView["mechanism"]);
    mechanism.update(mechanismProps());
  });
  const budget = createBudget({ value: initial.epsilon, disabled: initial.disabled }, { onChange: events.onEpsilon, onRefused: events.onRefused });
  const select = h("select", { class: "px-query-choice", "aria-label": "Sensitivity" });
  listen(select, "change", () => {
    const key = props.sensitivities[select.selectedIndex]?.key;
    if (key !== undefined && key !== props.sensitivity) events.onSensitivity(key as Sensitivity);
  });
  const delta = h("dd");
  const factor = h("dd");
  const factorRow = h("div", {}, h("dt", {}, "Factor for dependent users"), factor);
  const scale = h("dd");
  const bound = h("b");
  const boundName = h("span");
  const guarantee = h("p", { class: "small muted ax-guarantee" });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "Mechanism"), mechanism.el),
    budget.el,
    h(
      "div",
      { class: "px-field" },
      h("span", { class: "label", "aria-hidden": "true" }, "Sensitivity"),
      h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN))),
      guarantee,
    ),
    h(
      "dl",
      { class: "px-promise" },
      h("div", {}, h("dt", {}, "Sensitivity ΔQ"), delta),
      factorRow,
      h("div", {}, h("dt", {}, "Noise scale σ"), scale),
      h("div", {}, h("dt", { title: "The budget in bits" }, inlineMark("promise"), boundName), h("dd", {}, bound, " bits")),
    ),
  );

  function mechanismProps(): SegmentsProps<string> {
    const options = props.mechanisms.map(({ key, label }) => ({ value: key, text: clip(label, 12) }));
    return { label: "Mechanism", options, value: props.mechanism, disabled: props.disabled };
  }

  function draw(): void {
    const proved = isProved(props.mechanism, props.everyone);
    const key = JSON.stringify([props.sensitivities, proved]);
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...props.sensitivities.map((one) => h("option", { disabled: Boolean(one.why), title: one.why ?? null }, choiceText(one, proved))));
    }
    select.selectedIndex = props.sensitivities.findIndex((one) => one.key === props.sensitivity);
    select.disabled = props.disabled;
    const chosen = props.sensitivities.find((one) => one.key === props.sensitivity);
    setAttr(select, "title", chosen ? choiceText(chosen, proved) : null);
    setText(guarantee, chosen ? restsOn(chosen, proved) : "");
    mechanism.update(mechanismProps());
    budget.update({ value: props.epsilon, disabled: props.disabled });
    setText(delta, props.delta === null ? "…" : small(props.delta));
    setText(factor, props.factor === null ? "…" : `× ${parameter(props.factor)}`);
    factorRow.hidden = props.factor === 1;
    setText(scale, props.scale === null ? "…" : small(props.scale));
    setText(bound, bits(props.bound));
    setText(boundName, ` ${capital(limitName(props.holds))} ε/ln 2`);
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, mechanism, budget);
}
