// @vitest-environment jsdom
import { createCompared } from "../../src/local/more";
import { createCurve, createReportsCurve, valueAt, type CurveProps, type ReportsCurveProps } from "../../src/local/curve";
import { describe, expect, it, vi } from "vitest";
import { pairTable } from "../../src/compute/local-pair";
import { trackEnd } from "../../src/local/release";
import { axisEnd, createRescaler, curveLines, decode, type Asked } from "../../src/local/results";
import { sentence, symbolsShown, type DumbbellsProps } from "../../src/local/facts";
import { createHeatMap, sumError } from "../../src/local/heat-map";
import { frameOf } from "../../src/local/heat-map-cells";
import { distinctNames } from "../../src/ui/lettering";
import { pairInWords, symbolsInWords } from "../../src/local/words";
import { budgetText, readBudget, refuseBudget } from "../../src/ui/scale";
import { capital, inWords } from "../../src/ui/format";
import { createDragNumber } from "../../src/ui/drag-number";
import { NAMES, viewOf } from "./cases";
import { floats, number } from "../../src/ui/wire";
import type { LocalView } from "../../src/local/protocol";

function asked(view: LocalView, epsilon = number(view.results!.epsilon)): Asked {
  const { results, attributes, records } = view;
  return {
    mechanism: { key: results!.mechanism, epsilon, parameters: results!.parameters },
    output: results!.output,
    minCount: results!.min_count,
    names: results!.names,
    sizes: attributes.map(({ labels }) => labels.length),
    records,
  };
}

describe("budgets", () => {
  it.each([["inf", Infinity], ["∞", Infinity], [" Infinity ", Infinity], ["1,5", 1.5], ["0", 0], ["1/2", 0.5]])("reads %s", (text, value) => {
    expect(readBudget(text)).toEqual({ ok: true, value });
  });
  it("says what is accepted", () => {
    expect(readBudget("much")).toMatchObject({ ok: false, reason: '"much" is no budget. Enter a number of nats, or inf.' });
    expect(refuseBudget(-1, "-1")).toBe("The budget -1 is refused. Enter 0 or more nats, or inf.");
    expect(refuseBudget(NaN)).not.toBeNull();
    expect(refuseBudget(Infinity)).toBeNull();
  });
  it("stands without thousands signs", () => {
    expect([Infinity, 1, 1234.5].map(budgetText)).toEqual(["∞", "1.00", "1234.50"]);
  });
  it("has a track that grows with it and never shrinks", () => {
    expect([trackEnd(4, 1), trackEnd(4, 5), trackEnd(8, 1), trackEnd(4, Infinity)]).toEqual([4, 8, 8, 4]);
    expect([axisEnd(1), axisEnd(3.9), axisEnd(30), axisEnd(Infinity)]).toEqual([4, 5, 40, 10]);
  });
});

describe("names", () => {
  it("give up what all of them share, unless a bare number is left", () => {
    expect(distinctNames(["a long attribute one", "a long attribute two"])).toEqual(["one", "two"]);
    expect(distinctNames(["question 1", "question 2"])).toEqual(["question 1", "question 2"]);
    expect(distinctNames(["own leaning", "Dole's leaning"])).toEqual(["own", "Dole's"]);
    expect(distinctNames(["same", "same"])).toEqual(["same", "same"]);
    expect(distinctNames(["only one"])).toEqual(["only one"]);
  });
  it("of sets are spelled while they are few", () => {
    const naming = { names: ["a"], labels: [["x", "y", "z", ""]], noun: "record" };
    expect(symbolsInWords(naming, 0, [0])).toBe("x");
    expect(symbolsInWords(naming, 0, [0, 3])).toBe("x or (empty)");
    expect(symbolsInWords(naming, 0, [0, 1, 2])).toBe("3 of 4 labels");
    expect([inWords(4), inWords(40)]).toEqual(["four", "40"]);
  });
});

