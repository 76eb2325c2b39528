import { describe, expect, it } from "vitest";
import { tableRoom } from "../../src/prior/arrange";

const pivot = { rows: [0, 1], columns: [2] };
const spec = (names: string[], labels: string[]) => ({ title: "", names, labels: names.map(() => labels), records: null });

describe("room for the table", () => {
  it("is the usual one for numbers and short words", () => {
    for (const width of [360, 800, 1100, 1200]) expect(tableRoom(spec(["item 1", "item 2", "item 3"], ["wrong", "right"]), pivot, width)).toBe(264);
    expect(tableRoom(null, pivot, 1200)).toBe(264);
  });

  it("is more for words as far as the graph can spare it", () => {
    const long = spec(["Uses a password manager", "Study program", "Would share location"], ["Computer science", "Law and public policy"]);
    const rooms = [880, 1000, 1100, 1200].map((width) => tableRoom(long, pivot, width));
    expect(rooms[0]).toBe(264);
    expect(rooms[1]).toBe(300);
    expect(rooms[2]).toBeGreaterThan(330);
    expect(rooms[3]).toBeLessThanOrEqual(440);
    [880, 1000, 1100, 1200].forEach((width, k) => k > 0 && expect(width - (rooms[k] as number) - 240).toBeGreaterThanOrEqual(460));
  });
});
