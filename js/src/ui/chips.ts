/**
 * Chips: one for each tuple, on (known), off (not known) or the one target (attacked), each with the
 * menu of its values if there are any. The arrows move among the chips, Space toggles, A makes a tuple the target.
 */
import { BOX, BOX_CHECKED, component, DOWN, h, icon, listen, setAttr, setAttrs, setText, TARGET, type Component } from "./dom";
import { clip, textWidth } from "./lettering";

export type ChipState = "known" | "unknown" | "attacked";

export interface Chip {
  name: string;
  state: ChipState;
  values: string[];
  value: number;
  /** Stands in the menu instead, while that is off. */
  instead?: string;
}

export interface ChipsProps {
  chips: Chip[];
  /** What the whole list is, for screen readers. */
  label: string;
  /** Stands beside the value menu of the target. */
  targetCaption: string;
  /** Why the value menus are without effect; then they are off. */
  valuesOff?: string | null;
  disabled: boolean;
}

export interface ChipsEvents {
  onToggle(index: number, known: boolean): void;
  onTarget(index: number): void;
  onValue(index: number, value: number): void;
}

const ICONS: Record<ChipState, string> = { attacked: TARGET, known: BOX_CHECKED, unknown: BOX };
/** Longer names are cut on screen and in menus; the whole name stays in the title. */
const LONGEST = 60;
/** Up to this width, px, a name leaves room for the word of its state. */
const WORD = 44;

const short = (name: string): string => clip(name, LONGEST);

