/** A channel of one's own: for which attribute, its rows as text and as a table, and what releases the others. */
import { hasBudget, matrixFault, OWN, parametersOf, type OwnChannel } from "../compute/local-mechanisms";
import { nameOf, told, type Naming } from "../explorer/words";
import { component, DOWN, h, icon, listen, renew, setText, type Component } from "../ui/dom";
import { probability } from "../ui/format";
import { createNumberEntry, type NumberEntryProps } from "../ui/number-entry";
import { budgetText, budgetWithin, ENTRY, readBudget, refuseBudget, wholeNumber } from "../ui/scale";
import { number } from "../ui/wire";
import type { MechanismChoice } from "./protocol";

export interface OwnChannelProps {
  /** null while another mechanism is chosen. */
  channel: OwnChannel | null;
  naming: Naming;
  /** Attributes that are released. */
  names: readonly number[];
  mechanisms: readonly MechanismChoice[];
  disabled: boolean;
}

export interface OwnChannelEvents {
  onChange(channel: OwnChannel): void;
  onRefused(reason: string | null): void;
}

/** Labels and outputs of a table that a narrow column has room for. */
const MOST_ROWS = 12;
const MOST_COLUMNS = 5;

const sizeOf = ({ labels }: Naming, attribute: number): number => labels[attribute]?.length ?? 0;

/** Rows that tell the truth most of the time, in few digits. */
export function firstMatrix(k: number): number[][] {
  if (k < 2) return [[1]];
  const scale = 10 ** Math.ceil(Math.log10(2 * (k - 1)));
  const other = Math.max(1, Math.floor((0.3 * scale) / (k - 1))) / scale;
  const truth = Number((1 - (k - 1) * other).toFixed(12));
  return Array.from({ length: k }, (_, u) => Array.from({ length: k }, (_, v) => (u === v ? truth : other)));
}

/** The channel that stands there first: for all attributes where all have as many labels, else for the one that is seen. */
export function firstChannel(naming: Naming, names: readonly number[], source: number | null, before: { key: string; epsilon: number }): OwnChannel {
  const seen = source ?? names[0] ?? 0;
  const alike = names.every((name) => sizeOf(naming, name) === sizeOf(naming, seen));
  const budget = hasBudget(before.key);
  return {
    matrix: firstMatrix(sizeOf(naming, seen)),
    attribute: alike ? null : seen,
    others: budget && parametersOf(before.key).length === 0 ? before.key : "GRR",
    epsilon: budget && Number.isFinite(before.epsilon) ? before.epsilon : 1,
  };
}

/** A row a line, numbers or fractions between blanks or commas. */
export function readRows(text: string): number[][] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const read = (word: string): number => {
    const [top, bottom] = word.split("/").map(Number) as [number, number | undefined];
    return bottom === undefined ? top : top / bottom;
  };
  return lines.map((line) => line.split(/[\s,;[\]]+/).filter(Boolean).map(read));
}

