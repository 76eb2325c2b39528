/** Which mechanisms release the stream side by side: chips to take away, chips to add, and a menu of the rest. */
import { createMenu, type MenuItem } from "../ui/choosing";
import { DOWN, h, icon, listen, setAttrs, setText, type Component } from "../ui/dom";
import { clip } from "../ui/lettering";
import { keptLines, laneSample, type LinesByLane } from "./lane-lines";
import type { MechanismChoice } from "./protocol";

export const MOST_LANES = 4;
/** Offered without opening the menu. */
const OFFERED = 2;
const PLUS = "M8 3v10M3 8h10";
const TIMES = "M4 4l8 8M12 4l-8 8";

export interface LaneChipsProps {
  menu: readonly MechanismChoice[];
  lanes: readonly string[];
  /** Of the lanes that are shown. */
  lines: LinesByLane;
  disabled: boolean;
}

export function createLaneChips(initial: LaneChipsProps, home: HTMLElement, onLanes: (lanes: string[]) => void): Component<LaneChipsProps> {
  let props = initial;
  const list = h("div", { class: "sx-chips", role: "group", "aria-label": "Lanes" });
  const offers = h("div", { class: "sx-chips" });
  const el = h("div", { class: "px-field" }, h("span", { class: "label" }, "Lanes, up to four"), list, offers);
  const menu = createMenu(home, "Mechanisms");
  const more = h(
    "button",
    { type: "button", class: "chip", "aria-haspopup": "menu", "aria-expanded": "false" },
    icon(PLUS, 13),
    h("span", { class: "chip-name" }, "more"),
    icon(DOWN, 13),
  );
  listen(more, "click", () => more.getAttribute("aria-disabled") === null && menu.open(more, items()));
  let drawn = "";

  const free = (): MechanismChoice[] => props.menu.filter(({ key }) => !props.lanes.includes(key));

  function items(): MenuItem[] {
    return free().map(({ key, label, private: safe, why }) => ({
      label: why === null ? label : `${label}. ${why}`,
      title: why ?? (safe ? "Its promise holds for every belief" : "Its promise may break"),
      disabled: why !== null,
      run: () => onLanes([...props.lanes, key]),
    }));
  }

  function remove(key: string, at: number): void {
    if (props.disabled || props.lanes.length < 2) return;
    onLanes(props.lanes.filter((lane) => lane !== key));
    // The next one is at hand.
    queueMicrotask(() => (list.querySelectorAll<HTMLElement>(".sx-remove")[Math.min(at, props.lanes.length - 1)] ?? more).focus());
  }

  function draw(): void {
    const key = JSON.stringify([props.lanes, props.lines, props.menu, props.disabled]);
    if (key === drawn) return;
    drawn = key;
    const named = new Map(props.menu.map((choice) => [choice.key, choice]));
    const single = props.lanes.length < 2;
    const lines = keptLines(props.lines, props.lanes);
    list.replaceChildren(
      ...props.lanes.map((lane, k) => {
        const choice = named.get(lane);
        const name = choice?.short ?? lane;
        const off = h(
          "button",
          {
            type: "button",
            class: "sx-remove",
            "aria-label": `Take ${name} away`,
            title: single ? "One lane stays" : `Take ${name} away`,
            "aria-disabled": single || props.disabled ? "true" : null,
          },
          icon(TIMES, 13),
        );
        listen(off, "click", () => remove(lane, k));
        return h(
          "span",
          { class: "chip chip-on sx-chip", title: choice?.label ?? lane },
          laneSample(lines[lane] ?? k),
          h("span", { class: "chip-name" }, clip(name, 40)),
          off,
        );
      }),
    );
    const full = props.lanes.length >= MOST_LANES;
    const offered = full ? [] : free().filter(({ why }) => why === null).slice(0, OFFERED);
    offers.replaceChildren(
      ...offered.map((choice) => {
        const add = h(
          "button",
          { type: "button", class: "chip", title: `Add: ${choice.label}` },
          icon(PLUS, 13),
          h("span", { class: "chip-name" }, clip(choice.short, 40)),
        );
        add.disabled = props.disabled;
        listen(add, "click", () => {
          onLanes([...props.lanes, choice.key]);
          queueMicrotask(() => more.focus());
        });
        return add;
      }),
      more,
    );
    setAttrs(more, { "aria-disabled": full || props.disabled ? "true" : null, title: full ? "Four lanes are there: take one away first" : "More mechanisms" });
    setText(more.querySelector(".chip-name") as Element, full ? "four are there" : "more");
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      menu.destroy();
      el.remove();
    },
  };
}