describe("results", () => {
  it.each(NAMES)("of %s are decoded, and computed alike in the browser at their own budget", (name) => {
    const view = viewOf(name);
    const question = asked(view);
    const shown = decode(view.results!, question);
    const n = shown.names.length;
    expect(shown.matrix).toHaveLength(n * n);
    if (!shown.points) return;
    // A little away from the budget, so that the points are asked: numbers must be near.
    const moved = createRescaler()(view.results!, asked(view, question.mechanism.key === "RAPPOR" ? NaN : question.mechanism.epsilon * (1 + 1e-9)));
    if (question.mechanism.key === "RAPPOR" || question.mechanism.epsilon === Infinity) return;
    moved!.matrix.forEach((value, k) => expect(value).toBeCloseTo(shown.matrix[k]!, 6));
    expect(moved!.totals!.awaited).toBe(true);
    const pair = shown.pair;
    if (!pair?.table) return;
    expect(moved!.pair!.leakage).toBeCloseTo(pair.leakage, 6);
    expect(moved!.pair!.mirror).toBeCloseTo(pair.mirror, 6);
    expect(moved!.pair!.worst?.symbols).toEqual(pair.worst?.symbols);
    expect(moved!.pair!.generic).toBeCloseTo(pair.generic, 6);
    if (pair.limit === Infinity || pair.limit === null) expect(moved!.pair!.limit).toBe(pair.limit);
    else expect(moved!.pair!.limit).toBeCloseTo(pair.limit, 9);
  });

  it("of another reading are not guessed from points of other sets", () => {
    const view = viewOf("survey, unary");
    const rescale = createRescaler();
    expect(rescale(view.results!, { ...asked(view), output: "inferred" })).toBeNull();
    const other = { ...asked(view), mechanism: { key: "SHE", epsilon: 2, parameters: {} } };
    expect(rescale(view.results!, other)!.mechanism.key).toBe("SHE");
    expect(rescale(view.results!, { ...asked(view), names: [0, 1] })).toBeNull();
  });

  it("say where the paper's sum is too low", () => {
    const totals = { exact: Float64Array.of(1.4, 1, NaN, 2), sum: Float64Array.of(1, 1, 1, 2.5), bound: null, composition: 3, records: null, awaited: false, constant: [], why: null, kernel: false };
    expect([0, 1, 2, 3].map((k) => sumError(totals, k)?.direction ?? null)).toEqual(["low", null, null, "high"]);
    expect(sumError({ ...totals, awaited: true }, 0)).toBeNull();
  });
});

describe("curves", () => {
  it("cross where both are equal, and not where they lie on each other", () => {
    const view = viewOf("titanic");
    const question = asked(view);
    const shown = decode(view.results!, question);
    const lines = curveLines(shown.pair!, shown, question.mechanism, "raw", question.sizes, 4)!;
    expect(lines.equal!.budget).toBeCloseTo(2.4438, 3);
    expect(lines.pair[0]).toBe(0);
    const same = pairTable(Float64Array.of(4, 1, 1, 4), 2, 0);
    const symmetric = { ...shown.pair!, table: same };
    expect(curveLines(symmetric, shown, question.mechanism, "raw", question.sizes, 4)!.equal).toBeNull();
  });
  it("follow from points where the table is not sent", () => {
    const view = viewOf("titanic");
    const question = asked(view);
    const shown = decode(view.results!, question);
    const from = curveLines(shown.pair!, shown, question.mechanism, "raw", question.sizes, 4)!;
    const without = curveLines({ ...shown.pair!, table: null }, shown, question.mechanism, "raw", question.sizes, 4)!;
    without.pair.forEach((value, k) => expect(value).toBeCloseTo(from.pair[k]!, 12));
  });
});

