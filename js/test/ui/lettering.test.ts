import { describe, expect, it } from "vitest";
import shared from "../../../tests/data/label-cases.json";
import { clip, fit, textWidth } from "../../src/ui/lettering";

describe("labels that are too long", () => {
  it.each(shared.cases)("$labels at $limit signs are cut as in a saved picture", ({ labels, limit, shown }) => {
    expect(labels.map((label) => clip(label, limit, labels))).toEqual(shown);
  });

  it("stay within their room and apart from each other", () => {
    const words = ["age", "income", "of the father", "of the mother", "before", "after 1990", "married", "symptomatic"];
    const names = words.flatMap((a) => words.flatMap((b) => (a === b ? [] : [`${a} ${b}`])));
    for (const width of [100, 130]) {
      const shown = names.map((name) => fit(name, width, 11, false, names));
      for (const one of shown) expect(textWidth(one)).toBeLessThanOrEqual(width);
      expect(new Set(shown).size).toBe(names.length);
    }
  });
});
