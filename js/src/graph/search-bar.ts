/**
 * The search over a table of adversaries: a field for names, one chip for each tuple (any, known, not
 * known), menus for the attacked tuple, the layer and the estimate, and what was found in words.
 */
import { button, CHECK, h, icon, listen, setAttr, setAttrs, setText } from "../ui/dom";
import { fixed } from "../ui/format";
import { clip } from "../ui/lettering";
import type { GraphMeasure } from "../ui/protocol";
import type { NameBook } from "./data";
import { countWords, isFiltered, NO_FILTERS, parseTuples, typedTuples, type Filters } from "./search";

export interface SearchBarProps {
  filters: Filters;
  names: NameBook;
  n: number;
  /** How many fit; null while that is being found out. */
  count: number | null;
  total: number;
  /** The threshold, and what stands behind it. */
  line: number;
  measure: GraphMeasure | undefined;
  /** The paper's estimate is there and may be searched by. */
  estimate: boolean;
  /** How often it is too low and too high; null when that is not known. */
  apart: readonly [number, number] | null;
  disabled: boolean;
}

export interface SearchBar {
  readonly el: HTMLElement;
  update(props: SearchBarProps): void;
  destroy(): void;
}

/** Quiet for this long, what is typed so far is searched for, in milliseconds. */
export const TYPED_AFTER = 250;

type Role = "any" | "known" | "not";
const NEXT: Record<Role, Role> = { any: "known", known: "not", not: "any" };
const SAID: Record<Role, string> = { any: "known or not", known: "known", not: "not known" };
const CROSS = "M4.5 4.5l7 7M11.5 4.5l-7 7";
/** Longer names are cut on chips and in menus. */
const LONGEST = 40;

let bars = 0;

