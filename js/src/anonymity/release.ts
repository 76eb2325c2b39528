/** The release: how large classes are, what is published beside them, and what they give away. */
import { plural } from "../explorer/words";
import { fold, h, renew, setAttr, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { inlineMark } from "../ui/marks";
import { ENTRY } from "../ui/scale";
import type { Change } from "../ui/slider";
import { createGroupSize } from "./amounts";
import { createChoice } from "./choice";
import { createOptionalNumber, type OptionalNumberProps } from "./optional-number";
import type { ReleaseChoice } from "./protocol";
import { amountText, readWhole, refuseCount } from "./refusals";
import type { Shown } from "./results";

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
