import { expect, test } from "vitest";
import { createLaneChips } from "../../src/stream/release";
import { keptLines, laneLine, linesOf } from "../../src/stream/words";
import { look } from "../../src/stream/screen";
import { MENU, streamView } from "./python";

test("a mechanism keeps its line as long as it is shown, and a new one takes the first that is free", () => {
  const first = keptLines({}, ["crr", "optimum", "grr"]);
  expect(first).toEqual({ crr: 0, optimum: 1, grr: 2 });
  const fewer = keptLines(first, ["crr", "grr"]);
  expect(fewer).toEqual({ crr: 0, grr: 2 });
  const more = keptLines(fewer, ["mip", "crr", "grr", "grr2"]);
  expect(more).toEqual({ mip: 1, crr: 0, grr: 2, grr2: 3 });
  expect(new Set(Object.values(more).map((line) => laneLine(line).colour)).size).toBe(4);
});

test("lanes of a view that was saved before lines were told have them in their order", () => {
  expect(linesOf([{ key: "crr" }, { key: "grr" }])).toEqual({ crr: 0, grr: 1 });
  expect(linesOf([{ key: "grr", line: 2 }])).toEqual({ grr: 2 });
});

test("the chips of lanes show the line of each, of lanes that are asked for too", () => {
  const home = document.createElement("div");
  const props = { menu: MENU, lanes: ["crr", "grr"], lines: { crr: 0, optimum: 1, grr: 2 }, disabled: false };
  const chips = createLaneChips(props, home, () => undefined);
  const strokes = (): (string | null)[] => [...chips.el.querySelectorAll(".sx-sample path")].map((path) => path.getAttribute("stroke"));
  expect(strokes()).toEqual(["var(--b)", "var(--c)"]);
  chips.update({ ...props, lanes: ["crr", "grr", "grr2"] });
  expect(strokes()).toEqual(["var(--b)", "var(--c)", "var(--a)"]);
  chips.destroy();
});

test("the lanes of a screen carry their lines", () => {
  const view = streamView({ lanes: ["crr", "grr"] });
  const lanes = view.lanes.map((lane, k) => ({ ...lane, line: 2 * k }));
  const wish = { lanes: ["crr", "grr"], transitions: null, start: null, epsilon: 0.5 };
  const session = { view: () => ({ ...view, lanes }), desired: () => wish, connected: () => true } as unknown as Parameters<typeof look>[0];
  expect(look(session).lanes.map(({ key, line }) => [key, line])).toEqual([["crr", 0], ["grr", 2]]);
});
