/** One sentence first: what each report promises, what one says about another attribute, and what all say together. */
import type { Output } from "../compute/local-mechanisms";
import { nameOf, type Naming } from "../explorer/words";
import type { Component } from "../ui/component";
import { h, setText } from "../ui/dom";
import { createDragNumber } from "../ui/drag-number";
import type { Change } from "../ui/slider";
import type { Totals } from "./shown";
import { budgetText, capital, inWords, nats, readBudget, refuseBudget } from "./words";

export interface LeadProps {
  naming: Naming;
  names: readonly number[];
  epsilon: number;
  /** The mechanism has a budget to set. */
  budget: boolean;
  promise: number;
  output: Output;
  pair: { source: number; secret: number } | null;
  /** Of the pair; null while it is awaited. */
  leakage: number | null;
  totals: Totals | null;
  /** All together is awaited. */
  late: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onEpsilon(value: number, how: Change): void;
}

/** The last sentence, in pieces: before the number, the number, and after it. */
export function together({ names, pair, totals, late, output }: LeadProps): { before: string; number: string; after: string; exact: boolean } {
  if (!pair || names.length < 2) return { before: "", number: "", after: "", exact: false };
  const who = names.length === 2 ? "Both reports" : `All ${inWords(names.length)} reports`;
  const before = `${output === "raw" ? who : `Guesses from ${who.toLowerCase()}`} together leak `;
  const k = names.indexOf(pair.secret);
  const exact = totals?.exact?.[k] ?? NaN;
  const bound = totals?.bound?.[k] ?? NaN;
  if (late) return { before, number: "…", after: ".", exact: true };
  if (!totals) return { before: "", number: "", after: "", exact: false };
  const sum = totals.sum[k] ?? NaN;
  if (Number.isNaN(exact)) {
    if (Number.isNaN(bound)) return { before: "", number: "", after: "", exact: false };
    if (bound === Infinity) return { before, number: "∞", after: ": nothing bounds it.", exact: false };
    return { before: `${before}at most `, number: nats(bound), after: totals.kernel ? "; the exact number needs a kernel." : "; the exact number is too large to compute.", exact: false };
  }
  // Of records with missing values there is a sum only where the kernel made one.
  if (Number.isNaN(sum)) return { before, number: nats(exact), after: ".", exact: true };
  const apart = Math.abs(exact - sum) > 1e-9 * Math.max(1, Math.abs(exact));
  const how = !apart || exact === sum ? "as much as" : exact > sum ? "more than" : "less than";
  return { before, number: nats(exact, apart ? sum : undefined), after: `, ${how} the published sum of ${nats(sum, apart ? exact : undefined)}.`, exact: true };
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const drag = createDragNumber(dragProps(initial), { onChange: events.onEpsilon });
  const promise = h("b", { class: "promise nowrap" });
  const at = h("span");
  const fixedBudget = h("span");
  const [before, value, after, start, all, end] = Array.from({ length: 6 }, (_, k) => h(k === 1 || k === 4 ? "b" : "span")) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  const el = h("p", { class: "px-lead" }, "Each report promises to leak at most ", promise, " about its own attribute", at, drag.el, fixedBudget, ". ", before, value, after, " ", start, all, end);

  function dragProps({ epsilon, disabled }: LeadProps) {
    const text = budgetText(epsilon);
    const accept = (next: number, typed?: string) => {
      const reason = refuseBudget(next, typed);
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    return { value: epsilon, text, label: "Budget ε", valueText: `ε = ${text} nats`, disabled, accept, read: readBudget };
  }

  function draw(props: LeadProps): void {
    const { naming, pair } = props;
    drag.update(dragProps(props));
    drag.el.hidden = !props.budget;
    setText(promise, `${nats(props.promise)} nats`);
    setText(at, props.budget ? ", at ε = " : "");
    const source = pair && capital(nameOf(naming, pair.source));
    setText(before, !pair ? "One attribute has no other to leak about." : `${props.output === "raw" ? `${source} alone leaks` : `What is guessed from ${nameOf(naming, pair.source)} alone leaks`} `);
    setText(value, pair ? (props.leakage === null ? "…" : nats(props.leakage, props.promise)) : "");
    setText(after, pair ? ` about ${nameOf(naming, pair.secret)}.` : "");
    const said = together(props);
    setText(start, said.before);
    setText(all, said.number);
    all.className = said.exact ? "over" : "promise";
    setText(end, said.after);
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      drag.destroy();
      el.remove();
    },
  };
}
