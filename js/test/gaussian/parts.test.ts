// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { acceptChange, createAdversary, promiseName, spelled, weightsOf } from "../../src/gaussian/release";
import { createAudit } from "../../src/gaussian/audit";
import { createDensities, frameOf, ratioAt, startingR, type DensitiesProps } from "../../src/gaussian/densities";
import { createWaterfall, factsOf, reading, stepsOf, verdict } from "../../src/gaussian/facts";
import { truth, type LeadProps } from "../../src/gaussian/lead";
import type { GaussianChosen } from "../../src/gaussian/protocol";
import { createRescaler, enoughFor, factorTo, nextKnown, reader, rescaled } from "../../src/gaussian/rescale";
import { someoneWho } from "../../src/gaussian/words";
import { decodeGraph } from "../../src/graph/data";
import { incrementIndex } from "../../src/graph/nodes";
import { NAMING, ann, digest, results, strong } from "./house";

const determined: GaussianChosen = { ...strong(), value: 0, determined: true, pair: null, spread: 0 };

describe("results at another scale and change", () => {
  it("are what Python would compute", () => {
    const there = results(2, 3);
    const here = rescaled(results(), 2, 3, factorTo(results(), 2, 3)!);
    expect(here.promise).toBeCloseTo(there.promise, 12);
    expect(Array.from(decodeGraph(here.graph!).exact)).toEqual(Array.from(decodeGraph(there.graph!).exact));
    expect(here.largest.value).toBeCloseTo(there.largest.value, 12);
    expect(here.chosen).toMatchObject({ value: 2.25, pair: [1, 4] });
  });

  it("have one scale that is enough for a goal, whatever the present one", () => {
    expect(enoughFor(1.5, 1, 0.5)).toEqual({ scale: 3, why: null });
    const { largest, scale } = rescaled(results(), 4, 1, 0.25);
    expect(enoughFor(largest.value, scale, 0.5)).toEqual({ scale: 3, why: null });
    expect(enoughFor(0, 1, 0.5)).toEqual({ scale: null, why: null });
    expect(enoughFor(1e200, 1, 1e-200)).toEqual({ scale: null, why: "It is beyond what numbers can hold." });
    // Less is no scale that is accepted.
    expect((enoughFor(1e-200, 1, 1e200).scale as number) * 1e301).toBeCloseTo(1, 12);
  });

  it("part where the log ratio leaves the promise", () => {
    const { chosen } = rescaled(results(), 2, 3, 1.5);
    const frame = frameOf(chosen, 2, 3, 1.5)!;
    expect(ratioAt(frame, chosen.over![1])).toBeCloseTo(1.5, 9);
    expect(ratioAt(frame, chosen.over![0])).toBeCloseTo(-1.5, 9);
    expect(ratioAt(frame, chosen.nearly![1])).toBeCloseTo(0.99 * 2.25, 9);
  });

  it("are not guessed from a change of 0, and are 0 for one", () => {
    expect(factorTo(results(1, 0), 2, 1)).toBeNull();
    expect(createRescaler()(results(1, 0), 1, 2)).toBeNull();
    const none = rescaled(results(), 1, 0, factorTo(results(), 1, 0)!);
    expect(none.chosen).toMatchObject({ value: 0, limit: false, nearly: null });
  });

  it("are one object for one answer, scale and change", () => {
    const rescale = createRescaler();
    const answer = results();
    expect(rescale(answer, 2, 1)).toBe(rescale(answer, 2, 1));
    expect(rescale(answer, 2, 1)).not.toBe(rescale(answer, 3, 1));
  });

  it("carry on the edges what knowing one more changes", () => {
    const graph = decodeGraph(rescaled(results(), 2, 1, 0.5).graph!);
    expect(graph.increments![incrementIndex(2, 0, 0, 1)]).toBeCloseTo(-0.25, 12);
    expect(graph.increments![incrementIndex(2, 0, 1, 1)]).toBeNaN();
    expect(nextKnown(rescaled(results(), 2, 1, 0.5))).toEqual({ tuple: 1, change: -0.25 });
  });

  it("scale what is known of a large graph, its axis and its threshold", () => {
    const large = rescaled({ ...results(), graph: null, digest: digest() }, 2, 1, 0.5);
    expect(large.digest).toMatchObject({ promise: 0.5, domain: [0, 1], threshold: 0.75, above: 1 });
    expect(large.digest?.layers[0]).toMatchObject({ quartiles: [0.5, 0.75, 1], range: [0.5, 1], counts: [1, 1] });
    expect(reader(large)(0)).toBe(0.75);
    expect(reader(large)(3)).toBeNull();
  });
});

