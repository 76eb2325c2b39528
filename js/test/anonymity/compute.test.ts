/** The page's own numbers for the hundred patients, against those found independently. */
import { describe, expect, it } from "vitest";
import { classesOf } from "../../src/compute/anonymity-classes";
import { certain, growingWork, momentsOf, power, Powers, slackBetween, type Moments } from "../../src/compute/anonymity-laws";
import { anonymityAnswer, isLate, lateResults } from "../../src/compute/anonymity-answer";
import { anonymityPage } from "../../src/compute/anonymity-results";
import { tableOf } from "../../src/compute/anonymity-release";
import type { AnonymityView } from "../../src/anonymity/protocol";
import { floats, toBytes } from "../../src/ui/wire";
import { clinicView } from "./clinic";
import { ALL_EVENTS, CHANGES, EXACT, GROUPS, PRINTED, THRESHOLDS } from "./sketch";

/** Five digits are printed there. */
function near(found: Float64Array, printed: number[]): void {
  expect(found.length).toBe(printed.length);
  printed.forEach((value, k) => expect(Math.abs((found[k] as number) - value), `${k}: ${found[k]}`).toBeLessThanOrEqual(0.6 * 10 ** (Math.floor(Math.log10(Math.abs(value) || 1)) - 4)));
}

const view = clinicView();
const results = view.results!;
const curve = (key: string) => results.curves.find((one) => one.key === key)!;

it("puts the patients into the groups of the paper's anonymiser", () => {
  const classes = classesOf(tableOf(view), [0, 1], 5)!;
  expect(classes.classes.map(({ rows }) => rows).sort((a, b) => a[0]! - b[0]!)).toEqual(GROUPS);
  expect([results.single, results.classes_in_all, results.sizes, results.diversity]).toEqual([8, 14, [5, 13], 1]);
  expect(results.classes[2]).toMatchObject({ letter: "C", size: 6, ranges: ["26–37", "81–92"], shared: "all no", one: true });
  expect(results.classes[7]).toMatchObject({ letter: "H", size: 5, ranges: ["48–77", "42–62"], shared: "1 yes", one: false });
});

it("counts by default the rarest value that is in a class", () => {
  const age = Float64Array.from([20, 21, NaN, 30, 31, 40]);
  const ill = Float64Array.from([0, 1, 2, 0, 1, 0]);
  const columns: AnonymityView["columns"] = [
    { name: "age", labels: null, ordered: true, values: toBytes(age) },
    { name: "ill", labels: ["flu", "cold", "rare"], ordered: false, values: toBytes(ill) },
  ];
  const bare: AnonymityView = { ...clinicView(), columns, records: 6, quasi: [0], secret: null, k: 2, release: "count:gone", results: null };
  const found = anonymityAnswer(bare, { secret: 1 }, anonymityPage(bare));
  expect([found.fault, found.release]).toEqual([null, "count:cold"]);
});

it("tells no slack that the ends of a law make, and violates nothing with it", () => {
  const { curves } = clinicView({ n: 100_000, known: 0.5, printed: true, reading: "t1:statement" }).results!;
  const exact = floats(curves[0]!.delta);
  expect([...exact].filter((value) => value < 1e-270 && value !== 0)).toEqual([]);
  expect([exact[10]! > 0, exact[100]]).toEqual([true, 0]);
  expect(curves.find(({ kind }) => kind === "printed")!.violated).toEqual([]);
});

it("tells a change that is larger than any sum, and names one between two values before a sum that is too long", () => {
  const exact = (more: Partial<AnonymityView>) => clinicView(more).results!.curves[0]!;
  for (const release of ["sum:age", "count:yes", "suppressed:yes"]) {
    for (const shift of [1e17, -1e300]) expect([...floats(exact({ release, shift }).delta)]).toEqual(Array(101).fill(1));
    expect(exact({ release, shift: 5e-324 }).why).toBe("the change in the sum is no multiple of the step of the values");
  }
  expect(exact({ release: "sum:age", n: 2472, shift: 0.5 }).why).toBe("the change in the sum is no multiple of the step of the values");
  expect(exact({ release: "sum:age", n: 2472 }).why).toBe("the sum has too many values for this page: it needs a kernel");
});

