import { describe, expect, it } from "vitest";
import { odds } from "../../src/curves/posterior";
import { apart } from "../../src/ui/axes";
import { around, away, boxOf, placeLabels, type Obstacles, type Wanted } from "../../src/curves/labels";
import { textWidth } from "../../src/ui/lettering";

const open: Obstacles = { curves: [], verticals: [], boxes: [], frame: { x0: 0, y0: 0, x1: 400, y1: 100 } };
const label = (key: string, x: number, y: number) => ({ key, text: "if item 5 is right", bold: false, places: around(x, y) });

describe("labels near curves", () => {
  it("never overlap each other", () => {
    const wanted = [label("a", 200, 50), label("b", 204, 52), label("c", 198, 48)];
    const { places } = placeLabels(wanted, open);
    const boxes = wanted.flatMap((w) => (places.get(w.key) ? [boxOf(places.get(w.key)!, 97)] : []));
    expect(boxes.length).toBeGreaterThan(1);
    boxes.forEach((p, i) =>
      boxes.slice(i + 1).forEach((q) => {
        expect(p.x1 <= q.x0 || q.x1 <= p.x0 || p.y1 <= q.y0 || q.y1 <= p.y0).toBe(true);
      }),
    );
  });

  it("keep clear of the handle", () => {
    const { places } = placeLabels([label("a", 200, 50)], { ...open, verticals: [150] });
    const box = boxOf(places.get("a")!, 97);
    expect(box.x0 > 150 || box.x1 < 150).toBe(true);
  });

  it("prefer a place that no curve strikes through", () => {
    const curve = Array.from({ length: 101 }, (_, k) => [100 + k, 54] as const);
    const { places } = placeLabels([label("a", 200, 50)], { ...open, curves: [curve] });
    expect(places.get("a")!.anchor).toBe("start");
  });

  it("go into the caption when nothing is free", () => {
    const wall = { x0: 0, y0: 0, x1: 400, y1: 100 };
    const { places } = placeLabels([label("a", 200, 50)], { ...open, boxes: [wall] });
    expect(places.get("a")).toBeNull();
  });
});

describe("numbers of marks", () => {
  it("never stand nearer to the mark of another, wherever marks and curves are", () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    let placed = 0;
    for (let round = 0; round < 2000; round++) {
      const marks = Array.from({ length: 2 + Math.floor(3 * random()) }, (_, k): [number, number] => [200 + (round % 3 ? 0 : 60 * random()), 30 + 40 * random() + k]);
      const curves = marks.map(([x, y]) => Array.from({ length: 41 }, (_, k) => [10 * k, y + (10 * k - x) * (random() < 0.3 ? 0 : 0.2)] as const));
      const wanted = marks.map((mark, k): Wanted => ({ key: String(k), text: "0.151", bold: false, mark, places: around(...mark) }));
      const { places } = placeLabels(wanted, { ...open, curves, verticals: round % 2 ? [200] : [] });
      wanted.forEach(({ key, mark, text }) => {
        const place = places.get(key);
        if (!place) return;
        placed += 1;
        const far = marks.map((other) => away(other, boxOf(place, textWidth(text))));
        marks.forEach((other, k) => Math.hypot(other[0] - mark![0], other[1] - mark![1]) > 0.5 && expect(far[k]).toBeGreaterThan(far[Number(key)]!));
      });
    }
    expect(placed).toBeGreaterThan(2500);
  });
});

describe("numbers at the slopes", () => {
  it("are moved apart and keep their order", () => {
    const y = apart([50, 50, 52, 140], 14, 22, 132);
    const sorted = [...y].sort((a, b) => a - b);
    sorted.forEach((v, k) => {
      if (k > 0) expect(v - sorted[k - 1]!).toBeGreaterThanOrEqual(14 - 1e-9);
    });
    expect(Math.max(...y)).toBeLessThanOrEqual(132);
  });

  it("read as odds", () => {
    expect(odds(5.333)).toBe("5.33");
    expect(odds(0.00012)).toBe("1.2e−4");
    expect(odds(1234.5)).toBe("1,235");
  });
});
