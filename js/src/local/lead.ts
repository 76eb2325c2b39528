/** One sentence first: what each report promises, what one says about another attribute, and what all say together. */
import type { Output } from "../compute/local-mechanisms";
import { isOver, told, type Naming } from "../explorer/words";
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber } from "../ui/drag-number";
import { bound as upwards, capital, inWords, nats } from "../ui/format";
import { leakageUnit } from "../ui/preferences";
import { budgetText, readBudget, refuseBudget } from "../ui/scale";
import type { Change } from "../ui/slider";
import type { Totals } from "./results";
import { completeOnly } from "./words";

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
  /** How many records there are; null for probabilities. */
  records: number | null;
  totals: Totals | null;
  /** All together is awaited. */
  late: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onEpsilon(value: number, how: Change): void;
}

/** The last sentence, in pieces: before the number, the number with its colour, and after it. */
interface Together {
  before: string;
  number: string;
  colour: "" | "over" | "promise";
  after: string;
}

const NOTHING: Together = { before: "", number: "", colour: "", after: "" };

export function together({ naming, names, pair, records, totals, late, output, promise }: LeadProps): Together {
  if (!pair || names.length < 2) return NOTHING;
  const who = `${names.length === 2 ? "both" : `all ${inWords(names.length)}`} reports`;
  const among = completeOnly(records, totals);
  const before = `${capital(`${among && `among the ${among}, `}${output === "raw" ? who : `guesses from ${who}`}`)} together leak `;
  const k = names.indexOf(pair.secret);
  const exact = totals?.exact?.[k] ?? NaN;
  const bound = totals?.bound?.[k] ?? NaN;
  if (late) return { before, number: "…", colour: "", after: "." };
  if (!totals) return NOTHING;
  const sum = totals.sum[k] ?? NaN;
  if (Number.isNaN(exact)) {
    if (Number.isNaN(bound)) return NOTHING;
    const lacking = totals.constant.includes(k)
      ? `only one value of ${told(naming, pair.secret)} counts, so nothing can be learned`
      : `the exact number ${totals.kernel ? "needs a kernel" : "is too large to compute"}`;
    if (bound === Infinity) return { before, number: "∞", colour: "promise", after: ": nothing bounds it." };
    return { before: `${before}at most `, number: upwards(bound), colour: "promise", after: `; ${lacking}.` };
  }
  const colour = isOver(exact, promise) ? "over" : "";
  // Of records with missing values there is a sum only where the kernel made one.
  if (Number.isNaN(sum)) return { before, number: nats(exact, promise), colour, after: "." };
  // Infinity differs from any number; the difference of two infinities is none.
  const apart = exact !== sum && (exact === Infinity || Math.abs(exact - sum) > 1e-9 * Math.max(1, Math.abs(exact)));
  const how = !apart ? "as much as" : exact > sum ? "more than" : "less than";
  const after = `, ${how} the paper’s sum of pairs, ${nats(sum, apart ? exact : undefined)}.`;
  return { before, number: nats(exact, apart ? sum : undefined), colour, after };
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const drag = createDragNumber(dragProps(initial), { onChange: events.onEpsilon });
  const promise = h("b", { class: "promise nowrap" });
  const at = h("span");
  const fixedBudget = h("span");
  const [before, value, after, start, all, end] = Array.from({ length: 6 }, (_, k) =>
    h(k === 1 || k === 4 ? "b" : "span"),
  ) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  const el = h(
    "p",
    { class: "px-lead" },
    "Each report promises to leak at most ",
    promise,
    " about its own attribute",
    at,
    drag.el,
    fixedBudget,
    ". ",
    before,
    value,
    after,
    " ",
    start,
    all,
    end,
  );

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
    setText(promise, `${nats(props.promise)} ${leakageUnit()}`);
    setText(at, props.budget ? ", at ε = " : "");
    const source = pair ? told(naming, pair.source) : "";
    setText(
      before,
      !pair
        ? "One attribute has no other to leak about."
        : `${props.output === "raw" ? capital(source) : `What is guessed from ${source}`} alone leaks `,
    );
    setText(value, pair ? (props.leakage === null ? "…" : nats(props.leakage, props.promise)) : "");
    value.className = props.leakage !== null && isOver(props.leakage, props.promise) ? "over" : "";
    setText(after, pair ? ` about ${told(naming, pair.secret)}.` : "");
    const said = together(props);
    setText(start, said.before);
    setText(all, said.number);
    all.className = said.colour;
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