it("never gives two classes that touch the same colour while four suffice", () => {
  const { classes } = results;
  for (const [i, a] of classes.entries()) {
    for (const b of classes.slice(i + 1)) {
      const [p, q] = [a.box!, b.box!];
      if (p[0] <= q[1] && q[0] <= p[1] && p[2] <= q[3] && q[2] <= p[3]) expect(a.colour, `${a.letter} and ${b.letter}`).not.toBe(b.colour);
    }
  }
});

it("draws the exact curve, both bounds and the theorem as printed", () => {
  near(floats(curve("exact").delta), EXACT);
  near(floats(curve("bound-all").delta), ALL_EVENTS);
  near(floats(curve("bound-events").drawn), THRESHOLDS);
  near(floats(curve("t1:statement").delta), PRINTED);
  expect(results.unknown).toBe(69);
  expect(results.share).toBeCloseTo(0.1, 12);
  expect(curve("exact").at).toBeCloseTo(0.0097963, 7);
  expect(results.nothing_known).toBeCloseTo(0.0027, 4);
  expect(results.printed.map(({ key, status, holds }) => [key, status, holds])).toEqual([["t1:statement", "ok", true], ["t4:sum_of_powers", "vacuous", true]]);
  expect(results.printed[1]!.delta).toBeCloseTo(9.88, 3);
  expect(curve("t1:statement").violated).toEqual([[1.425, 2.5]]);
});

it("finds what every patient who is left out changes", () => {
  const page = anonymityPage(view);
  expect(isLate(view, page)).toBe(true);
  const steps = lateResults(view, page);
  let step = steps.next();
  for (; !step.done; step = steps.next()) expect(step.value).toBeGreaterThan(0);
  const { removals } = step.value;
  expect([...floats(removals!.changes)]).toEqual(CHANGES);
  expect(removals).toMatchObject({ largest: 8, worst: CHANGES.indexOf(8), sampled: null });
});

it("takes the best event, in the worse direction", () => {
  const [p, q] = [{ start: 0, chances: Float64Array.of(0.5, 0, 0.5) }, { start: 0, chances: Float64Array.of(0.1, 0.8, 0.1) }];
  expect(slackBetween(p, q, 0)).toBeCloseTo(0.8, 12);
  expect(slackBetween(p, q, Math.log(2))).toBeCloseTo(0.8, 12);
  expect(slackBetween(p, q, Infinity)).toBe(0.8);
  expect(slackBetween(p, { start: 5, chances: Float64Array.of(1) }, 900)).toBe(1);
});

