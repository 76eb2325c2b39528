/** Four maps: before and after the release by attack 1 and attack 2, on one scale, read out by one cursor. */
import { axisText, rule } from "../ui/axes";
import { createSegments } from "../ui/choosing";
import { component, h, renew, s, setAttr, setText, type Component } from "../ui/dom";
import { probability, tick } from "../ui/format";
import { centreMark, createMap, friendMark, guessMark, onScale, scaleEnd, shade, truthMark, type MapProps } from "./map";
import type { CityState } from "./protocol";
import type { Attack, Shown } from "./results";
import { cellName } from "./words";

// The key of all four maps: the colours on their square-root scale, and what the marks mean.

export interface KeyProps {
  /** Largest probability of the scale. */
  end: number;
  /** Some cells are blank, and the victim is in one of them. */
  blank: boolean;
  inside: boolean;
  dark: boolean;
  width: number;
}

const PIECES = 50;
/** Shares of the end that are written below the strip, so that round ends have round numbers below them. */
const WRITTEN: Record<string, readonly number[]> = { "1": [0, 0.1, 0.2, 0.5, 1], "2": [0, 0.05, 0.25, 0.5, 1], "5": [0, 0.04, 0.2, 0.4, 1] };

function sign(drawn: SVGElement): SVGElement {
  return s("svg", { width: 18, height: 16, viewBox: "0 0 18 16", class: "ax-sign", "aria-hidden": "true" }, drawn);
}

function reachMark(): SVGElement {
  return s("circle", { cx: 9, cy: 8, r: 7, fill: "none", stroke: "var(--ink2)", "stroke-dasharray": "1 3", "stroke-linecap": "round" });
}

export function createMapKey(initial: KeyProps): { el: HTMLElement; update(props: KeyProps): void } {
  const strip = h("div", { class: "ax-key-strip" });
  const entry = (drawn: SVGElement, words: string): HTMLElement => h("span", { class: "nowrap" }, sign(drawn), words);
  const marks = h(
    "div",
    { class: "ax-key-marks small" },
    entry(truthMark(9, 8, 0.6), "truth"),
    entry(guessMark(9, 8, 10), "guess"),
    entry(friendMark(9, 9), "friend"),
    entry(reachMark(), "near a friend"),
    entry(centreMark(9, 8), "noisy centre"),
  );
  const blank = h("p", { class: "small muted ax-blank" });
  const el = h("div", { class: "ax-key" }, strip, h("div", {}, marks, blank));

  function draw({ end, blank: some, inside, dark, width }: KeyProps): void {
    const svg = s("svg", {
      width: width + 16,
      height: 30,
      viewBox: `-2 0 ${width + 16} 30`,
      role: "img",
      "aria-label": `Colours: probability of a cell, 0 to ${tick(end)}, square-root scale`,
    });
    for (let k = 0; k < PIECES; k++)
      svg.append(
        s("rect", {
          class: "ax-key-piece",
          x: (k * width) / PIECES,
          y: 0,
          width: width / PIECES + 0.5,
          height: 8,
          fill: shade((k + 0.5) / PIECES, dark),
        }),
      );
    svg.append(s("path", { class: "ax-key-wedge", d: `M0 8H${width}V0z`, fill: "none" }));
    for (const share of WRITTEN[end.toExponential().charAt(0)] ?? [0, 1]) {
      const x = onScale(share * end, end) * width;
      svg.append(rule(x, 8, x, 12), axisText(x, 24, tick(share * end), { "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" }));
    }
    renew(strip, svg);
    setText(blank, `blank: nobody known there, never inferred${inside ? "; the victim is in one" : ""}`);
    blank.style.visibility = some ? "" : "hidden";
  }

  draw(initial);
  return { el, update: draw };
}

// The numbers of the maps for screen readers: the likeliest cells of any of them, with all four beliefs.

export interface MapTableProps {
  grid: number;
  /** null while they are awaited. */
  attacks: readonly [Attack, Attack] | null;
}

const ROWS = 12;

/** Cells by their largest belief after the release, likely ones first. */
export function likeliest([one, two]: readonly [Attack, Attack], many = ROWS): number[] {
  const most = (cell: number): number => Math.max(one.posterior[cell] as number, two.posterior[cell] as number);
  return Array.from(one.posterior, (_, cell) => cell)
    .filter((cell) => most(cell) > 0)
    .sort((a, b) => most(b) - most(a) || a - b)
    .slice(0, many);
}

function createMapTable(): { el: HTMLElement; update(props: MapTableProps): void } {
  let drawn: MapTableProps["attacks"] | undefined;
  const body = h("tbody");
  const head = ["Cell", "Attack 1 before", "Attack 1 after", "Attack 2 before", "Attack 2 after"].map((name) =>
    h("th", { scope: "col" }, name),
  );
  const el = h(
    "div",
    { class: "sr-only" },
    h(
      "table",
      {},
      h("caption", {}, "The likeliest cells and their probabilities"),
      h("thead", {}, h("tr", {}, ...head)),
      body,
    ),
  );
  return {
    el,
    update({ grid, attacks }) {
      if (drawn !== undefined && attacks === drawn) return;
      drawn = attacks;
      setAttr(el, "aria-busy", attacks === null ? "true" : null);
      const rows = attacks
        ? likeliest(attacks).map((cell) => {
            const beliefs = attacks.flatMap(({ prior, posterior }) => [prior[cell] as number, posterior[cell] as number]);
            return h("tr", {}, h("th", { scope: "row" }, cellName(cell, grid)), ...beliefs.map((p) => h("td", {}, probability(p))));
          })
        : [];
      renew(body, ...rows);
    },
  };
}

