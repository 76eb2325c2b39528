/** A goal for what all reports together may say about any attribute, and the budget of each report that reaches it. */
import { button, h, listen, setText, type Component } from "../ui/dom";
import { count, fixed, nats, probability } from "../ui/format";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { budgetText, readBudget, refuseBudget } from "../ui/scale";
import { number, own } from "../ui/wire";
import type { CalibrationMethod, CalibrationState } from "./protocol";
import { completeOnly } from "./words";

export interface CalibrationProps {
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

export interface CalibrationEvents {
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

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      entry.destroy();
      el.remove();
    },
  };
}
