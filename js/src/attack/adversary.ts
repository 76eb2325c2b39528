/**
 * The adversary: who is looked for and found by typing, how much friends count, how many others are known, and which
 * noise there was.
 */
import { button, DOWN, h, icon, listen, setAttr, setAttrs, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { clip } from "../ui/lettering";
import type { Change } from "../ui/slider";
import { createShare, createWeight } from "./amounts";
import type { VictimChoice } from "./protocol";
import { amountText, userName, userText } from "./words";

// Users that fit what was typed, nearest first: a number that is the whole name, names that begin so, names that hold
// it.

/** More are not listed: typing on narrows them. */
const LISTED = 60;

export interface Found {
  /** Positions among the victims. */
  users: number[];
  /** How many fit in all. */
  all: number;
}

export function findUsers(victims: readonly VictimChoice[], typed: string, limit = LISTED): Found {
  const wanted = typed.trim().toLowerCase();
  const ranked: number[][] = [[], [], []];
  victims.forEach(({ label }, k) => {
    const name = label.toLowerCase();
    const said = userName(label).toLowerCase();
    if (wanted === "" || name === wanted || said === wanted) ranked[0]?.push(k);
    else if (name.startsWith(wanted) || said.startsWith(wanted)) ranked[1]?.push(k);
    else if (name.includes(wanted)) ranked[2]?.push(k);
  });
  const fits = ranked.flat();
  return { users: fits.slice(0, limit), all: fits.length };
}

// Who is looked for: a field that is typed into, and below it the users whose names fit.

interface VictimProps {
  victims: readonly VictimChoice[];
  victim: number;
  /** How many users there are; of very many not all are listed. */
  users: number;
  disabled: boolean;
}

export interface VictimEvents {
  onVictim(victim: number): void;
  onRefused(reason: string | null): void;
}

let choosers = 0;

function createVictimChooser(initial: VictimProps, events: VictimEvents): Component<VictimProps> {
  choosers += 1;
  const id = `ax-victims-${choosers}-${Math.random().toString(36).slice(2, 8)}`;
  let props = initial;
  let open = false;
  let users: number[] = [];
  let marked = -1;
  let refused = false;
  const input = h("input", {
    class: "px-query-choice ax-victim",
    type: "text",
    role: "combobox",
    "aria-label": "Victim",
    "aria-autocomplete": "list",
    "aria-controls": id,
    "aria-expanded": "false",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = h("div", { class: "ax-users", role: "listbox", id, "aria-label": "Users", hidden: true });
  const more = h("p", { class: "small muted ax-more-users", role: "status", hidden: true });
  const popup = h("div", { class: "ax-popup", hidden: true }, list, more);
  const frame = h("span", { class: "px-query-frame" }, input, h("span", { class: "select-arrow" }, icon(DOWN)), popup);
  const el = h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "Victim"), frame);

  function nameOf(user: number): string {
    const choice = props.victims[user];
    return choice ? userText(choice.label, choice.friends) : "";
  }

  function show(typed: string): void {
    const found = findUsers(props.victims, typed);
    users = found.users;
    const nodes = users.map((user, k) => {
      const node = h("div", { class: "ax-user", role: "option", id: `${id}-${k}`, "aria-selected": String(user === props.victim) }, nameOf(user));
      listen(node, "pointerdown", (event) => event.preventDefault());
      listen(node, "click", () => pick(k));
      return node;
    });
    list.replaceChildren(...nodes);
    const rest = found.all - users.length;
    const listed =
      props.victims.length < props.users
        ? `, ${fixed(props.victims.length, 0)} of ${fixed(props.users, 0)} users are listed, those with most friends`
        : "";
    setText(
      more,
      found.all === 0 ? `No user has this name${listed}.` : rest > 0 ? `${fixed(rest, 0)} more: type a name.` : "",
    );
    open = true;
    popup.hidden = false;
    list.hidden = users.length === 0;
    more.hidden = more.textContent === "";
    setAttr(input, "aria-expanded", String(users.length > 0));
    mark(typed.trim() === "" ? users.indexOf(props.victim) : users.length > 0 ? 0 : -1);
  }

  function mark(next: number): void {
    list.children[marked]?.removeAttribute("data-marked");
    marked = next;
    const node = list.children[marked];
    node?.setAttribute("data-marked", "");
    setAttr(input, "aria-activedescendant", node ? node.id : null);
    if (node instanceof HTMLElement)
      list.scrollTop = Math.min(
        node.offsetTop,
        Math.max(list.scrollTop, node.offsetTop + node.offsetHeight - list.clientHeight),
      );
  }

  function close(): void {
    open = false;
    popup.hidden = true;
    list.replaceChildren();
    marked = -1;
    setAttrs(input, { "aria-expanded": "false", "aria-activedescendant": null });
  }

  function refuse(reason: string | null): void {
    if ((reason !== null) === refused && reason === null) return;
    refused = reason !== null;
    setAttr(input, "aria-invalid", refused ? "true" : null);
    events.onRefused(reason);
  }

  function pick(k: number): void {
    const user = users[k];
    close();
    if (user === undefined) return;
    refuse(null);
    input.value = nameOf(user);
    input.select();
    if (user !== props.victim) events.onVictim(user);
  }

  /** What was typed is taken where it is one user; else it is refused and the victim stays. */
  function settle(): void {
    const typed = input.value;
    if (open && marked >= 0) return pick(marked);
    if (typed === nameOf(props.victim)) return close();
    close();
    refuse(`No user is called "${clip(typed.trim(), 24)}". The victim stays ${nameOf(props.victim)}.`);
  }

  function restore(): void {
    close();
    refuse(null);
    input.value = nameOf(props.victim);
    input.select();
  }

  listen(input, "focus", () => input.select());
  listen(input, "pointerdown", () => {
    if (!props.disabled && !open) show("");
  });
  listen(input, "input", () => show(input.value));
  listen(input, "blur", () => {
    close();
    refuse(null);
    input.value = nameOf(props.victim);
  });
  listen(input, "keydown", (event) => {
    if (props.disabled) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!open) return show("");
      return mark(Math.min(users.length - 1, Math.max(0, marked + step)));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      settle();
    } else if (event.key === "Escape" && (open || refused)) {
      event.preventDefault();
      restore();
    }
  });

  function draw(): void {
    input.disabled = props.disabled;
    if (props.disabled) close();
    if (!open && !refused) {
      const name = nameOf(props.victim);
      if (input.value !== name) input.value = name;
      setAttr(input, "title", props.victims.length > LISTED ? `${name}. Type a name to find one of ${fixed(props.victims.length, 0)} users.` : name);
    }
  }

  draw();
  return {
    el,
    update(next) {
      if (next.victim !== props.victim && !open) refuse(null);
      props = next;
      draw();
    },
    destroy: () => el.remove(),
  };
}

