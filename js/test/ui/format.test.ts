/**
 * The same cases are tested in Python: a number reads alike in the widget and in its saved picture, and a promise is
 * kept in the page where it is kept there.
 */
import { describe, expect, it } from "vitest";

import shared from "../../../tests/data/format-cases.json";
import roundings from "../../../tests/data/rounding-cases.json";
import { within } from "../../src/compute/stream-mechanisms";
import { isAbove } from "../../src/graph/data";
import * as format from "../../src/ui/format";
import { atMost, isNothing, leakage, NOTHING, SHARE } from "../../src/ui/format";

type Raw = number | string | number[] | string[];

const SPECIAL: Record<string, number> = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };
const decode = (raw: Raw): unknown => (typeof raw === "string" && raw in SPECIAL ? SPECIAL[raw] : raw);
const NAMES: Record<string, keyof typeof format> = { probability_decimals: "probabilityDecimals" };

describe("numbers as people read them", () => {
  it.each(shared.cases.map((c) => [`${c.call}(${c.args.map((a) => JSON.stringify(a)).join(", ")})`, c] as const))(
    "%s",
    (_, c) => {
      const call = format[NAMES[c.call] ?? (c.call as keyof typeof format)] as (...args: unknown[]) => unknown;
      const expected = "number" in c ? c.number : c.text;
      expect(call(...(c.args as Raw[]).map(decode))).toBe(expected);
    },
  );
});

describe("what rounding makes of a leakage", () => {
  it.each(roundings.cases.map((c) => [`${c.value} beside ${c.line}, precise to ${c.precision}`, c] as const))("%s", (_, c) => {
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
