/** Beyond the chosen pair: one of four further views at a time. */
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { button, component, h, listen, renew, setText, type Component } from "../ui/dom";
import { count, fixed, nats, probability } from "../ui/format";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { budgetText, readBudget, refuseBudget } from "../ui/scale";
import { number, own } from "../ui/wire";
import type { CalibrationMethod, CalibrationState, ComparedState, MechanismChoice } from "./protocol";
import { createScatter, type ScatterProps } from "./scatter";
import { completeOnly } from "./words";

// All mechanisms at one budget, read both ways: why a ranking of guesses is not one of releases.

interface ComparedProps {
  compared: readonly ComparedState[] | null;
  mechanisms: readonly MechanismChoice[];
  mechanism: string;
  busy: boolean;
}

export function createCompared(initial: ComparedProps): Component<ComparedProps> {
  const place = h("div", {});
  const words = h(
    "p",
    { class: "small muted" },
    "Leakage of all pairs together, as a share of what any mechanism with this budget may leak. Raw: what is " +
      "released. Guess: what an attacker’s one guess keeps of it, which the paper measured. Read raw, OUE, SUE, " +
      "BLH, OLH and SHE leak all that any mechanism may, and GRR never more. By their guesses GRR seems to leak " +
      "most. Error of shares: expected squared error of all estimated shares, over the sum of their squares (Eq. " +
      "23). * RAPPOR keeps the budget of the paper’s parameters, 0.537.",
  );
  const el = h("div", {}, place, words);

  function draw({ compared, mechanisms, mechanism, busy }: ComparedProps): void {
    if (!compared || busy) {
      renew(place, h("p", { class: "muted" }, busy ? "…" : "Not computed for this table."));
      return;
    }
    const share = (value: number | null, kind: string): HTMLElement =>
      h(
        "td",
        { class: "lx-bar-cell" },
        h(
          "span",
          { class: "lx-track" },
          h("span", { class: `lx-bar lx-bar-${kind}`, style: `width:${(100 * Math.min(1, value ?? 0)).toFixed(1)}%` }),
        ),
        h(
          "span",
          { class: "lx-share" },
          value === null ? "–" : value > 1 + 1e-9 ? fixed(value, 2) : probability(value),
        ),
      );
    const rows = compared.map(({ key, raw, inferred, error, frequency }) => {
      const name = mechanisms.find((one) => one.key === key)?.label ?? key;
      const label = key === "RAPPOR" ? `${name}*` : name;
      return h(
        "tr",
        { "data-on": key === mechanism },
        h("th", { scope: "row" }, label),
        share(raw, "raw"),
        share(inferred, "inferred"),
        h("td", {}, error === null ? "–" : probability(error)),
        h("td", {}, frequency === null ? "–" : fixed(frequency, frequency < 1 ? 4 : 2)),
      );
    });
    const heads = ["Mechanism", "Raw", "Guess", "Guess is wrong", "Error of shares"].map((head, k) =>
      h("th", { scope: "col", class: k === 1 || k === 2 ? "lx-bar-cell" : null }, head),
    );
    renew(
      place,
      h(
        "div",
        { class: "lx-frame" },
        h("table", { class: "lx-numbers" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows)),
      ),
    );
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

// When the paper's sum is too low: a table where two reports say nothing alone, and everything together.

interface CounterexampleProps {
  example: "" | "xor";
  disabled: boolean;
}

function createCounterexample(initial: CounterexampleProps, onExample: (example: "" | "xor") => void): Component<CounterexampleProps> {
  let props = initial;
  const toggle = button("", { class: "button lx-example" });
  listen(toggle, "click", () => onExample(props.example === "" ? "xor" : ""));
  const el = h(
    "div",
    { class: "lx-words" },
    h(
      "p",
      {},
      "The sum adds up what each report says alone. Of two fair bits neither says anything alone about whether " +
        "they differ; together they say it all. At ε = 1 and randomised response the sum is 1, and all three " +
        "reports leak 1 + ln cosh 1 = 1.434 nats.",
    ),
    h(
      "p",
      {},
      "The sum holds where the other attributes are independent given the secret; in tables of people it is often too low.",
    ),
    toggle,
  );

  function draw(): void {
    setText(toggle, props.example === "" ? "Show it here" : "Back to your data");
    toggle.disabled = props.disabled;
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}

// A goal for what all reports together may say about any attribute, and the budget of each report that reaches it.

interface CalibrationProps {
  goal: number | null;
  calibration: CalibrationState | null;
  /** The budget as it stands. */
  epsilon: number;
  /** Records, or null for shares; and those that have every attribute, which alone are counted: null where a page does not know. */
  records: number | null;
  complete: number | null;
  /** The mechanism has a budget to set. */
  budget: boolean;
  busy: boolean;
  disabled: boolean;
}

interface CalibrationEvents {
  onGoal(goal: number): void;
  onEpsilon(epsilon: number): void;
  onRefused(reason: string | null): void;
}

const METHODS: Record<string, string> = {
  spl: "Goal split evenly",
  pairwise: "Paper’s pairwise sum",
  joint: "All reports together",
};

/** What the budget of a method keeps within the goal: what is released, its guesses alone, or nothing for certain. */
function trust(key: string, safe: boolean, { records, complete }: CalibrationProps): string {
  if (key === "spl") return "holds always";
  if (safe && records !== null && complete === null) return "holds for complete records";
  if (safe) return `holds for ${completeOnly(records, { records: complete }) || "this table"}`;
  return key === "pairwise" ? "an estimate: it can leak more than the goal" : "holds for the guess only: reports can leak more";
}

/** Rounded down where a budget may not be larger, to three digits. */
function downTo3(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return value;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 3);
  return Number((Math.floor(value / unit + 1e-9) * unit).toPrecision(4));
}

export function createCalibration(initial: CalibrationProps, events: CalibrationEvents): Component<CalibrationProps> {
  let props = initial;
  const entry = createNumberEntry(entryProps(), {
    onCommit: events.onGoal,
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The goal stays as it was.`),
  });
  const body = h("tbody", {});
  const heads = ["", "ε of each report", "then leaks at most", "a guess is wrong", ""].map((head) => h("th", { scope: "col" }, head));
  const table = h("table", { class: "lx-numbers" }, h("thead", {}, h("tr", {}, ...heads)), body);
  const why = h("p", { class: "small muted" });
  const el = h(
    "div",
    {},
    h("p", { class: "lx-goal" }, "No attribute may leak more than ", entry.el, " nats through all reports together."),
    h("div", { class: "lx-frame" }, table),
    why,
  );

  function entryProps(): NumberEntryProps {
    return {
      label: "Goal for all reports together, nats",
      value: props.goal ?? NaN,
      format: (value) => (Number.isNaN(value) ? "" : budgetText(value)),
      read: readBudget,
      refuse: refuseBudget,
      disabled: props.disabled,
    };
  }

  function row({ key, epsilon, leak, exact, safe, error }: CalibrationMethod): HTMLElement {
    const name = own(METHODS, key) ?? key;
    const value = downTo3(number(epsilon));
    const use = button("use", { "aria-label": `Set ε to ${budgetText(value)}: ${name}` });
    use.disabled = props.disabled || !props.budget || value === props.epsilon;
    listen(use, "click", () => events.onEpsilon(value));
    const goal = props.goal ?? Infinity;
    const over = number(leak) > goal * (1 + 1e-9);
    const said = Number.isNaN(number(leak)) ? "–, needs a kernel" : `${nats(number(leak))}${exact ? "" : " (bound)"}`;
    const most = h("td", { class: over ? "over" : null }, said);
    return h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        name,
        h("span", { class: safe ? "small muted" : "small over" }, ` ${trust(key, safe, props)}`),
      ),
      h("td", {}, budgetText(value)),
      most,
      h("td", {}, error === null ? "–" : probability(error)),
      h("td", {}, use),
    );
  }

  function counted(): string {
    const { records, complete } = props;
    if (records === null) return "";
    if (complete === null) return "Counted from the records that have every attribute.";
    return `Counted from ${completeOnly(records, { records: complete }) || count(records, "record")}${complete < records ? ` of ${fixed(records, 0)}` : ""}.`;
  }

  function draw(): void {
    const { calibration, goal, busy } = props;
    entry.update(entryProps());
    const there = calibration !== null && goal !== null && !busy;
    table.hidden = !there;
    body.replaceChildren(...(there ? calibration.methods.map(row) : []));
    const idle = goal === null ? "Enter a goal: the budget of each report follows, by three ways." : busy || !calibration ? "…" : "";
    setText(why, [idle, there ? (calibration.why ?? "") : "", there ? counted() : ""].filter(Boolean).join(" "));
    why.hidden = why.textContent === "";
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, entry);
}

// Beyond the chosen pair: one of four further views at a time.

export interface MoreProps {
  scatter: ScatterProps;
  compared: ComparedProps;
  calibration: CalibrationProps;
  counterexample: CounterexampleProps;
  disabled: boolean;
}

export interface MoreEvents extends CalibrationEvents {
  onExample(example: "" | "xor"): void;
  onChoose(source: number, secret: number): void;
}

type Tab = "scatter" | "compared" | "calibration" | "counterexample";

const TABS: SegmentsProps<Tab>["options"] = [
  { value: "scatter", text: "Association" },
  { value: "compared", text: "Mechanisms" },
  { value: "calibration", text: "Find a budget" },
  { value: "counterexample", text: "When the sum is too low" },
];

export function createMore(initial: MoreProps, events: MoreEvents): Component<MoreProps> {
  let props = initial;
  // A way of looking, so it is not shared.
  let tab: Tab = "scatter";
  const segments = createSegments(segmentsProps(), (next) => {
    tab = next;
    draw();
  });
  const parts = {
    scatter: createScatter(initial.scatter, events.onChoose),
    compared: createCompared(initial.compared),
    calibration: createCalibration(initial.calibration, events),
    counterexample: createCounterexample(initial.counterexample, events.onExample),
  };
  const places = (Object.keys(parts) as Tab[]).map((name) => ({ name, el: h("div", { class: "lx-more-part" }, parts[name].el) }));
  const head = h("h3", { class: "panel-head" }, h("span", {}, "More"));
  const el = h("section", { class: "panel lx-more", "aria-label": "More" }, head, segments.el, ...places.map((place) => place.el));

  function segmentsProps(): SegmentsProps<Tab> {
    return { label: "Further views", options: TABS, value: tab, disabled: false };
  }

  function draw(): void {
    segments.update(segmentsProps());
    for (const place of places) place.el.hidden = place.name !== tab;
    // The others are drawn when they are looked at.
    if (tab === "scatter") parts.scatter.update(props.scatter);
    if (tab === "compared") parts.compared.update(props.compared);
    if (tab === "calibration") parts.calibration.update(props.calibration);
    if (tab === "counterexample") parts.counterexample.update(props.counterexample);
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [segments, ...Object.values(parts)]) part.destroy();
      el.remove();
    },
  };
}
