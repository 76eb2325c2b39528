/** One sentence first: what each release promises, what was changed, who broke the promise, and what leaks now. */
import { refusal } from "../table/editing";
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber, type DragNumberProps } from "../ui/drag-number";
import { amount, fixed, inWords, list, nats } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import { budgetText, readBudget, refuseBudget } from "../ui/scale";
import type { Change } from "../ui/slider";
import type { ChangeState } from "./protocol";
import type { LaneTotals } from "./step-record";
import { chance, isOverPromise } from "./words";

export interface LeadProps {
  /** Of the next step. */
  epsilon: number;
  /** Of the last one. */
  promise: number;
  /** How many there are. */
  states: number;
  /** The chance to stay in a state, where both of two have the same. */
  stay: number | null;
  position: number;
  lanes: readonly { short: string }[];
  totals: readonly LaneTotals[];
  /** What each lane leaked in the last step; NaN for one that has ended. */
  leaks: readonly number[];
  change: ChangeState | null;
  editable: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onEpsilon(value: number, how: Change): void;
  onStay(value: number, how: Change): void;
}

const STAY = /^stay ([\d.e+-]+)$/;

function named(text: string): string {
  return isolate(clip(text, 60));
}

/** What the last change did to the chance to stay: "rose from 0.60 to", or that it "is". */
export function stayWords(change: ChangeState | null): string {
  const [before, after] = [STAY.exec(change?.before ?? ""), STAY.exec(change?.after ?? "")];
  if (!before || !after) return "is";
  const from = Number(before[1]);
  return `${Number(after[1]) > from ? "rose" : "fell"} from ${chance(from)} to`;
}

/** The stream in words, where it has no chance to stay that is to be dragged. */
export function chainWords({ stay, change, states }: Pick<LeadProps, "stay" | "change" | "states">): string {
  if (stay !== null) return "";
  if (change) return `From step ${fixed(change.step, 0)} on: ${change.after}. `;
  return states > 2 ? `The stream has ${inWords(states)} states. ` : "";
}

export interface Outcome {
  before: string;
  number: string;
  role: "" | "over" | "value";
  after: string;
}

/** Who broke the promise and what the first of them leaks now, in pieces: before the number, and after it. */
export function outcome({ position, lanes, totals, leaks, promise }: Pick<LeadProps, "position" | "lanes" | "totals" | "leaks" | "promise">): Outcome {
  if (position === 0) return { before: "Nothing has been released yet.", number: "", role: "", after: "" };
  const over = totals.flatMap(({ first }, k) => (first === null ? [] : [{ first, k }])).sort((a, b) => a.first - b.first);
  const begun = over[0];
  if (!begun) {
    const who = lanes.length === 1 ? named(lanes[0]?.short ?? "") : "every mechanism";
    const largest = Math.max(0, ...totals.map((lane) => lane.largest));
    const steps = position === 1 ? "the first step" : `${fixed(position, 0)} steps`;
    return { before: `In ${steps} ${who} kept its promise; the most that leaked in one step is `, number: nats(largest, promise), role: "value", after: "." };
  }
  const others = over.slice(1).map(({ k }) => named(lanes[k]?.short ?? ""));
  const also = others.length === 0 ? "" : `, then ${others.length <= 2 ? list(others) : `${inWords(others.length)} mechanisms`}`;
  const when = `At step ${fixed(begun.first, 0)} ${named(lanes[begun.k]?.short ?? "")} broke its promise${also}; `;
  const now = leaks[begun.k] ?? NaN;
  // It has ended, or keeps its promise in the last step: the story is the worst one.
  if (Number.isNaN(now) || !isOverPromise(now, promise))
    return {
      before: `${when}the most that it leaked in one step is `,
      number: nats(totals[begun.k]?.largest ?? NaN, promise),
      role: "over",
      after: ".",
    };
  return {
    before: `${when}${also ? "the first" : "it"} leaks `,
    number: nats(now, promise),
    role: "over",
    after: ` in step ${fixed(position, 0)}.`,
  };
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const epsilon = createDragNumber(epsilonProps(initial), { onChange: events.onEpsilon });
  const stay = createDragNumber(stayProps(initial), { onChange: (value, how) => events.onStay(Math.min(1, value), how) });
  const stayBefore = h("span");
  const stayPart = h("span", {}, stayBefore, h("b", {}, stay.el), ". ");
  const chain = h("span");
  const [before, number, after] = [h("span"), h("b"), h("span")];
  const el = h(
    "p",
    { class: "px-lead sx-lead" },
    "Each release promises to leak at most ",
    h("span", { class: "promise nowrap" }, epsilon.el, " nats"),
    ". ",
    stayPart,
    chain,
    before,
    number,
    after,
  );

  function epsilonProps({ epsilon: value, disabled }: LeadProps): DragNumberProps {
    const accept = (next: number, typed?: string) => {
      const reason = refuseBudget(next, typed);
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    return {
      value,
      text: amount(value),
      entryText: budgetText(value),
      label: "Budget ε of a step",
      valueText: `ε = ${budgetText(value)} nats`,
      disabled,
      accept,
      read: readBudget,
    };
  }

  function stayProps({ stay: value, disabled, editable }: LeadProps): DragNumberProps {
    const accept = (next: number, typed?: string) => {
      const reason = refusal(next, typed ?? String(next));
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    return {
      value: value ?? 0,
      text: chance(value ?? 0),
      label: "Chance to stay in a state",
      valueText: chance(value ?? 0),
      disabled: disabled || !editable,
      accept,
    };
  }

  function draw(props: LeadProps): void {
    epsilon.update(epsilonProps(props));
    stayPart.hidden = props.stay === null;
    if (props.stay !== null) {
      setText(stayBefore, `The chance to stay in a state ${stayWords(props.change)} `);
      stay.update(stayProps(props));
    }
    setText(chain, chainWords(props));
    const said = outcome(props);
    setText(before, said.before);
    setText(number, said.number);
    number.className = said.role;
    setText(after, said.after);
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      epsilon.destroy();
      stay.destroy();
      el.remove();
    },
  };
}
