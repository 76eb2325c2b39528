import { describe, expect, it } from "vitest";
import { createEdges, edgeName, factsOf, span, type EdgesProps, type FactsProps } from "../../src/prior/facts";
import { curvesNote } from "../../src/prior/curves";
import { createJointTable } from "../../src/table/joint-table";

const naming = { names: ["Ann", "<b>Bob</b>", "Cy"], labels: [["0", "1"], ["0", "1"], ["0", "1"]], noun: "answer" };
const links: EdgesProps["links"] = [
  { known: [], removed: 1, ic: [-0.25, -0.25], ir: [-0.125, -0.125], rho: -0.5 },
  { known: [1], removed: 2, ic: [-0.1, 0.2], ir: null, rho: null },
];
const props: EdgesProps = { links, naming, known: [1], busy: false, worst: false };

const rows = (el: HTMLElement): string[][] => [...el.querySelectorAll("tbody tr")].map((tr) => [...tr.children].map((cell) => cell.textContent ?? ""));

describe("the edges of the chosen adversary", () => {
  it("lists IC, IR and correlation of each, and says what each number is", () => {
    const { el, update } = createEdges(props);
    expect(el.querySelector("b")).toBeNull();
    expect(rows(el).map((row) => row.slice(1))).toEqual([
      ["−0.250", "−0.125", "−0.500"],
      ["−0.100 to +0.200", "–", "–"],
    ]);
    expect(rows(el)[0]?.[0]).toContain("without");
    expect(rows(el)[1]?.[0]).toContain("with");
    expect([...el.querySelectorAll("thead th")].map((th) => th.textContent)).toEqual(["Edge", "IC, nats", "IR", "ρ"]);
    expect(el.textContent).toContain("IC and IR as printed in the paper");
    expect(el.textContent).toContain("ρ exact");
    // Opened by key as well as by hand: a native disclosure.
    expect(el.tagName + el.firstElementChild?.tagName).toBe("DETAILSSUMMARY");
    update({ ...props, busy: true, worst: true });
    expect(rows(el)[0]?.slice(1)).toEqual(["…", "…", "…"]);
    expect(el.textContent).toContain("farthest from 0");
    update({ ...props, links: [] });
    expect(el.hidden).toBe(true);
  });

  it("names the two directions", () => {
    expect(edgeName(links[0]!, { naming: { ...naming, names: ["a", "b", "c"] }, known: [1] })).toMatch(/^without .*b/);
    expect(span([0, 0])).toBe("0");
  });
});

describe("several numbers released together", () => {
  const chosen = {
    target: 0, known: [], instance: [0, 0, 0], value: 2.93, determined: false, paper: null, group_bound: 6, promise: 2, attained: null,
    prior: [0.5, 0.5], mixtures: [], edges: [], support: 1, grouped: null,
    bins: [{ name: "count of 0", alone: 1.5, r: 3 }, { name: "count of 1", alone: 1.25, r: 0 }],
  };

  it("says what one leaks alone and where all together leak most", () => {
    const facts = factsOf({ chosen, naming, showPaper: false } as unknown as FactsProps);
    expect(facts.find(({ term }) => term === "One number alone")).toMatchObject({ value: "1.500", note: "at most; all added up 2.750, no bound" });
    expect(facts.find(({ term }) => term === "Attained")?.note).toBe("r = (3, 0)");
  });

  it("has no curve, and says so", () => {
    expect(curvesNote({ chosen, scale: 1, naming, showPaper: false, busy: false, stale: "", width: 400 })).toBe("not drawn");
  });
});

describe("weights in the header of the table", () => {
  it("stand there while the query has some, and report a typed one", () => {
    const seen: number[][] = [];
    const refused: (string | null)[] = [];
    const base = {
      since: 0,
      spec: { title: "", names: ["Ann", "Bob"], labels: [["0", "1"], ["0", "1"]], records: null },
      entries: Float64Array.of(0.25, 0.25, 0.25, 0.25),
      locks: new Uint8Array(4),
      loaded: Float64Array.of(0.25, 0.25, 0.25, 0.25),
      keepSum: true, rows: [0], columns: [1], fit: null, fault: null, disabled: false,
    };
    const table = createJointTable(base, {
      onEdit: () => {}, onKeepSum: () => {}, onPivot: () => {}, onWeights: (next) => seen.push(next), onRefused: (reason) => refused.push(reason),
    });
    expect(table.el.querySelector<HTMLElement>(".jt-weights")?.hidden).toBe(true);
    table.update({ ...base, weights: [1, -2.5] });
    expect(table.el.querySelector<HTMLElement>(".jt-weights")?.hidden).toBe(false);
    const fields = [...table.el.querySelectorAll<HTMLInputElement>(".jt-weights input")];
    expect(fields.map((field) => field.value)).toEqual(["1", "−2.5"]);
    fields[0]!.value = "3";
    fields[0]!.dispatchEvent(new Event("input", { bubbles: true }));
    fields[0]!.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect(seen).toEqual([[3, -2.5]]);
    fields[1]!.value = "two";
    fields[1]!.dispatchEvent(new Event("input", { bubbles: true }));
    fields[1]!.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect(refused.some((reason) => reason?.includes("The weight stays −2.5."))).toBe(true);
    table.destroy();
  });
});
