// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { addsInWords, shareInWords } from "../../src/attack/audit";
import { budgetScale, budgetTicks, createBudgetHandle, type BudgetAxis } from "../../src/attack/curve-panel";
import { linesOf } from "../../src/attack/by-epsilon";
import { cellAt, mapFrame, onScale, scaleBar, scaleEnd, walk } from "../../src/attack/map";
import { widthsAt } from "../../src/attack/attack-explorer";
import { choiceText, restsOn } from "../../src/attack/release";
import { createMapKey } from "../../src/attack/maps";
import { barEnds, createMass, drawsInWords, equalInWords } from "../../src/attack/score";
import { along, meanAlong, type Curves } from "../../src/attack/results";
import { findUsers } from "../../src/attack/adversary";
import { amountText, bits, readShare, userText } from "../../src/attack/words";
import { s } from "../../src/ui/dom";
import { probability } from "../../src/ui/format";

const CURVES: Curves = {
  epsilon: Float64Array.of(0.1, 1, 10, 100),
  printed: Float64Array.of(0.7, 0.8, 1, 3),
  adds: [Float64Array.of(0, 0.1, 0.4, 2.5), Float64Array.of(0, 0.1, 0.3, 2.3)],
  error: [Float64Array.of(20, 19, 18, 10), Float64Array.of(10, 10, 9, 6)],
  gap: 0.7,
  users: 12,
};

describe("numbers in words", () => {
  it.each([[0, "0"], [1e-12, "0"], [0.64999, "0.650"], [57.708, "57.71"], [-0.0401, "−0.040"]])("%s bits are %s", (value, text) => expect(bits(value)).toBe(text));
  it.each([[40, "40"], [0.1, "0.1"], [33.25, "33.25"], [2.5, "2.5"], [1000, "1000"]])("%s is written %s", (value, text) => expect(amountText(value)).toBe(text));
  it.each([["50", 50], ["50 %", 50], ["0,5 %", 0.5]])("the share %s is %s per cent", (text, value) => expect(readShare(text)).toEqual({ ok: true, value }));
  it("names users, who may have any name", () => {
    expect(userText("57", 1)).toBe("User 57, 1 friend");
    expect(userText("Ann", 2)).toBe("Ann, 2 friends");
    expect(userText("<b>x</b>", 0)).toBe("<b>x</b>, 0 friends");
    expect(userText("x".repeat(200), 0).length).toBeLessThan(60);
  });
});

describe("the search for users", () => {
  const victims = ["7", "17", "70", "171", "Ann Lee"].map((label) => ({ label, friends: 1 }));
  it.each([["7", [0, 2, 1, 3]], ["user 17", [1, 3]], ["ann", [4]], ["lee", [4]], ["x", []], ["", [0, 1, 2, 3, 4]]])("finds by %s", (typed, users) => {
    expect(findUsers(victims, typed).users).toEqual(users);
  });
  it("lists some of very many, and counts all", () => {
    const many = Array.from({ length: 7000 }, (_, k) => ({ label: String(k), friends: 0 }));
    const found = findUsers(many, "1", 20);
    expect([found.all, found.users.length, found.users[0]]).toEqual([2626, 20, 1]);
  });
});

describe("a map", () => {
  const frame = mapFrame(260, [36.19, 34.55], 20);
  it("is true to scale, with the south at the foot", () => {
    expect(frame.width).toBe(260);
    expect(frame.height).toBe(Math.round((260 * 34.55) / 36.19));
    expect(frame.cell(0).y).toBeCloseTo(frame.height - frame.cellHeight);
    expect(cellAt(frame, 1, frame.height - 1)).toBe(0);
    expect(cellAt(frame, 259, 1)).toBe(399);
    expect(cellAt(frame, -1, 1)).toBeNull();
  });
  it.each([[[1, 10]], [[10, 1]], [[0, 0]]])("of any shape has room: %s", (size) => {
    const { width, height } = mapFrame(260, size as [number, number], 20);
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(100);
    expect(Math.max(width, height)).toBeLessThanOrEqual(340);
  });
  it("has a bar of a round length", () => {
    expect(scaleBar(36.19, 260)).toEqual({ length: (10 / 36.19) * 260, text: "10 km" });
    expect(scaleBar(0.9, 260).text).toBe("200 m");
    expect(scaleBar(9000, 260).text).toBe("2,000 km");
  });
  it("is walked to its edges", () => {
    expect(walk(0, "ArrowLeft", 20)).toBe(0);
    expect(walk(0, "ArrowUp", 20)).toBe(20);
    expect(walk(399, "ArrowRight", 20)).toBe(399);
    expect(walk(25, "Home", 20)).toBe(20);
    expect(walk(25, "Enter", 20)).toBeNull();
  });
  it("has one scale with a round end", () => {
    expect(scaleEnd([[0.01, 0.165], [0.08]])).toBe(0.2);
    expect(scaleEnd([[1]])).toBe(1);
    expect(onScale(0.05, 0.2)).toBe(0.5);
  });
});

