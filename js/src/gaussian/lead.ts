/** One sentence first: what the noise promises for a change of one tuple, and what the best informed adversary sees of it. */
import { createSaid } from "../explorer/lead";
import { chosenToo, isOver, moreThanPromised, told, subject, type Learner, type Naming, type Said } from "../explorer/words";
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber } from "../ui/drag-number";
import { leakage, parameter } from "../ui/format";
import { clip } from "../ui/lettering";
import { leakageUnit } from "../ui/preferences";
import { entryText, acceptScale } from "../ui/scale";
import type { Change } from "../ui/slider";
import type { GaussianChosen } from "./protocol";
import { acceptChange } from "./release";
import { someoneWho } from "./words";

export interface LeadProps {
  query: string;
  naming: Naming;
  unit: string;
  scale: number;
  change: number;
  promise: number;
  /** Who learns most at that scale and change; null while there is nobody. */
  largest: (Pick<GaussianChosen, "target" | "known" | "value" | "limit"> & { determined?: boolean }) | null;
  /** Whom the facts are about. */
  chosen?: Learner | null;
  /** What to say where there is none of this release; may be left out. */
  instead?: string;
  busy: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onScale(value: number, how: Change): void;
  onChange(value: number, how: Change): void;
}

/** The second sentence, in pieces: before the number, the number, after it. */
export function truth({ largest, naming, promise, busy, instead = "" }: LeadProps): Said {
  if (!largest) return { before: instead, number: "", after: "", over: false };
  const person = someoneWho(naming, largest.known);
  const start = `For ${person}, ${told(naming, largest.target)}`;
  if (busy) return { before: `${start} shows by up to `, number: "…", after: ".", over: false };
  if (largest.determined) return { before: `${start} is determined: nothing is left to learn.`, number: "", after: "", over: false };
  const over = isOver(largest.value, promise);
  const limit = largest.limit ? ", a limit never quite reached" : "";
  const kept = limit && over ? "" : `: ${over ? moreThanPromised(largest.value, promise) : "the promise holds"}`;
  return { before: `${start} shows by up to `, number: leakage(largest.value, promise), after: `${limit}${kept}.`, over };
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const scale = createDragNumber(scaleProps(initial), { onChange: events.onScale });
  const change = createDragNumber(changeProps(initial), { onChange: events.onChange });
  const [start, middle, moved] = Array.from({ length: 3 }, () => h("span")) as [HTMLElement, HTMLElement, HTMLElement];
  const promised = h("b", { class: "promise nowrap" });
  const most = createSaid();
  const too = createSaid();
  const el = h("p", { class: "px-lead" }, start, scale.el, middle, change.el, moved, promised, ". ", ...most.parts, ...too.parts);

  function scaleProps({ scale: now, disabled }: LeadProps) {
    const text = parameter(now);
    return { value: now, text, entryText: entryText(now), label: "Laplace noise, scale", valueText: `scale ${text}`, disabled, accept: acceptScale };
  }

  function changeProps({ change: now, unit, disabled }: LeadProps) {
    const text = parameter(now);
    return { value: now, text, entryText: entryText(now), label: "Change to hide", valueText: `change ${text} ${unit}`.trim(), disabled, accept: acceptChange };
  }

  function draw(props: LeadProps): void {
    const { unit, naming } = props;
    scale.update(scaleProps(props));
    change.update(changeProps(props));
    setText(start, `${subject(props.query)} with Laplace noise of scale `);
    setText(middle, unit ? " promises that " : " promises that a change of ");
    setText(moved, `${unit ? ` ${clip(unit, 40)}` : ""} in one ${naming.noun} shows by at most `);
    setText(promised, `${leakage(props.promise)} ${leakageUnit()}`);
    most.say(truth(props));
    too.say(chosenToo(naming, props.chosen ?? null, props.largest, props.promise));
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      scale.destroy();
      change.destroy();
      el.remove();
    },
  };
}
