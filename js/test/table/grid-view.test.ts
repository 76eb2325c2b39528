import { describe, expect, it } from "vitest";
import { Drafts } from "../../src/table/editing";
import { gridProps, shared, wantedWidth } from "../../src/table/grid-view";
import { editedTitle, isEdited } from "../../src/ui/undo";
import { textWidth } from "../../src/ui/lettering";

/** A table of tuples with two labels each, the first few in rows. */
function drawn(names: string[], rows: number, width: number) {
  const cells = 2 ** names.length;
  const entries = new Float64Array(cells).fill(1 / cells);
  const order = names.map((_, j) => j);
  return gridProps({
    spec: { title: "", names, labels: names.map(() => ["0", "1"]), records: null },
    entries,
    locks: new Uint8Array(cells),
    loaded: entries,
    pivot: { rows: order.slice(0, rows), columns: order.slice(rows) },
    fit: null,
    drafts: new Drafts(),
    disabled: false,
    width,
  });
}

describe("the name of the row of sums", () => {
  // The padding of a heading in the two forms.
  const needed = (compact: boolean): number => textWidth("sum", 12) + (compact ? 8 : 12);
  it.each([
    ["two short names", ["A", "B"], 1],
    ["numbers in place of names", ["item 1", "item 2", "item 5"], 2],
    ["many columns", ["x1", "x2", "x3", "x4", "x5", "x6"], 3],
    ["one row heading beside many columns", ["x1", "x2", "x3", "x4", "x5"], 1],
  ])("has room below the headings: %s", (_, names, rows) => {
    for (const width of [180, 264, 480, 800]) {
      const { corner, compact, sumLabel } = drawn(names, rows, width);
      const room = corner.reduce((sum, head) => sum + head.width, 0);
      expect(sumLabel).toBe("sum");
      expect(room, `${width} px`).toBeGreaterThanOrEqual(needed(compact ?? false));
    }
  });

  it("takes no more than the headings where these are wide", () => {
    const { corner } = drawn(["first answer", "second answer", "third answer"], 2, 800);
    expect(corner.map(({ width }) => width)).toEqual(["first answer", "second answer"].map((name) => Math.ceil(textWidth(name, 12)) + 14));
  });
});

describe("headings that are words", () => {
  const names = ["Uses a password manager", "Has been in a data breach", "Study program", "Would share location"];
  const labels = [["no", "yes"], ["don't know", "yes", "no"], ["Computer science", "Law and public policy"], ["never", "sometimes"]];
  const spec = { title: "", names, labels, records: null };
  const pivot = { rows: [0, 1, 2], columns: [3] };

  function heads(width: number) {
    const cells = 24;
    const entries = new Float64Array(cells).fill(1 / cells);
    const locks = new Uint8Array(cells);
    return gridProps({ spec, entries, locks, loaded: entries, pivot, fit: null, drafts: new Drafts(), disabled: false, width }).corner;
  }

  it("share the room: narrow ones give what they do not need", () => {
    expect(shared([20, 100, 200], 220)).toEqual([20, 100, 100]);
    expect(shared([20, 30], 100)).toEqual([20, 30]);
    expect(shared([90, 90], 100)).toEqual([50, 50]);
  });

  it("stand in two lines where one is too narrow, and nothing is cut at the wanted width", () => {
    const wanted = wantedWidth(spec, pivot);
    const found = heads(wanted);
    expect(found[0]?.lines).toBe(2);
    found.forEach((head, k) => {
      for (const label of labels[k]!) expect(Math.min(140, textWidth(label, 12))).toBeLessThanOrEqual(head.width - 6);
      for (const word of names[k]!.split(" ")) expect(textWidth(word, 12)).toBeLessThanOrEqual(head.width - 6);
    });
    expect(found.reduce((sum, head) => sum + head.width, 0)).toBeLessThan(wanted);
  });
});

describe("cells that are not as loaded", () => {
  it("say what was loaded, and the data no longer go by their name alone", () => {
    const names = ["A", "B"];
    const spec = { title: "Titanic", names, labels: [["0", "1"], ["0", "1"]], records: 4 };
    const view = (entries: Float64Array, loaded: Float64Array) =>
      gridProps({ spec, entries, locks: new Uint8Array(4), loaded, pivot: { rows: [0], columns: [1] }, fit: null, drafts: new Drafts(), disabled: false, width: 400 });
    const loaded = Float64Array.from([0.4, 0.1, 0.1, 0.4]);
    const grid = view(Float64Array.from([0.2, 0.3, 0.1, 0.4]), loaded);
    expect(grid.label).toBe("Joint distribution: Edited from Titanic");
    expect(grid.cell(0, 0)).toMatchObject({ changed: true, title: expect.stringMatching(/edited, it was 0\.400/) });
    expect(grid.cell(1, 1).title).not.toMatch(/edited/);
    expect(view(loaded, loaded).label).toBe("Joint distribution: Titanic");
  });

  it("leave no mark where nothing is loaded, without a name, or twice", () => {
    expect(isEdited(Float64Array.of(1), Float64Array.of())).toBe(false);
    expect(isEdited([NaN, 0.3], [NaN, 0.1 + 0.2])).toBe(false);
    expect([editedTitle("", true), editedTitle("Edited from T", true), editedTitle("T", false)]).toEqual(["", "Edited from T", "T"]);
  });
});
