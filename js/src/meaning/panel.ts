/** "What it means": the leakage of one adversary as chances to guess right, best tests and a profile; the same in all explorers. */
import type { Law } from "../compute/best-test";
import { guessing, measures, worstDelta, type Meaning } from "../compute/meaning";
import { fold, h, listen, renew, setText, type Component } from "../ui/dom";
import { amount, leakage } from "../ui/format";
import { fit, inQuotes } from "../ui/lettering";
import { balanced, budgetEnd, createProfile, createTests, hitsAt, keyOf, percent, small, type ChartProps } from "./charts";
import type { Promised } from "./promise";
import { leakageUnit } from "../ui/preferences";

/** Whose laws are shown, where there are several. */
export interface Subjects {
  names: readonly string[];
  chosen: number;
  onChoose(chosen: number): void;
}

export interface MeaningProps {
  /** The laws of the labels that can occur; null while there are none to speak of. */
  meaning: Meaning | null;
  /** Their names. */
  labels: readonly string[];
  /** What is attacked, as it stands in a sentence. */
  name: string;
  /** The two labels that the leakage is attained between, the one looked for last. */
  pair: [number, number];
  /** Opens the sentence where nothing says how likely the labels are: "Of two values of x that are 1 apart"; else empty. */
  between: string;
  promise: Promised;
  /** Said of the numbers where they are not those of the whole law; empty where they are exact. */
  caution: string;
  /** Of the panel, px. */
  width: number;
  busy: boolean;
  disabled: boolean;
  /** What stands here when there is nothing to say. */
  emptyText: string;
  subjects?: Subjects;
}

/** From here on the two charts stand side by side, px. */
const BESIDE = 520;
const GAP = 32;
const ALARMS = 0.05;