describe("the lead", () => {
  const props: LeadProps = {
    query: "A noisy sum",
    naming: NAMING,
    unit: "kWh",
    scale: 1,
    change: 1,
    promise: 1,
    largest: ann(),
    busy: false,
    disabled: false,
  };
  it("says how much shows, and that a limit is none", () => {
    expect(truth(props)).toEqual({
      before: "For someone who does not know the other flat, Ann shows by up to ",
      number: "1.500",
      after: ", a limit never quite reached.",
      over: true,
    });
    const kept = truth({ ...props, promise: 2 });
    expect(kept.after).toBe(", a limit never quite reached: the promise holds.");
    expect(truth({ ...props, largest: { ...ann(), limit: false } }).after).toBe(": 50 % more than promised.");
  });
  it("waits visibly, and says when nothing can be learnt", () => {
    expect(truth({ ...props, busy: true }).number).toBe("…");
    const none = truth({ ...props, largest: { ...determined, target: 0, known: [1] } });
    expect(none.before).toBe("For someone who knows Bob, Ann is determined: nothing is left to learn.");
  });
  it("counts many known tuples instead of listing them", () => {
    const naming = { ...NAMING, names: Array.from({ length: 9 }, (_, k) => `item ${k}`) };
    expect(someoneWho(naming, [1, 2, 3, 4, 5])).toBe("someone who knows 5 of the other 8 flats");
    expect(someoneWho(naming, [1, 2, 3, 4, 5, 6, 7, 8])).toBe("someone who knows all 8 other flats");
    expect(someoneWho({ ...naming, names: ["a"] }, [])).toBe("anyone");
  });
});

describe("the query", () => {
  it("spells the sum out, as far as it is short", () => {
    const names = ["flat A", "flat B", "solar"];
    expect(spelled("weights", names, [1, -0.5, 0], "flat")).toBe("A − 0.5 B");
    expect(spelled("mean", names, [1, 1, 1], "flat")).toBe("(A + B + solar) / 3");
    expect(spelled("sum", ["item 1", "item 2"], [1, 1], "tuple")).toBe("item 1 + item 2");
    expect(spelled("sum", Array.from({ length: 20 }, (_, k) => `x${k}`), [], "city")).toBe("Sum of all 20 cities");
    expect(spelled("weights", names, [0, 0, 0], "flat")).toBe("0");
  });
  it("knows the weights of a sum and a mean", () => {
    const standing = Float64Array.from([2, -1]);
    expect([...weightsOf("mean", standing)]).toEqual([0.5, 0.5]);
    expect([...weightsOf("sum", standing)]).toEqual([1, 1]);
    expect(weightsOf("weights", standing)).toBe(standing);
    expect(promiseName(standing)).toBe("Promise |a|M/λ");
    expect(promiseName([1, -1])).toBe("Promise M/λ");
  });
  it("takes no change below 0", () => {
    expect(acceptChange(0)).toEqual({ ok: true });
    expect(acceptChange(-1, "−1")).toEqual({ ok: false, reason: "The change −1 is refused. Enter a number, 0 or more." });
  });
});

