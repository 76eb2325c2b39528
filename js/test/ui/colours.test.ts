/** The same cases are tested in Python, so that a colour means the same amount in the widget and in its picture. */
import { describe, expect, it } from "vitest";

import shared from "../../../tests/data/palette-cases.json";
import { inkOn, magnitude, magnitudeDomain } from "../../src/ui/colours";

const number = (raw: number | string): number => Number(raw);

describe("colour means amount", () => {
  it.each(shared.viridis)("magnitude($t, dark $dark)", ({ t, dark, rgb, ink }) => {
    const colour = magnitude(number(t), dark);
    expect(colour).toEqual(rgb);
    expect(inkOn(colour)).toBe(ink);
  });
  it.each(shared.domain)("domain of $values at promise $promise", ({ values, promise, ends }) => {
    expect(magnitudeDomain(values, number(promise))).toEqual(ends);
  });
});
