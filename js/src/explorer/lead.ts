/** One sentence first: what is promised, and what the best informed of all adversaries really learns. */
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber } from "../ui/drag-number";
import { leakage, parameter } from "../ui/format";
import { leakageUnit } from "../ui/preferences";
import { acceptScale, entryText } from "../ui/scale";
import type { Change } from "../ui/slider";
import { chosenToo, isOver, moreThanPromised, someone, subject, told, type Learner, type Naming, type Said } from "./words";

export interface LeadProps {
  query: string;
  naming: Naming;
  /** What the controls ask for; may be ahead of the results by one answer. */
  scale: number;
  promise: number | null;
  largest: { target: number; known: number[]; value: number } | null;
  /** Whom the facts are about. */
  chosen?: Learner | null;
  /** What to say where there is no largest leakage of this release; may be left out. */
  instead?: string;
  /** Positions of the known values that the largest leakage belongs to. */
  instance: number[];
  /** The known values are the worst of all. */
  worst?: boolean;
  /** What to know before the number is believed; "" or none where there is nothing. */
  caution?: string;
  busy: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onScale(value: number, how: Change): void;
}

/** The words after the promise, in pieces: before the number, the number, after it. */
export function truth(props: LeadProps): Said {
  const { largest, naming, promise } = props;
  if (!largest || promise === null) return { before: props.instead ?? "", number: "", after: "", over: false };
  const subject = someone(naming, largest.known, props.instance);
  // Someone who knows nothing has no worst values, and is the worst of all all the same.
  const who = props.worst ? `In the worst case, s${subject.slice(1)}` : subject;
  const target = told(naming, largest.target);
  if (props.busy) return { before: `${who} learns up to `, number: "…", after: ` about ${target}.`, over: false };
  const over = isOver(largest.value, promise);
  return {
    before: `${who} learns up to `,
    number: leakage(largest.value, over || isOver(promise, largest.value) ? promise : undefined, promise),
    after: ` about ${target}: ${over ? moreThanPromised(largest.value, promise) : "the promise holds"}.`,
    over,
  };
}

/** A sentence after the promise, its number in bold. */
export function createSaid(): { parts: HTMLElement[]; say(said: Said): void } {
  const parts = [h("span"), h("b"), h("span")] as const;
  return {
    parts: [...parts],
    say({ before, number, after, over }) {
      [before, number, after].forEach((text, k) => setText(parts[k] as HTMLElement, text));
      parts[1].className = over ? "over" : "";
    },
  };
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const drag = createDragNumber(number(initial), { onChange: events.onScale });
  const start = h("span");
  const middle = h("span");
  const promised = h("b", { class: "promise" });
  const most = createSaid();
  const too = createSaid();
  const sentence = h("p", { class: "px-lead" }, start, drag.el, middle, promised, ". ", ...most.parts, ...too.parts);
  const caution = h("p", { class: "small muted px-caution", role: "note" });
  const el = h("div", {}, sentence, caution);

  function number(props: LeadProps) {
    const text = parameter(props.scale);
    return {
      value: props.scale,
      text,
      entryText: entryText(props.scale),
      label: "Laplace noise, scale",
      valueText: `scale ${text}`,
      disabled: props.disabled,
      accept: acceptScale,
    };
  }

  function draw(props: LeadProps): void {
    drag.update(number(props));
    setText(start, `${subject(props.query)} with Laplace noise of scale `);
    setText(middle, ` promises that no ${props.naming.noun} leaks more than `);
    setText(promised, props.promise === null ? "…" : `${leakage(props.promise)} ${leakageUnit()}`);
    most.say(truth(props));
    too.say(chosenToo(props.naming, props.chosen ?? null, props.largest, props.promise ?? 0));
    const said = props.caution ?? "";
    setText(caution, said && `Caution: ${said}.`);
    caution.hidden = !said;
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