// The adversary: who is looked for, how much friends count, how many others are known, and which noise there was.

export interface AdversaryProps extends VictimProps {
  /** Added to how many known users are in each cell. */
  smoothing: number;
  weight: number;
  known: number;
  draw: number;
}

export interface AdversaryEvents {
  onVictim(victim: number): void;
  onWeight(value: number, how: Change): void;
  onKnown(value: number, how: Change): void;
  onNoise(): void;
  onRefused(reason: string | null): void;
}

export function createAdversary(initial: AdversaryProps, events: AdversaryEvents): Component<AdversaryProps> {
  const { onRefused } = events;
  const victim = createVictimChooser(initial, events);
  const weight = createWeight({ value: initial.weight, disabled: initial.disabled }, { onChange: events.onWeight, onRefused });
  const known = createShare({ value: initial.known, disabled: initial.disabled }, { onChange: events.onKnown, onRefused });
  const noise = button("New noise", { title: "Draw the noise of the release anew" });
  const which = h("span", { class: "small muted" });
  const smooth = h("p", { class: "small muted" });
  listen(noise, "click", () => events.onNoise());
  const el = h(
    "section",
    { class: "panel", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary")),
    victim.el,
    weight.el,
    known.el,
    h("div", { class: "ax-noise" }, noise, which),
    smooth,
  );

  function draw(props: AdversaryProps): void {
    const { disabled } = props;
    victim.update(props);
    weight.update({ value: props.weight, disabled });
    known.update({ value: props.known, disabled });
    noise.disabled = disabled;
    setText(which, `draw ${fixed(props.draw, 0)}`);
    smooth.hidden = !(props.smoothing > 0);
    setText(smooth, `Smoothing: ${amountText(props.smoothing)} is added to how many known users are in each cell.`);
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      for (const part of [victim, weight, known]) part.destroy();
      el.remove();
    },
  };
}
