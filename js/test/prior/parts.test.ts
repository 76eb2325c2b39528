// @vitest-environment jsdom
import { about, briefly, gap, headline, moreThanPromised, plural, someone, subject, type Naming } from "../../src/explorer/words";
import { describe, expect, it, vi } from "vitest";
import { createAdversary, type AdversaryProps } from "../../src/explorer/adversary";
import { createAudit, type AuditProps } from "../../src/prior/audit";
import { factsOf, verdict, type FactsProps } from "../../src/prior/facts";
import { createLead, truth, type LeadProps } from "../../src/explorer/lead";
import { createRelease, type ReleaseProps } from "../../src/explorer/release";
import { apartTicks, refuseScale, trackTicks, widen, TRACK } from "../../src/ui/scale";
import type { Chosen } from "../../src/ui/protocol";

const naming: Naming = {
  names: ["item 1", "item 2", "item 5"],
  labels: [
    ["0", "1"],
    ["0", "1"],
    ["0", "1"],
  ],
  noun: "answer",
};
const lead: LeadProps = {
  query: "Sum of all tuples",
  naming,
  scale: 1,
  promise: 1,
  largest: { target: 2, known: [0], value: 1.397631 },
  instance: [0, 1, 0],
  busy: false,
  disabled: false,
};

const release: ReleaseProps = {
  naming,
  choices: [
    { key: "sum", label: "Sum" },
    { key: "count:1", label: "Number of answers that are 1" },
    { key: "weights", label: "Weighted sum" },
  ],
  chosen: "sum",
  weights: [1, 1, 1],
  text: "Sum of 3 answers",
  scale: 1,
  promise: 1,
  goal: 1,
  enough: undefined,
  disabled: false,
};

describe("the lead", () => {
  it("states promise and truth in numbers", () => {
    const { el } = createLead(lead, { onScale: vi.fn() });
    expect(el.textContent).toBe(
      "The sum of all tuples with Laplace noise of scale 1.00 promises that no answer leaks more than 1.000 nats. " +
        "Someone who knows that item 1 is 0 learns up to 1.398 about item 5: 40 % more than promised.",
    );
  });

  it("says that the promise holds when nothing exceeds it", () => {
    const t = truth({ ...lead, largest: { target: 2, known: [0, 1], value: 1 } });
    expect(t.before + t.number + t.after).toBe(
      "Someone who knows that item 1 is 0 and item 2 is 1 learns up to 1.000 about item 5: the promise holds.",
    );
    expect(t.over).toBe(false);
  });

  it("shows no old number as new while it waits", () => {
    const t = truth({ ...lead, busy: true });
    expect(t.number).toBe("…");
    expect(t.after).not.toContain("promised");
  });

  it("steps the scale with the arrows", () => {
    const onScale = vi.fn();
    const { el } = createLead(lead, { onScale });
    const number = el.querySelector('[role="spinbutton"]')!;
    number.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
    expect(onScale).toHaveBeenLastCalledWith(1.01, { commit: true, pressed: true });
    number.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", shiftKey: true, bubbles: true }));
    expect(onScale).toHaveBeenLastCalledWith(0.918, { commit: true, pressed: true });
  });

  it("takes a typed scale with a decimal comma and refuses zero with its reason", () => {
    const onScale = vi.fn();
    const { el } = createLead(lead, { onScale });
    document.body.append(el);
    const number = el.querySelector<HTMLElement>('[role="spinbutton"]')!;
    const type = (text: string): void => {
      number.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      const input = el.querySelector("input")!;
      input.value = text;
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    };
    type("0,25");
    expect(onScale).toHaveBeenLastCalledWith(0.25, { commit: true });
    type("0");
    expect(onScale).toHaveBeenCalledTimes(1);
    expect(el.querySelector('[role="alert"]')?.textContent).toContain("above 0");
    el.remove();
  });
});

