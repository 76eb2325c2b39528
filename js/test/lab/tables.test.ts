import { describe, expect, it, vi } from "vitest";

vi.mock("@jupyterlab/apputils", () => ({ Dialog: {}, showDialog: () => undefined }));
vi.mock("@lumino/widgets", () => ({ Widget: class {} }));

const { sizeOf, suited, wordsOf } = await import("../../src/lab/table-dialog");

const column = (name: string, type: "numbers" | "texts" | "other", labels: number, first: string[] = [], missing = 0) => ({ name, type, labels, first, missing });
const AGE = column("age", "numbers", 40, ["17", "90"]);
const SEX = column("sex", "texts", 2, ["f", "m"]);
const ILL = column("ill", "numbers", 2, ["0", "1"]);
const GAP = column("gap", "texts", 3, ["a", "b", "c"], 4);
const ONE = column("one", "numbers", 1, ["7"]);
const ODD = column("odd", "other", 0);
const ALL = [AGE, SEX, ILL, GAP, ONE, ODD];

describe("columns of a table", () => {
  it.each([
    ["PriorExplorer", ["sex", "ill"]],
    ["AnonymityExplorer", ["sex", "ill"]],
    ["GaussianExplorer", ["age", "ill"]],
    ["StreamSimulator", ["sex"]],
  ])("are proposed for %s where it can show them", (explorer, names) => {
    expect(suited(explorer, ALL)).toEqual(names);
  });

  it("are never all of a wide table", () => {
    expect(suited("PriorExplorer", Array.from({ length: 30 }, (_, k) => column(`c${k}`, "texts", 2)))).toHaveLength(5);
  });

  it.each([
    [AGE, "numbers, 40 different, from 17 to 90"],
    [SEX, "texts, 2 labels: f, m"],
    [column("town", "texts", 9, ["a", "b", "c", "d"]), "texts, 9 labels: a, b, c, d …"],
    [GAP, "texts, 3 labels: a, b, c; 4 empty"],
    [ONE, "numbers, all 7"],
    [ODD, "neither numbers nor texts"],
    [column("void", "texts", 0, [], 5), "no values; 5 empty"],
  ])("are described", (one, words) => {
    expect(wordsOf(one)).toBe(words);
  });

  it("that are chosen have a size: cells of a joint distribution, else rows", () => {
    expect(sizeOf("PriorExplorer", 100, [SEX, AGE])).toBe("Chosen: a table of 2 × 40 = 80 cells.");
    expect(sizeOf("LocalExplorer", 100, [SEX, AGE])).toBe("Chosen: 100 rows of 2 columns.");
    expect(sizeOf("LocalExplorer", 100, [])).toBe("Choose at least one column.");
  });
});
