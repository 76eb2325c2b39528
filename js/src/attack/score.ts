/**
 * The score of this victim and this noise: bits split by where they come from, the mass on the true cell, and the
 * error.
 */
import { createStale } from "../explorer/top";
import { apart, axisText, linear, niceCeiling, rule } from "../ui/axes";
import { h, renew, s, setAttr, setText, text, type Component } from "../ui/dom";
import { fixed, probability, tick } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { inlineMark, mark } from "../ui/marks";
import type { Attack } from "./results";
import { COMPUTED } from "./screen";
import { bits, bitsInTable, km } from "./words";

// The printed score of each attack as a bar: hatched is what was known before, solid is what the release adds.

export interface SplitBarsProps {
  attacks: readonly [Attack, Attack] | null;
  busy: boolean;
  width: number;
}

const BARS_HEIGHT = 150;
const ROW = 58;
const AXIS = 124;
const EDGE = 6;

let hatches = 0;

/** Ends of the axis: round, and wide enough for both bars. */
export function barEnds(attacks: readonly [Pick<Attack, "gap" | "printed">, Pick<Attack, "gap" | "printed">]): [number, number] {
  const values = [0, ...attacks.flatMap(({ gap, printed }) => [gap, printed])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [low < -1e-6 ? -niceCeiling(-low) : 0, high > 1e-6 ? niceCeiling(high, [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10]) : 1];
}

function createSplitBars(initial: SplitBarsProps): { el: HTMLElement; update(props: SplitBarsProps): void } {
  hatches += 1;
  const id = `ax-hatch-${hatches}-${Math.random().toString(36).slice(2, 8)}`;
  const el = h("div", { class: "ax-split" });

  function draw({ attacks, busy, width }: SplitBarsProps): void {
    setAttr(el, "data-old", busy);
    const said =
      attacks && !busy
        ? attacks
            .map(
              ({ gap, adds, printed }, k) =>
                `attack ${k + 1}: gap ${bits(gap)}, release ${bits(adds)}, as printed ${bits(printed)}`,
            )
            .join("; ")
        : "being computed";
    const svg = s("svg", {
      width,
      height: BARS_HEIGHT,
      viewBox: `0 0 ${width} ${BARS_HEIGHT}`,
      role: "img",
      "aria-label": `Leaked information in bits, ${said}`,
    });
    const pattern = s(
      "pattern",
      { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { class: "ax-hatch", width: 1.6, height: 6, fill: "var(--ink2)" }),
    );
    svg.append(s("defs", {}, pattern));
    const [low, high] = attacks ? barEnds(attacks) : [0, 1];
    const x = linear(low, high, low < 0 ? EDGE : 0, width - EDGE);
    attacks?.forEach((attack, k) => svg.append(...bar(attack, k, x, width, id, busy)));
    const crowded = x(0) - x(low) < 2 * textWidth(tick(low));
    const marks = low === 0 ? [0, high / 2, high] : crowded ? [0, high] : [low, 0, high];
    svg.append(rule(x(low), AXIS, x(high), AXIS));
    marks.forEach((value, k) => {
      const last = k === marks.length - 1;
      const anchor = k === 0 && value === low ? "start" : last ? "end" : "middle";
      svg.append(
        rule(x(value), AXIS, x(value), AXIS + 4),
        axisText(
          last ? x(value) + EDGE : value < 0 ? x(value) - EDGE : x(value),
          AXIS + 16,
          `${tick(value)}${last ? " bits" : ""}`,
          { "text-anchor": anchor },
        ),
      );
    });
    renew(el, svg);
  }

  draw(initial);
  return { el, update: draw };
}

function bar({ gap, adds, printed }: Attack, k: number, x: (value: number) => number, width: number, hatch: string, busy: boolean): SVGElement[] {
  const y = 4 + k * ROW;
  const number = (value: number): string => (busy ? "…" : bitsInTable(value));
  const span = (from: number, to: number) => ({ x: Math.min(x(from), x(to)), width: Math.abs(x(to) - x(from)) });
  const out: SVGElement[] = [
    text(0, y + 8, `Attack ${k + 1}`, { "font-size": 12, "font-weight": 600 }),
    text(width, y + 8, `${number(printed)} as printed`, { "text-anchor": "end", style: "fill:var(--paper)" }),
  ];
  const known = Math.abs(gap) > 5e-7;
  if (known) out.push(s("rect", { class: "ax-known", ...span(0, gap), y: y + 16, height: 16, fill: `url(#${hatch})`, stroke: "var(--ink2)" }));
  // Where the release takes away, its bar lies on what was known.
  out.push(
    s("rect", {
      class: "ax-added",
      ...span(gap, printed),
      y: adds < 0 ? y + 20 : y + 15.5,
      height: adds < 0 ? 8 : 17,
      fill: "var(--ink)",
    }),
    mark("paper", x(printed), y + 24, 4.5),
  );
  if (!known)
    return [...out, text(Math.max(0, x(0)), y + 45, `from the release ${number(adds)}`, { "font-weight": 600 })];
  const [left, right] = [`gap ${number(gap)}`, `release ${number(adds)}`];
  const at = Math.max(textWidth(left) + 10, x(gap) + 6);
  return [
    ...out,
    text(0, y + 45, left, { style: "fill:var(--ink2)" }),
    text(Math.min(at, width - textWidth(right, 11, true)), y + 45, right, { "font-weight": 600 }),
  ];
}

// The mass on the true cell before and after the release, one line for each attack.

export interface MassProps {
  attacks: readonly [Attack, Attack] | null;
  busy: boolean;
  width: number;
}

const MASS_HEIGHT = 142;
const [TOP, FOOT] = [24, 134];
const LEFT = 52;
const COLOURS = ["var(--a)", "var(--b)"] as const;

export function createMass(initial: MassProps): Component<MassProps> {
  const place = h("div", { class: "ax-mass-picture" });
  const impossible = h(
    "p",
    { class: "small muted", hidden: true },
    "Nobody known is there: 0 before, so 0 whatever is released.",
  );
  const el = h(
    "section",
    { class: "panel ax-mass", "aria-label": "Mass on the true cell" },
    h(
      "h3",
      { class: "panel-head" },
      h("span", {}, "Mass on the true cell"),
      h("span", { class: "muted" }, "probability"),
    ),
    place,
    impossible,
  );

  function draw({ attacks, busy, width }: MassProps): void {
    setAttr(place, "data-old", busy);
    impossible.hidden = busy || attacks?.[1].mass[0] !== 0;
    const [xa, xb] = [LEFT, Math.min(LEFT + 110, Math.max(LEFT + 60, width - 104))];
    const said =
      attacks && !busy
        ? attacks
            .map(({ mass }, k) => `attack ${k + 1} ${probability(mass[0])} before, ${probability(mass[1])} after`)
            .join("; ")
        : "being computed";
    const svg = s("svg", {
      width,
      height: MASS_HEIGHT,
      viewBox: `0 0 ${width} ${MASS_HEIGHT}`,
      role: "img",
      "aria-label": `Mass on the true cell: ${said}`,
    });
    svg.append(
      axisText(xa, 10, "before", { "text-anchor": "middle" }),
      axisText(xb, 10, "after", { "text-anchor": "middle" }),
      rule(xa, 18, xa, 138),
      rule(xb, 18, xb, 138),
    );
    if (attacks) {
      const most = Math.max(...attacks.flatMap(({ mass }) => mass));
      const y = linear(0, most > 0 ? Math.min(1, niceCeiling(most)) : 1, FOOT, TOP);
      const heights = ([0, 1] as const).map((when) => attacks.map(({ mass }) => y(mass[when])));
      const labels = heights.map((ys) => apart(ys.map((height) => height + 4), 13, TOP - 2, FOOT + 6));
      attacks.forEach(({ mass }, k) => {
        const [from, to] = [heights[0]?.[k] as number, heights[1]?.[k] as number];
        const number = (value: number): string => (busy ? "…" : probability(value));
        // One text, however long the number is.
        const after = text(xb + 9, labels[1]?.[k] as number, "");
        after.append(s("tspan", { "font-weight": 600 }, number(mass[1])), s("tspan", { dx: 6 }, `attack ${k + 1}`));
        svg.append(
          s("path", {
            d: `M${xa} ${from.toFixed(1)}L${xb} ${to.toFixed(1)}`,
            stroke: COLOURS[k],
            "stroke-width": 2,
            "stroke-dasharray": k === 0 ? "5 2.5" : null,
            fill: "none",
          }),
          s("circle", { cx: xa, cy: from, r: 4, fill: COLOURS[k] }),
          s("circle", { cx: xb, cy: to, r: 4, fill: COLOURS[k] }),
          text(xa - 9, labels[0]?.[k] as number, number(mass[0]), { "text-anchor": "end" }),
          after,
        );
      });
    }
    renew(place, svg);
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}

// The score of this victim and this noise: bits split by where they come from, and the error beside them.

export interface ScoreProps {
  attacks: readonly [Attack, Attack] | null;
  /** Of the prior that counts all alike, bits. */
  entropy: number;
  friends: number;
  busy: boolean;
  /** Why numbers over many draws are not there. */
  none: string;
  stale: string;
  width: number;
}

/** While it is not known how many. */
const MANY = "After, many draws";

interface Row {
  el: HTMLElement;
  say(one: string, two: string): void;
}

function row(name: (Node | string)[], kind: "plain" | "bold" | "total" = "plain"): Row {
  const cells = [h("td"), h("td")] as const;
  const el = h("tr", { class: kind === "plain" ? null : `ax-${kind}` }, h("th", { scope: "row" }, ...name), ...cells);
  return {
    el,
    say(one, two) {
      setText(cells[0], one);
      setText(cells[1], two);
    },
  };
}

function numbers(caption: string, unit: string, rows: Row[]): HTMLElement {
  const head = [unit, "attack 1", "attack 2"].map((name) => h("th", { scope: "col" }, name));
  return h(
    "table",
    { class: "ax-numbers" },
    h("caption", { class: "sr-only" }, caption),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...rows.map(({ el }) => el)),
  );
}

/** What many draws say that one does not. */
export function drawsInWords(attacks: readonly [Pick<Attack, "draws">, Pick<Attack, "draws">]): string {
  const [one, two] = attacks.map(({ draws }) => draws);
  if (!one || !two) return "";
  const [a, b] = [one.error, two.error];
  const many = `over ${fixed(two.count, 0)} draws`;
  if (Math.abs(a - b) <= 0.1 * Math.max(a, b)) return `One draw is chance: ${many} the two attacks err by about the same.`;
  return `One draw is chance: ${many} attack ${b < a ? 2 : 1} errs less.`;
}

/** How many cells are as likely as the guesses before the release; nothing where they stand alone. */
export function equalInWords(attacks: readonly [Pick<Attack, "equal">, Pick<Attack, "equal">]): string {
  const [one, two] = attacks.map(({ equal }) => equal[0]) as [number, number];
  const many = (cells: number): string => `Before the release ${fixed(cells, 0)} cells are equally likely`;
  if (one === 1 && two === 1) return "";
  if (one === two) return `${many(one)}: the guess is the first of them.`;
  if (one === 1 || two === 1) return `${many(Math.max(one, two))} to attack ${one > 1 ? 1 : 2}: its guess is the first of them.`;
  return `${many(one)} to attack 1 and ${fixed(two, 0)} to attack 2: each guess is the first of them.`;
}

export function createScore(initial: ScoreProps): Component<ScoreProps> {
  const bars = createSplitBars(initial);
  const entropy = row(["Entropy H", h("sub", {}, "0"), ", alike"]);
  const gap = row(["Prior gap"]);
  const adds = row(["Release adds"], "bold");
  const printed = row([inlineMark("paper"), " As printed"], "total");
  const before = row(["Before"]);
  const after = row(["After"], "bold");
  const draws = row([MANY]);
  const drawsName = draws.el.querySelector("th") as HTMLElement;
  const old = createStale();
  const words = h("p", { class: "small muted ax-words" });
  const el = h(
    "section",
    { class: "panel ax-score", "aria-label": "Score" },
    h(
      "h3",
      { class: "panel-head" },
      h("span", {}, "Score ", h("span", { class: "muted" }, "bits")),
      h("span", { class: "muted nowrap" }, "this victim, this draw"),
    ),
    bars.el,
    numbers("Leaked information in bits", "bits", [entropy, gap, adds, printed]),
    numbers("Distance of the guess to the truth in kilometres", "error, km", [before, after, draws]),
    old.el,
    words,
  );

  function draw(props: ScoreProps): void {
    const { attacks, busy, stale, friends } = props;
    bars.update(props);
    old.say(stale);
    setAttr(el, "data-stale", stale !== "");
    const say = (line: Row, read: (attack: Attack) => string): void => {
      const [one, two] = attacks && !busy ? attacks.map(read) : ["…", "…"];
      line.say(one as string, two as string);
    };
    say(entropy, () => bitsInTable(props.entropy));
    say(gap, (attack) => bitsInTable(attack.gap));
    say(adds, (attack) => bitsInTable(attack.adds));
    say(printed, (attack) => bitsInTable(attack.printed));
    say(before, (attack) => km(attack.error[0]));
    say(after, (attack) => km(attack.error[1]));
    const many = attacks?.[1].draws;
    setText(drawsName, many ? `After, ${fixed(many.count, 0)} draws` : MANY);
    say(draws, (attack) => (attack.draws ? km(attack.draws.error) : props.none === COMPUTED ? "…" : "–"));
    setAttr(draws.el, "title", many || props.none === COMPUTED ? null : props.none);
    const said = attacks && !busy ? [drawsInWords(attacks), equalInWords(attacks)] : [];
    const alone = friends === 0 ? "The victim has no friends: both attacks are the same." : "";
    setText(words, [alone, ...said, "Bits say how certain the guess is, not whether it is right."].filter(Boolean).join(" "));
  }

  draw(initial);
  return { el, update: draw, destroy: () => el.remove() };
}
