/** The same cases are tested in Python: a promise is kept in the page where it is kept there. */
import { describe, expect, it } from "vitest";

import shared from "../../../tests/data/rounding-cases.json";
import { within } from "../../src/compute/stream-mechanisms";
import { isAbove } from "../../src/graph/data";
import { atMost, isNothing, leakage, NOTHING, SHARE } from "../../src/ui/format";

describe("what rounding makes of a leakage", () => {
  it.each(shared.cases.map((c) => [`${c.value} beside ${c.line}, precise to ${c.precision}`, c] as const))("%s", (_, c) => {
    expect(c.value > atMost(c.line, SHARE, c.precision)).toBe(c.above);
    expect(isNothing(c.value, c.line)).toBe(c.nothing);
    expect(leakage(c.value, c.line) === "0").toBe(c.nothing);
    if (c.precision === 0) expect(isAbove(c.value, c.line)).toBe(c.above);
  });

  it("is one rule for steps of a stream: twice the share, and what a logarithm of a quotient leaves", () => {
    for (const line of [0, 1e-30, 1e-15, 1e-9, 1e-3, 1, 40])
      for (const times of [0, 0.5, 1, 1 + 1e-9, 1 + 3e-9, 1.1])
        for (const more of [0, 4e-16, 2e-14])
          expect(within(line * times + more, line)).toBe(!(line * times + more > atMost(line, 2 * SHARE, NOTHING)));
  });
});