describe("the facts", () => {
  const shown = { naming: NAMING, unit: "kWh", promise: 1, goal: 0.75, enough: { scale: 2, why: null }, subject: { target: 0, known: [] }, busy: false, stale: "", width: 264 };
  const terms = (chosen: GaussianChosen): string[] => factsOf({ ...shown, chosen }).map(({ term, value, note }) => `${term}|${value}|${note}`);
  it("say from where on, who hides it and what is enough", () => {
    expect(terms({ ...ann(), nearly: [-9, 18] })).toEqual([
      "Promise|1.000|",
      "Theorem 6|1.500|it is exact",
      "Over from|r ≥ 8.90|or r ≤ −1.40",
      "99 % reached|r ≥ 18.0|or r ≤ −9.00",
      "Hidden by others|σ 1.94|kWh, from Bob",
      "Expected|1.00|± 1.00 kWh",
      "λ for 0.75 nats|2.00|kWh",
    ]);
  });
  it("say that the noise alone hides who is known about", () => {
    expect(terms(strong())).toContain("Hidden by others|0|only the noise hides it");
    expect(terms(determined).slice(-1)).toEqual(["Expected|1.00|without doubt"]);
    expect(verdict(determined, 1).text).toBe("what is known leaves nothing to learn");
    expect(verdict(strong(), 1)).toEqual({ text: "exactly the promise", over: false });
  });
});

describe("the densities", () => {
  function draw(chosen: GaussianChosen, more: Partial<DensitiesProps> = {}) {
    const frame = frameOf(chosen, 1, 1, 1);
    const onR = vi.fn();
    const r = frame ? startingR(frame) : 0;
    const part = createDensities({ chosen, frame, naming: NAMING, unit: "kWh", promise: 1, change: 1, r, width: 476, note: "drag r", busy: false, stale: "", ...more }, onR);
    return { part, frame, onR, words: () => part.el.querySelector(".density-svg")!.textContent + part.el.querySelector(".density-caption")!.textContent! };
  }

  it("draw dotted limits with arrows only where none attains them", () => {
    const limited = draw(ann());
    expect(limited.part.el.querySelectorAll(".gx-limit")).toHaveLength(2);
    expect(limited.words()).toContain("limit 1.500, never attained");
    expect(limited.words()).toContain("limit −1.500");
    const attained = draw(strong());
    expect(attained.part.el.querySelectorAll(".gx-limit")).toHaveLength(0);
    expect(attained.words()).toContain("1.000 attained, r ≥ 4 kWh");
  });

  it("name the two values that are compared", () => {
    const { words, part } = draw(ann());
    expect(words()).toContain("log ratio, 2.0 over 1.0, nats");
    expect(words()).toContain("if it is 2.0");
    expect(part.el.querySelector("table")!.textContent).toContain("density if Ann is 1.0");
  });

  it("have an axis with two ends at any mean", () => {
    for (const centre of [1.7e18, -1e150]) {
      const frame = frameOf({ ...ann(), centre, nearly: [centre, centre], over: null }, 1, 1, 1)!;
      expect(frame.low).toBeLessThan(frame.high);
      expect(frame.points.every(Number.isFinite)).toBe(true);
      expect(frame.rTicks.every(Number.isFinite)).toBe(true);
      expect(ratioAt(frame, frame.high)).toBeCloseTo(ann().coefficient, 9);
      expect(ratioAt(frame, frame.low)).toBeCloseTo(-ann().coefficient, 9);
    }
  });

  it("follow a coefficient below 0 the other way round", () => {
    const frame = frameOf({ ...ann(), coefficient: -1.5 }, 1, 1, 1)!;
    expect(frame.limit).toBe(-1.5);
    expect(ratioAt(frame, frame.high)).toBeLessThan(-1);
    const first = Math.max(...draw(ann()).frame!.centres);
    expect(startingR(frame)).toBeLessThan(first + 1);
  });

  it("move r with the keys", () => {
    const { part, frame, onR } = draw(ann());
    const handle = part.el.querySelector("[role=slider]")!;
    handle.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true, cancelable: true }));
    expect(onR.mock.calls[0]![0]).toBeCloseTo(frame!.high, 1);
    expect(handle.getAttribute("aria-valuetext")).toMatch(/^r = 5\.5/);
  });

  it("say why there is nothing to draw", () => {
    const { part } = draw(determined);
    expect(part.el.querySelector<SVGElement>(".density-svg")!.style.display).toBe("none");
    expect(part.el.querySelector(".density-empty")!.textContent).toContain("Ann follows from what is known");
  });

  it("carry no numbers while they are awaited", () => {
    expect(draw(ann(), { busy: true }).words()).not.toContain("never attained");
  });
});