export function createMeaning(initial: MeaningProps): Component<MeaningProps> {
  let props = initial;
  /** Ways of looking: they are this view's own. */
  let alarms = ALARMS;
  let budget: number | null = null;
  let chosen: { of: string; pair: [number, number] } | null = null;

  const note = h("span", { class: "muted" });
  const lead = h("p", { class: "wm-lead" });
  const subjects = h("select", { class: "wm-choice", "aria-label": "Release" });
  const released = h("p", { class: "wm-pair" }, "Released by ", subjects);
  listen(subjects, "change", () => props.subjects?.onChoose(subjects.selectedIndex));
  const pairs = [choice("looked for", 1), choice("mistaken for it", 0)] as const;
  const which = h("p", { class: "wm-pair" }, "Tell ", pairs[0].el, " from ", pairs[1].el);
  const tests = createTests(chartProps(), (at) => {
    alarms = at;
    draw();
  });
  const profile = createProfile(chartProps(), (at) => {
    budget = at;
    draw();
  });
  const [found, beyond] = [h("p", { class: "small wm-words" }), h("p", { class: "small wm-words" })];
  const keys = h("span", { class: "wm-key" });
  const looked = h("span");
  const rows = h("tbody");
  const all = fold(
    "All measures",
    h(
      "table",
      { class: "wm-table" },
      h("thead", {}, h("tr", {}, ...["measure", "exact", "at most, from the leakage", "unit"].map((head) => h("th", { scope: "col" }, head)))),
      rows,
    ),
  ) as HTMLDetailsElement;
  const body = h(
    "div",
    {},
    which,
    h(
      "div",
      { class: "wm-charts" },
      h(
        "div",
        {},
        h("h4", {}, "The best test: how often it finds ", looked, h("span", { class: "wm-key" }, keyOf("exact", "exact"), keyOf("promise", "promise"))),
        tests.el,
        found,
      ),
      h("div", {}, h("h4", {}, "δ beyond a budget", keys), profile.el, beyond),
    ),
    all,
  );
  const el = h(
    "section",
    { class: "panel wm", "aria-label": "What it means" },
    h("h3", { class: "panel-head" }, h("span", {}, "What it means"), note),
    released,
    lead,
    body,
  );
  listen(all, "toggle", () => drawTable());

  /** One of the two labels. */
  function choice(name: string, at: 0 | 1): { el: HTMLElement; update(labels: readonly string[], value: number): void } {
    const select = h("select", { class: "wm-choice", "aria-label": `Label ${name}` });
    listen(select, "change", () => {
      const now: [number, number] = [...pairNow()];
      const other = now[1 - at] as number;
      now[at] = select.selectedIndex;
      // The two change places rather than be one.
      if (now[at] === other) now[1 - at] = pairNow()[at];
      chosen = { of: subject(), pair: now };
      draw();
    });
    return {
      el: select,
      update(labels, value) {
        offer(select, labels, value);
      },
    };
  }

  function offer(select: HTMLSelectElement, names: readonly string[], value: number): void {
    const texts = names.map((name) => fit(name, 120) || "(empty)");
    if (texts.join("\n") !== [...select.options].map((one) => one.text).join("\n")) renew(select, ...texts.map((name) => h("option", {}, name)));
    select.selectedIndex = value;
    select.disabled = props.disabled;
  }

  function subject(): string {
    return `${props.name}\n${props.labels.join("\n")}`;
  }

  /** The pair that was chosen for these labels, else that of the leakage. */
  function pairNow(): [number, number] {
    return chosen?.of === subject() ? chosen.pair : props.pair;
  }

  function chartProps(): ChartProps {
    const half = props.width >= BESIDE ? (props.width - GAP) / 2 : props.width;
    return {
      law: props.meaning?.law ?? NOTHING,
      pair: props.meaning ? pairNow() : [0, 1],
      promise: props.promise,
      at: alarms,
      width: Math.max(200, Math.floor(half)),
      disabled: props.disabled,
    };
  }

  function draw(): void {
    const { meaning, busy } = props;
    const shown = meaning !== null && !busy;
    body.hidden = meaning === null;
    const among = props.subjects;
    released.hidden = !among || among.names.length < 2;
    if (among) offer(subjects, among.names, among.chosen);
    el.classList.toggle("wm-busy", busy);
    setText(note, busy ? "being computed" : meaning ? props.caution || "drag the lines" : "");
    if (!meaning) return setText(lead, busy ? "…" : props.emptyText);
    renew(lead, ...(shown ? sentence(props, meaning) : ["…"]));
    if (busy) return;
    const pair = pairNow();
    which.hidden = props.labels.length < 3;
    pairs[0].update(props.labels, pair[1]);
    pairs[1].update(props.labels, pair[0]);
    const drawn = chartProps();
    const end = budgetEnd(drawn);
    const epsilon = Math.min(end, budget ?? Math.min(props.promise.nats, end) / 2);
    tests.update(drawn);
    profile.update({ ...drawn, at: epsilon });
    const label = props.labels[pair[1]] ?? "";
    const other = props.labels[pair[0]] ?? "";
    setText(looked, said(label));
    renew(keys, keyOf("exact", "worst"), keyOf("promise", "promise"), keyOf("over", `${short(label)} over ${short(other)}`), keyOf("back", "back"));
    const [hits, most] = [hitsAt(meaning.law, pair, alarms), 1 - props.promise.missed(...pair, alarms)];
    renew(
      found,
      `With ${percent(alarms)} false alarms the best test finds `,
      h("b", {}, percent(hits)),
      ` of ${said(label)}; the promise allows ${percent(most)}. `,
      `It tells the two apart in ${Math.round(100 * balanced(meaning.law, pair))} of 100 balanced tries.`,
    );
    const delta = worstDelta(meaning.law, epsilon);
    renew(beyond, `At ε = ${amount(epsilon)} nats δ is `, h("b", {}, small(delta)), `; the promise allows ${small(props.promise.delta(epsilon))}.`);
    drawTable();
  }

  /** Integrals take milliseconds: they wait until somebody looks. */
  function drawTable(): void {
    const { meaning, busy } = props;
    if (!all.open || !meaning || busy) return;
    const write = (value: number, unit: string): string => (unit === "nats" ? leakage(value) : unit ? amount(value) : value.toFixed(3));
    renew(
      rows,
      ...measures(meaning, ...pairNow()).map(({ key, name, value, bound, unit }) =>
        h(
          "tr",
          { "data-key": key },
          h("th", { scope: "row" }, name),
          h("td", {}, write(value, unit)),
          h("td", {}, write(bound, unit)),
          h("td", {}, unit === "nats" ? leakageUnit() : unit),
        ),
      ),
    );
  }

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      tests.destroy();
      profile.destroy();
      el.remove();
    },
  };
}

const NOTHING: Law = { kind: "channel", rows: [Float64Array.of(1), Float64Array.of(1)] };

/** What the surest answer does. */
function surely(surest: number): (Node | string)[] {
  if (surest > 1 - 1e-12) return ["; some answers leave no doubt."];
  const sure = surest > 0.9995 ? "almost 100\u00a0%" : percent(surest);
  return [", and no answer makes anyone surer than ", h("b", {}, sure), "."];
}

const short = (label: string): string => fit(label, 60, 11);
const said = (label: string): string => inQuotes(label, fit(label, 80, 12));

/** The chance to guess right before and after, and how sure any answer makes. */
function sentence({ labels, name, between }: MeaningProps, meaning: Meaning): (Node | string)[] {
  const { before, after, best, low, high, surest } = guessing(meaning);
  const same = percent(before) === percent(after);
  const bold = (text: string): Node => h("b", {}, text);
  if (between)
    return [
      `${between}, equally likely beforehand, a guess finds the right one in `,
      bold(percent(before)),
      " of cases before the release and in ",
      bold(percent(after)),
      " after it",
      ...surely(surest),
    ];
  return [
    `A guess of ${name} is right in `,
    bold(percent(before)),
    " of cases before the release and ",
    ...(same ? ["as often after it"] : ["in ", bold(percent(after)), " after it"]),
    ...surely(surest),
    ` The belief in “${fit(labels[best] ?? "", 80, 12)}” may end between ${percent(low)} and ${percent(high)}.`,
  ];
}
