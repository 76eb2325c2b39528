/**
 * The release and who receives it: which mechanism with which parameters and budget, whose report is seen, what is
 * wanted.
 */
import { amountFault, amountOf, type AmountKind } from "../compute/faults";
import { followsFrom, namesSymbol, OWN, parametersOf, type Output, type ParameterName, type Parameters } from "../compute/local-mechanisms";
import { nameOf, told, type Naming } from "../explorer/words";
import { niceCeiling } from "../ui/axes";
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { component, DOWN, h, icon, listen, renew, setText, SWAP, type Component } from "../ui/dom";
import { capital, nats, probability } from "../ui/format";
import { clip, isolate, textWidth } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { createNumberEntry, parseNumber, type NumberEntryProps, type Parsed } from "../ui/number-entry";
import { leakageUnit } from "../ui/preferences";
import { apartTicks, budgetText, budgetWithin, ENTRY, readBudget, refuseBudget, wholeNumber } from "../ui/scale";
import { createSliderField, type Change, type SliderFieldEvents, type SliderFieldProps, type SliderProps } from "../ui/slider";
import { createOwnChannel, type OwnChannelProps } from "./own-channel";
import type { MechanismChoice } from "./protocol";

// The budget of each report: a slider, and a field that takes infinity too.

export interface BudgetProps {
  value: number;
  /** The parameters that it follows from. */
  follows: readonly string[];
  disabled: boolean;
}

/** Where a track of budgets ends: at 4, or at a round number above a larger one; it does not shrink under a thumb. */
export function trackEnd(end: number, value: number): number {
  if (!Number.isFinite(value) || value <= end) return Math.max(4, end);
  return niceCeiling(value, [1, 2, 4, 8, 10]);
}

function createBudget(initial: BudgetProps, events: SliderFieldEvents): Component<BudgetProps> {
  let props = initial;
  let end = trackEnd(4, initial.value);
  let dragged = false;
  const field = createSliderField(fieldProps(), {
    onChange(value, how) {
      dragged = !how.commit;
      events.onChange(value, how);
    },
    onRefused: events.onRefused,
  });

  function fieldProps(): SliderFieldProps {
    const { value, follows } = props;
    const label = follows.length > 0 ? `ε of one report, follows from ${follows.join(", ")}` : "Budget ε, nats per report";
    return { label, slider: sliderProps(), entry: entryProps(), stays: `The budget stays ${budgetText(value)}` };
  }

  function sliderProps(): SliderProps {
    const { value, disabled, follows } = props;
    const ticks = apartTicks([0, end / 2, end], false);
    return {
      value: Math.min(end, value),
      min: 0,
      max: end,
      log: false,
      label: "Budget ε, nats per report",
      valueText: `ε = ${budgetText(value)}`,
      ticks,
      disabled: disabled || follows.length > 0,
    };
  }

  function entryProps(): NumberEntryProps {
    const { value, disabled, follows } = props;
    const format = (budget: number): string => budgetWithin(budget, budgetText(budget));
    return {
      label: "Budget ε as a number",
      value,
      format,
      title: wholeNumber(value, format(value)),
      refuse: refuseBudget,
      read: readBudget,
      disabled: disabled || follows.length > 0,
      width: ENTRY,
    };
  }

  return {
    el: field.el,
    update(next) {
      props = next;
      // An infinite budget stands at the end of whatever range there was.
      end = trackEnd(dragged || !Number.isFinite(props.value) ? end : 4, props.value);
      field.update(fieldProps());
    },
    destroy: () => field.destroy(),
  };
}

// Parameters of a mechanism beside its budget: the noise of RAPPOR, the groups of hashing, the size of sets.

type Name = ParameterName;

export interface ParametersProps {
  mechanism: string;
  parameters: Parameters;
  disabled: boolean;
}

export interface ParametersEvents {
  onChange(parameters: Parameters): void;
  onRefused(reason: string | null): void;
}

interface Field {
  label: string;
  title: string;
  kind: AmountKind;
  /** The mechanism chooses where nothing is given. */
  auto: boolean;
}

function fieldsOf(mechanism: string): [Name, Field][] {
  return parametersOf(mechanism).flatMap(([name, { label, title = "", kind, default: first }]) =>
    label === undefined ? [] : [[name, { label, title, kind, auto: first === null }]],
  );
}

/** What is accepted in a field, in place of a number that is not. */
function wanted({ kind, auto }: Field, now: number): string {
  const { accepted, whole, least, most = Infinity } = amountOf(kind);
  if (whole && !(now > most)) return `Enter a whole number from ${least} on${auto ? ", or auto" : ""}.`;
  return kind === "probability" ? "Enter a probability from 0 to 1." : `${capital(accepted)}.`;
}

function readOrAuto(text: string): Parsed {
  // NaN stands for: let the mechanism choose.
  return /^\s*(auto)?\s*$/i.test(text) ? { ok: true, value: NaN } : parseNumber(text);
}

