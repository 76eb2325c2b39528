/** The release: which mechanism, which budget, what is read of a report, and what that is worth. */
import { namesSymbol, type Output, type Parameters } from "../compute/local-mechanisms";
import { told, type Naming } from "../explorer/words";
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { DOWN, h, icon, listen, renew, setText, type Component } from "../ui/dom";
import { capital, nats, probability } from "../ui/format";
import { clip, isolate, textWidth } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import type { Change } from "../ui/slider";
import { createBudget } from "./budget";
import { createParameters } from "./parameters";
import type { MechanismChoice } from "./protocol";

export interface ReleaseProps {
  naming: Naming;
  mechanisms: readonly MechanismChoice[];
  mechanism: string;
  parameters: Parameters;
  epsilon: number;
  output: Output;
  promise: number;
  /** What a guess of each attribute says about that attribute; and chance that it is right. By chosen attribute. */
  own: ArrayLike<number> | null;
  kept: ArrayLike<number> | null;
  names: readonly number[];
  source: number | null;
  /** The numbers are those of something else. */
  busy: boolean;
  disabled: boolean;
}

export interface ReleaseEvents {
  onMechanism(key: string): void;
  onParameters(parameters: Parameters): void;
  onEpsilon(value: number, how: Change): void;
  onOutput(output: Output): void;
  onRefused(reason: string | null): void;
}

const LOWER = "value of one attack, a lower bound";

/** Room for a name and its number in one row, px. */
const ROW = 184;

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  let props = initial;
  let drawn = "";
  const select = h("select", { class: "px-query-choice", "aria-label": "Mechanism" });
  const frame = h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN)));
  listen(select, "change", () => {
    const key = props.mechanisms[select.selectedIndex]?.key;
    if (key !== undefined && key !== props.mechanism) events.onMechanism(key);
  });
  const budget = createBudget(budgetProps(), { onChange: events.onEpsilon, onRefused: events.onRefused });
  const parameters = createParameters(parametersProps(), { onChange: events.onParameters, onRefused: events.onRefused });
  const output = createSegments(outputProps(), events.onOutput);
  const caption = h("p", { class: "small muted lx-reading" });
  const list = h("dl", { class: "px-promise" });
  const el = h(
    "section",
    { class: "panel", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "Mechanism"), frame),
    budget.el,
    parameters.el,
    h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "What the adversary sees"), output.el, caption),
    list,
  );

  function choice(): MechanismChoice | undefined {
    return props.mechanisms.find(({ key }) => key === props.mechanism);
  }

  function budgetProps() {
    return { value: props.epsilon, fixed: choice()?.epsilon === false, disabled: props.disabled };
  }

  function parametersProps() {
    return { mechanism: props.mechanism, parameters: props.parameters, disabled: props.disabled };
  }

  function outputProps(): SegmentsProps<Output> {
    return {
      label: "What the adversary sees",
      options: [
        { value: "raw", text: "raw report" },
        { value: "inferred", text: "inferred" },
      ],
      value: props.output,
      disabled: props.disabled || choice()?.inferred === false,
    };
  }

  function facts(): Node[] {
    const { naming, names, source, kept, own, busy } = props;
    const row = (term: Node | string, value: Node | string): Node => h("div", {}, h("dt", {}, term), h("dd", {}, value));
    const rows = [row(h("span", {}, inlineMark("promise"), " Promise, nats"), h("b", {}, busy ? "…" : nats(props.promise)))];
    if (props.output === "inferred" && own) rows.push(row("Own guess, nats", busy ? "…" : span(own, nats)));
    const at = source === null ? 0 : names.indexOf(source);
    if (!kept || names.length === 0 || at < 0 || Number.isNaN(kept[at] ?? NaN)) return rows;
    const verb = namesSymbol(props.mechanism) ? "kept true" : "guessed right";
    const others = Array.from(kept).filter((_, k) => k !== at);
    const seen = busy ? "…" : probability(kept[at] as number);
    const rest = busy ? "…" : span(others, (value) => probability(value));
    const [mine, theirs] = [`${capital(told(naming, names[at] as number, 14))} ${verb}`, `Others ${verb}`];
    // Of a long name the menu of the adversary below says it: what is seen.
    const fits = [[mine, seen], [theirs, rest]].every((pair) => textWidth(pair.join(" "), 12) < ROW);
    rows.push(row(fits ? mine : capital(verb), seen));
    if (others.length > 0) rows.push(row(fits ? theirs : "Of the others", rest));
    return rows;
  }

  function draw(): void {
    const key = JSON.stringify(props.mechanisms);
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...props.mechanisms.map(({ label }) => h("option", {}, isolate(clip(label, 80)))));
    }
    select.selectedIndex = props.mechanisms.findIndex((one) => one.key === props.mechanism);
    select.disabled = props.disabled;
    budget.update(budgetProps());
    parameters.update(parametersProps());
    output.update(outputProps());
    setText(caption, choice()?.inferred === false ? "no guess is defined for it" : props.output === "inferred" ? LOWER : "");
    renew(list, ...facts());
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [budget, parameters, output]) part.destroy();
      el.remove();
    },
  };
}

/** One number, or from where to where. */
function span(values: ArrayLike<number>, write: (value: number) => string): string {
  const list = Array.from(values);
  const [low, high] = [write(Math.min(...list)), write(Math.max(...list))];
  return low === high ? low : `${low}–${high}`;
}
