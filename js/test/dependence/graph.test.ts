import { describe, expect, it } from "vitest";
import { drawEdges, inside, placeLabel } from "../../src/dependence/graph-edges";
import { CARD, blocksOf, layOutBlocks, layOutNeighbours, type GraphLayout } from "../../src/dependence/graph-layout";
import type { Shown } from "../../src/dependence/results";
import shared from "../../../tests/data/dependence-layout-cases.json";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const meet = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const cardBoxes = ({ cards }: GraphLayout): Box[] => cards.map(({ x, y }) => ({ x: x - CARD.width / 2, y: y - CARD.height / 2, ...CARD }));
const pairs = <T>(list: readonly T[]): [T, T][] => list.flatMap((a, k) => list.slice(k + 1).map((b): [T, T] => [a, b]));

const ALL = [
  [0],
  [0, 0],
  [0, 0, 0],
  [0, 0, 0, 1, 1, 2],
  [0, 0, 0, 0, 1, 2, 3],
  [0, 1, 2, 3, 4, 5, 6, 7],
  [0, 0, 1, 1, 2, 2, 3, 3],
  [0, 0, 0, 0, 0],
  new Array<number>(7).fill(0),
  new Array<number>(12).fill(0),
  [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3],
];

describe("places of cards", () => {
  it.each(ALL.map((blocks) => [blocks.join(""), blocks] as const))("blocks %s fit every width", (_, blocks) => {
    for (const width of [320, 404, 496, 696, 860]) {
      const layout = layOutBlocks(blocks, width);
      expect(layout.cards.map(({ tuple }) => tuple).sort((a, b) => a - b)).toEqual(blocks.map((__, k) => k));
      for (const [a, b] of pairs(cardBoxes(layout))) expect(meet(a, b)).toBe(false);
      for (const [a, b] of pairs(layout.frames)) expect(meet(a, b)).toBe(false);
      // Every card stands within the frame of its block.
      const sizes = blocksOf(blocks);
      layout.frames.forEach((frame, k) => {
        for (const tuple of sizes[k]!) {
          const box = cardBoxes(layout)[layout.cards.findIndex((card) => card.tuple === tuple)]!;
          expect(box.x >= frame.x && box.y >= frame.y && box.x + box.width <= frame.x + frame.width && box.y + box.height <= frame.y + frame.height).toBe(true);
        }
        expect(frame.x >= 0 && frame.x + frame.width <= width && frame.y + frame.height <= layout.height).toBe(true);
      });
    }
  });

  it.each(shared.cases.map((one, k) => [k, one] as const))("are those of the saved picture, case %i", (_, one) => {
    const found = one.neighbours ? layOutNeighbours(one.tuple, one.neighbours, one.width, one.size) : layOutBlocks(one.blocks ?? [], one.width);
    expect(found.cards.map(({ tuple }) => tuple)).toEqual(one.cards.map(([tuple]) => tuple));
    found.cards.forEach(({ x, y }, k) => {
      expect(x).toBeCloseTo(one.cards[k]![1]!, 6);
      expect(y).toBeCloseTo(one.cards[k]![2]!, 6);
    });
    expect(found.frames.map(({ label }) => label)).toEqual(one.labels);
    found.frames.forEach(({ x, y, width, height }, k) => [x, y, width, height].forEach((value, at) => expect(value).toBeCloseTo(one.frames[k]![at]!, 6)));
    expect(found.height).toBeCloseTo(one.height, 6);
    expect(found.left).toBe(one.left);
  });

  it("give a block the whole line where nothing fits beside it: arrows keep their room", () => {
    const wide = (width: number): number => layOutBlocks([0, 0, 0, 1, 1, 2], width).frames[0]!.width;
    expect(wide(310)).toBe(310);
    expect(wide(328)).toBe(320);
    expect(wide(360)).toBe(270);
  });

  it("shows the closest neighbours of one, and how many are left", () => {
    const layout = layOutNeighbours(4, [7, 1, 9, 3, 2, 8, 0, 5, 6], 496, 10);
    expect(layout.cards.map(({ tuple }) => tuple)).toEqual([4, 7, 1, 9, 3, 2, 8, 0, 5]);
    expect(layout.left).toBe(1);
    for (const [a, b] of pairs(cardBoxes(layout))) expect(meet(a, b)).toBe(false);
  });
});

