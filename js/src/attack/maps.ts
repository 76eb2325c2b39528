/** Four maps: before and after the release by attack 1 and attack 2, on one scale, read out by one cursor. */
import { createSegments } from "../ui/choosing";
import { h, renew, setText, type Component } from "../ui/dom";
import { probability } from "../ui/format";
import { createMap, type MapProps } from "./map";
import { scaleEnd } from "./map-cells";
import { createMapKey } from "./map-key";
import { createMapTable } from "./map-table";
import type { CityState } from "./protocol";
import type { Shown } from "./results";
import { cellName } from "./words";

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

  draw();
  return {
    el,
    update(next) {
      props = next;
      draw();
    },
    destroy() {
      attacks.destroy();
      el.remove();
    },
  };
}