export function createParameters(initial: ParametersProps, events: ParametersEvents): Component<ParametersProps> {
  let props = initial;
  let drawn = "";
  let entries: { name: Name; field: Field; entry: Component<NumberEntryProps> }[] = [];
  const el = h("div", { class: "lx-parameters", role: "group", "aria-label": "Parameters of the mechanism" });

  function entryProps(name: Name, field: Field): NumberEntryProps {
    const value = props.parameters[name] ?? NaN;
    const { label, title, kind, auto } = field;
    return {
      label: `${label}: ${title}`,
      value,
      disabled: props.disabled,
      width: 56,
      format: (now) => (auto && Number.isNaN(now) ? "auto" : String(now)),
      ...(auto ? { read: readOrAuto } : {}),
      refuse(now, typed) {
        const sound = (auto && Number.isNaN(now)) || amountFault(kind, now, name) === null;
        return sound ? orderFault(name, now) : `${label} ${typed.trim()} is refused. ${wanted(field, now)}`;
      },
    };
  }

  function orderFault(name: Name, now: number): string | null {
    const set: Parameters = { ...props.parameters, [name]: now };
    return (set.q ?? 1) < (set.p ?? 0) ? `${name} ${now} is refused. q must not be below p.` : null;
  }

  function draw(): void {
    const fields = fieldsOf(props.mechanism);
    el.hidden = fields.length === 0;
    if (drawn !== props.mechanism) {
      drawn = props.mechanism;
      entries.forEach(({ entry }) => entry.destroy());
      entries = fields.map(([name, field]) => ({
        name,
        field,
        entry: createNumberEntry(entryProps(name, field), {
          onCommit: (value) => events.onChange({ ...props.parameters, [name]: Number.isNaN(value) ? null : value }),
          onRefused: events.onRefused,
        }),
      }));
      el.replaceChildren(
        ...entries.map(({ field, entry }) =>
          h(
            "span",
            { class: "lx-parameter", title: field.title },
            h("span", { class: "label", "aria-hidden": "true" }, field.label),
            entry.el,
          ),
        ),
      );
    }
    entries.forEach(({ name, field, entry }) => entry.update(entryProps(name, field)));
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      entries.forEach(({ entry }) => entry.destroy());
      el.remove();
    },
  };
}

// The adversary: whose report is seen, and which attribute is wanted.

export interface AdversaryProps {
  naming: Naming;
  names: readonly number[];
  pair: { source: number; secret: number } | null;
  disabled: boolean;
}

export function createAdversary(initial: AdversaryProps, onChoose: (source: number, secret: number) => void): Component<AdversaryProps> {
  let props = initial;
  const sees = menu("The adversary sees the report of", (attribute) => props.pair && choose(attribute, props.pair.secret));
  const wants = menu("The adversary wants", (attribute) => props.pair && choose(props.pair.source, attribute));
  const swap = h("button", { type: "button", class: "button lx-swap" }, icon(SWAP, 13), "swap");
  listen(swap, "click", () => props.pair && onChoose(props.pair.secret, props.pair.source));
  const el = h(
    "section",
    { class: "panel lx-adversary", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    h("dl", { class: "lx-sees" }, h("dt", {}, "sees"), h("dd", {}, sees.el), h("dt", {}, "wants"), h("dd", {}, wants.el)),
    swap,
  );

  /** Who takes the attribute at the other end turns the pair around. */
  function choose(source: number, secret: number): void {
    if (source !== secret) onChoose(source, secret);
    else if (props.pair) onChoose(props.pair.secret, props.pair.source);
  }

  function menu(label: string, run: (attribute: number) => void) {
    const select = h("select", { class: "px-query-choice lx-choice", "aria-label": label });
    let drawn = "";
    listen(select, "change", () => {
      const attribute = props.names[select.selectedIndex];
      if (attribute !== undefined) run(attribute);
    });
    return {
      el: h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN, 13))),
      update(chosen: number | undefined) {
        const key = JSON.stringify([props.names, props.naming.names]);
        if (key !== drawn) {
          drawn = key;
          select.replaceChildren(...props.names.map((name) => h("option", {}, nameOf(props.naming, name, 60))));
        }
        select.selectedIndex = chosen === undefined ? -1 : props.names.indexOf(chosen);
        select.disabled = props.disabled || chosen === undefined;
      },
    };
  }

  function draw(): void {
    sees.update(props.pair?.source);
    wants.update(props.pair?.secret);
    swap.disabled = props.disabled || !props.pair;
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}

// The release: which mechanism, which budget, what is read of a report, and what that is worth.

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
  const channel = createOwnChannel(channelProps(), { onChange: (own) => events.onParameters({ channel: own }), onRefused: events.onRefused });
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
    channel.el,
    h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "What the adversary sees"), output.el, caption),
    list,
  );

  function choice(): MechanismChoice | undefined {
    return props.mechanisms.find(({ key }) => key === props.mechanism);
  }

  function budgetProps() {
    return { value: props.epsilon, follows: followsFrom(props.mechanism), disabled: props.disabled };
  }

  function parametersProps() {
    return { mechanism: props.mechanism, parameters: props.parameters, disabled: props.disabled };
  }

  function channelProps(): OwnChannelProps {
    const { naming, names, mechanisms, mechanism, disabled } = props;
    return { channel: mechanism === OWN ? (props.parameters.channel ?? null) : null, naming, names, mechanisms, disabled };
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
    const rows = [row(h("span", {}, inlineMark("promise"), ` Promise, ${leakageUnit()}`), h("b", {}, busy ? "…" : nats(props.promise)))];
    if (props.output === "inferred" && own) rows.push(row(`Own guess, ${leakageUnit()}`, busy ? "…" : span(own, nats)));
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
    channel.update(channelProps());
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
      for (const part of [budget, parameters, channel, output]) part.destroy();
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
