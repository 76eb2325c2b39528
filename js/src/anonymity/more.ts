/** What is rarely changed: columns, what is compared, and numbers of the theorems. */
import type { Component } from "../ui/component";
import { h, listen, setAttr } from "../ui/dom";
import { clip, isolate } from "../ui/lettering";
import { createNumberEntry } from "../ui/number-entry";
import { createSegments } from "../ui/segments";
import { createChoice } from "./choice";
import { createOptionalNumber } from "./optional-number";
import { amountText, refuseAbove, refuseShift, refuseSlack } from "./refusals";
import type { Events, Neighbour } from "./protocol";

export interface MoreProps {
  names: readonly string[];
  quasi: readonly number[];
  secret: number | null;
  neighbour: Neighbour;
  events: Events;
  groupChange: number;
  shift: number | null;
  /** The change of the sum where none is given, and the slack of the Gaussian step. */
  range: number | null;
  slack: number | null;
  root: number | null;
  disabled: boolean;
}

export interface MoreEvents {
  onQuasi(quasi: number[]): void;
  onSecret(secret: number | null): void;
  onNeighbour(neighbour: Neighbour): void;
  onEvents(events: Events): void;
  onGroupChange(value: number): void;
  onShift(value: number | null): void;
  onSlack(value: number | null): void;
  onRefused(reason: string | null): void;
}

export function createMore(initial: MoreProps, events: MoreEvents): Component<MoreProps> {
  let props = initial;
  const columns = h("div", { class: "kx-columns", role: "group", "aria-label": "Quasi-identifiers" });
  const secret = createChoice(secretProps(), (key) => events.onSecret(key === "" ? null : Number(key)));
  const neighbour = createSegments<Neighbour>(neighbourProps(), events.onNeighbour);
  const classes = createSegments<Events>(eventsProps(), events.onEvents);
  const group = createNumberEntry(groupProps(), { onCommit: events.onGroupChange, onRefused: events.onRefused });
  const shift = createOptionalNumber(shiftProps(), { onCommit: events.onShift, onRefused: events.onRefused });
  const slack = createOptionalNumber(slackProps(), { onCommit: events.onSlack, onRefused: events.onRefused });
  const label = (text: string): HTMLElement => h("span", { class: "label", "aria-hidden": "true" }, text);
  const field = (text: string, el: Element): HTMLElement => h("div", { class: "px-field" }, label(text), el);
  const el = h(
    "details",
    { class: "kx-settings" },
    h("summary", {}, "More settings"),
    field("Quasi-identifiers", columns),
    secret.el,
    field("What of one record may differ", neighbour.el),
    field("Bound holds for", classes.el),
    h("div", { class: "kx-numbers" }, h("label", { class: "kx-optional" }, h("span", { class: "label" }, "Change in group size, s"), group.el), shift.el, slack.el),
  );
  listen(columns, "change", (event) => {
    const box = event.target as HTMLInputElement;
    const column = Number(box.value);
    const next = box.checked ? [...props.quasi, column].sort((a, b) => a - b) : props.quasi.filter((one) => one !== column);
    if (next.length > 0) return events.onQuasi(next);
    // Without any nobody would be told apart.
    box.checked = true;
    events.onRefused("The last quasi-identifier stays. Choose another one first.");
  });

  function secretProps() {
    const { names, quasi, disabled } = props;
    const options = [{ key: "", label: "none" }, ...names.flatMap((name, column) => (quasi.includes(column) ? [] : [{ key: String(column), label: name || "(no name)" }]))];
    return { label: "Secret", options, value: props.secret === null ? "" : String(props.secret), disabled };
  }

  function neighbourProps() {
    return { label: "What of one record may differ", options: [{ value: "value" as const, text: "its value" }, { value: "presence" as const, text: "being there" }], value: props.neighbour, disabled: props.disabled };
  }

  function eventsProps() {
    return { label: "Events that the bound holds for", options: [{ value: "halfline" as const, text: "thresholds" }, { value: "interval" as const, text: "intervals" }, { value: "all" as const, text: "all" }], value: props.events, disabled: props.disabled };
  }

  function groupProps() {
    return { label: "Change in group size, s", value: props.groupChange, format: amountText, refuse: (value: number, typed: string) => refuseAbove(value, "change", typed), disabled: props.disabled, width: 88 };
  }

  function shiftProps() {
    const { range, disabled } = props;
    return { label: "Change in released sum", value: props.shift, instead: range === null ? "its range" : amountText(range), refuse: refuseShift, disabled };
  }

  function slackProps() {
    const { root, disabled } = props;
    return { label: "Slack of the Gaussian step", value: props.slack, instead: root === null ? "1/√m" : amountText(Number(root.toPrecision(3))), refuse: refuseSlack, disabled };
  }

  let drawn = "";
  function draw(): void {
    const { names, quasi, secret: hidden, disabled } = props;
    const key = JSON.stringify([names, hidden]);
    if (key !== drawn) {
      drawn = key;
      columns.replaceChildren(...names.map((name, column) => h("label", { class: "kx-column", title: name }, h("input", { type: "checkbox", value: column }), h("span", {}, isolate(clip(name, 40)) || "(no name)"))));
    }
    columns.querySelectorAll("input").forEach((box, column) => {
      box.checked = quasi.includes(column);
      box.disabled = disabled || column === hidden;
      setAttr(box, "aria-label", names[column] || "(no name)");
    });
    secret.update(secretProps());
    neighbour.update(neighbourProps());
    classes.update(eventsProps());
    group.update(groupProps());
    shift.update(shiftProps());
    slack.update(slackProps());
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      for (const part of [secret, neighbour, classes, group, shift, slack]) part.destroy();
      el.remove();
    },
  };
}