describe("a release of other records than those of the table", () => {
  /** The patients twice over: one record has the same law, and there are 200. */
  function twice(release: string, more: Partial<AnonymityView> = {}): AnonymityView {
    const bare = clinicView();
    const columns = bare.columns.map((column) => ({ ...column, values: toBytes(Float64Array.from([...floats(column.values), ...floats(column.values)])) }));
    return clinicView({ columns, records: 200, release, reading: "", ...more });
  }

  it.each(["count:yes", "suppressed:yes", "records:yes", "sum:age"])("hides in %s as a table of so many would", (release) => {
    const cases: Partial<AnonymityView>[] = [{ level: "IV", neighbours: 3 }, { neighbour: "presence", known: 0.55 }];
    for (const more of release === "sum:age" ? cases.slice(0, 1) : [{}, ...cases]) {
      const [asked, real] = [clinicView({ release, reading: "", n: 200, ...more }), twice(release, more)];
      const [found, wanted] = [asked.results!, real.results!];
      expect(found.unknown).toBe(wanted.unknown);
      expect(found.unknown).toBeGreaterThan(80);
      expect(found.curves.map(({ key, at, why }) => [key, at, why])).toEqual(wanted.curves.map(({ key, at, why }) => [key, at, why]));
      expect(found.curves.map(({ delta }) => [...floats(delta)])).toEqual(wanted.curves.map(({ delta }) => [...floats(delta)]));
      expect([...floats(found.known.delta)]).toEqual([...floats(wanted.known.delta)]);
      expect([found.nothing_known, found.spread, found.ratio, found.printed]).toEqual([wanted.nothing_known, wanted.spread, wanted.ratio, wanted.printed]);
    }
  });

  it("leaves the classes to the table", () => {
    const { classes, classes_in_all, sizes, suppressed } = clinicView({ n: 5000 }).results!;
    expect({ classes, classes_in_all, sizes, suppressed }).toEqual({ classes: results.classes, classes_in_all: 14, sizes: [5, 13], suppressed: 0 });
  });

  it.each([[3, "3"], [5.5, "5.5"], ["NaN", "nan"], [2e12, "2000000000000"], [1e17, "100000000000000000"]])("refuses %s records by name, and keeps the results", (n, said) => {
    const answer = anonymityAnswer(view, { n }, anonymityPage(view));
    expect(answer.fault).toEqual({ text: `n is ${said}; give a whole number of records from k = 5 to 1,000,000,000,000, or None for those of the table.`, where: { kind: "parameter", name: "n" } });
    expect(answer.n).toBe(n);
    expect(answer.current).toBe(false);
    expect(answer.results!.unknown).toBe(69);
  });

  it("sets k back with it where k is what became too large, and nothing else", () => {
    const few = anonymityAnswer(view, { n: 20 }, anonymityPage(view));
    expect(few.results!.unknown).toBe(13);
    const answer = anonymityAnswer(few, { k: 21, epsilon: 2 }, anonymityPage(view));
    expect(answer.fault!.text).toContain("n is 20; give a whole number of records from k = 21 to ");
    expect(answer.results).toMatchObject({ k: 5, epsilon: 2, unknown: 13 });
  });

  it("counts known records as Python rounds them, and many at once", () => {
    // Of 25 records 2.5 have the value: 2.
    const few = clinicView({ release: "suppressed:yes", reading: "", known: 0.9, n: 25 }).results!;
    expect(few.unknown).toBe(1);
    const many = clinicView({ release: "records:yes", reading: "", n: 400_000 }).results!;
    expect(many.curves[0]!.at).toBeCloseTo(0.1, 9);
    expect(clinicView({ release: "records:yes", reading: "", n: 1e12 }).results!.curves[0]!.why).toBe("too many records are unknown");
    expect(clinicView({ n: 1e12 }).results!.curves[0]!.why).toBe("the sum has too many values");
  });
});

it("has the moments of large values that are close together", () => {
  const chances = Float64Array.of(0.2, 0.3, 0.1, 0.4);
  const [near, far] = [0, 1_500_000_000].map((least) => momentsOf({ values: Float64Array.of(0, 1, 5, 8).map((x) => x + least), chances })) as [Moments, Moments];
  for (const name of ["variance", "third", "absolute", "fourth"] as const) expect(far[name]).toBe(near[name]);
});

describe("laws of more and more records", () => {
  const one = { start: 0, chances: Float64Array.of(0.25, 0, 0.5, 0.125, 0.125) };

  it("begin with those of fewer, and are those found alone", () => {
    const powers = new Powers(one);
    for (const n of [0, 3, 11, 12, 40, 40, 29, 300]) {
      const [found, alone] = [powers.of(n), n === 0 ? certain(0) : power(one, n)];
      expect([found.start, found.chances.length]).toEqual([alone.start, alone.chances.length]);
      // Every digit of the tails, not of the middle alone.
      found.chances.forEach((p, k) => expect(Math.abs(p - (alone.chances[k] as number))).toBeLessThanOrEqual(1e-11 * p));
    }
  });

  it("take as much work as in Python", () => {
    expect(growingWork(3, [10])).toBe(200);
    expect(growingWork(3, [15, 10])).toBe(465);
    expect(growingWork(2, [100, 50])).toBe(150);
  });
});
