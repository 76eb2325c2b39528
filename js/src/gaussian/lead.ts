/** One sentence first: what the noise promises for a change of one tuple, and what the chosen adversary sees of it. */
import { entryText, acceptScale } from "../ui/scale";
import { isOver, moreThanPromised, told, subject, type Naming } from "../explorer/words";
import type { Component } from "../ui/component";
import { h, setText } from "../ui/dom";
import { createDragNumber } from "../ui/drag-number";
import { leakage, parameter } from "../ui/format";
import { clip } from "../ui/lettering";
import type { Change } from "../ui/slider";
import { acceptChange } from "./amount";
import type { GaussianChosen } from "./protocol";
import { someoneWho } from "./words";

export interface LeadProps {
  query: string;
  naming: Naming;
  unit: string;
  scale: number;
  change: number;
  promise: number;
  /** At that scale and change; null while there is none. */
  chosen: GaussianChosen | null;
  /** What to say where there is none of this release; may be left out. */
  instead?: string;
  subject: { target: number; known: number[] };
  busy: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onScale(value: number, how: Change): void;
  onChange(value: number, how: Change): void;
}

/** The second sentence, in pieces: before the number, the number, after it. */
export function truth({ chosen, naming, promise, subject: who, busy, instead = "" }: LeadProps): { before: string; number: string; after: string; over: boolean } {
  if (!chosen) return { before: instead, number: "", after: "", over: false };
  const person = someoneWho(naming, who.known);
  const start = `For ${person}, ${told(naming, who.target)}`;
  if (busy) return { before: `${start} shows by up to `, number: "…", after: ".", over: false };
  if (chosen.determined) return { before: `${start} is determined: nothing is left to learn.`, number: "", after: "", over: false };
  const over = isOver(chosen.value, promise);
  const limit = chosen.limit ? ", a limit never quite reached" : "";
  const kept = limit && over ? "" : `: ${over ? moreThanPromised(chosen.value, promise) : "the promise holds"}`;
  return { before: `${start} shows by up to `, number: leakage(chosen.value, promise), after: `${limit}${kept}.`, over };
}

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  const scale = createDragNumber(scaleProps(initial), { onChange: events.onScale });
  const change = createDragNumber(changeProps(initial), { onChange: events.onChange });
  const [start, middle, moved, before, after] = Array.from({ length: 5 }, () => h("span")) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];
  const promised = h("b", { class: "promise nowrap" });
  const value = h("b");
  const el = h("p", { class: "px-lead" }, start, scale.el, middle, change.el, moved, promised, ". ", before, value, after);

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
    setText(promised, `${leakage(props.promise)} nats`);
    const said = truth(props);
    setText(before, said.before);
    setText(value, said.number);
    value.className = said.over ? "over" : "";
    setText(after, said.after);
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
