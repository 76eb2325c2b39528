// The lead in every case that it tells apart.
// @vitest-environment jsdom
import { expect, it } from "vitest";
import shared from "./lead-cases.json";
import { createLead } from "../../src/dependence/lead";
import type { Knowing } from "../../src/dependence/protocol";
import type { Shown } from "../../src/dependence/results";
import { knowing } from "../../src/dependence/words";

it.each(shared.cases)("reads: $text", (given) => {
  const { subject, epsilon, name, value, tuples, noun, known, apart } = given;
  const rest = Array.from({ length: tuples - 1 - known.length }, (_, k) => `other ${k}`);
  const names = [name, ...known, ...rest];
  const naming = { names, labels: names.map(() => ["0", "1"]), noun };
  const ties = new Float64Array(tuples * tuples).fill(apart ? 0 : 0.5);
  const exact = Float64Array.from(names, (_, k) => (k === 0 ? value : 0));
  const chosen = { tuple: 0, worst: given.worst ?? null };
  const shown = { n: tuples, epsilon, exact, chosen, coefficients: { exact: ties, mean: ties, eq18: ties } } as unknown as Shown;
  const who = { knowing: given.knowing as Knowing, known: known.map((_, k) => k + 1) };
  const lead = createLead({ naming, subject, epsilon, blocks: names.map(() => 0), shown, ...who, busy: false, disabled: false }, { onEpsilon: () => undefined });
  expect(lead.el.textContent!.replace(/\s+/g, " ").trim()).toBe(given.text);
  const roles = [...lead.el.querySelectorAll("b")].map((el) => el.className.replace(/ ?nowrap/, "") || "value");
  expect(roles).toEqual(given.roles.filter((role) => role !== "scale"));
  expect(knowing(naming, who.knowing, who.known)).toBe(given.known_words);
});
