/**
 * The release: how large classes are, what is published beside them and gives away, and which columns are known or
 * secret.
 */
import { plural } from "../explorer/words";
import { component, DOWN, fold, h, icon, listen, renew, setAttr, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { clip, isolate } from "../ui/lettering";
import { inlineMark } from "../ui/marks";
import { ENTRY } from "../ui/scale";
import type { Change } from "../ui/slider";
import { amountText, createGroupSize, createOptionalNumber, readWhole, refuseCount, type OptionalNumberProps } from "./amounts";
import type { ReleaseChoice } from "./protocol";
import type { Shown } from "./results";

// A choice of one among named things: the browser's own menu in the look of a field.

export interface ChoiceProps {
  label: string;
  options: readonly { key: string; label: string }[];
  value: string;
  disabled: boolean;
}

function createChoice(initial: ChoiceProps, onChange: (key: string) => void): Component<ChoiceProps> {
  let props = initial;
  let drawn = "";
  const select = h("select", { class: "px-query-choice", "aria-label": initial.label });
  const el = h(
    "div",
    { class: "px-field" },
    h("span", { class: "label", "aria-hidden": "true" }, initial.label),
    h("span", { class: "px-query-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN))),
  );
  listen(select, "change", () => {
    const key = props.options[select.selectedIndex]?.key;
    if (key !== undefined && key !== props.value) onChange(key);
  });

  function draw(): void {
    const key = JSON.stringify(props.options);
    if (key !== drawn) {
      drawn = key;
      select.replaceChildren(...props.options.map(({ label }) => h("option", { title: label.length > 60 ? clip(label, 400) : null }, clip(label, 60))));
    }
    select.selectedIndex = props.options.findIndex((one) => one.key === props.value);
    select.disabled = props.disabled;
    setAttr(select, "title", props.options.find((one) => one.key === props.value)?.label ?? null);
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}

// Which columns are known to others, and which one is secret: rarely changed.

export interface MoreProps {
  names: readonly string[];
  quasi: readonly number[];
  secret: number | null;
  /** Why they stay as they are; null where they can be changed. */
  kept: string | null;
  disabled: boolean;
}

export interface MoreEvents {
  onQuasi(quasi: number[]): void;
  onSecret(secret: number | null): void;
  onRefused(reason: string | null): void;
}

export function createMore(initial: MoreProps, events: MoreEvents): Component<MoreProps> {
  let props = initial;
  const columns = h("div", { class: "kx-columns", role: "group", "aria-label": "Quasi-identifiers" });
  const secret = createChoice(secretProps(), (key) => events.onSecret(key === "" ? null : Number(key)));
  const el = fold("Columns", h("div", { class: "px-field" }, h("span", { class: "label", "aria-hidden": "true" }, "Quasi-identifiers"), columns), secret.el);
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
    const { names, quasi, kept } = props;
    const disabled = props.disabled || kept !== null;
    const options = [
      { key: "", label: "none" },
      ...names.flatMap((name, column) =>
        quasi.includes(column) ? [] : [{ key: String(column), label: name || "(no name)" }],
      ),
    ];
    return { label: "Secret", options, value: props.secret === null ? "" : String(props.secret), disabled };
  }

  let drawn = "";
  function draw(): void {
    const { names, quasi, secret: hidden, kept } = props;
    const disabled = props.disabled || kept !== null;
    setAttr(el, "title", kept);
    const key = JSON.stringify([names, hidden]);
    if (key !== drawn) {
      drawn = key;
      columns.replaceChildren(
        ...names.map((name, column) =>
          h(
            "label",
            { class: "kx-column", title: name },
            h("input", { type: "checkbox", value: column }),
            h("span", {}, isolate(clip(name, 40)) || "(no name)"),
          ),
        ),
      );
    }
    columns.querySelectorAll("input").forEach((box, column) => {
      box.checked = quasi.includes(column);
      box.disabled = disabled || column === hidden;
      setAttr(box, "aria-label", names[column] || "(no name)");
    });
    secret.update(secretProps());
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, secret);
}

// The release: how large classes are, what is published beside them, and what they give away.

export interface ReleaseProps {
  k: number;
  records: number;
  noun: string;
  release: string;
  releases: readonly ReleaseChoice[];
  /** How many records it is of; null for those of the table that add to it, of which there are so many. */
  n: number | null;
  adding: number;
  hasSecret: boolean;
  /** Why k stays as it is; null where it can be changed. */
  kept: string | null;
  shown: Shown | null;
  busy: boolean;
  disabled: boolean;
}

export interface ReleaseEvents {
  onK(value: number, how: Change): void;
  onRelease(key: string): void;
  onN(value: number | null): void;
  onRefused(reason: string | null): void;
}

export function createRelease(initial: ReleaseProps, events: ReleaseEvents): Component<ReleaseProps> {
  const size = createGroupSize(
    { value: initial.k, records: initial.records, disabled: initial.disabled },
    { onChange: events.onK, onRefused: events.onRefused },
  );
  const published = createChoice(choiceProps(initial), events.onRelease);
  const many = createOptionalNumber(manyProps(initial), { onCommit: events.onN, onRefused: events.onRefused });
  const list = h("dl", { class: "px-promise" });
  const measures = h("dl", { class: "px-promise" });
  const more = fold("Diversity of the classes", measures);
  const why = h("p", { class: "small muted kx-kept" });
  const el = h(
    "section",
    { class: "panel kx-release", "aria-label": "Release" },
    h("h3", { class: "panel-head" }, h("span", {}, "Release")),
    size.el,
    why,
    published.el,
    many.el,
    list,
    more,
  );

  function choiceProps({ release, releases, disabled }: ReleaseProps) {
    return { label: "Published beside the table", options: releases, value: release, disabled };
  }

  function manyProps({ n, adding, k, disabled }: ReleaseProps): OptionalNumberProps {
    const title =
      n === null
        ? "Empty: those of the table"
        : `The law of one record stays that of the table, which has ${fixed(adding, 0)}`;
    return {
      label: "Records in the release, n",
      value: n,
      instead: String(adding),
      format: (value) => (Number.isInteger(value) ? String(value) : amountText(value)),
      title,
      width: ENTRY,
      refuse: (value, typed) => refuseCount(value, k, typed),
      read: readWhole,
      disabled,
    };
  }

  function draw(props: ReleaseProps): void {
    const { k, records, noun, hasSecret, kept, shown, busy, disabled } = props;
    size.update({ value: k, records, disabled: disabled || kept !== null });
    setAttr(size.el, "title", kept);
    why.hidden = kept === null;
    setText(why, kept === null ? "" : "k and columns stay as saved.");
    published.update(choiceProps(props));
    many.update(manyProps(props));
    const row = (term: string, value: string, over = false, title: string | null = null): HTMLElement =>
      h(
        "div",
        {},
        h("dt", { title }, term),
        h("dd", {}, ...(over ? [inlineMark("over"), " "] : []), busy || !shown ? "…" : value),
      );
    const [least, most] = shown?.sizes ?? [0, 0];
    const rows = [row("Class sizes", least === most ? fixed(least, 0) : `${fixed(least, 0)} to ${fixed(most, 0)}`)];
    const few: HTMLElement[] = [];
    if (hasSecret) {
      rows.push(
        row(
          "One value only",
          `${fixed(shown?.single ?? 0, 0)} of ${fixed(shown?.classes_in_all ?? 0, 0)}`,
          (shown?.single ?? 0) > 0,
          `Classes in which all ${plural(noun)} have the same secret`,
        ),
      );
      if (shown?.diversity != null)
        few.push(
          row("Least values in a class, l", fixed(shown.diversity, 0), false, "Distinct l-diversity of the secret"),
        );
      if (shown?.closeness != null)
        few.push(
          row(
            "Farthest from all, t",
            fixed(shown.closeness, 3),
            false,
            "t-closeness: how far the secrets of a class are from those of all",
          ),
        );
    }
    const { removals } = shown ?? { removals: null };
    rows.push(
      row(
        "Change in group size, s",
        removals
          ? `${removals.sampled === null ? "" : "≥ "}${fixed(removals.largest, 0)}`
          : shown?.removals === null
            ? "–"
            : "…",
      ),
    );
    renew(list, ...rows);
    renew(measures, ...few);
    more.hidden = few.length === 0;
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      for (const part of [size, published, many]) part.destroy();
      el.remove();
    },
  };
}

/** A heading for what is published: "How the count hides one patient". */
export function hidingTitle(kind: "count" | "sum" | "records", noun: string): string {
  return `How the ${kind} ${kind === "records" ? "hide" : "hides"} one ${noun}`;
}