describe("words", () => {
  it("name adversaries from the table", () => {
    expect(someone(naming, [], [])).toBe("Someone who knows none of the other answers");
    expect(about(naming, 2, [0], [0, 1, 0])).toBe("About item 5, knowing item 1 is 0");
    expect(about({ ...naming, noun: "tuple" }, 0, [], [])).toBe("About item 1, knowing no other tuple");
    expect(briefly(naming, 2, [0])).toBe("item 5, knowing item 1");
    expect(briefly(naming, 2, [0], true)).toBe("item 5, at worst knowing item 1");
    expect(about(naming, 2, [0], [1, 0, 0], true)).toBe("About item 5, at worst knowing item 1 is 1");
    expect(about(naming, 2, [0, 1], null, true)).toBe("About item 5, at worst knowing item 1, item 2");
    expect(about(naming, 2, [], [0, 0, 0], true)).toBe("About item 5, knowing no other answer");
    const ten = { ...naming, names: Array.from({ length: 10 }, (_, k) => `x${k}`) };
    expect(someone(ten, [1, 2, 3, 4, 5], Array(10).fill(0))).toBe("Someone who knows 5 of the other 9 answers");
    expect(someone({ ...naming, names: ["a"] }, [], [0])).toBe("Someone");
  });

  it("say how much more", () => {
    expect(moreThanPromised(1.397631, 1)).toBe("40 % more than promised");
    expect(moreThanPromised(1.004, 1)).toBe("0.4 % more than promised");
    expect(moreThanPromised(15, 1)).toBe("15 times what is promised");
    expect(moreThanPromised(0.1, 0)).toBe("although nothing may leak");
    expect(gap(0.00000123)).toBe("0.000001");
  });

  it("read the query as a subject and nouns in the plural", () => {
    expect(subject("Sum of all tuples")).toBe("The sum of all tuples");
    expect(subject("Score A")).toBe("Score A");
    expect(plural("person's entry")).toBe("person's entries");
    expect(plural("box")).toBe("boxes");
  });
});

describe("the scale", () => {
  it("accepts every positive number", () => {
    expect(refuseScale(1e-8)).toBeNull();
    expect(refuseScale(0)).toContain("above 0");
    expect(refuseScale(-1)).toContain("−1.00");
    expect(refuseScale(NaN)).not.toBeNull();
  });

  it("widens its track for a value outside and keeps it", () => {
    const wide = widen(TRACK, 1e-8);
    expect(wide.min).toBeCloseTo(1e-8, 20);
    expect(widen(wide, 1)).toEqual(wide);
    expect(widen(TRACK, 300).max).toBe(1000);
    expect(trackTicks(TRACK).map((t) => t.text)).toEqual(["0.1", "1", "10"]);
  });

  it("has as many numbers below its track as stand apart", () => {
    const texts = (values: number[], log: boolean): string[] => apartTicks(values, log).map((t) => t.text);
    expect(texts([0, 2, 4], false)).toEqual(["0", "2", "4"]);
    expect(texts([0, 50, 100], false)).toEqual(["0", "50", "100"]);
    expect(texts([0, 5e-301, 1e-300], false)).toEqual(["0", "1e−300"]);
    expect(trackTicks({ min: 0.1, max: 1e308 }).map((t) => t.text)).toEqual(["0.1", "1e308"]);
    expect(trackTicks({ min: 1e-300, max: 10 }).map((t) => t.text)).toEqual(["1e−300", "10"]);
    expect(trackTicks({ min: 2, max: 10 }).map((t) => t.text)).toEqual(["2", "10"]);
  });

  it("reaches both ends of the slider exactly, and 1e-8 by typing", () => {
    const onScale = vi.fn();
    const part = createRelease(release, { onScale, onGoal: vi.fn(), onQuery: vi.fn(), onRefused: vi.fn() });
    const thumb = part.el.querySelector('[role="slider"]')!;
    thumb.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
    expect(onScale).toHaveBeenLastCalledWith(0.1, { commit: true, pressed: true });
    thumb.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
    expect(onScale).toHaveBeenLastCalledWith(10, { commit: true, pressed: true });
    const input = part.el.querySelector("input")!;
    input.value = "1e-8";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect(onScale).toHaveBeenLastCalledWith(1e-8, { commit: true });
    part.update({ ...release, scale: 1e-8, promise: 1e8 });
    expect(Number(thumb.getAttribute("aria-valuemin"))).toBeLessThanOrEqual(1e-8);
  });
});

