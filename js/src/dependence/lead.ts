/** One sentence first: what the noise promises about every tuple, and what it leaks about the one that it leaks most of. */
import { isOver, moreThanPromised, plural, told, type Naming } from "../explorer/words";
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber } from "../ui/drag-number";
import { parameter } from "../ui/format";
import { leakageUnit } from "../ui/preferences";
import { refuseNoiseBudget } from "../ui/scale";
import type { Change } from "../ui/slider";
import type { Knowing } from "./protocol";
import { isApart, mostLeaking, type Shown } from "./results";
import { capital, knownNames, knows, nats } from "./words";

export interface LeadProps {
  naming: Naming;
  /** "the noisy sum". */
  subject: string;
  epsilon: number;
  blocks: readonly number[];
  shown: Shown | null;
  knowing: Knowing;
  known: readonly number[];
  busy: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onEpsilon(value: number, how: Change): void;
}

/** What comes before the number that leaks most, and after it. */
export function truth({ naming, subject, blocks, shown, knowing, known }: LeadProps): { before: string; after: string; number: string; over: boolean } | null {
  if (!shown) return null;
  const most = mostLeaking(shown);
  const value = shown.exact[most] as number;
  // By the promise that the number was computed for.
  const { epsilon } = shown;
  const over = isOver(value, epsilon);
  const name = told(naming, most);
  const whom = known.filter((tuple) => tuple !== most);
  return {
    before: beginning(),
    number: nats(value, epsilon),
    over,
    after: ` about ${name}: ${over ? moreThanPromised(value, epsilon) : kept(shown)}.`,
  };

  /** To whom the promise is kept: others may learn more. */
  function kept({ n, chosen: { tuple, worst } }: Shown): string {
    if (knowing !== "nobody" || n === 1) return "the promise holds";
    const told = `the promise holds for an adversary who knows no other ${naming.noun}`;
    if (tuple !== most || !worst || !isOver(worst.leakage, epsilon)) return told;
    const known = knows(naming, worst.known, worst.values);
    const one = worst.known.length > 2 ? known : known.replace("knows", "knows that");
    return `${told}; one who ${one} learns ${nats(worst.leakage, epsilon)}`;
  }

  function beginning(): string {
    if (knowing === "worst") return "Whoever knows the most telling others learns up to ";
    if (knowing === "chosen" && whom.length > 0) return `Someone who knows ${knownNames(naming, whom)} learns up to `;
    if (shown === null || !isApart(shown, blocks, most)) return `${capital(subject)} leaks up to `;
    const start = `${capital(name)} is independent of every other ${naming.noun}, pair by pair, so all exact coefficients of ${name} are 0.`;
    return `${start} ${over ? `Yet ${subject}` : capital(subject)} leaks `;
  }
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const drag = createDragNumber(dragProps(initial), { onChange: events.onEpsilon });
  const [release, before, after] = [h("span"), h("span"), h("span")];
  const promise = h("b", { class: "promise nowrap" });
  const number = h("b");
  const el = h("p", { class: "px-lead" }, "With ε = ", drag.el, release, promise, ". ", before, number, after);

  function dragProps({ epsilon, disabled }: LeadProps) {
    const text = parameter(epsilon);
    const accept = (next: number, typed?: string) => {
      const reason = refuseNoiseBudget(next, typed);
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    return { value: epsilon, text, label: "Budget ε", valueText: `ε = ${text} nats`, disabled, accept };
  }

  function draw(props: LeadProps): void {
    const { subject, naming, epsilon, busy } = props;
    drag.update(dragProps(props));
    setText(release, ` ${subject} promises that no ${naming.noun} leaks more than `);
    setText(promise, `${nats(epsilon)} ${leakageUnit()}`);
    const found = truth(props);
    setText(before, !found ? `What leaks of the ${plural(naming.noun)} is not computed yet.` : found.before);
    setText(number, !found ? "" : busy ? "…" : found.number);
    number.className = found && found.over && !busy ? "over" : "";
    setText(after, !found ? "" : busy ? "." : found.after);
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
