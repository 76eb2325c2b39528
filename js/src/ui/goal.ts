/** How much noise is enough: a goal for all adversaries, the least scale that reaches it, and whether it is set. */
import { CHECK, component, h, icon, listen, setAttr, setText, type Component } from "./dom";
import { leakage, parameter } from "./format";
import { createNumberEntry, type NumberEntryProps } from "./number-entry";
import { leakageUnit } from "./preferences";
import type { Enough } from "./protocol";
import { enoughScale, entryText, refuseGoal } from "./scale";
import type { Change } from "./slider";

export interface GoalProps {
  /** What stands in the controls. */
  scale: number;
  /** What all adversaries may learn at most, nats. */
  goal: number;
  /** Least scale that is enough for that; undefined while it is awaited. */
  enough: Pick<Enough, "scale" | "why"> | undefined;
  /** For which values of what is known that holds, short within the sentence and in full; none where it does not matter. */
  given?: { short: string; long: string };
  disabled: boolean;
}

/** In place of a scale where nobody computes what stands in the controls any more. */
export const GIVEN_UP: Pick<Enough, "scale" | "why"> = { scale: null, why: "It was not computed for these values." };

export interface GoalEvents {
  onScale(value: number, how: Change): void;
  onGoal(value: number): void;
  onRefused(reason: string | null): void;
}

export function createGoal(initial: GoalProps, events: GoalEvents): Component<GoalProps> {
  let props = initial;
  const entry = createNumberEntry(entryProps(), {
    onCommit: events.onGoal,
    onRefused: (reason) => events.onRefused(reason === null ? null : `${reason} The goal stays ${parameter(props.goal)}.`),
  });
  const enough = h("button", { type: "button", class: "px-quiet" });
  const reached = h("span", { class: "px-reached" }, icon(CHECK, 12), "reached");
  const whom = h("span");
  const why = h("p", { class: "small muted px-why" });
  listen(enough, "click", () => {
    const scale = props.enough?.scale ?? null;
    if (scale !== null && enoughScale(scale) !== props.scale) events.onScale(enoughScale(scale), { commit: true });
  });
  const el = h(
    "div",
    { class: "px-enough" },
    h("p", { class: "px-goal" }, "Scale that keeps every adversary at or below ", entry.el, whom, enough, " ", h("span", { role: "status" }, reached)),
    why,
  );

  function entryProps(): NumberEntryProps {
    return {
      label: "What every adversary may learn at most, nats",
      value: props.goal,
      format: entryText,
      refuse: refuseGoal,
      disabled: props.disabled,
      width: entryText(props.goal).length > 5 ? 72 : 48,
    };
  }

  function draw(): void {
    const { scale, goal, given, enough: found, disabled } = props;
    entry.update(entryProps());
    const exact = found?.scale ?? null;
    const value = exact === null ? null : enoughScale(exact);
    setText(enough, value !== null ? entryText(value) : !found ? "…" : found.why === null ? "any" : "–");
    const there = value === scale;
    reached.hidden = !there;
    enough.disabled = disabled || value === null;
    // Off without losing the focus of whoever has just pressed it: undo by keys goes on from here.
    setAttr(enough, "aria-disabled", there ? "true" : null);
    setText(whom, ` nats${given ? `, ${given.short}` : ""}: `);
    const where = value === null ? "" : `At scale ${entryText(value)}${given ? `, ${given.long},` : ""}`;
    const words = value === null ? (found?.why ?? null) : `${where} no adversary learns more than ${leakage(goal)} ${leakageUnit()}`;
    setAttr(enough, "aria-label", enough.disabled || there ? null : `${words}: set this scale`);
    setAttr(enough, "title", words);
    setAttr(whom, "title", given ? `For all adversaries, ${given.long}` : null);
    setText(why, value === null ? (found?.why ?? "") : "");
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, entry);
}
