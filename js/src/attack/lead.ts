/** One sentence first: how near attack 2 comes, what it scores, and how much of that the release added. */
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber, type DragNumberProps } from "../ui/drag-number";
import { fixed } from "../ui/format";
import { refuseNoiseBudget } from "../ui/scale";
import type { Change } from "../ui/slider";
import type { Attack } from "./results";
import { amountText, bits, km, refuseWeight } from "./words";

export interface LeadProps {
  epsilon: number;
  weight: number;
  /** null while there are none. */
  attacks: readonly [Attack, Attack] | null;
  /** The numbers are awaited. */
  busy: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onEpsilon(value: number, how: Change): void;
  onWeight(value: number, how: Change): void;
}

/** A piece of the sentence; numbers are bold. */
export interface Piece {
  text: string;
  kind: "words" | "number" | "paper";
}

/** Less than this apart, two numbers of bits are the same. */
const SAME = 5e-7;

const words = (text: string): Piece => ({ text, kind: "words" });
const strong = (text: string): Piece => ({ text, kind: "number" });

type Told = readonly [Pick<Attack, "adds">, Pick<Attack, "adds" | "gap" | "printed" | "error" | "mass" | "equal">];

/** What follows the two numbers that are dragged. */
export function leadPieces(attacks: Told, waiting = false): Piece[] {
  const [, { equal, mass }] = attacks;
  const out = scored(attacks, waiting);
  if (!waiting && equal[1] > 1) out.push(words(` Its guess is the first of ${fixed(equal[1], 0)} cells that are equally likely.`));
  if (!waiting && mass[0] === 0) out.push(words(" Nobody known is in the victim’s own cell: no release can lead there."));
  return out;
}

function scored(attacks: Told, waiting: boolean): Piece[] {
  const [one, two] = attacks;
  const number = (value: number, beside?: number): string => (waiting ? "…" : bits(value, beside));
  const out = [words("it scores "), { text: `${number(two.printed)} bits`, kind: "paper" } as Piece, words(". ")];
  if (two.gap > SAME) out.push(words("It knew "), strong(number(two.gap)), words(" of them before anything was published. "));
  else if (two.gap < -SAME) out.push(words("Before anything was published it was less sure than attack 1, by "), strong(number(-two.gap)), words(". "));
  else out.push(words("It knew no more than attack 1 before anything was published. "));
  const apart = Math.abs(two.adds - one.adds) > SAME;
  if (two.adds < -SAME)
    return [
      ...out,
      words("The release takes "),
      strong(number(-two.adds)),
      words(
        one.adds < -SAME
          ? ` away, and ${number(-one.adds)} from attack 1.`
          : ` away; it adds ${number(one.adds)} to attack 1.`,
      ),
    ];
  // Next to nothing is nothing here: no sign and no power of ten.
  const added = apart || waiting || Math.abs(two.adds) > SAME ? number(two.adds, apart ? one.adds : undefined) : "0";
  out.push(words("The release adds "), strong(added));
  if (!apart) return [...out, words(", as much as to attack 1.")];
  return [...out, words(`, ${two.adds < one.adds ? "less" : "more"} than the ${number(one.adds, two.adds)} it adds to attack 1.`)];
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const epsilon = createDragNumber(epsilonProps(initial), { onChange: events.onEpsilon });
  const weight = createDragNumber(weightProps(initial), { onChange: events.onWeight });
  const rest = h("span");
  const found = h("span");
  const off = h("b", { class: "nowrap" });
  const el = h("p", { class: "px-lead" }, found, off, " With ε = ", epsilon.el, " and friends weighted ", weight.el, " times ", rest);

  function epsilonProps({ epsilon: value, disabled }: LeadProps): DragNumberProps {
    return dragProps(value, disabled, "Budget ε", `ε = ${amountText(value)} nats`, refuseNoiseBudget);
  }

  function weightProps({ weight: value, disabled }: LeadProps): DragNumberProps {
    return dragProps(value, disabled, "Friends’ weight", `${amountText(value)} times`, refuseWeight);
  }

  function dragProps(
    value: number,
    disabled: boolean,
    label: string,
    valueText: string,
    refuse: (value: number, typed?: string) => string | null,
  ): DragNumberProps {
    const accept = (next: number, typed?: string) => {
      const reason = refuse(next, typed);
      return reason === null ? ({ ok: true } as const) : ({ ok: false, reason } as const);
    };
    return { value, text: amountText(value), label, valueText, disabled, accept };
  }

  function draw(props: LeadProps): void {
    epsilon.update(epsilonProps(props));
    weight.update(weightProps(props));
    // How far off the guess is comes first: that is what the release did to the victim.
    setText(found, props.attacks ? "The guess of attack 2 is off by " : "There is no guess yet.");
    setText(off, props.attacks ? `${props.busy ? "…" : km(props.attacks[1].error[1])} km.` : "");
    const pieces = props.attacks ? leadPieces(props.attacks, props.busy) : [words("nothing is inferred yet.")];
    const key = pieces.map(({ kind }) => kind).join();
    // While it is dragged only the numbers change.
    if (rest.dataset["pieces"] !== key) {
      rest.dataset["pieces"] = key;
      rest.replaceChildren(...pieces.map(({ kind }) => (kind === "words" ? h("span") : h("b", { class: kind === "paper" ? "paper nowrap" : "nowrap" }))));
    }
    pieces.forEach(({ text }, k) => setText(rest.children[k] as Element, text));
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      epsilon.destroy();
      weight.destroy();
      el.remove();
    },
  };
}