describe("the curves", () => {
  it("are straight between budgets on their axis, and end at their ends", () => {
    expect(along(CURVES.printed, CURVES.epsilon, 10)).toBe(1);
    expect(along(CURVES.printed, CURVES.epsilon, Math.sqrt(10) * 10)).toBeCloseTo(2);
    expect(along(CURVES.printed, CURVES.epsilon, 101)).toBeNaN();
    expect(meanAlong(CURVES, 0.01)).toBeNull();
    expect(meanAlong(CURVES, 1)).toMatchObject({ printed: 0.8, half: null, adds_1: 0.1 });
  });
  it("stand in the table, with the budget of the controls", () => {
    const mean = meanAlong(CURVES, 40)!;
    const lines = linesOf({ curves: CURVES, mean, epsilon: 40 });
    expect(lines.map(({ epsilon, chosen }) => [epsilon, chosen])).toEqual([[0.1, false], [1, false], [10, false], [40, true], [100, false]]);
    expect(lines[3]!.near).toBe(true);
    expect(linesOf({ curves: CURVES, mean: meanAlong(CURVES, 10), epsilon: 10 })).toHaveLength(4);
    expect(linesOf({ curves: null, mean: null, epsilon: 10 })).toHaveLength(0);
  });
  const axis: BudgetAxis = { low: 0.1, high: 400, left: 24, right: 324, bottom: 158, width: 330 };
  it("have labels that the grip does not cover", () => {
    const labels = (at: number): (string | null)[] => budgetTicks(axis, at).filter((el) => el.tagName === "text").map((el) => el.textContent);
    expect(labels(40)).toEqual(["ε = 400", "0.1", "1", "10"]);
    expect(labels(10)).toEqual(["ε = 400", "0.1", "1"]);
    expect(labels(400)).not.toContain("ε = 400");
  });
  it("are dragged along, and a pointer that is taken away gives it up", () => {
    const picture = s("svg", {});
    picture.setPointerCapture = () => undefined;
    picture.getBoundingClientRect = () => ({ left: 0, width: 330 }) as DOMRect;
    const heard = vi.fn();
    const handle = createBudgetHandle(picture, "Budget", heard);
    handle.update(axis, 40, false);
    const at = (type: string, clientX: number): void => {
      picture.dispatchEvent(new MouseEvent(type, { clientX, button: 0, cancelable: true }));
    };
    at("pointerdown", budgetScale(axis)(10));
    expect(heard).toHaveBeenLastCalledWith(10, { commit: false });
    at("pointermove", 1000);
    expect(heard).toHaveBeenLastCalledWith(400, { commit: false });
    at("pointercancel", 0);
    expect(heard).toHaveBeenLastCalledWith(40, { commit: true });
    handle.update(axis, 40, true);
    at("pointerdown", 30);
    expect(heard).toHaveBeenCalledTimes(3);
  });
});