/** Coefficients that differ from pair to pair; none between the first two. */
function shownFor(n: number): Shown {
  const exact = Float64Array.from({ length: n * n }, (_, k) => (Math.floor(k / n) + (k % n) === 1 ? 0 : 0.05 * (1 + (k % 7))));
  return { n, coefficients: { exact, mean: exact.map((z) => z + 0.3), eq18: exact.map((z) => z + 0.4) } } as unknown as Shown;
}

describe("numbers of an edge", () => {
  const edge = [{ x: 0, y: 0 }, { x: 100, y: 0 }] as const;

  it("stand in the middle, or clear of an edge that crosses", () => {
    expect(placeLabel(edge, { width: 20, height: 10 }, [0.5, 0.62], [], [])).toEqual({ x: 40, y: -5, width: 20, height: 10 });
    expect(placeLabel(edge, { width: 20, height: 10 }, [0.5, 0.62], [], [[{ x: 50, y: -9 }, { x: 50, y: 9 }]])).toEqual({ x: 52, y: -5, width: 20, height: 10 });
    expect(inside({ x: 0, y: 0, width: 4, height: 4 }, [{ x: -1, y: 2 }, { x: 9, y: 2 }])).toBe(4);
    expect(inside({ x: 0, y: 0, width: 4, height: 4 }, [{ x: 5, y: 0 }, { x: 5, y: 9 }])).toBe(0);
  });

  it("of one edge in a block of three or four are not crossed by another", () => {
    for (const n of [3, 4]) {
      for (let tuple = 0; tuple < n; tuple++) {
        const blocks = new Array<number>(n).fill(0);
        const layout = layOutBlocks(blocks, 496);
        const at = (k: number) => layout.cards.find((card) => card.tuple === k)!;
        for (const label of drawEdges({ layout, blocks, shown: shownFor(n), tuple, other: null, kind: "exact", named: () => "", busy: false, disabled: false }).labels) {
          const far = Number(label.getAttribute("data-far") ?? -1);
          if (far < 0) continue;
          const rect = label.querySelector("rect")!;
          const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name))) as [number, number, number, number];
          for (const [a, b] of pairs(layout.cards)) {
            const own = [a.tuple, b.tuple].includes(tuple) && [a.tuple, b.tuple].includes(far);
            expect(inside({ x, y, width, height }, [at(a.tuple), at(b.tuple)]) > 0).toBe(own);
          }
        }
      }
    }
  });
});

describe("edges", () => {
  const draw = (blocks: number[], tuple: number, layout = layOutBlocks(blocks, 496)) =>
    drawEdges({
      layout,
      blocks,
      shown: shownFor(blocks.length),
      tuple,
      other: blocks.findIndex((block, k) => k !== tuple && block === blocks[tuple]),
      kind: "exact",
      named: (a, b) => `${a} to ${b}`,
      busy: false,
      disabled: false,
    });

  it.each([2, 3, 4, 5, 7, 12])("labels of a block of %i cover no card, whoever is chosen", (n) => {
    const blocks = new Array<number>(n).fill(0);
    const layout = layOutBlocks(blocks, 496);
    for (let tuple = 0; tuple < n; tuple++) {
      const labels = draw(blocks, tuple, layout).labels.filter((one) => one.getAttribute("role") === "button");
      expect(labels.length).toBe(n - 1);
      const boxes = labels.map((label) => {
        const rect = label.querySelector("rect")!;
        const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name))) as [number, number, number, number];
        return { x, y, width, height };
      });
      for (const box of boxes) for (const card of cardBoxes(layout)) expect(meet(box, card)).toBe(false);
      for (const [a, b] of pairs(boxes)) expect(meet(a, b)).toBe(false);
    }
  });

  it("are as thick as the coefficient, and dashed where it is 0", () => {
    const { lines } = draw([0, 0, 0], 2);
    const drawn = lines.filter((one) => one.tagName === "line");
    const [between, ...mine] = drawn;
    expect(between!.getAttribute("stroke-dasharray")).toBe("5 4");
    for (const one of mine) {
      expect(one.getAttribute("stroke-dasharray")).toBeNull();
      expect(Number(one.getAttribute("stroke-width"))).toBeGreaterThan(1);
      expect(one.getAttribute("stroke")).toBe("var(--ink)");
    }
    // Arrows lead from the chosen one.
    expect(lines.filter((one) => one.tagName === "path").length).toBe(2);
  });

  it("join nobody from another block", () => {
    expect(draw([0, 0, 1], 2).lines.filter((one) => one.tagName === "path").length).toBe(0);
    expect(draw([0, 0, 1], 2).labels.some((one) => one.getAttribute("role") === "button")).toBe(false);
  });
});