describe("a curve of few budgets", () => {
  const naming = { names: ["street", "house"], labels: [["a"], ["b"]], noun: "person" };
  const curve = { epsilon: Float64Array.of(0, 2, 4), pair: Float64Array.of(0, 1.5, 2.5), mirror: Float64Array.of(0, 1, 2), coarse: true };
  const facts = { source: 0, secret: 1, leakage: 1.5, mirror: 1, limit: null, mirrorLimit: null, table: null, curve };
  const props = (more: object): CurveProps => ({
    naming,
    facts: { ...facts, ...more } as never,
    shown: { points: null } as never,
    mechanism: { key: "SS", epsilon: 2, parameters: {} },
    output: "raw",
    busy: false,
    disabled: false,
    n: 2,
    late: false,
    width: 360,
  });
  it("shows them as points and says what is between them", () => {
    const made = createCurve(props({}), { onEpsilon: () => undefined });
    expect(made.el.textContent).toContain("Exact at 3 budgets, straight lines between them.");
    expect(made.el.querySelectorAll("circle[r='2.5']")).toHaveLength(6);
    made.update(props({ curve: { ...curve, coarse: false } }));
    expect(made.el.textContent).not.toContain("Exact at");
    expect(made.el.querySelectorAll("circle[r='2.5']")).toHaveLength(0);
  });
});

describe("two limits", () => {
  const naming = { names: ["bit", "parity"], labels: [["0", "1"], ["0", "1"]], noun: "record" };
  const table = pairTable(Float64Array.of(1, 1, 1, 1), 2, 0);
  const facts = { source: 0, secret: 1, leakage: 0, mirror: 0, limit: 0, mirrorLimit: 0, table, curve: null };
  const shown = { points: null, names: [0, 1] };
  it("that are equal are written once", () => {
    const made = createCurve(
      {
        naming,
        facts,
        shown,
        mechanism: { key: "GRR", epsilon: 1, parameters: {} },
        output: "raw",
        busy: false,
        disabled: false,
        n: 2,
        late: false,
        width: 360,
      } as unknown as CurveProps,
      { onEpsilon: () => undefined },
    );
    expect([...made.el.querySelectorAll("text")].filter((one) => one.textContent === "limit 0.00")).toHaveLength(1);
  });
});

describe("mechanisms compared", () => {
  it("have what they leak beside how well shares are told from them", () => {
    const compared = [
      { key: "GRR", raw: 0.98, inferred: 0.5, error: 0.3, frequency: 0.00244 },
      { key: "RAPPOR", raw: 5.37, inferred: null, error: null, frequency: null },
    ];
    const mechanisms = [{ key: "GRR", label: "Randomised", inferred: true, epsilon: true }];
    const { el } = createCompared({ compared, mechanisms, mechanism: "GRR", busy: false });
    const rows = [...el.querySelectorAll("tbody tr")].map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows).toEqual([["Randomised", "0.980", "0.500", "0.300", "0.0024"], ["RAPPOR*", "5.37", "–", "–", "–"]]);
    expect([...el.querySelectorAll("th[scope=col]")].at(-1)!.textContent).toBe("Error of shares");
  });
});