describe("where it comes from", () => {
  const many: GaussianChosen = { ...ann(), through: [0.1, -0.9, 0.2, 0.3, 0.4, 0.05, -0.6].map((value, k) => ({ tuple: k + 1, value })), coefficient: 0.55 };
  const naming = { ...NAMING, names: ["Ann", ...Array.from({ length: 7 }, (_, k) => `B${k + 1}`)] };
  it("names the largest first and folds the rest", () => {
    const steps = stepsOf(many, naming);
    expect(steps.map(({ name }) => name)).toEqual(["own weight", "through B2", "through B7", "through B5", "through B4", "through 3 others"]);
    expect(steps.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(many.coefficient, 12);
  });
  it("says what the bars say", () => {
    const shown = { naming: NAMING, unit: "kWh", allowed: 1, next: { tuple: 1, change: -0.5 }, width: 212, busy: false };
    expect(reading({ ...shown, chosen: ann() })).toBe("Unknown flats move along, so 1 kWh more in Ann shows as 1.500 kWh in r. Knowing Bob would take 0.500 nats off.");
    expect(reading({ ...shown, chosen: { ...ann(), coefficient: 0.5 }, next: null })).toContain("move against it");
    expect(reading({ ...shown, chosen: strong(), next: null })).toBe("Nothing unknown moves along: 1 kWh more in Ann shows as 1.000 kWh in r.");
    const part = createWaterfall({ ...shown, chosen: ann() });
    // The unit once.
    expect(part.el.querySelector(".panel-head")!.textContent).toBe("1 kWh more in Annin r");
    expect(part.el.querySelector("svg")!.getAttribute("aria-label")).toBe("own weight 1.000, through Bob +0.500, together 1.500");
    part.update({ ...shown, chosen: ann(), busy: true });
    expect(part.el.querySelectorAll(".gx-bar")).toHaveLength(0);
    part.update({ ...shown, chosen: determined });
    expect(part.el.querySelector<HTMLElement>(".gx-fall")!.hidden).toBe(true);
  });
});

describe("the audit strip", () => {
  const props = { naming: NAMING, unit: "kWh", weights: Float64Array.from([1, 1]), promise: 1, change: 1, results: results(), busy: false, stale: "", stacked: false, lineWidth: null };
  it("sets the promise beside the limit, Theorem 6 and a bound that there is not", () => {
    const { el, update } = createAudit(props);
    const words = (): string => el.textContent!;
    for (const part of ["Promise M/λ", "nats per kWh moved", "Exact worst, a limit1.500Ann, knowing nothing", "Paper’s Theorem 61.500exact for everyone", "∞"]) expect(words()).toContain(part);
    update({ ...props, change: 2, promise: 2 });
    expect(words()).toContain("nats for 2 kWh");
    update({ ...props, busy: true });
    expect(words()).toContain("Exact worst, a limit…");
    update({ ...props, stale: "the last valid matrix" });
    expect(words()).toContain("Results belong to the last valid matrix.");
    expect(el.hasAttribute("data-stale")).toBe(true);
  });
});

describe("the adversary", () => {
  it("has chips without menus of values, and forgets a tuple that becomes the attacked one", () => {
    const chosen = vi.fn();
    const { el } = createAdversary({ naming: NAMING, target: 0, known: [1], disabled: false }, chosen);
    expect([...el.querySelectorAll<HTMLElement>(".select-frame")].every((frame) => frame.hidden)).toBe(true);
    const chip = el.querySelector<HTMLElement>("button.chip")!;
    chip.click();
    expect(chosen).toHaveBeenLastCalledWith(0, []);
    chip.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true, cancelable: true }));
    expect(chosen).toHaveBeenLastCalledWith(1, []);
  });
});
