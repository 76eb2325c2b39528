// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnonymityExplorer, type AnonymityExplorer } from "../../src/anonymity/anonymity-explorer";
import { releaseNoun } from "../../src/anonymity/words";
import type { AnonymityRequest, AnonymityView } from "../../src/anonymity/protocol";
import { effects } from "../../src/anonymity/terms";
import { anonymityAnswer, lateResults } from "../../src/compute/anonymity-answer";
import { anonymityPage } from "../../src/compute/anonymity-results";
import { toBytes } from "../../src/ui/wire";
import { OtherEnd } from "../other-end";
import { clinicView } from "./clinic";

// jsdom parses style sheets slowly and draws nothing with them.
vi.mock("../../src/anonymity/styles", () => ({ STYLES: [] }));

/** A model whose other end answers only when told to. */
class Other extends OtherEnd<AnonymityView, AnonymityRequest> {
  answer(more: Partial<AnonymityView> = {}): void {
    const { origin, seq, base: _base, ...wish } = this.last;
    const made = anonymityAnswer(this.view, wish, anonymityPage(this.view));
    this.show({ ...made, ack: { origin, seq }, ...more });
  }
  show(view: AnonymityView): void {
    this.view = { ...view, revision: this.view.revision + 1 };
    this.emit("change:_view");
  }
}

let host: HTMLElement;
let other: Other;
let explorer: AnonymityExplorer;
const q = <E extends Element = HTMLElement>(selector: string): E => host.querySelector<E>(selector)!;
const all = (selector: string): HTMLElement[] => [...host.querySelectorAll<HTMLElement>(selector)];
const lead = (): string => q(".px-lead").textContent!;
const big = (): string => q(".px-big").textContent!;
const line = (): string => (q(".px-slot > .line").hidden ? "" : q(".px-slot > .line").textContent!.trim());
const button = (name: string): HTMLButtonElement => all("button").find((one) => one.textContent === name || one.getAttribute("aria-label") === name) as HTMLButtonElement;
const slider = (name: string): HTMLElement => q(`[role=slider][aria-label="${name}"]`);
const row = (letter: string): HTMLElement => q(`tr[data-class="${letter}"]`);
const box = (letter: string): Element => q(`rect[data-class="${letter}"]`);

function press(el: Element, name: string, more: KeyboardEventInit = {}): void {
  el.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
}

function type(label: string, text: string): void {
  const input = q<HTMLInputElement>(`input[aria-label="${label}"]`);
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  press(input, "Enter");
}

function pick(label: string, text: string): void {
  const radio = [...q(`[role=radiogroup][aria-label="${label}"]`).querySelectorAll("label")].find((one) => one.textContent === text)!.querySelector("input")!;
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}

function choose(label: string, text: string): void {
  const select = q<HTMLSelectElement>(`select[aria-label="${label}"]`);
  select.selectedIndex = [...select.options].findIndex((one) => one.textContent === text);
  select.dispatchEvent(new Event("change", { bubbles: true }));
}

