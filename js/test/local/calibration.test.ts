// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { createCalibration } from "../../src/local/more";
import type { CalibrationMethod } from "../../src/local/protocol";

const method = (key: string, safe: boolean): CalibrationMethod => ({ key, epsilon: 0.5, leak: 1, exact: true, safe, error: 0.3 });

function shown(methods: CalibrationMethod[], records: number | null = null, complete: number | null = null): HTMLElement {
  return createCalibration(
    { goal: 1, calibration: { goal: 1, methods, why: null }, records, complete, epsilon: 1, budget: true, busy: false, disabled: false },
    { onGoal: vi.fn(), onEpsilon: vi.fn(), onRefused: vi.fn() },
  ).el;
}

function words(methods: CalibrationMethod[], records: number | null = null, complete: number | null = null): string[] {
  const made = { el: shown(methods, records, complete) };
  return [...made.el.querySelectorAll("tbody th")].map((head) => head.textContent ?? "");
}

test("a row promises no more than its budget keeps", () => {
  expect(words([method("spl", true), method("pairwise", false), method("joint", true)])).toEqual([
    "Goal split evenly holds always",
    "Paper’s pairwise sum an estimate: it can leak more than the goal",
    "All reports together holds for this table",
  ]);
  expect(words([method("joint", false)])).toEqual(["All reports together holds for the guess only: reports can leak more"]);
});

test("what is counted from complete records holds for these", () => {
  const rows = [method("spl", true), method("joint", true)];
  expect(words(rows, 1400, 36)).toEqual(["Goal split evenly holds always", "All reports together holds for 36 complete records"]);
  expect(words(rows, 1400, 1)[1]).toBe("All reports together holds for 1 complete record");
  expect(words(rows, 1400, null)[1]).toBe("All reports together holds for complete records");
  expect(words(rows, 1400, 1400)[1]).toBe("All reports together holds for this table");
  expect(words([method("joint", false)], 1400, 36)[0]).toContain("holds for the guess only");
});

test("the panel says how many records it counts", () => {
  const said = (records: number | null, complete: number | null): string => shown([method("spl", true)], records, complete).querySelector("p.muted")?.textContent ?? "";
  expect(said(1400, 36)).toBe("Counted from 36 complete records of 1,400.");
  expect(said(1400, 1400)).toBe("Counted from 1,400 records.");
  expect(said(1400, null)).toBe("Counted from the records that have every attribute.");
  expect(said(null, null)).toBe("");
});

test("a leakage that is not known is no bound", () => {
  const made = createCalibration(
    { goal: 1, calibration: { goal: 1, methods: [{ ...method("spl", true), leak: "NaN", exact: false }], why: null }, records: null, complete: null, epsilon: 1, budget: true, busy: false, disabled: false },
    { onGoal: vi.fn(), onEpsilon: vi.fn(), onRefused: vi.fn() },
  );
  expect([...made.el.querySelectorAll("tbody td")].map((cell) => cell.textContent)).toEqual(["0.50", "–, needs a kernel", "0.300", "use"]);
});
