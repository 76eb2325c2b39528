/** One sentence first: what the classes give away, and how far the release hides one record. */
import { plural } from "../explorer/words";
import { h, setText, type Component } from "../ui/dom";
import { createDragNumber, type DragNumberProps } from "../ui/drag-number";
import { fixed } from "../ui/format";
import type { Change } from "../ui/slider";
import { acceptBudget, acceptGroup, acceptNeighbours, acceptShare, readPercent, readWhole } from "./amounts";
import type { Events, Level, Neighbour } from "./protocol";
import { budgetText, factorText, parted, percent, slackText, told } from "./words";

export interface LeadCase {
  noun: string;
  k: number;
  /** Least size of the classes there are. */
  achieved: number;
  classes: number;
  /** Classes in which all have one secret, and that secret where it is the same in all of them. */
  single: number;
  only: string | null;
  secret: string | null;
  release: string;
  neighbour: Neighbour;
  level: Level;
  known: number;
  neighbours: number;
  unknown: number;
  epsilon: number;
  /** null where it is not computed. */
  delta: number | null;
  bound: number | null;
  events: Events;
  /** Records that are in no class, as a quasi-identifier is missing. */
  suppressed?: number;
}

/** A number that can be dragged, or how a part is drawn. */
export type Role = "" | "k" | "known" | "neighbours" | "epsilon" | "over" | "value";
export type Part = readonly [text: string, role: Role];

/** What rounding alone makes of a slack of 1. */
const WHOLE = 1e-12;

/** Whether the release hides anything that a number promises. */
function hides({ delta, bound }: LeadCase): boolean {
  const value = delta ?? bound;
  return value !== null && value < 1 - WHOLE;
}

/** Whether the question is if somebody is in the data at all. */
function ofPresence({ neighbour, release }: LeadCase): boolean {
  return neighbour === "presence" || release.startsWith("records:");
}

/** What is published, to begin a clause. */
function released(release: string, k: number): string {
  const [kind, name] = parted(release);
  if (kind === "suppressed") return `the count, withheld below ${k},`;
  if (kind === "sum") return `the published sum of ${told(name)}`;
  return kind === "records" ? "the published records" : "the published count";
}

/** What the adversary knows, to follow "an adversary who". */
export function knows({ level, known, neighbours }: Pick<LeadCase, "level" | "known" | "neighbours">): Part[] {
  const [shares, depends] = [level === "III" || level === "IV", level === "II" || level === "IV"];
  const out: Part[] = [["knows ", ""]];
  if (shares) out.push([percent(known), "known"], [" of the records", ""]);
  if (depends)
    out.push(
      [`${shares ? " and " : ""}groups of up to `, ""],
      [fixed(neighbours, 0), "neighbours"],
      [neighbours > 1 ? " records that move together" : " record, each on its own", ""],
    );
  if (!shares && !depends) out.push(["no record", ""]);
  return out;
}

export function leadParts(one: LeadCase): Part[] {
  return [...ofClasses(one), ...ofRelease(one)];
}

function ofClasses({ noun, k, achieved, classes, single, only, secret, suppressed = 0 }: LeadCase): Part[] {
  const others = achieved - 1;
  const out: Part[] =
    others > 0
      ? [
          [`Every ${suppressed > 0 ? "published " : ""}${noun} shares a class with at least `, ""],
          [fixed(others, 0), "k"],
          [others === 1 ? " other" : " others", ""],
        ]
      : [
          ["With k = ", ""],
          [fixed(k, 0), "k"],
          [` some ${plural(noun)} may be alone in a class`, ""],
        ];
  if (secret === null) return [...out, [". ", ""]];
  const name = told(secret);
  if (single === 0) return [...out, [`, and in no class all have the same ${name}. `, ""]];
  if (classes === 1) out.push([", yet ", ""], ["in the only class", "over"], [" ", ""]);
  else out.push([", yet in ", ""], [`${fixed(single, 0)} of ${fixed(classes, 0)}`, "over"], [" classes ", ""]);
  const answer = only?.trim().toLowerCase();
  const share = answer === "no" ? `nobody has ${name}` : answer === "yes" ? `everybody has ${name}` : `all have the same ${name}`;
  return [...out, [`${share}, so knowing the class reveals it. `, ""]];
}

function ofRelease(one: LeadCase): Part[] {
  const { release, k, single, delta, unknown, noun, epsilon } = one;
  const subject = released(release, k);
  const who: Part[] = [["to an adversary who ", ""], ...knows(one)];
  const several = release.startsWith("records:");
  // The classes give a secret away, and the release next to never does.
  if (single > 0 && delta !== null && delta < 0.1) {
    return [
      [`${subject[0]?.toUpperCase()}${subject.slice(1)} ${several ? "do" : "does"} better: `, ""],
      ...who,
      [several ? " they" : " it", ""],
      ...odds(one, several),
    ];
  }
  who[0] = ["To an adversary who ", ""];
  // A count that is withheld whatever the last record is hides it from all others too.
  if (unknown === 0 && !hides(one)) {
    const what = ofPresence(one) ? `whether the last ${noun} is in it` : `the last ${noun}’s value`;
    return [...who, [` ${subject} hide${several ? "" : "s"} nobody: ${several ? "they tell" : "it tells"} ${what}`, ""], ...nothing(epsilon)];
  }
  if (delta === null && !hides(one)) {
    return [
      ...who,
      [` ${subject} ${several ? "have" : "has"} no bound that promises anything (ε = `, ""],
      [budgetText(epsilon), "epsilon"],
      ["); the exact slack is not computed.", ""],
    ];
  }
  return [...who, [` ${subject}`, ""], ...odds(one, several)];
}