function click(el: Element): void {
  el.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

function start(view = clinicView()): void {
  other = new Other(view);
  host = document.createElement("div");
  document.body.append(host);
  explorer = createAnonymityExplorer(other, host);
}

function again(view: AnonymityView): void {
  explorer.destroy();
  host.remove();
  start(view);
}

beforeEach(() => {
  vi.useFakeTimers();
  start();
});

afterEach(() => {
  explorer.destroy();
  host.remove();
  vi.useRealTimers();
});

describe("what is read first", () => {
  it("says what the classes give away and how the count hides the others", () => {
    expect(lead()).toBe(
      "Every patient shares a class with at least 4 others, yet in 8 of 14 classes nobody has diabetes, so " +
        "knowing the class reveals it. The published count does better: to an adversary who knows 30 % of the " +
        "records it moves the odds on anyone else by at most a factor of 2.72 (ε = 1.00), up to a slack δ of " +
        "0.0098.",
    );
    expect(q(".px-audit").textContent).toContain("violated from ε = 1.42");
    expect(q(".px-audit").textContent).toContain("thresholds only: 0.493");
    const facts = q(".kx-facts").textContent!;
    for (const part of ["0.17318 times exact", "0.49350 times exact", "Theorem 1, printed0.133holds here", "Theorem 6, printed9.880vacuous", "0.0027exact, 99 others"]) expect(facts).toContain(part);
  });

  it("names what is published in the heading of the curves, and draws them", () => {
    expect(q(".kx-curves .panel-head").textContent).toContain("How the count hides one patient");
    expect(q(".kx-curve").getAttribute("aria-label")).toContain("exact slack 0.0098, bound for all events 0.173, bound for thresholds 0.493, Theorem 1, statement as printed 0.133");
    expect(all(".kx-violated").length).toBe(1);
  });

  it("says that no theorem is about published records", () => {
    again(clinicView({ release: "records:yes", reading: "" }));
    expect(q(".px-audit").textContent).toContain("The paper as printed–no theorem is about records");
    expect(q<HTMLInputElement>(".kx-switch input").disabled).toBe(true);
  });

  it("says of no theorem that it holds where nothing exact is there to compare it with", () => {
    const view = clinicView();
    const [exact, ...rest] = view.results!.curves;
    const none = toBytes(new Float64Array(101).fill(NaN));
    const curves = [{ ...exact!, delta: none, drawn: none, at: null, status: "undefined" as const, why: "it is not there yet" }, ...rest.map((one) => ({ ...one, violated: [] }))];
    again({ ...view, results: { ...view.results!, curves } });
    const said = q(".px-audit").textContent!;
    expect(said).toContain("not compared");
    expect(said).not.toContain("not violated");
  });

  it("has the curves in a table for screen readers", () => {
    const rows = all(".kx-curves .sr-only tbody tr").map((one) => [...one.children].map((cell) => cell.textContent));
    expect(rows.length).toBe(11);
    expect(rows[4]).toEqual(["1", "0.0098", "0.173, 0.493", "0.133"]);
  });
});

it("opens what was saved before the number of records and the slack of the normal step were inputs", () => {
  const { n: _n, delta1: _delta1, results, ...old } = clinicView();
  const { recipe: _recipe, ...found } = results!;
  again({ ...old, results: found } as AnonymityView);
  expect(big()).toContain("δ");
  expect(line()).toBe("");
  type("Budget ε as a number", "2");
  vi.runAllTimers();
  other.answer();
  expect(other.view).toMatchObject({ fault: null, epsilon: 2, n: null, delta1: null });
});

it("draws what stands in its controls where that is no number", () => {
  for (const name of ["k", "neighbours"] as const) {
    for (const sent of ["NaN", "Infinity", "-Infinity"]) {
      again({ ...clinicView({ level: "IV" }), [name]: sent, fault: { text: `${name} is none.`, where: { kind: "parameter", name } }, current: false } as AnonymityView);
      expect(big()).toContain("δ");
      expect(line()).toContain(`${name} is none.`);
      type("Budget ε as a number", "2");
      vi.runAllTimers();
      expect(other.last).toMatchObject({ epsilon: 2 });
      expect(other.last).not.toHaveProperty(name);
    }
  }
});

describe("classes", () => {
  it("opens a small class with one secret and a small mixed one", () => {
    expect(all(".kx-class[aria-expanded=true]").map((one) => one.dataset["class"])).toEqual(["G", "J"]);
    expect(row("G").textContent).toMatch(/^G, 5 rows.* all no$/);
    expect(all("td[data-marked]").length).toBe(1);
    expect(box("G").getAttribute("stroke-width")).toBe("2.5");
  });

  it("marks a chosen class in table and map, and lets it go", () => {
    click(row("E"));
    expect(all(".kx-class[aria-expanded=true]").map((one) => one.dataset["class"])).toEqual(["E"]);
    expect(box("E").getAttribute("aria-selected")).toBe("true");
    expect(q(".kx-readout").textContent).toBe("Class E, 8 patients: age 38–45, weight 60–69; 1 yes");
    expect(other.requests.length).toBe(0);
    click(row("E"));
    expect(all(".kx-class[aria-selected=true]").length).toBe(0);
  });

  it("are walked by arrow keys, row by row, and in the map by direction", () => {
    row("C").focus();
    press(row("C"), "ArrowDown");
    expect((document.activeElement as HTMLElement).dataset["class"]).toBe("D");
    expect(row("D").getAttribute("aria-selected")).toBe("true");
    press(row("D"), "End");
    expect(row("N").getAttribute("aria-selected")).toBe("true");
    press(row("N"), "Escape");
    expect(all(".kx-class[aria-selected=true]").length).toBe(0);
    const map = q(".kx-map");
    press(map, "Home");
    expect(row("A").getAttribute("aria-selected")).toBe("true");
    press(map, "ArrowUp");
    expect(row("A").getAttribute("aria-selected")).toBe("false");
    press(map, "ArrowDown");
    expect(all(".kx-class[aria-selected=true]").length).toBe(1);
  });

  it("never share a colour with a class they touch, and letters tell them apart", () => {
    expect(new Set(all("rect.kx-box").map((one) => one.getAttribute("fill"))).size).toBe(4);
    expect(all(".kx-letters text").length).toBeGreaterThan(10);
  });
});

describe("the hand does not wait for the kernel", () => {
  it("moves ε at once, and asks once a frame", () => {
    const handle = slider("Budget ε");
    press(handle, "ArrowRight", { shiftKey: true });
    expect(other.last).toMatchObject({ epsilon: 1.25 });
    expect(lead()).toContain("a factor of 3.49 (ε = 1.25), up to a slack δ of 0.0051.");
    expect(big()).toBe("0.0051 δ");
  });

  it("puts records into other classes while k moves", () => {
    press(slider("Least class size k"), "ArrowRight");
    expect(other.last).toMatchObject({ k: 6 });
    const { classes_in_all } = anonymityAnswer(other.view, { k: 6 }, anonymityPage(other.view)).results!;
    expect(q(".kx-table .panel-head").textContent).toBe(`Table${classes_in_all} classes of at least 6`);
    expect(all("rect.kx-box").length).toBe(classes_in_all);
    // What changes without each record is awaited.
    expect(q(".kx-sensitivity .px-empty").hidden).toBe(false);
  });

  it("knows more and leaks more, by the line in the small curve", () => {
    press(slider("Share known, per cent"), "End");
    expect(other.last).toMatchObject({ known: 1 });
    expect(lead()).toContain("the published count hides nobody: it tells the last patient’s value (ε = 1.00, slack δ = 1).");
  });

  it("takes Python's answer when it comes", () => {
    press(slider("Budget ε"), "ArrowRight", { shiftKey: true });
    other.answer();
    expect(big()).toBe("0.0051 δ");
    expect(line()).toBe("");
  });
});

describe("controls", () => {
  it("change the level, and switch off what it does not know", () => {
    pick("Level of the adversary", "Nothing");
    expect(other.last).toMatchObject({ level: "I" });
    expect(slider("Share known").getAttribute("aria-disabled")).toBe("true");
    expect(q(".kx-facts").textContent).toContain("Theorem 4");
    pick("Level of the adversary", "Both");
    expect(slider("Largest neighbourhood, II and IV").getAttribute("aria-disabled")).toBe(null);
    expect(lead()).toContain("knows 30 % of the records and groups of up to 1 record, each on its own");
  });

  it("publish a sum, which has no lattice beyond its bounds", () => {
    expect(all("td[data-marked]").length).toBe(1);
    choose("Published beside the table", "Sum, weight");
    // A sum counts no value, and the saved picture marks none.
    expect(all("td[data-marked]").length).toBe(0);
    expect(q(".kx-map-caption").textContent).toBe("Every patient by age and weight");
    expect(all(".kx-dots path")[2]!.getAttribute("d")).toBe("");
    expect(other.last).toMatchObject({ release: "sum:weight" });
    expect(q(".kx-curves .panel-head").textContent).toContain("How the sum hides one patient");
    expect(q(".kx-facts").textContent).not.toContain("Theorem 1");
  });

  it("turn the theorems off, and choose a reading in a menu", () => {
    const checkbox = q<HTMLInputElement>(".kx-switch input");
    checkbox.checked = false;
    checkbox.dispatchEvent(new Event("change"));
    expect(other.last).toMatchObject({ printed: false });
    expect(all(".kx-violated").length).toBe(0);
    other.answer();
    expect(all(".kx-violated").length).toBe(0);
    // Nothing printed is said anywhere, but how to see it.
    expect(q(".kx-facts").textContent).not.toContain("printed");
    expect(q(".kx-paper").hidden).toBe(true);
    expect(q(".px-audit").textContent).toContain("Theorem 1 as printedofftick “as printed” above");
    expect(q(".px-audit-value.paper")).toBe(null);
    expect([...q(".kx-curves .sr-only thead tr").children].map((cell) => (cell as HTMLElement).hidden)).toEqual([false, false, false, true]);
    expect([...q(".kx-curves .sr-only tbody tr").children].length).toBe(3);
    expect(q(".kx-curve").getAttribute("aria-label")).not.toContain("printed");
    checkbox.checked = true;
    checkbox.dispatchEvent(new Event("change"));
    other.answer();
    click(q(".kx-reading"));
    const items = all("[role=menuitemcheckbox]").map((one) => one.textContent);
    expect(items).toContain("Theorem 1, last line of the proof");
    click(all("[role=menuitemcheckbox]").find((one) => one.textContent === "Theorem 6, sum of powers")!);
    expect(other.last).toMatchObject({ reading: "t4:sum_of_powers" });
    expect(q(".kx-reading").textContent).toBe("Theorem 6, sum of powers, n = 70 ▾");
  });

  it("refuse what makes no sense, say why, and send nothing", () => {
    type("Least class size k as a number", "5.5");
    expect(line()).toContain("The class size 5.5 is refused.");
    expect(other.requests.length).toBe(0);
    type("Least class size k as a number", "7");
    expect(line()).toBe("");
    expect(other.last).toMatchObject({ k: 7 });
    other.answer();
    type("Budget ε as a number", "inf");
    expect(other.last).toMatchObject({ epsilon: "Infinity" });
    expect(lead()).toContain("by a finite factor (ε = ∞), up to a slack δ of 7.0e−4.");
    expect(q(".kx-curve-words").textContent).toContain("beyond the axis");
  });

  it("keep the last quasi-identifier", () => {
    const boxes = all(".kx-columns input") as HTMLInputElement[];
    boxes[1]!.checked = false;
    boxes[1]!.dispatchEvent(new Event("change", { bubbles: true }));
    expect(other.last).toMatchObject({ quasi: [0] });
    expect(q(".kx-map").getAttribute("aria-label")).toContain("Classes by age:");
    other.answer();
    const left = all(".kx-columns input") as HTMLInputElement[];
    left[0]!.checked = false;
    left[0]!.dispatchEvent(new Event("change", { bubbles: true }));
    expect(line()).toContain("The last quasi-identifier stays.");
    expect(left[0]!.checked).toBe(true);
  });

  it("leave the change of the sum to the column, or take it", () => {
    type("Change in released sum", "2");
    expect(other.last).toMatchObject({ shift: 2 });
    other.answer();
    type("Change in released sum", "");
    expect(other.last).toMatchObject({ shift: null });
    type("Slack of the Gaussian step, δ₁", "2");
    expect(line()).toContain("The slack 2 is refused.");
  });
});

describe("terms of the comparison", () => {
  const hints = (): string[] => all(".kx-hint").map((one) => one.textContent!);

  it("are said below the curves, and set behind that", () => {
    expect(q(".kx-curves > .kx-terms > summary").textContent).toBe("Terms: a record’s value may differ; bound for thresholds");
    expect(q(".px-fold > summary").textContent).toBe("Columns");
    expect(q(".px-fold").parentElement).toBe(q(".kx-table"));
    pick("What of one record may differ", "being there");
    expect(other.last).toMatchObject({ neighbour: "presence" });
    other.answer();
    pick("Events that the bound holds for", "intervals");
    expect(other.last).toMatchObject({ events: "interval" });
    expect(q(".kx-curve").getAttribute("aria-label")).toContain("bound for intervals");
  });

  it("say which number changes what", () => {
    expect(hints()).toEqual(["gives δ 0.647 at ε = 0.6197", "Theorem 6 as printed only", "exact curve and bounds"]);
    expect(all(".kx-facts")[1]!.textContent).toContain("Recipe, δ₁ 0.1200.647at ε = 0.6197");
    expect(all(".kx-term-numbers input").map((one) => one.getAttribute("aria-describedby"))).toEqual(all(".kx-hint").map(({ id }) => id));
    expect(q<HTMLInputElement>('input[aria-label="Slack of the Gaussian step, δ₁"]').placeholder).toBe("0.12");
    const recipe = null;
    expect(effects({ kind: "count", level: "I", neighbour: "presence", printed: false, recipe })).toEqual({
      delta1: "no bound for these events",
      group: "Theorem 4 as printed only, not shown",
      shift: "only where its value differs",
    });
    expect(
      effects({
        kind: "sum",
        level: "II",
        neighbour: "value",
        printed: true,
        recipe: { delta1: null, epsilon: "Infinity", delta: 1, status: "vacuous" },
      }),
    ).toMatchObject({ delta1: "nobody is unknown", group: "no theorem uses it here" });
    expect(effects({ kind: "records", level: "I", neighbour: "value", printed: true, recipe })).toEqual({
      delta1: "not for published records",
      group: "no theorem uses it here",
      shift: "not for published records",
    });
  });

  it("have the effects they name, and no other", () => {
    const numbers = (more: Partial<AnonymityView>): unknown => {
      const { curves, printed, nothing_known } = clinicView({ printed: true, reading: "", ...more }).results!;
      return { curves: curves.map(({ key, at }) => [key, at]), printed: printed.map(({ key, delta }) => [key, delta]), nothing_known };
    };
    const cases: Pick<AnonymityView, "release" | "level" | "neighbour">[] = [
      "count:yes",
      "records:yes",
      "sum:age",
    ].flatMap((release) =>
      (["I", "II", "III", "IV"] as const).flatMap((level) =>
        (["value", "presence"] as const).map((neighbour) => ({ release, level, neighbour })),
      ),
    );
    for (const one of cases) {
      // Beyond ε of their own the theorems say something.
      const base = { ...one, n: 30, neighbours: 2, epsilon: 200 };
      const kind = releaseNoun(one.release);
      const { recipe = null } = clinicView({ ...base, reading: "" }).results!;
      const chosen = clinicView({ ...base, reading: "", delta1: 0.3 }).results!.recipe;
      const said = effects({ ...one, kind, printed: true, recipe: recipe ?? null });
      if (said.delta1.startsWith("gives")) expect(chosen, JSON.stringify(one)).toMatchObject({ delta1: 0.3 });
      else expect([recipe, chosen], JSON.stringify(one)).toEqual([null, null]);
      const plain = numbers(base);
      expect(numbers({ ...base, delta1: 0.3 }), JSON.stringify(one)).toEqual(plain);
      if (said.group.startsWith("no ")) expect(numbers({ ...base, group_change: 2.5 }), JSON.stringify(one)).toEqual(plain);
      else expect(numbers({ ...base, group_change: 2.5 }), JSON.stringify(one)).not.toEqual(plain);
      const moved = numbers({ ...base, epsilon: 0.5, shift: 3 });
      if (said.shift === "exact curve and bounds") expect(moved, JSON.stringify(one)).not.toEqual(numbers({ ...base, epsilon: 0.5 }));
      else expect(moved, JSON.stringify(one)).toEqual(numbers({ ...base, epsilon: 0.5 }));
    }
  });
});

describe("the number of records of the release", () => {
  const field = (): HTMLInputElement => q('input[aria-label="Records in the release, n"]');

  it("is that of the table where it is empty, and another one where it is typed", () => {
    expect([field().value, field().placeholder]).toEqual(["", "100"]);
    type("Records in the release, n", "1000");
    expect(other.last).toMatchObject({ n: 1000 });
    expect(field().value).toBe("1000");
    expect(q(".kx-adversary").textContent).toContain("Unknown others m699");
    expect(q(".kx-fact").textContent).toContain("exact, 999 others");
    expect(q(".kx-reading").textContent).toBe("Theorem 1, statement, n = 699 ▾");
    expect(q(".kx-table .panel-head").textContent).toBe("Table14 classes of at least 5");
    other.answer();
    // As many may move together as the release has.
    pick("Level of the adversary", "Dependence");
    other.answer();
    type("Largest neighbourhood as a number", "400");
    expect(other.last).toMatchObject({ neighbours: 400 });
    other.answer();
    type("Records in the release, n", "");
    expect(other.last).toMatchObject({ n: null });
  });

  it("is refused in the field, and undone", () => {
    type("Records in the release, n", "4");
    expect(line()).toContain("The number of records 4 is refused. Enter a whole number from k = 5 to 1,000,000,000,000, or leave it empty.");
    expect(other.requests.length).toBe(0);
    type("Records in the release, n", "50");
    other.answer();
    click(button("Undo (Ctrl Z)"));
    expect(other.last).toMatchObject({ n: null });
    other.answer();
    expect(field().value).toBe("");
    click(button("Redo (Ctrl Shift Z)"));
    expect(other.last).toMatchObject({ n: 50 });
    other.answer();
    // No class is larger than all.
    type("Least class size k as a number", "51");
    expect(line()).toContain("The class size 51 is refused. Enter a whole number from 1 to 50,");
    expect(other.last).toMatchObject({ n: 50 });
  });

  it("is read with signs between thousands, as such numbers are shown, and never as a thousandth of it", () => {
    for (const typed of ["50,000", "50 000", "50\u202f000"]) {
      type("Records in the release, n", typed);
      expect(other.last).toMatchObject({ n: 50000 });
      other.answer();
      type("Records in the release, n", "");
      other.answer();
    }
    const before = other.requests.length;
    type("Records in the release, n", "50.000");
    expect(line()).toContain('"50.000" has two readings. Leave out the point.');
    type("Records in the release, n", "many");
    expect(line()).toContain('"many" is not a number. Enter a whole number such as 200.');
    type("Least class size k as a number", "1,5");
    expect(line()).toContain("The class size 1,5 is refused.");
    expect(other.requests.length).toBe(before);
  });

  it("draws nothing by the share known where the slack is below the axis", () => {
    other.show(anonymityAnswer(other.view, { n: 100_000 }, anonymityPage(other.view)));
    vi.advanceTimersByTime(50);
    const heights = [...q('.kx-known-curve path[stroke="var(--ink)"]').getAttribute("d")!.matchAll(/[ML]([\d.]+)[ ,]([\d.]+)/g)].map(([, , y]) => Number(y));
    expect(heights.length).toBeGreaterThan(2);
    expect(heights.filter((y) => y >= 139.9).length).toBe(1);
  });

  it("keeps what belongs to the results while another one is refused", () => {
    const set = (n: number | null): void => {
      other.show(anonymityAnswer(other.view, { n }, anonymityPage(other.view)));
      vi.advanceTimersByTime(50);
    };
    set(400);
    set(3);
    expect(line()).toContain("n is 3; give a whole number of records from k = 5");
    expect(field().value).toBe("3");
    expect(q(".kx-fact").textContent).toContain("exact, 399 others");
    set(null);
    expect(q(".kx-fact").textContent).toContain("exact, 99 others");
  });

  it("says who adds to a sum where it is empty", () => {
    const view = clinicView();
    const columns = [{ ...view.columns[0]!, values: toBytes(Float64Array.from({ length: 100 }, (_, k) => (k < 90 ? 20 + (k % 60) : NaN))) }, ...view.columns.slice(1)];
    again(clinicView({ columns, quasi: [1], release: "sum:age", reading: "t4:sum_of_powers" }));
    expect(field().placeholder).toBe("90");
  });
});

describe("undo", () => {
  it("goes back step by step and forth again", () => {
    pick("Level of the adversary", "Nothing");
    other.answer();
    type("Least class size k as a number", "9");
    other.answer();
    click(button("Undo (Ctrl Z)"));
    expect(other.last).toMatchObject({ k: 5, level: "I" });
    other.answer();
    press(q(".px-lead"), "z", { ctrlKey: true });
    expect(other.last).toMatchObject({ k: 5, level: "III" });
    other.answer();
    press(q(".px-lead"), "z", { ctrlKey: true, shiftKey: true });
    expect(other.last).toMatchObject({ k: 5, level: "I" });
  });
});

describe("states at the edge", () => {
  it("keeps the last classes where k is too large, and says so", () => {
    // Python is asked all the same: another view may have set it.
    other.show(anonymityAnswer(other.view, { k: 101 }, anonymityPage(other.view)));
    expect(line()).toContain("There are 100 records, fewer than k = 101");
    expect(line()).toContain("The results belong to the last valid inputs.");
    expect(q(".kx-table .panel-head").textContent).toBe("Table14 classes of at least 5");
    expect(q("[data-old] .px-result .px-stale").hidden).toBe(false);
  });

  it("counts in a class and in the lead only those who can be published", () => {
    const view = clinicView();
    const columns = [{ ...view.columns[0]!, values: toBytes(Float64Array.from({ length: 100 }, (_, k) => (k < 90 ? 20 + (k % 60) : NaN))) }, ...view.columns.slice(1)];
    again(clinicView({ columns }));
    expect(lead()).toContain("Every published patient shares a class");
    type("Least class size k as a number", "91");
    expect(line()).toContain("The class size 91 is refused. Enter a whole number from 1 to 90, the records that can be published.");
    expect(other.requests.length).toBe(0);
    type("Least class size k as a number", "90");
    expect(other.last).toMatchObject({ k: 90 });
  });

  it("counts in a sum only those who have a value", () => {
    const view = clinicView();
    const columns = [{ ...view.columns[0]!, values: toBytes(Float64Array.from({ length: 100 }, (_, k) => (k < 90 ? 20 + (k % 60) : NaN))) }, ...view.columns.slice(1)];
    again(clinicView({ columns, quasi: [1], release: "sum:age", reading: "t4:sum_of_powers", printed: true }));
    expect(other.view.results!.unknown).toBe(62);
    expect(q(".kx-reading").textContent).toBe("Theorem 6, sum of powers, n = 63 ▾");
    expect(q(".kx-fact").textContent).toContain("exact, 89 others");
  });

  it("fills no dots without a secret", () => {
    again(clinicView({ secret: null, release: "sum:age" }));
    expect(q(".kx-map-caption").textContent).toBe("Every patient by age and weight");
    expect(all(".kx-dots path")[2]!.getAttribute("d")).toBe("");
    expect(lead()).toContain("Every patient shares a class with at least 4 others. To an adversary who knows");
  });

  it("says why nothing exact is computed, and shows bounds", () => {
    const view = clinicView();
    const columns = [{ ...view.columns[0]!, values: toBytes(Float64Array.from({ length: 100 }, (_, k) => Math.sin(k) * Math.PI)) }, ...view.columns.slice(1)];
    again(clinicView({ columns, secret: null, release: "sum:age" }));
    expect(q(".kx-fact").textContent).toContain("values have no common step");
    expect(q(".kx-key").textContent).toContain("not computed: values have no common step");
    expect(big()).toBe("– δ");
    expect(lead()).toContain("the exact slack is not computed.");
  });

  it("names in the map who is counted and who is not", () => {
    for (const [release, words] of [["count:yes", "● diabetes, ○ none"], ["count:no", "● no diabetes, ○ diabetes"], ["sum:age", null]] as const) {
      again(clinicView({ release }));
      expect(q(".kx-map-caption").textContent).toBe(`Every patient by age and weight${words ? `; ${words}` : ""}`);
    }
  });

  it("shows a few hundred classes and long names without losing any", () => {
    const many = Float64Array.from({ length: 1000 }, (_, k) => k);
    const name = "a very long name of a column that nobody has room for";
    again(clinicView({ records: 1000, columns: [{ name, labels: null, ordered: true, values: toBytes(many) }], quasi: [0], drawn: [0, null], secret: null, release: `sum:${name}`, k: 2 }));
    expect(all("tr[data-class]").length).toBe(200);
    expect(q(".kx-more").textContent).toMatch(/more classes are not listed/);
    // Of those that are not listed the map has no boxes.
    expect(q(".kx-map-caption").textContent).toMatch(/^Every patient by .*; boxes: the first 200 of 488 classes$/);
    again({ ...clinicView(), records: 4000, sampled: Array.from({ length: 100 }, (_, k) => 40 * k) });
    expect(q(".kx-map-caption").textContent).toBe("100 of 4,000 patients by age and weight; ● diabetes, ○ none");
    // Records whose values did not come are counted, and are no empty rows.
    const texts = all(".kx-classes tr:not([data-class]):not(:first-child)").map((one) => one.textContent);
    expect(texts.filter((one) => one === "")).toEqual([]);
    expect(texts.filter((one) => /^and \d+ more rows?$/.test(one!)).length).toBe(2);
    again(clinicView({ records: 1000, columns: [{ name, labels: null, ordered: true, values: toBytes(many) }], quasi: [0], drawn: [0, null], secret: null, release: `sum:${name}`, k: 2 }));
    expect(q(".kx-classes th:nth-child(2)").getAttribute("title")).toBe(name);
    // One column has all the room that there is.
    expect(q(".kx-classes th:nth-child(2)").textContent).toMatch(/^a very long name of a.*…$/);
  });

  it("treats names as text", () => {
    const view = clinicView();
    again(clinicView({ columns: view.columns.map((column, k) => (k === 2 ? { ...column, name: "<img src=x>", labels: ["<b>", "yes"] } : column)) }));
    expect(host.querySelector("img")).toBe(null);
    expect(q(".kx-classes th:last-child").textContent).toContain("<img");
  });

  it("switches controls off without a kernel and keeps the numbers", () => {
    other.comm_live = false;
    other.emit("comm_live_update");
    expect(line()).toContain("No kernel.");
    expect(slider("Budget ε").getAttribute("aria-disabled")).toBe("true");
    expect(big()).toBe("0.0098 δ");
    click(row("E"));
    expect(row("E").getAttribute("aria-selected")).toBe("true");
  });

  it("switches off only what needs the records of a page that has not all of them", () => {
    const fixed = "As saved: this page does not have all 100 patients.";
    again({ ...clinicView(), fixed });
    const off = (name: string): string | null => slider(name).getAttribute("aria-disabled");
    expect([off("Least class size k"), off("Budget ε"), off("Share known")]).toEqual(["true", null, null]);
    expect(q(".kx-kept").textContent).toBe("k and columns stay as saved.");
    expect(q(".kx-kept").hidden).toBe(false);
    expect([q(".px-fold").title, slider("Least class size k").closest<HTMLElement>("[title]")!.title]).toEqual([fixed, fixed]);
    expect((all(".kx-columns input, select[aria-label=Secret]") as HTMLInputElement[]).map(({ disabled }) => disabled)).toEqual([true, true, true, true]);
    expect(q<HTMLSelectElement>("select[aria-label='Published beside the table']").disabled).toBe(false);
    again(clinicView());
    expect(q(".kx-kept").hidden).toBe(true);
    expect(q(".px-fold").title).toBe("");
  });

  it("shows what changes without each record when it comes", () => {
    expect(q(".kx-sensitivity .px-empty").hidden).toBe(false);
    const steps = lateResults(other.view, anonymityPage(other.view));
    let step = steps.next();
    while (!step.done) step = steps.next();
    other.show({ ...other.view, results: step.value });
    expect(q(".kx-removals svg").getAttribute("aria-label")).toBe("Largest change in a class when one patient is left out: 1: 26, 4: 1, 6: 13, 7: 55, 8: 5");
    expect(q(".kx-sensitivity .kx-words").textContent).toBe("Leaving one patient out rearranges other patients’ classes, by 8 patients at worst. So s = 1 is an assumption, not a property of k-anonymity.");
    expect(q(".kx-release").textContent).toContain("Change in group size, s8");
    // Of bins the last one says where it ends: the worst change is there.
    const changes = toBytes(Float64Array.from({ length: 100 }, (_, k) => (k === 3 ? 335 : k)));
    other.show({ ...other.view, results: { ...other.view.results!, removals: { changes, largest: 335, worst: 3, sampled: 100 } } });
    vi.advanceTimersByTime(50);
    expect(all(".kx-removals text").map((one) => one.textContent)).toEqual(expect.arrayContaining(["315–335", "worst, s ≥ 335"]));
  });

  it("leaves nothing behind", () => {
    expect(other.live).toBeGreaterThan(0);
    explorer.destroy();
    expect(other.live).toBe(0);
    expect(host.childElementCount).toBe(0);
    start();
  });
});
