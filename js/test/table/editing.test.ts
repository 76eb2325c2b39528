import { describe, expect, it } from "vitest";
import { fromWeights, independent, normalise, setCell, setCells, total } from "../../src/table/editing";
import { dependences, scores, strongest } from "../../src/table/summaries";

const none = (n: number) => new Uint8Array(n);
const table = (...p: number[]) => Float64Array.from(p);

function entriesOf(edit: ReturnType<typeof setCell>): Float64Array {
  if (!edit.ok) throw new Error(`${edit.title} ${edit.text}`);
  return edit.entries;
}

describe("setting a cell while the sum is kept", () => {
  it("rescales the other cells in proportion", () => {
    const next = entriesOf(setCell(table(0.1, 0.2, 0.3, 0.4), 0, 0.4, none(4), true));
    expect(next[0]).toBe(0.4);
    expect((next[1] as number) / (next[3] as number)).toBeCloseTo(0.5, 12);
    expect(total(next)).toBe(1);
  });

  it("keeps the sum at 1 within 1e-12 over 2,000 random edits", () => {
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    let now = entriesOf(fromWeights(Float64Array.from({ length: 32 }, random)));
    for (let k = 0; k < 2000; k++) {
      const locks = none(32);
      locks[Math.floor(random() * 32)] = 1;
      const at = Math.floor(random() * 32);
      const p = random() < 0.1 ? Math.round(random()) : random() * random();
      const edit = setCell(now, at, p, locks, true);
      if (!edit.ok) continue;
      now = edit.entries;
      expect(now[at]).toBe(p);
      expect(Math.abs(total(now) - 1)).toBeLessThanOrEqual(1e-12);
      expect(now.every((q) => q >= 0)).toBe(true);
    }
  });

  it("leaves the given table alone and keeps every digit typed", () => {
    const before = table(0.5, 0.5);
    const next = entriesOf(setCell(before, 0, 0.123456789012345, none(2), true));
    expect([...before]).toEqual([0.5, 0.5]);
    expect(next[0]).toBe(0.123456789012345);
  });

  it("accepts 0 and 1, and spreads the rest evenly over cells that are all 0", () => {
    const one = entriesOf(setCell(table(0.2, 0.3, 0.5), 1, 1, none(3), true));
    expect([...one]).toEqual([0, 1, 0]);
    const back = entriesOf(setCell(one, 1, 0.5, none(3), true));
    expect([...back]).toEqual([0.25, 0.5, 0.25]);
    expect(entriesOf(setCell(back, 0, 0, none(3), true))[0]).toBe(0);
  });

  it("passes locked cells by and refuses what they leave no room for", () => {
    const locks = Uint8Array.from([0, 1, 1, 0]);
    const next = entriesOf(setCell(table(0.1, 0.2, 0.3, 0.4), 0, 0.25, locks, true));
    expect([...next]).toEqual([0.25, 0.2, 0.3, 0.25]);
    const refused = setCell(table(0.1, 0.2, 0.3, 0.4), 0, 0.6, locks, true);
    expect(refused).toMatchObject({ ok: false, title: "The locked cells leave no room." });
    expect(refused.ok ? "" : refused.text).toContain("at most 0.5");
    expect(setCell(table(0.1, 0.2, 0.3, 0.4), 1, 0.1, locks, true).ok).toBe(false);
  });

  it("refuses when no unlocked cell can take up the rest", () => {
    const locks = Uint8Array.from([0, 1, 1]);
    expect(setCell(table(0.5, 0.2, 0.3), 0, 0.4, locks, true).ok).toBe(false);
    expect(setCell(table(0.5, 0.2, 0.3), 0, 0.5, locks, true).ok).toBe(true);
  });

  it("survives others as small as the smallest float", () => {
    const next = entriesOf(setCell(table(1, 5e-324, 5e-324), 0, 0.5, none(3), true));
    expect([...next]).toEqual([0.5, 0.25, 0.25]);
  });

  it("rescales nothing while the cell or another one holds no probability", () => {
    const bad = entriesOf(setCell(table(0.5, 0.5), 0, -0.2, none(2), true));
    expect([...bad]).toEqual([-0.2, 0.5]);
    expect([...entriesOf(setCell(bad, 1, 0.4, none(2), true))]).toEqual([-0.2, 0.4]);
    expect([...entriesOf(setCell(bad, 0, 0.3, none(2), true))]).toEqual([0.3, 0.7]);
  });
});

