import { describe, expect, it } from "vitest";
import { CELL, dotsOf, FEW, layoutOf, type Records } from "../../src/anonymity/records";

/** Records of one column with labels and one of numbers, as many of each label. */
function labelled(labels: number): Records {
  const count = FEW + labels;
  const codes = Float64Array.from({ length: count }, (_, row) => row % labels);
  const column = (name: string, values: Float64Array, names: string[] | null) => ({ name, labels: names, ordered: true, values });
  return {
    count,
    noun: "record",
    sampled: null,
    columns: [column("job", codes, Array.from({ length: labels }, (_, k) => `job ${k}`)), column("age", codes.map((_, row) => row % 7), null)],
    quasi: [0, 1],
    drawn: [0, 1],
    secret: null,
    marked: null,
  };
}

const columnsOf = (records: Records, width: number): number[] =>
  [...new Set(dotsOf(records, layoutOf(records, width)!).map(({ x }) => Number(x.toFixed(1))))].sort((a, b) => a - b);

describe("dots of many records", () => {
  it("keep one place for each label where a dot has room", () => {
    expect(columnsOf(labelled(6), 300)).toHaveLength(6);
  });

  it("share places where labels lie closer than a dot", () => {
    const places = columnsOf(labelled(200), 300);
    expect(places.length).toBeLessThan(300 / CELL);
    for (let k = 1; k < places.length; k++) expect(places[k]! - places[k - 1]!).toBeGreaterThanOrEqual(CELL - 0.2);
  });
});
