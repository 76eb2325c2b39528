/** The same cases are tested in Python, so that a number reads alike in the widget and in its saved picture. */
import { describe, expect, it } from "vitest";

import shared from "../../../tests/data/format-cases.json";
import * as format from "../../src/ui/format";

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