describe("other edits", () => {
  it("leaves the sum off when the others are kept fixed, until it is normalised", () => {
    const off = entriesOf(setCell(table(0.5, 0.5), 0, 0.6, none(2), false));
    expect([...off]).toEqual([0.6, 0.5]);
    const back = entriesOf(normalise(off, none(2)));
    expect(total(back)).toBe(1);
    expect((back[0] as number) / (back[1] as number)).toBeCloseTo(1.2, 12);
    const held = entriesOf(normalise(off, Uint8Array.from([1, 0])));
    expect([...held]).toEqual([0.6, 0.4]);
    expect(normalise(table(0, 0), none(2)).ok).toBe(false);
    expect(normalise(table(NaN, 1), none(2)).ok).toBe(false);
  });

  it("makes tuples independent with the marginals they had", () => {
    const next = entriesOf(independent(table(0.4, 0.1, 0.2, 0.3), [2, 2], none(4)));
    [0.3, 0.2, 0.3, 0.2].forEach((p, k) => expect(next[k]).toBeCloseTo(p, 12));
    expect(total(next)).toBe(1);
    expect(independent(table(0.4, 0.6), [2], Uint8Array.from([1, 0])).ok).toBe(false);
  });

  it("turns counts into frequencies", () => {
    expect([...entriesOf(fromWeights(table(1, 2, 1)))]).toEqual([0.25, 0.5, 0.25]);
    expect(fromWeights(table(0, 0)).ok).toBe(false);
    expect([...entriesOf(fromWeights(table(1e308, 1e308, 0, 1e308)))]).toEqual([1 / 3, 1 / 3, 0, 1 / 3]);
  });

  it("sets several cells in one step", () => {
    const next = entriesOf(setCells(table(0.25, 0.25, 0.25, 0.25), new Map([[0, 0.1], [1, 0.3]]), none(4)));
    expect([...next]).toEqual([0.1, 0.3, 0.3, 0.3]);
  });
});

describe("dependence of two tuples", () => {
  it("is the correlation of numbers and undefined without variance", () => {
    const [pair] = dependences(table(0.4, 0.1, 0.2, 0.3), [2, 2], scores([["0", "1"], ["0", "1"]]));
    expect(pair?.value).toBeCloseTo((0.3 - 0.5 * 0.4) / Math.sqrt(0.25 * 0.24), 12);
    expect(pair?.signed).toBe(true);
    for (const labels of [["0", "1"], ["a", "b"]]) {
      const [flat] = dependences(table(0.4, 0.6, 0, 0), [2, 2], scores([labels, labels]));
      expect(flat?.value).toBeNaN();
    }
  });

  it("counts numeric labels as themselves and words as no numbers", () => {
    expect(scores([["10", "20", "40"], ["x", "y"], ["1", "b"], ["0x10", "1"], ["1e400", "1"]])).toEqual([Float64Array.of(10, 20, 40), null, null, null, null]);
  });

  it("is Cramér's V of words, whatever the order of the labels", () => {
    // Three labels against two; Cramér's V by hand.
    const p = [0.3, 0.1, 0.1, 0.2, 0.05, 0.25];
    const rows = [0.4, 0.3, 0.3];
    const columns = [0.45, 0.55];
    const chi2 = p.reduce((sum, q, k) => sum + (q - rows[k >> 1]! * columns[k & 1]!) ** 2 / (rows[k >> 1]! * columns[k & 1]!), 0);
    const orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];
    const found = orders.map((order) => {
      const entries = Float64Array.from(order.flatMap((k) => [p[2 * k]!, p[2 * k + 1]!]));
      return dependences(entries, [3, 2], scores([["a", "b", "c"], ["0", "1"]]))[0]!;
    });
    for (const one of found) {
      expect(one.value).toBeCloseTo(Math.sqrt(chi2), 12);
      expect(one.signed).toBe(false);
    }
    expect(dependences(table(0.5, 0, 0, 0.5, 0, 0), [3, 2], scores([["a", "b", "c"], ["u", "v"]]))[0]?.value).toBe(1);
  });

  it("lists the strongest first, among equals the first, the undefined last", () => {
    const values = [0.2, NaN, -0.5, 0.5 + 1e-13];
    const pairs = values.map((value, j) => ({ pair: [0, j + 1] as [number, number], value, signed: true }));
    expect(strongest(pairs, 3).map(({ pair }) => pair[1])).toEqual([3, 4, 1]);
  });
});