export function createChips(initial: ChipsProps, events: ChipsEvents): Component<ChipsProps> {
  let props = initial;
  let current = 0;
  const el = h("div", { class: "chips", role: "group" });
  const rows: Row[] = [];

  interface Row {
    el: HTMLElement;
    kind: "toggle" | "target";
    focus(): void;
    update(chip: Chip): void;
  }

  const toggles = (): number[] => props.chips.flatMap((chip, k) => (chip.state === "attacked" ? [] : [k]));

  function valueMenu(index: number): { el: HTMLElement; update(chip: Chip): void } {
    const select = h("select", { class: "chip-value" });
    const frame = h("span", { class: "select-frame" }, select, h("span", { class: "select-arrow" }, icon(DOWN, 13)));
    listen(select, "change", () => events.onValue(index, select.selectedIndex));
    let drawn: string[] | null = null;
    return {
      el: frame,
      update(chip) {
        frame.hidden = chip.values.length === 0;
        const texts = chip.instead === undefined ? chip.values : [chip.instead];
        if (!drawn || drawn.length !== texts.length || drawn.some((v, k) => v !== texts[k])) {
          drawn = texts.slice();
          select.replaceChildren(...texts.map((v) => h("option", {}, short(v) || "(empty)")));
        }
        const at = chip.instead === undefined ? chip.value : 0;
        if (select.selectedIndex !== at) select.selectedIndex = at;
        const use = chip.state === "attacked" ? `, ${props.targetCaption}` : chip.state === "unknown" ? ", not used while not known" : "";
        const off = props.valuesOff ?? null;
        setAttrs(select, {
          "aria-label": `Value of ${short(chip.name)}${off === null ? use : `, ${off}`}`,
          title:
            off === null
              ? (chip.values[chip.value] ?? null)
              : chip.instead !== undefined && chip.values.includes(chip.instead)
                ? `${chip.instead}: ${off}`
                : off,
        });
        select.disabled = props.disabled || off !== null;
        frame.classList.toggle("select-quiet", chip.state === "unknown" || off !== null);
      },
    };
  }

  function toggleRow(index: number): Row {
    const name = h("span", { class: "chip-name" });
    const word = h("span", { class: "chip-word" });
    const glyph = h("span", { class: "chip-icon" });
    const button = h("button", { type: "button", class: "chip" }, glyph, name, word);
    const menu = valueMenu(index);
    const row = h("div", { class: "chip-row" }, h("span", { class: "chip-cell" }, button), menu.el);
    listen(button, "click", () => {
      current = index;
      const chip = props.chips[index];
      if (chip && !props.disabled) events.onToggle(index, chip.state !== "known");
    });
    listen(button, "focus", () => {
      current = index;
      rove();
    });
    listen(button, "keydown", (event) => onKey(event, index));
    return {
      el: row,
      kind: "toggle",
      focus: () => button.focus(),
      update(chip) {
        const known = chip.state === "known";
        button.classList.toggle("chip-on", known);
        setAttrs(button, {
          "aria-pressed": String(known),
          "aria-keyshortcuts": "A",
          title: `${short(chip.name)}: ${known ? "known" : "not known"}. Space changes it, A attacks this one instead`,
        });
        setText(name, short(chip.name));
        // A long name needs the room: the box, the border and the title say it too.
        setText(word, known && textWidth(chip.name, 12, true) < WORD ? ", known" : "");
        glyph.replaceChildren(icon(ICONS[chip.state], 13));
        setAttr(button, "aria-label", `${short(chip.name)}, known`);
        button.disabled = props.disabled;
        menu.update(chip);
      },
    };
  }

  function targetRow(index: number): Row {
    const name = h("span", { class: "chip-name" });
    const choose = h("select", { class: "chip-choose" });
    const chipEl = h(
      "span",
      { class: "chip chip-target" },
      icon(ICONS.attacked, 13),
      name,
      h("span", { class: "chip-word" }, ", attacked"),
      icon(DOWN, 13),
      choose,
    );
    const caption = h("span", { class: "chip-caption" });
    const menu = valueMenu(index);
    const row = h("div", { class: "chip-row chip-row-target" }, chipEl, caption, menu.el);
    listen(choose, "change", () => {
      const next = choose.selectedIndex;
      if (next !== index) events.onTarget(next);
      choose.selectedIndex = index;
    });
    return {
      el: row,
      kind: "target",
      focus: () => choose.focus(),
      update(chip) {
        setText(name, short(chip.name));
        setText(caption, props.targetCaption);
        setAttrs(choose, { "aria-label": "Attacked tuple", title: `${short(chip.name)}, attacked. Choose which one is attacked` });
        choose.replaceChildren(...props.chips.map((c) => h("option", {}, short(c.name) || "(no name)")));
        choose.selectedIndex = index;
        choose.disabled = props.disabled || props.chips.length < 2;
        setAttr(chipEl, "data-disabled", props.disabled);
        menu.update(chip);
      },
    };
  }

  function onKey(event: KeyboardEvent, index: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = toggles();
    const at = all.indexOf(index);
    let to: number | undefined;
    if (event.key === "ArrowDown" || event.key === "ArrowRight") to = all[(at + 1) % all.length];
    else if (event.key === "ArrowUp" || event.key === "ArrowLeft") to = all[(at + all.length - 1) % all.length];
    else if (event.key === "Home") to = all[0];
    else if (event.key === "End") to = all[all.length - 1];
    else if (event.key === "a" || event.key === "A") {
      event.preventDefault();
      events.onTarget(index);
      return;
    }
    if (to === undefined) return;
    event.preventDefault();
    current = to;
    rove();
    rows[to]?.focus();
  }

  function rove(): void {
    const all = toggles();
    if (!all.includes(current)) current = all[0] ?? 0;
    rows.forEach((row, k) => {
      if (row.kind === "toggle") setAttr(row.el.querySelector(".chip") as Element, "tabindex", k === current ? 0 : -1);
    });
  }

  function draw(): void {
    setAttr(el, "aria-label", props.label);
    const kind = (chip: Chip): Row["kind"] => (chip.state === "attacked" ? "target" : "toggle");
    const focused = rows.findIndex((row) => row.el.contains(document.activeElement) || row.el.contains(rootActive(el)));
    props.chips.forEach((chip, k) => {
      const old = rows[k];
      if (old && old.kind === kind(chip)) return;
      const row = kind(chip) === "target" ? targetRow(k) : toggleRow(k);
      if (old) old.el.replaceWith(row.el);
      else el.append(row.el);
      rows[k] = row;
    });
    while (rows.length > props.chips.length) rows.pop()?.el.remove();
    props.chips.forEach((chip, k) => rows[k]?.update(chip));
    rove();
    // A row that changed its kind under the focus hands it on to the new one.
    if (focused >= 0 && rows[focused] && !rows[focused].el.contains(rootActive(el))) rows[focused].focus();
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  });
}

function rootActive(el: Element): Element | null {
  const root = el.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}