describe("scores", () => {
  it("have an axis that holds gaps below 0 too", () => {
    expect(barEnds([{ gap: 0, printed: 1.099 }, { gap: 0.65, printed: 1.644 }])).toEqual([0, 2]);
    expect(barEnds([{ gap: 0, printed: 0.1 }, { gap: -0.3, printed: 0.2 }])[0]).toBeLessThanOrEqual(-0.3);
    expect(barEnds([{ gap: 0, printed: 0 }, { gap: 0, printed: 0 }])).toEqual([0, 1]);
  });
  it("say what one draw does not", () => {
    const draws = (a: number, b: number) => drawsInWords([{ draws: { error: a, count: 400 } }, { draws: { error: b, count: 400 } }]);
    expect(draws(9.92, 9.65)).toBe("One draw is chance: over 400 draws the two attacks err by about the same.");
    expect(draws(10, 5)).toContain("attack 2 errs less");
    expect(draws(5, 10)).toContain("attack 1 errs less");
    expect(drawsInWords([{ draws: null }, { draws: null }])).toBe("");
  });
  it("say how much was known before", () => {
    expect(shareInWords({ gap: 0.768, printed: 1.283 })).toBe("60 % of it, no release needed");
    expect(shareInWords({ gap: 0.7, printed: 0.6 })).toBe("more than all of it");
    expect(shareInWords({ gap: -0.1, printed: 0.6 })).toBe("bits, no release needed");
  });
});

it("the parts fit the width of the whole at every width", () => {
  for (let width = 320; width <= 1200; width++) {
    const { maps, right, curve, narrow } = widthsAt(width);
    expect(Math.min(maps, right, curve)).toBeGreaterThanOrEqual(Math.min(width, 216));
    expect(narrow).toBe(width <= 520);
    if (width > 860) expect(192 + maps + right + 48).toBe(width);
  }
});

describe("what is sure", () => {
  it("says that the interval is over draws of the noise, and says none for one draw", () => {
    expect(addsInWords({ half: 0.02, adds_1: 0.5 })).toMatch(/^± 0\.02\d* \(95 % over draws\); attack 1: 0\.5/);
    expect(addsInWords({ half: NaN, adds_1: 0.5 })).toMatch(/^attack 1: 0\.5/);
    expect(addsInWords({ half: null, adds_1: 0.5 })).toMatch(/^read from the curves/);
  });

  it("calls only what is proved a guarantee", () => {
    const worst = { key: "worst_case", label: "worst case", formal: true };
    expect([choiceText(worst, true), choiceText(worst, false)]).toEqual(["worst case, a guarantee", "worst case, no guarantee"]);
    expect(restsOn(worst, true)).toBe("Holds for every data set.");
    expect(restsOn(worst, false)).toMatch(/^No guarantee here/);
    expect(choiceText({ key: "local", label: "local", formal: false }, true)).toBe("local, no guarantee");
  });
});

describe("guesses that are one of many", () => {
  const said = (one: number, two: number): string => equalInWords([{ equal: [one, 1] }, { equal: [two, 1] }]);
  it.each([
    [1, 1, ""],
    [400, 400, "Before the release 400 cells are equally likely: the guess is the first of them."],
    [1400, 1, "Before the release 1,400 cells are equally likely to attack 1: its guess is the first of them."],
    [1, 3, "Before the release 3 cells are equally likely to attack 2: its guess is the first of them."],
    [4, 2, "Before the release 4 cells are equally likely to attack 1 and 2 to attack 2: each guess is the first of them."],
  ])("%s and %s alike", (one, two, text) => expect(said(one, two)).toBe(text));
});

describe("a victim in a cell where nobody is known", () => {
  const attacks = (mass: [number, number]) => [0, 1].map(() => ({ mass })) as unknown as Parameters<typeof createMass>[0]["attacks"];
  it.each([[[0, 0], true], [[0.1, 0], false]] as [[number, number], boolean][])("with mass %s", (mass, told) => {
    const part = createMass({ attacks: attacks(mass), busy: false, width: 250 });
    const words = part.el.querySelector("p") as HTMLElement;
    // The name follows the number, whatever its length.
    const texts = [...part.el.querySelectorAll("text")].map((el) => el.textContent);
    expect(texts).toContain(`${probability(mass[1])}attack 2`);
    expect(words.hidden).toBe(!told);
    expect(words.textContent).toContain("0 whatever is released");
    const key = createMapKey({ end: 1, blank: true, inside: told, dark: false, width: 200 });
    expect(key.el.textContent?.includes("the victim is in one")).toBe(told);
  });
});