export function createSearchBar(onFilter: (filters: Filters) => void): SearchBar {
  bars += 1;
  const id = `lg-search-${bars}-${Math.random().toString(36).slice(2, 8)}`;
  let props: SearchBarProps | null = null;
  let drawnNames: NameBook | null = null;
  let chips: HTMLButtonElement[] = [];
  let stop = 0;
  /** What stands in the field is being typed: it is searched for, but not rewritten. */
  let typing = false;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const found = h("p", { class: "lg-subhead lg-found", role: "status" });
  const clear = button("Clear search", { class: "button lg-clear" });
  const field = h("input", { type: "text", class: "lg-field", id, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-note` });
  const group = h("div", { class: "lg-chips", role: "group", "aria-label": "Tuples: press to search for known, not known, or either" });
  const about = menu("About");
  const unknown = menu("Unknown");
  const estimate = menu("Estimate");
  const above = h("input", { type: "checkbox" });
  const aboveText = h("span");
  const aboveSwitch = h("label", { class: "lg-switch nowrap" }, above, aboveText);
  const note = h("p", { class: "lg-note", id: `${id}-note`, role: "alert" });
  const el = h(
    "div",
    { class: "lg-search", role: "search", "aria-label": "Search adversaries" },
    h("div", { class: "lg-ask" }, h("label", { class: "lg-who", for: id }, "Who knows"), field, clear),
    note,
    group,
    h("div", { class: "lg-menus" }, about.el, unknown.el, estimate.el, aboveSwitch),
    found,
  );

  function menu(label: string): { el: HTMLElement; select: HTMLSelectElement; fill(options: string[]): void } {
    const select = h("select", { class: "lg-select", "aria-label": label });
    let drawn = "";
    return {
      el: h("label", { class: "lg-menu" }, h("span", { "aria-hidden": "true" }, label), select),
      select,
      fill(options) {
        const key = options.join("\n");
        if (key === drawn) return;
        drawn = key;
        select.replaceChildren(...options.map((text, k) => h("option", { value: k }, text)));
      },
    };
  }

  function ask(patch: Partial<Filters>): void {
    if (props && !props.disabled) onFilter({ ...props.filters, ...patch });
  }

  function say(text: string): void {
    setText(note, text);
    setAttr(field, "aria-invalid", text ? "true" : null);
  }
  say("");

  listen(field, "input", () => {
    typing = true;
    forget();
    timer = setTimeout(readSoFar, TYPED_AFTER);
  });
  listen(field, "change", read);
  listen(field, "keydown", (event) => {
    if (event.key === "Enter") read();
    if (event.key === "Escape") settle();
  });

  function forget(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  /** The field says what is searched for; what was typed and not read is given up. */
  function settle(): void {
    forget();
    typing = false;
    if (props) field.value = typedTuples(props.filters, props.names);
    say("");
  }

  /** Half a name is no error while it is being typed. */
  function readSoFar(): void {
    timer = null;
    if (!props) return;
    const parsed = parseTuples(field.value, props.names);
    if (!parsed.ok) return;
    say("");
    const { knows, lacks } = parsed;
    if (knows.join() !== props.filters.knows.join() || lacks.join() !== props.filters.lacks.join()) ask({ knows, lacks });
  }

  function read(): void {
    forget();
    typing = false;
    if (!props) return;
    const parsed = parseTuples(field.value, props.names);
    say(parsed.ok ? "" : parsed.reason);
    if (!parsed.ok) return;
    const { knows, lacks } = parsed;
    if (knows.join() === props.filters.knows.join() && lacks.join() === props.filters.lacks.join()) field.value = typedTuples(parsed, props.names);
    else ask({ knows, lacks });
  }
  listen(clear, "click", () => {
    forget();
    typing = false;
    say("");
    field.value = "";
    ask(NO_FILTERS);
    field.focus();
  });
  listen(about.select, "change", () => ask({ about: about.select.selectedIndex - 1 < 0 ? null : about.select.selectedIndex - 1 }));
  listen(unknown.select, "change", () => ask({ unknown: unknown.select.selectedIndex || null }));
  listen(estimate.select, "change", () => ask({ only: (["all", "low", "high"] as const)[estimate.select.selectedIndex] ?? "all" }));
  listen(above, "change", () => ask({ above: above.checked }));
  listen(group, "keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    stopAt((stop + by + chips.length) % chips.length);
    chips[stop]?.focus();
  });

  function stopAt(tuple: number): void {
    stop = tuple;
    chips.forEach((chip, k) => setAttr(chip, "tabindex", k === stop ? 0 : -1));
  }

  function roleOf(tuple: number): Role {
    if (props?.filters.knows.includes(tuple)) return "known";
    return props?.filters.lacks.includes(tuple) ? "not" : "any";
  }

  function toggle(tuple: number): void {
    if (!props) return;
    forget();
    typing = false;
    const next = NEXT[roleOf(tuple)];
    const without = (list: number[]): number[] => list.filter((k) => k !== tuple);
    const within = (list: number[]): number[] => [...without(list), tuple].sort((a, b) => a - b);
    const { knows, lacks } = props.filters;
    say("");
    stopAt(tuple);
    ask({ knows: next === "known" ? within(knows) : without(knows), lacks: next === "not" ? within(lacks) : without(lacks) });
  }

  function buildChips(names: NameBook): void {
    drawnNames = names;
    chips = names.full.map((name, tuple) => {
      const chip = h("button", { type: "button", class: "lg-chip", title: clip(name, 200) });
      listen(chip, "click", () => toggle(tuple));
      return chip;
    });
    group.replaceChildren(...chips);
    stopAt(0);
    const hint = names.full.slice(0, 3).map((name) => clip(name, 12));
    setAttr(field, "placeholder", hint.length < 3 ? hint.join(", ") : `${hint[0]}, ${hint[1]}, not ${hint[2]}`);
  }

  return {
    el,
    update(next) {
      const before = props?.filters;
      props = next;
      const { filters, names, n, disabled } = next;
      if (names !== drawnNames) {
        buildChips(names);
        forget();
        typing = false;
        field.value = "";
        say("");
      }
      const typed = typedTuples(filters, names);
      const moved = !before || before.knows.join() !== filters.knows.join() || before.lacks.join() !== filters.lacks.join();
      // What is being typed stays until it is entered.
      if (moved && !typing) field.value = typed;
      field.disabled = disabled;
      chips.forEach((chip, tuple) => {
        const role = roleOf(tuple);
        if (chip.dataset.role !== role) {
          chip.dataset.role = role;
          const sign = role === "known" ? icon(CHECK, 12) : role === "not" ? icon(CROSS, 12) : null;
          chip.replaceChildren(...(sign ? [sign] : []), h("span", {}, clip(names.full[tuple] as string, LONGEST, names.full)));
          setAttr(chip, "aria-label", `${names.spoken[tuple]}: ${SAID[role]}`);
        }
        chip.disabled = disabled;
      });
      const short = names.full.map((name) => clip(name, LONGEST, names.full));
      about.fill(["any", ...short]);
      unknown.fill(["any", ...Array.from({ length: n }, (_, k) => String(k + 1))]);
      const times = (k: 0 | 1): string => (next.apart ? ` (${fixed(next.apart[k], 0)})` : "");
      estimate.fill(["any", `too low${times(0)}`, `too high${times(1)}`]);
      about.select.selectedIndex = filters.about === null ? 0 : filters.about + 1;
      unknown.select.selectedIndex = filters.unknown ?? 0;
      estimate.select.selectedIndex = ["all", "low", "high"].indexOf(filters.only);
      estimate.el.hidden = !next.estimate;
      for (const { select } of [about, unknown, estimate]) select.disabled = disabled;
      setText(aboveText, "above threshold");
      setAttrs(above, { disabled });
      above.checked = filters.above;
      clear.hidden = !isFiltered(filters);
      clear.disabled = disabled;
      setText(found, countWords(next.count, next.total, filters, names, next.line, next.measure) + (next.count === 0 ? reason(next) : ""));
    },
    destroy: forget,
  };
}

/** Why nobody fits, where the filters alone say it. */
function reason({ filters, names }: SearchBarProps): string {
  if (filters.about !== null && filters.knows.includes(filters.about)) return `. Who attacks ${names.spoken[filters.about]} does not know it.`;
  const { unknown, knows, lacks } = filters;
  if (unknown !== null && knows.length > names.full.length - unknown) return `. With ${unknown} unknown, only ${names.full.length - unknown} tuples are known.`;
  if (unknown !== null && lacks.length > unknown) return `. With ${unknown} unknown, no more than ${unknown} are not known.`;
  return ".";
}