describe("the adversary", () => {
  const props: AdversaryProps = { naming, target: 2, known: [0], instance: [0, 1, 0], convention: "instance", worst: null, disabled: false };
  const make = () => {
    const on = { onChoose: vi.fn(), onInstance: vi.fn(), onConvention: vi.fn() };
    return { on, part: createAdversary(props, on) };
  };

  it("toggles what is known", () => {
    const { on, part } = make();
    const chips = part.el.querySelectorAll("button");
    chips[1]!.click();
    expect(on.onChoose).toHaveBeenLastCalledWith(2, [0, 1]);
    chips[0]!.click();
    expect(on.onChoose).toHaveBeenLastCalledWith(2, []);
  });

  it("attacks another tuple by the chip's menu and by the key A", () => {
    const { on, part } = make();
    const menu = part.el.querySelector<HTMLSelectElement>('select[aria-label="Attacked tuple"]')!;
    menu.selectedIndex = 0;
    menu.dispatchEvent(new Event("change"));
    expect(on.onChoose).toHaveBeenLastCalledWith(0, []);
    part.el.querySelectorAll("button")[1]!.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
    expect(on.onChoose).toHaveBeenLastCalledWith(1, [0]);
  });

  it("has a value menu for every tuple, the attacked one's captioned", () => {
    const { on, part } = make();
    expect(part.el.textContent).toContain("its value when another answer is attacked");
    expect((part.el.querySelector('[role="radiogroup"] input:checked') as HTMLInputElement).value).toBe("instance");
    const menus = [...part.el.querySelectorAll<HTMLSelectElement>('select[aria-label^="Value of"]')];
    expect(menus).toHaveLength(3);
    menus[2]!.selectedIndex = 1;
    menus[2]!.dispatchEvent(new Event("change"));
    expect(on.onInstance).toHaveBeenLastCalledWith([0, 1, 1]);
  });

  it("has quiet value menus in the worst case, and says why", () => {
    const { on, part } = make();
    const radios = [...part.el.querySelectorAll<HTMLInputElement>('[role="radiogroup"] input')];
    radios[1]!.checked = true;
    radios[1]!.dispatchEvent(new Event("change"));
    expect(on.onConvention).toHaveBeenCalledWith("sup");
    expect(part.el.textContent).not.toContain("worst case over all values");
    part.update({ ...props, convention: "sup" });
    expect(part.el.textContent).toContain("worst case over all values");
    const menus = [...part.el.querySelectorAll<HTMLSelectElement>('select[aria-label^="Value of"]')];
    expect(menus.every((menu) => menu.disabled && menu.getAttribute("aria-label")!.endsWith("worst case over all values"))).toBe(true);
    // What was set is not what is used: the attaining value of who is known, and until that is there the word.
    const shown = (): string[] => menus.map((menu) => menu.selectedOptions[0]!.textContent!);
    expect(shown()).toEqual(["worst", "worst", "worst"]);
    part.update({ ...props, convention: "sup", worst: [1, 0, 0] });
    expect(shown()).toEqual([naming.labels[0]![1], "worst", "worst"]);
    expect(menus[0]!.title).toBe(`${naming.labels[0]![1]}: worst case over all values`);
    part.update(props);
    expect(menus.map((menu) => menu.selectedIndex)).toEqual(props.instance);
  });

  it("has one tab stop among its chips, which the arrows move", () => {
    const { part } = make();
    document.body.append(part.el);
    const chips = [...part.el.querySelectorAll("button")];
    expect(chips.filter((c) => c.tabIndex === 0)).toHaveLength(1);
    chips[0]!.focus();
    chips[0]!.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
    expect(document.activeElement).toBe(chips[1]);
    part.el.remove();
  });
});