describe("all reports about the secret, by budget", () => {
  const line = { secret: 1, epsilon: Float64Array.of(0, 1, 2, 4), values: Float64Array.of(0, 1.5, 4, 9), exact: true };
  const props: ReportsCurveProps = {
    naming: { names: ["street", "<b>"], labels: [["a"], ["b"]], noun: "person" },
    n: 3,
    secret: 1,
    output: "raw",
    line,
    late: false,
    epsilon: 1,
    end: 4,
    left: 32,
    right: 340,
    width: 356,
  };
  const drawn = (more: Partial<ReportsCurveProps>): Element => {
    const made = createReportsCurve();
    made.update({ ...props, ...more });
    return made.el;
  };
  it("says what kind of number it is", () => {
    expect(drawn({}).textContent).toContain("All three reports about <b>, exact");
    expect(drawn({ line: { ...line, exact: false } }).textContent).toContain("about <b>, joint bound");
    expect(drawn({}).querySelector("svg")!.getAttribute("aria-label")).toContain("exact: up to 9.000 nats at ε 4.00");
    expect(drawn({ line: { ...line, exact: false } }).querySelectorAll("path[stroke-dasharray]")).toHaveLength(2);
  });
  it("keeps its place while it is awaited, and says where there is none", () => {
    const awaited = drawn({ line: null, late: true });
    expect(awaited.textContent).toContain("being computed");
    expect(awaited.querySelector("svg")!.style.display).toBe("");
    const none = drawn({ line: null });
    expect(none.textContent).toContain("no curve here");
    expect(none.querySelector("svg")!.style.display).toBe("none");
    expect(drawn({ epsilon: Infinity }).querySelectorAll("circle")).toHaveLength(0);
  });
  it("stands at the value of the budget", () => {
    expect(valueAt(line, 1)).toBe(1.5);
    expect(valueAt(line, 3)).toBe(6.5);
    expect(valueAt(line, 5)).toBeNaN();
    expect(drawn({}).querySelectorAll("circle")).toHaveLength(1);
  });
});

describe("the rows of the worst pair", () => {
  const naming = { names: ["class", "survived"], labels: [["1st", "2nd"], ["no", "yes"]], noun: "person" };
  const facts = { leakage: Math.log(2), worst: { secret: [1, 0], symbols: [0], probability: [0.5, 0.25] } };
  const props = (more: object): DumbbellsProps => ({
    naming,
    pair: { source: 0, secret: 1 },
    facts: { ...facts, ...more } as never,
    mechanism: { key: "GRR", epsilon: 1, parameters: {} },
    output: "raw",
    width: 300,
    busy: false,
  });
  it("say what the worst report is worth", () => {
    expect(sentence(props({}))).toEqual({ text: "“1st” is reported with chance 0.500 if yes and 0.250 if no. Their ratio is 2.000\u00a0=\u00a0e", power: "0.693" });
    expect(sentence(props({ worst: { ...facts.worst, symbols: [0, 1], probability: null } }))!.text).toBe("A report that favours 1st or 2nd is 2.000 times as likely if yes as if no: e");
    expect(sentence(props({ leakage: Infinity }))!.text).toContain("rules no out");
    expect(sentence(props({ worst: null }))).toBeNull();
  });
  it("say whose value a number is", () => {
    const numbers = { ...naming, names: ["class", "age"], labels: [["1st", "2nd"], ["3", "4"]] };
    const said = (more: object): string => sentence({ ...props(more), naming: numbers })!.text;
    expect(said({})).toContain("with chance 0.500 if age is 4 and 0.250 if it is 3.");
    expect(said({ leakage: Infinity })).toContain("rules age = 3 out");
    expect(said({ worst: { ...facts.worst, symbols: [0, 1], probability: null } })).toContain("as likely if age is 4 as if it is 3");
  });
  it("quote labels of several words, and names too", () => {
    const naming = { names: ["first answer", "class"], labels: [["not at all", "2nd"], ["strongly against", "yes"]], noun: "person" };
    const said = (more: object): string => sentence({ ...props(more), naming })!.text;
    expect(said({})).toContain("“not at all” is reported with chance 0.500 if yes and 0.250 if “strongly against”.");
    expect(said({ worst: { ...facts.worst, symbols: [0, 1], probability: null } })).toContain("favours “not at all” or 2nd is");
    expect(pairInWords(naming, 0, 1)).toBe("“first answer” about class");
    expect(capital("“first answer”")).toBe("“First answer”");
  });
  it("are those that part most, the favoured ones first", () => {
    const upper = Float64Array.from({ length: 30 }, (_, k) => k / 435);
    const lower = Float64Array.from({ length: 30 }, (_, k) => (29 - k) / 435);
    const shown = symbolsShown(upper, lower, [15]);
    expect(shown).toHaveLength(10);
    expect(shown).toContain(15);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect(symbolsShown(upper.slice(0, 4), lower.slice(0, 4), [])).toEqual([0, 1, 2, 3]);
  });
});