export interface MapsProps {
  city: CityState;
  shown: Shown | null;
  busy: boolean;
  /** A number is being dragged: colours stay put, and what is only read out follows at the end. */
  gesture: boolean;
  dark: boolean;
  width: number;
  /** One attack at a time, chosen by a switch. */
  narrow: boolean;
}

const GAP = 24;
const WHO = ["all other users alike", "cells near friends weighted"] as const;
const BRIEFLY = ["all others alike", "friends weighted"] as const;
/** Room for who counts how much in one line, px. */
const ONE_LINE = 236;

export function createMaps(initial: MapsProps): Component<MapsProps> {
  let props = initial;
  let cursor: number | null = null;
  let end = 0.2;
  let shownAttack: "0" | "1" = "1";
  const what = h("span", { class: "muted" });
  const onCursor = (cell: number | null): void => {
    if (cell === cursor) return;
    cursor = cell;
    drawMaps();
    say();
  };
  const maps = (
    [
      [0, false],
      [1, false],
      [0, true],
      [1, true],
    ] as const
  ).map(([attack, after]) => ({ attack, map: createMap(attack, after, mapProps(), onCursor) }));
  const who = WHO.map(() => h("span", { class: "muted" }));
  const heads = who.map((words, k) => h("h4", { class: "ax-map-head" }, `Attack ${k + 1} `, words));
  const attacks = createSegments(
    {
      label: "Attack on the maps",
      options: WHO.map((_, k) => ({ value: String(k) as "0" | "1", text: `Attack ${k + 1}` })),
      value: shownAttack,
      disabled: false,
    },
    (value) => {
      shownAttack = value;
      draw();
    },
  );
  const grid = h("div", { class: "ax-maps" }, ...heads, ...maps.map(({ map }) => map.el));
  const readout = h("p", { class: "small ax-readout", role: "status" });
  const key = createMapKey({ end, blank: true, inside: false, dark: initial.dark, width: 250 });
  const table = createMapTable();
  const el = h(
    "section",
    { class: "panel ax-where", "aria-label": "Maps" },
    h("h3", { class: "panel-head" }, h("span", {}, "Where is the victim? ", what), h("span", { class: "muted nowrap" }, "north is up")),
    h("div", { class: "ax-attack-switch" }, attacks.el),
    grid,
    readout,
    key.el,
    table.el,
  );

  function mapWidth(): number {
    const { width } = props;
    return Math.floor((width - (props.narrow ? 12 : GAP)) / 2);
  }

  function mapProps(): MapProps {
    const { city, shown, busy, dark } = props;
    return { city, shown, end, dark, busy, width: mapWidth(), cursor };
  }

  function drawMaps(): void {
    for (const { attack, map } of maps) if (!props.narrow || attack === Number(shownAttack)) map.update(mapProps());
  }

  function say(): void {
    const { shown, city, busy } = props;
    if (cursor === null || !shown || busy)
      return renew(
        readout,
        h("span", { class: "muted" }, shown ? "Point at a cell, or walk a map with the arrow keys." : ""),
      );
    const p = (value: number): string => probability(value, 3, 1);
    const [one, two] = shown.attacks.map(
      ({ prior, posterior }) => `${p(prior[cursor as number] ?? 0)} → ${p(posterior[cursor as number] ?? 0)}`,
    ) as [string, string];
    renew(readout, `Cell ${cellName(cursor, city.grid)}: attack 1 `, h("b", {}, one), ", attack 2 ", h("b", {}, two));
  }

  function draw(): void {
    const { city, shown, busy, gesture, dark, width, narrow } = props;
    if (cursor !== null && cursor >= city.grid ** 2) cursor = null;
    setText(what, `probability per cell, ${city.grid} × ${city.grid}`);
    if (shown) {
      const wanted = scaleEnd(shown.attacks.flatMap(({ prior, posterior }) => [prior, posterior]));
      end = gesture ? Math.max(end, wanted) : wanted;
    }
    who.forEach((words, k) => setText(words, (mapWidth() < ONE_LINE && !narrow ? BRIEFLY : WHO)[k] as string));
    attacks.update({ label: "Attack on the maps", options: [], value: shownAttack, disabled: false });
    [...heads, ...maps.map(({ map }) => map.el)].forEach((part, k) => (part.hidden = narrow && k % 2 !== Number(shownAttack)));
    drawMaps();
    say();
    key.update({
      end,
      blank: shown === null || shown.attacks[0].prior.some((p) => p === 0),
      inside: shown?.attacks[0].mass[0] === 0,
      dark,
      width: Math.min(250, width - 24),
    });
    if (!gesture) table.update({ grid: city.grid, attacks: busy ? null : (shown?.attacks ?? null) });
  }

  return component(el, props, (next) => {
    props = next;
    draw();
  }, attacks);
}