const chosen: Chosen = {
  target: 2,
  known: [0],
  instance: [0, 1, 0],
  value: 1.397631,
  determined: false,
  paper: 1.36384,
  group_bound: 2,
  promise: 1,
  attained: { r: 2, side: ">=", pair: [1, 0] },
  prior: [0.157895, 0.842105],
  mixtures: [],
  edges: [],
  support: 0.076,
};

describe("the facts", () => {
  const props: FactsProps = {
    chosen,
    naming,
    target: 2,
    known: [0],
    instance: [0, 1, 0],
    rounding: 1e-9,
    worst: false,
    showPaper: true,
    records: 1000,
    sample: { of: 1, low: 1.1049, high: 1.6511, level: 0.95, why: null },
    busy: false,
    stale: "",
    width: 264,
  };

  it("set every number against the exact one", () => {
    expect(factsOf(props).map((f) => [f.term, f.value, f.note])).toEqual([
      ["Promise", "1.000", ""],
      ["Paper’s estimate", "1.364", "0.034 too low"],
      ["Group bound", "2.000", "for 2 unknown"],
      ["Attained", "r ≥ 2", "1 against 0"],
      ["As a sample, 95 %", "1.10", "to 1.66, 76 records"],
    ]);
  });

  it("leave the paper out unless asked, and records when there are none", () => {
    const terms = factsOf({ ...props, showPaper: false, records: null }).map((f) => f.term);
    expect(terms).toEqual(["Promise", "Group bound", "Attained"]);
  });

  it("judge over, under, at and determined", () => {
    expect(verdict(chosen)).toEqual({ text: "0.398 over the promise", over: true });
    expect(verdict({ ...chosen, value: 0.9 }).text).toBe("0.100 under the promise");
    expect(verdict({ ...chosen, value: 1 }).text).toBe("at the promise");
    expect(verdict({ ...chosen, value: 0, determined: true }).over).toBe(false);
  });
});

describe("the audit strip", () => {
  const props: AuditProps = {
    naming,
    promise: 1,
    largest: { target: 2, known: [0], value: 1.397631 },
    worst: false,
    groupBound: 3,
    adversaries: 12,
    showPaper: false,
    paper: null,
    filter: null,
    busy: false,
    stale: "",
    disabled: false,
    stacked: false,
    lineWidth: 400,
  };

  it("offers the paper's estimate quietly", () => {
    const onShowPaper = vi.fn();
    const { el } = createAudit(props, { onShowPaper, onFilter: vi.fn() });
    expect(el.textContent).not.toContain("too low");
    el.querySelector("button")!.click();
    expect(onShowPaper).toHaveBeenCalledWith(true);
  });

  it("counts where the estimate is too low and too high", () => {
    const { el } = createAudit({ ...props, showPaper: true, paper: { largest: 1.36384, tooLow: 6, tooHigh: 1 } }, { onShowPaper: vi.fn(), onFilter: vi.fn() });
    expect(el.textContent).toContain("1.364");
    expect(el.textContent).toContain("too low at 6, too high at 1 of 12");
    expect(el.textContent).not.toContain("show");
  });

  it("shows … instead of old numbers while it waits, and names stale results", () => {
    const { el } = createAudit({ ...props, busy: true }, { onShowPaper: vi.fn(), onFilter: vi.fn() });
    expect(el.textContent).not.toContain("1.398");
    const stale = createAudit({ ...props, stale: "the last valid table" }, { onShowPaper: vi.fn(), onFilter: vi.fn() });
    expect(stale.el.textContent).toContain("Results belong to the last valid table.");
  });
});

