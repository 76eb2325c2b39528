import { describe, expect, it } from "vitest";
import { countAbove, incrementOf, knownLabel, nameBook, paperError } from "../../src/graph/data";
import { clip, fit, textWidth } from "../../src/ui/lettering";
import { columnOf, flatOf } from "../../src/graph/nodes";
import { describe as inWords, sentence, shown, shownPaper } from "../../src/graph/words";
import { lsat, sceneOf } from "./scene";

const at = (target: number, known: number[]): number => flatOf(3, target, columnOf(3, target, known));

describe("texts of others", () => {
  it("turn nothing around that stands beside them, and keep to one line", () => {
    const hostile = "a\u202eb\u2067c\u200f\n\td\u0000";
    for (const shownAs of [clip(hostile, 40), fit(hostile, 400)]) {
      expect(shownAs).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066\u2067]/);
      expect(shownAs).toBe("abc  d\ufffd");
    }
    expect(clip("\u202e".repeat(300) + "name", 40)).toBe("name");
  });
});

describe("an adversary in words", () => {
  const scene = sceneOf(lsat());

  it("says who, how much, against what, and what the paper says", () => {
    expect(sentence(inWords(scene, at(2, [0])))).toBe(
      "about item 5, knows item 1: 1.398 nats, 0.398 over the promise; paper's estimate 1.364, too low by 0.034",
    );
    expect(sentence(inWords(scene, at(1, [])))).toContain("knows none of the others: 1.182 nats, 0.182 over the promise; paper's estimate 1.290, too high by 0.107");
    expect(sentence(inWords(scene, at(0, [1, 2])))).toBe("about item 1, knows item 2 and item 5: 1.000 nats, at the promise; paper's estimate the same");
    expect(inWords(scene, at(0, [1])).value).toBe("0.968 nats, 0.032 under the promise");
  });

  it("leaves the estimate out when it is not asked for or hardly differs", () => {
    expect(inWords(sceneOf(lsat(), { paper: null }), at(2, [0])).paper).toBe("");
    expect(shownPaper(scene, at(2, [0]))).toBe("1.364");
    const near = lsat();
    // Rounding grows with the exponents, of which the group bound is the largest.
    near.groupBound = 1000;
    (near.paper as Float64Array)[at(2, [0])] = (near.exact[at(2, [0])] as number) + 9e-7;
    expect(paperError(sceneOf(near), at(2, [0]))).toBeNull();
    near.groupBound = 3;
    expect(paperError(sceneOf(near), at(2, [0]))).toBeCloseTo(9e-7, 12);
    expect(shownPaper(sceneOf(near), at(2, [0]))).not.toBe(shown(sceneOf(near), at(2, [0])));
  });

  it("never shows an old number while new ones are computed", () => {
    const busy = sceneOf(lsat(), { busy: true });
    expect(shown(busy, 0)).toBe("…");
    expect(sentence(inWords(busy, at(2, [0])))).toBe("about item 5, knows item 1: being computed");
  });

  it("knows determined, infinite and undefined", () => {
    const data = lsat();
    data.determined = new Uint8Array(12);
    data.determined[0] = 1;
    data.exact[1] = Infinity;
    data.exact[2] = NaN;
    const odd = sceneOf(data);
    expect(inWords(odd, 0).value).toContain("determined");
    expect(shown(odd, 0)).toBe("0");
    expect(inWords(odd, 1).value).toContain("infinite");
    expect(shown(odd, 1)).toBe("∞");
    expect(inWords(odd, 2).value).toBe("undefined");
    expect(odd.domain.every(Number.isFinite)).toBe(true);
  });

  it("shows what rounding makes of 0 as 0, in every place and beside the estimate", () => {
    const data = lsat();
    data.exact[at(0, [1])] = 4.4e-16;
    (data.paper as Float64Array)[at(0, [1])] = 2.2e-16;
    const scene = sceneOf(data);
    expect(shown(scene, at(0, [1]))).toBe("0");
    expect(sentence(inWords(scene, at(0, [1])))).toContain(": 0 nats, 1.000 under the promise; paper's estimate the same");
    data.exact[at(0, [1])] = 1e-3;
    (data.paper as Float64Array)[at(0, [1])] = -3e-17;
    expect(shownPaper(sceneOf(data), at(0, [1]))).toBe("0");
  });

  it("counts what is above a line, rounding aside", () => {
    const data = lsat();
    expect(countAbove(data, 1)).toBe(7);
    data.exact[at(0, [1, 2])] = 1 + 1e-13;
    expect(countAbove(data, 1)).toBe(7);
    expect(countAbove(data, 1.2)).toBe(5);
  });

  it("finds increments in the graph, else beside the chosen adversary", () => {
    expect(incrementOf(scene, at(2, [0]), 1)).toBeCloseTo(0.3638);
    expect(incrementOf(scene, at(0, []), 1)).toBeNull();
    const sparse = sceneOf({ ...lsat(), increments: null }, { edges: [{ known: [0], removed: 1, increment: 0.5 }] });
    expect(incrementOf(sparse, at(2, [0]), 1)).toBe(0.5);
    expect(incrementOf(sparse, at(2, []), 0)).toBeNull();
    // Edges of an earlier choice may name what is attacked now: they belong to no edge here.
    const stale = sceneOf({ ...lsat(), increments: null }, { edges: [{ known: [2], removed: 1, increment: 0.5 }] });
    expect(incrementOf(stale, at(2, [0]), 1)).toBeNull();
  });
});

describe("names", () => {
  it("are numbers where all share what stands before them", () => {
    expect(nameBook(["item 1", "item 2", "item 12"]).short).toEqual(["1", "2", "12"]);
    expect(nameBook(["item 1", "task 2"]).numbered).toBe(false);
    expect(nameBook(["item 1", "item 1a"]).numbered).toBe(false);
    expect(nameBook(["1", "2"]).short).toEqual(["1", "2"]);
  });

  it("fit a card", () => {
    const items = nameBook(["item 1", "item 2", "item 5"]);
    expect(knownLabel([], items, 56, 11)).toBe("none");
    expect(knownLabel([0, 2], items, 56, 11)).toBe("knows 1, 5");
    expect(knownLabel([0, 1, 2], items, 52, 10.5, "")).toBe("1 2 5");
    const long = nameBook(["x".repeat(10_000), "income", "smokes"]);
    for (const known of [[0], [0, 1], [0, 1, 2]]) expect(textWidth(knownLabel(known, long, 56, 11), 11)).toBeLessThan(64);
  });

  it("are cut between visible characters, never inside one", () => {
    const family = "👩‍👩‍👧‍👦";
    expect(clip(family.repeat(5), 3)).toBe(`${family}${family}…`);
    expect(fit(family.repeat(9), 60, 11).replaceAll(family, "")).toBe("…");
    expect(fit("short", 60, 11)).toBe("short");
  });

  it("are bounded in sentences and isolated when they run from right to left", () => {
    const book = nameBook(["x".repeat(10_000), "عمر"]);
    expect((book.spoken[0] as string).length).toBe(200);
    expect(book.full[0]).toHaveLength(10_000);
    expect(book.spoken[1]).toBe("\u2068عمر\u2069");
  });
});
