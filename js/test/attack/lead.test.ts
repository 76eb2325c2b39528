/** The lead in every case that it tells apart. */
// @vitest-environment jsdom
import { expect, it } from "vitest";
import shared from "./lead-cases.json";
import { createLead } from "../../src/attack/lead";
import type { Attack } from "../../src/attack/results";

it.each(shared.cases)("reads: $text", ({ epsilon, weight, error, printed, gap, adds, impossible = false, equal = 1, text, roles }) => {
  const mass = impossible ? [0, 0] : [0.1, 0.2];
  const attacks = [{ adds: adds[0] }, { adds: adds[1], printed, gap, error: [NaN, error], mass, equal: [1, equal] }] as [Attack, Attack];
  const lead = createLead({ epsilon, weight, attacks, busy: false, disabled: false }, { onEpsilon: () => undefined, onWeight: () => undefined });
  expect(lead.el.textContent).toBe(text);
  const marked = [...lead.el.querySelectorAll("b")].map((el) => (el.className.includes("paper") ? "paper" : "value"));
  expect(marked).toEqual(roles.filter((role) => role !== "scale"));
  lead.destroy();
});
