/** The adversary: how much it knows, and how many records hide the others. */
import { createSegments, type SegmentsProps } from "../ui/choosing";
import { fold, h, renew, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import type { Change } from "../ui/slider";
import { amountText, createNeighbourhood, createShare } from "./amounts";
import type { Level } from "./protocol";
import type { Shown } from "./results";

export interface AdversaryProps {
  level: Level;
  known: number;
  neighbours: number;
  records: number;
  /** What is counted, in words; null for sums. */
  counted: string | null;
  shown: Shown | null;
  busy: boolean;
  disabled: boolean;
}

export interface AdversaryEvents {
  onLevel(level: Level): void;
  onKnown(share: number, how: Change): void;
  onNeighbours(value: number, how: Change): void;
  onRefused(reason: string | null): void;
}

const LEVELS: SegmentsProps<Level>["options"] = [
  { value: "I", text: "Nothing" },
  { value: "II", text: "Dependence" },
  { value: "III", text: "Values" },
  { value: "IV", text: "Both" },
];

const KNOWS: Record<Level, string> = {
  I: "Level I: knows no record, only how large a change can be.",
  II: "Level II: knows which records depend on each other.",
  III: "Level III: knows the exact values of a share of the records.",
  IV: "Level IV: knows the values of a share, and which records depend on each other.",
};

export function createAdversary(initial: AdversaryProps, events: AdversaryEvents): Component<AdversaryProps> {
  const level = createSegments(levelProps(initial), events.onLevel);
  const share = createShare(
    { value: initial.known, disabled: initial.disabled },
    { onChange: events.onKnown, onRefused: events.onRefused },
  );
  const neighbours = createNeighbourhood(
    { value: initial.neighbours, records: initial.records, disabled: initial.disabled },
    { onChange: events.onNeighbours, onRefused: events.onRefused },
  );
  const knows = h("p", { class: "small muted kx-knows" });
  const list = h("dl", { class: "px-promise" });
  const others = h("dl", { class: "px-promise" });
  const el = h(
    "section",
    { class: "panel kx-adversary", "aria-label": "Adversary" },
    h("h3", { class: "panel-head" }, h("span", {}, "Adversary"), h("span", { class: "muted" }, "knows")),
    level.el,
    knows,
    share.el,
    neighbours.el,
    list,
    fold("More of the adversary", others),
  );

  function levelProps({ level: value, disabled }: AdversaryProps): SegmentsProps<Level> {
    return { label: "Level of the adversary", options: LEVELS, value, disabled };
  }

  function draw(props: AdversaryProps): void {
    const { known, neighbours: most, records, counted, shown, busy, disabled } = props;
    level.update(levelProps(props));
    setText(knows, KNOWS[props.level]);
    const shares = props.level === "III" || props.level === "IV";
    const depends = props.level === "II" || props.level === "IV";
    share.el.hidden = !shares;
    share.update({ value: known, disabled: disabled || !shares });
    neighbours.el.hidden = !depends;
    neighbours.update({ value: most, records, disabled: disabled || !depends });
    const row = (term: string, value: string, title: string | null = null): HTMLElement =>
      h("div", {}, h("dt", { title }, term), h("dd", {}, busy || !shown ? "…" : value));
    renew(
      list,
      row("Unknown others m", fixed(shown?.unknown ?? 0, 0)),
      ...(counted === null || shown?.share == null ? [] : [row(`Share with ${counted}`, fixed(shown.share, shown.share < 0.1 && shown.share > 0 ? 3 : 2))]),
    );
    renew(
      others,
      row("Spread of their sum", shown ? amountText(Number(shown.spread.toPrecision(3))) : "", "Standard deviation of the sum of the unknown others"),
      row("Change in released sum", shown ? amountText(shown.shift) : "", "How far the record of the target moves what is published"),
    );
  }

  draw(initial);
  return {
    el,
    update: draw,
    destroy() {
      for (const part of [level, share, neighbours]) part.destroy();
      el.remove();
    },
  };
}
