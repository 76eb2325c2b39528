// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { createCalibration } from "../../src/local/calibration";
import type { CalibrationMethod } from "../../src/local/protocol";

const method = (key: string, safe: boolean): CalibrationMethod => ({ key, epsilon: 0.5, leak: 1, exact: true, safe, error: 0.3 });

function words(methods: CalibrationMethod[]): string[] {
  const made = createCalibration(
    { goal: 1, calibration: { goal: 1, methods, why: null }, epsilon: 1, budget: true, busy: false, disabled: false },
    { onGoal: vi.fn(), onEpsilon: vi.fn(), onRefused: vi.fn() },
  );
  return [...made.el.querySelectorAll("tbody th")].map((head) => head.textContent ?? "");
}

test("a row promises no more than its budget keeps", () => {
  expect(words([method("spl", true), method("pairwise", false), method("joint", true)])).toEqual([
    "Goal split evenly holds always",
    "Paper’s pairwise sum an estimate: it can leak more than the goal",
    "All reports together holds always",
  ]);
  expect(words([method("joint", false)])).toEqual(["All reports together holds for the guess only: reports can leak more"]);
});

test("a leakage that is not known is no bound", () => {
  const made = createCalibration(
    { goal: 1, calibration: { goal: 1, methods: [{ ...method("spl", true), leak: "NaN", exact: false }], why: null }, epsilon: 1, budget: true, busy: false, disabled: false },
    { onGoal: vi.fn(), onEpsilon: vi.fn(), onRefused: vi.fn() },
  );
  expect([...made.el.querySelectorAll("tbody td")].map((cell) => cell.textContent)).toEqual(["0.50", "–, needs a kernel", "0.300", "use"]);
});