/** The end of a sentence about what hides nobody. */
function nothing(epsilon: number): Part[] {
  return [[" (ε = ", ""], [budgetText(epsilon), "epsilon"], [", slack δ = ", ""], ["1", "value"], [").", ""]];
}

const BELOW: readonly Part[] = [["), up to a slack δ below ", ""], ["1e−270", "value"]];
const WITHOUT: readonly Part[] = [["), without ", ""], ["any slack", "value"]];

function odds(one: LeadCase, several: boolean): Part[] {
  const { epsilon, delta, bound, events } = one;
  const moves = ` ${several ? "move" : "moves"} the odds ${ofPresence(one) ? "that anyone else is in the data" : "on anyone else"} by`;
  if (!hides(one)) return [[`${moves} any factor`, ""], ...nothing(epsilon)];
  const factor = epsilon === Infinity ? "a finite factor" : `at most a factor of ${factorText(epsilon)}`;
  const out: Part[] = [[`${moves} ${factor} (ε = `, ""], [budgetText(epsilon), "epsilon"]];
  if (delta === null) {
    const tests = { halfline: " for threshold tests", interval: " for tests of an interval", all: "" }[events];
    const most: readonly Part[] = bound ? [["), up to a slack δ of at most ", ""], [slackText(bound, true), "value"]] : BELOW;
    return [...out, ...most, [`${tests}; the exact slack is not computed.`, ""]];
  }
  // With unknown records 0 is what is too small for a number of a computer.
  if (delta === 0) return [...out, ...(one.unknown > 0 ? BELOW : WITHOUT), [".", ""]];
  return [...out, ["), up to a slack δ of ", ""], [slackText(delta), "value"], [".", ""]];
}

export interface LeadProps {
  /** null while there are no results. */
  lead: LeadCase | null;
  /** What the hand asks for. */
  k: number;
  known: number;
  neighbours: number;
  epsilon: number;
  /** Records that can be in classes, and those that can move together: of the release. */
  records: number;
  together: number;
  /** k stays as it is. */
  kept: boolean;
  /** The slack is awaited. */
  busy: boolean;
  disabled: boolean;
}

export interface LeadEvents {
  onK(value: number, how: Change): void;
  onKnown(value: number, how: Change): void;
  onNeighbours(value: number, how: Change): void;
  onEpsilon(value: number, how: Change): void;
}

type Dragged = "k" | "known" | "neighbours" | "epsilon";

export function createLead(initial: LeadProps, events: LeadEvents): Component<LeadProps> {
  let props = initial;
  const drags = {
    k: createDragNumber(dragProps("k", "", initial), {
      onChange: (value, how) => events.onK(props.lead && props.lead.achieved > 1 ? value + 1 : Math.max(1, value), how),
    }),
    known: createDragNumber(dragProps("known", "", initial), {
      onChange: (value, how) => events.onKnown(Math.min(100, value) / 100, how),
    }),
    neighbours: createDragNumber(dragProps("neighbours", "", initial), {
      onChange: (value, how) => events.onNeighbours(Math.max(1, value), how),
    }),
    epsilon: createDragNumber(dragProps("epsilon", "", initial), { onChange: events.onEpsilon }),
  };
  const el = h("p", { class: "px-lead" });
  let shape = "";

  function dragProps(role: Dragged, text: string, { k, known, neighbours, epsilon, lead, records, together, kept, disabled }: LeadProps): DragNumberProps {
    const base = { text, valueText: text, disabled };
    if (role === "k") {
      // The number in the sentence is that of the others.
      const others = lead !== null && lead.achieved > 1;
      const value = others ? k - 1 : k;
      return {
        ...base,
        disabled: disabled || kept,
        value,
        whole: true,
        entryText: String(value),
        label: others ? "Others in a class at least, k less one" : "Least class size k",
        valueText: `k = ${k}`,
        accept: (next, typed) => acceptGroup(others ? next + 1 : next, records, typed),
        read: readWhole,
      };
    }
    if (role === "known")
      return {
        ...base,
        value: Number((known * 100).toPrecision(12)),
        whole: true,
        label: "Share of the records known, per cent",
        accept: acceptShare,
        read: readPercent,
      };
    if (role === "neighbours")
      return {
        ...base,
        value: neighbours,
        whole: true,
        label: "Largest neighbourhood",
        valueText: `${neighbours} records`,
        accept: (next, typed) => acceptNeighbours(next, together, typed),
        read: readWhole,
      };
    return { ...base, value: epsilon, label: "Budget ε", valueText: `ε = ${text} nats`, accept: acceptBudget };
  }

  function draw(): void {
    const { lead, busy } = props;
    const parts: Part[] = lead ? leadParts(lead) : [["There is no class yet.", ""]];
    const now = parts.map(([, role]) => role).join(",");
    if (now !== shape) {
      shape = now;
      // Numbers under the hand stay the same elements while sentences change around them.
      const held = new Set<Node>(parts.flatMap(([, role]) => (role in drags ? [drags[role as Dragged].el] : [])));
      const kids = parts.map(([, role]) =>
        role in drags
          ? drags[role as Dragged].el
          : h(role === "" ? "span" : "b", { class: role === "over" ? "over" : null }),
      );
      for (const child of [...el.childNodes]) if (!held.has(child)) child.remove();
      kids.forEach((kid, k) => {
        if (el.childNodes[k] !== kid) el.insertBefore(kid, el.childNodes[k] ?? null);
      });
      while (el.childNodes.length > kids.length) el.lastChild?.remove();
    }
    parts.forEach(([text, role], k) => {
      if (role in drags) drags[role as Dragged].update(dragProps(role as Dragged, text, props));
      else setText(el.childNodes[k] as Node, role === "value" && busy ? "…" : text);
    });
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const drag of Object.values(drags)) drag.destroy();
      el.remove();
    },
  };
}
