/** The score of this victim and this noise: bits split by where they come from, and the error beside them. */
import { createStale } from "../explorer/late";
import { h, setAttr, setText, type Component } from "../ui/dom";
import { fixed } from "../ui/format";
import { inlineMark } from "../ui/marks";
import type { Attack } from "./results";
import { COMPUTED } from "./screen";
import { createSplitBars } from "./split-bars";
import { bitsInTable, km } from "./words";

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