describe("the table of pairs", () => {
  it("has numbers while there is room for them", () => {
    expect(frameOf(["a", "b", "c", "d"], 560)).toMatchObject({ numbered: true, upright: false });
    expect(frameOf(Array(12).fill("attribute 10"), 640)).toMatchObject({ numbered: true, upright: true });
    expect(frameOf(Array(12).fill("attribute 10"), 400).numbered).toBe(false);
    expect(frameOf(Array(13).fill("a"), 1000).numbered).toBe(false);
  });

  it("names labels as text, never as HTML", () => {
    const view = viewOf("titanic");
    const shown = decode(view.results!, asked(view));
    const naming = { names: ["<b>class</b>", "<img src=x onerror=alert(1)>", "age", "survived"], labels: view.attributes.map(({ labels }) => labels), noun: "person" };
    const map = createHeatMap({ naming, names: [0, 1, 2, 3], shown, output: "raw", pair: { source: 0, secret: 3 }, top: 1, busy: false, late: false, dark: false, disabled: false, width: 560 }, vi.fn());
    expect(map.el.querySelector("b, img")).toBeNull();
    expect(map.el.textContent).toContain("<b>class</b>");
  });

  it("says guess where guesses are read", () => {
    const view = viewOf("titanic");
    const shown = decode(view.results!, asked(view));
    const naming = { names: view.attributes.map(({ name }) => name), labels: view.attributes.map(({ labels }) => labels), noun: "person" };
    const props = { naming, names: [0, 1, 2, 3], shown, output: "raw" as const, pair: { source: 0, secret: 3 }, top: 1, busy: false, late: false, dark: false, disabled: false, width: 560 };
    const map = createHeatMap(props, vi.fn());
    const spoken = (): string => [map.el.textContent, ...[...map.el.querySelectorAll("[aria-label]")].map((el) => el.getAttribute("aria-label"))].join("; ");
    expect(spoken()).toContain("report of");
    expect(spoken()).not.toMatch(/guess/i);
    map.update({ ...props, output: "inferred" });
    expect(spoken()).toContain("Guess of class about survived");
    expect(spoken()).not.toMatch(/report/i);
  });

  it("is off where there is no kernel", () => {
    const view = viewOf("titanic");
    const shown = decode(view.results!, asked(view));
    const naming = { names: view.attributes.map(({ name }) => name), labels: view.attributes.map(({ labels }) => labels), noun: "person" };
    const choose = vi.fn();
    const map = createHeatMap({ naming, names: [0, 1, 2, 3], shown, output: "raw", pair: { source: 0, secret: 3 }, top: 1, busy: false, late: false, dark: false, disabled: true, width: 560 }, choose);
    const cell = map.el.querySelector('[data-cell="1"]')!;
    cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    cell.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect(choose).not.toHaveBeenCalled();
    expect(cell.getAttribute("aria-disabled")).toBe("true");
  });
});

describe("a count that is dragged", () => {
  it("moves by whole steps", () => {
    const heard: number[] = [];
    const drag = createDragNumber({ value: 0, text: "0", label: "count", valueText: "0", disabled: false, whole: true, accept: () => ({ ok: true }) }, { onChange: (value) => heard.push(value) });
    const el = drag.el.querySelector("[role=spinbutton]")!;
    for (const [key, shiftKey] of [["ArrowDown", false], ["ArrowUp", false], ["ArrowUp", true], ["PageDown", false]] as const) {
      el.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
    }
    expect(heard).toEqual([0, 1, 11, 1]);
  });
});

describe("bytes", () => {
  it("of a saved view are numbers", () => expect(floats(viewOf("titanic").results!.matrix)).toHaveLength(16));
});