describe("the scale under the hand", () => {
  const make = () => {
    const onScale = vi.fn();
    const { el } = createLead(lead, { onScale });
    document.body.replaceChildren(el);
    const number = el.querySelector('[role="spinbutton"]') as HTMLElement;
    number.setPointerCapture = () => {};
    const field = () => el.querySelector("input") as HTMLInputElement;
    const key = (on: HTMLElement, name: string) => on.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    const pointer = (type: string, clientX: number) =>
      number.dispatchEvent(Object.assign(new MouseEvent(type, { clientX, button: 0, bubbles: true }), { pointerId: 1 }));
    return { el, number, field, key, pointer, onScale };
  };

  it("takes the focus on a click, and a digit or Enter opens the entry", () => {
    const { number, field, key, pointer, onScale } = make();
    pointer("pointerdown", 5);
    pointer("pointerup", 5);
    expect(document.activeElement).toBe(number);
    key(number, "2");
    expect(field().value).toBe("2");
    key(field(), "Enter");
    expect(onScale.mock.calls).toEqual([[2, { commit: true }]]);
    key(number, "Enter");
    expect(field().value).toBe("1.00");
  });

  it.each(["0", "-0", "1e-400", "1/1e-320"])("refuses %s as it was typed", (text) => {
    const { el, number, field, key, onScale } = make();
    key(number, "Enter");
    field().value = text;
    key(field(), "Enter");
    expect(el.querySelector('[role="alert"]')?.textContent).toContain(text === "1/1e-320" ? '"1/1e-320" is too large' : `The scale ${text} is refused`);
    expect(onScale).not.toHaveBeenCalled();
  });

  it("goes back to where it was when the pointer is taken away", () => {
    const { pointer, onScale } = make();
    pointer("pointerdown", 0);
    pointer("pointermove", 80);
    pointer("pointercancel", 80);
    expect(onScale.mock.calls[0]?.[0]).toBeGreaterThan(1);
    expect(onScale).toHaveBeenLastCalledWith(1, { commit: true });
  });

  it("goes back on the slider too", () => {
    const onScale = vi.fn();
    const { el } = createRelease(release, { onScale, onGoal: vi.fn(), onQuery: vi.fn(), onRefused: vi.fn() });
    const track = el.querySelector(".slider-track") as HTMLElement;
    track.setPointerCapture = () => {};
    for (const type of ["pointerdown", "pointercancel"]) {
      track.dispatchEvent(Object.assign(new MouseEvent(type, { clientX: 900, button: 0, bubbles: true }), { pointerId: 1 }));
    }
    expect(onScale.mock.calls).toEqual([[10, { commit: false }], [1, { commit: true }]]);
  });

  it("leaves a long name of a tuple its room, and a short one its word", () => {
    const part = createAdversary({ naming: { ...naming, names: ["occupation", "b", "sex"] }, target: 2, known: [0, 1], instance: [0, 0, 0], convention: "instance", worst: null, disabled: false }, {
      onChoose: vi.fn(), onInstance: vi.fn(), onConvention: vi.fn(),
    });
    expect([...part.el.querySelectorAll("button.chip")].map((chip) => chip.textContent)).toEqual(["occupation", "b, known"]);
  });
});

describe("what the data are, in the head", () => {
  it("names few tuples, counts many or long ones, and keeps the records in sight", () => {
    expect(headline("", ["x", "y"], null)).toBe("x, y");
    expect(headline("", ["x", "y"], 1000)).toBe("x, y, 1,000 records");
    const many = Array.from({ length: 15 }, (_, k) => `name ${k + 1}`);
    expect(headline("", many, 5000)).toBe("15 tuples, 5,000 records");
    expect(headline("", ["symptomatic at admission", "contact with a case", "immunosuppressed"], 5000)).toBe("3 tuples, 5,000 records");
    expect(headline("Answers of 1,000 people", many, 1000)).toBe("Answers of 1,000 people");
    expect(headline("Answers", many, 1000)).toBe("Answers, 1,000 records");
    // A year is no count of records.
    expect(headline("Survey of 1944", many, 944)).toBe("Survey of 1944, 944 records");
  });
});