export function createOwnChannel(initial: OwnChannelProps, events: OwnChannelEvents): Component<OwnChannelProps> {
  let props = initial;
  let [drawn, listed, menu] = ["", "", ""];
  const arrow = (): HTMLElement => h("span", { class: "select-arrow" }, icon(DOWN, 13));
  const whose = h("select", { class: "px-query-choice lx-choice", "aria-label": "Your own channel is for" });
  const others = h("select", { class: "px-query-choice lx-choice", "aria-label": "Others are released by" });
  const area = h("textarea", { rows: 4, spellcheck: "false", "aria-label": "Your own channel: a row of probabilities for each label" });
  const table = h("table", { class: "lx-channel" });
  const caption = h("p", { class: "small muted" });
  const entry = createNumberEntry(entryProps(), {
    onCommit: (epsilon) => change({ epsilon: Number.isFinite(epsilon) ? epsilon : String(epsilon) }),
    onRefused: events.onRefused,
  });
  const rest = h(
    "div",
    { class: "px-field" },
    h("span", { class: "label", "aria-hidden": "true" }, "Others by, at ε"),
    h("div", { class: "lx-others" }, h("span", { class: "px-query-frame" }, others, arrow()), entry.el),
  );
  const el = h(
    "div",
    { class: "lx-channel-field", role: "group", "aria-label": "Your own channel" },
    h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "For"), h("span", { class: "px-query-frame" }, whose, arrow())),
    table,
    area,
    caption,
    rest,
  );
  listen(whose, "change", () => {
    const attribute = whose.selectedIndex === 0 ? null : (props.names[whose.selectedIndex - 1] ?? null);
    const wanted = attribute ?? props.names[0];
    const k = wanted === undefined ? 0 : sizeOf(props.naming, wanted);
    const other = attribute === null ? props.names.find((name) => sizeOf(props.naming, name) !== k) : undefined;
    if (other !== undefined) {
      draw();
      const [first, second] = [wanted as number, other].map((name) => told(props.naming, name));
      return events.onRefused(`${first} and ${second} have other numbers of labels; one channel has as many rows as each of its attributes has labels.`);
    }
    events.onRefused(null);
    change({ attribute, ...(props.channel?.matrix.length === k ? {} : { matrix: firstMatrix(k) }) });
  });
  listen(others, "change", () => {
    const key = choices()[others.selectedIndex]?.key;
    if (key !== undefined) change({ others: key });
  });
  listen(area, "change", take);
  listen(area, "keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) take();
  });

  function change(what: Partial<OwnChannel>): void {
    if (props.channel) events.onChange({ ...props.channel, ...what });
  }

  /** What was typed: the rows, or what is wrong with them, which stay to be mended. */
  function take(): void {
    const { channel, naming, names } = props;
    if (!channel) return;
    const rows = readRows(area.value);
    const k = sizeOf(naming, channel.attribute ?? names[0] ?? 0);
    const many = `The channel has ${rows.length} row${rows.length === 1 ? "" : "s"}; give ${k}, one for each label.`;
    const fault = rows.length === k ? (matrixFault(rows)?.text ?? null) : many;
    area.toggleAttribute("aria-invalid", fault !== null);
    events.onRefused(fault === null ? null : `${fault} The channel stays as it was.`);
    if (fault === null && area.value !== drawn) change({ matrix: rows });
  }

  function choices(): MechanismChoice[] {
    return props.mechanisms.filter(({ key, epsilon }) => epsilon && key !== OWN);
  }

  function entryProps(): NumberEntryProps {
    const value = number(props.channel?.epsilon ?? 1);
    const format = (budget: number): string => budgetWithin(budget, budgetText(budget));
    return {
      label: "Budget ε of the others",
      value,
      format,
      title: wholeNumber(value, format(value)),
      refuse: refuseBudget,
      read: readBudget,
      disabled: props.disabled,
      width: ENTRY,
    };
  }

  function draw(): void {
    const { channel, naming, names, disabled } = props;
    el.hidden = channel === null;
    if (!channel) return;
    const { matrix, attribute } = channel;
    const words = JSON.stringify([names, naming.names]);
    if (words !== listed) renew(whose, h("option", {}, "all attributes"), ...names.map((name) => h("option", {}, nameOf(naming, name, 60))));
    listed = words;
    whose.selectedIndex = attribute === null ? 0 : names.indexOf(attribute) + 1;
    const keys = JSON.stringify(choices());
    if (keys !== menu) renew(others, ...choices().map(({ label }) => h("option", {}, label)));
    menu = keys;
    others.selectedIndex = choices().findIndex(({ key }) => key === channel.others);
    const text = matrix.map((row) => row.join(" ")).join("\n");
    // What is being typed stays until the channel itself changes.
    if (text !== drawn) area.value = text;
    if (text !== drawn) area.removeAttribute("aria-invalid");
    drawn = text;
    area.rows = Math.min(MOST_ROWS, Math.max(2, matrix.length));
    const labels = attribute === null ? [] : (naming.labels[attribute] ?? []);
    const columns = matrix[0]?.length ?? 0;
    table.hidden = matrix.length > MOST_ROWS || columns > MOST_COLUMNS;
    table.setAttribute("aria-label", `Your own channel: probability of each output${attribute === null ? "" : `, ${nameOf(naming, attribute, 60)}`}`);
    const head = h("tr", {}, h("td", {}), ...Array.from({ length: columns }, (_, k) => h("th", { scope: "col" }, String(k + 1))));
    const rows = matrix.map((row, k) =>
      h("tr", {}, h("th", { scope: "row" }, labels[k] ?? `label ${k + 1}`), ...row.map((value) => h("td", {}, probability(number(value))))),
    );
    renew(table, h("thead", {}, head), h("tbody", {}, ...rows));
    setText(caption, "A row for each label, a column for each output; rows sum to 1.");
    for (const part of [whose, others, area]) part.disabled = disabled;
    rest.hidden = attribute === null;
    entry.update(entryProps());
  }

  const made = component(el, props, (next) => {
    props = next;
    draw();
  });
  return { ...made, destroy: () => (entry.destroy(), made.destroy()) };
}
