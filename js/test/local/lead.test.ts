// The lead in every case that it tells apart.
// @vitest-environment jsdom
import { expect, it } from "vitest";
import shared from "./lead-cases.json";
import { createFacts } from "../../src/local/facts";
import { createLead } from "../../src/local/lead";
import type { Totals } from "../../src/local/results";

const num = (value: unknown): number => (value === null || value === undefined ? NaN : Number(value));

it.each(shared.cases as any[])("reads: $text", (given) => {
  const { source, secret, epsilon, promise, output, attributes } = given;
  const others = Array.from({ length: Math.max(0, attributes - 2) }, (_, k) => `other ${k}`);
  const names = attributes < 2 ? [source] : [source, secret, ...others];
  const naming = { names, labels: names.map(() => []), noun: "record" };
  const pair = attributes < 2 ? null : { source: 0, secret: 1 };
  const at = (value: unknown): Float64Array => Float64Array.from(names, () => num(value));
  const exact = num(given.exact);
  const known = given.joint_bound !== null || given.exact !== null;
  const totals: Totals | null = known
    ? {
        exact: Number.isNaN(exact) ? null : at(exact),
        sum: at(given.pairwise_sum),
        bound: at(given.joint_bound),
        composition: NaN,
        records: given.complete ?? null,
        awaited: false,
        why: null,
        constant: given.constant ? [1] : [],
        kernel: false,
      }
    : null;
  const budget = given.has_budget ?? true;
  const props = {
    naming,
    names: names.map((_, k) => k),
    epsilon: num(epsilon),
    budget,
    promise: num(promise),
    output,
    pair,
    leakage: num(given.value),
    records: given.complete ? given.complete + 1 : null,
    totals,
    late: false,
    disabled: false,
  };
  const lead = createLead(props, { onEpsilon: () => undefined });
  // A number that cannot be set is not there at all.
  lead.el.querySelectorAll("[hidden]").forEach((el) => el.remove());
  expect(lead.el.textContent!.replace(/\s+/g, " ").trim()).toBe(given.text);
  const marked = [...lead.el.querySelectorAll("b")].filter((el) => el.textContent !== "");
  const roles = marked.map((el) => el.className.replace(/ ?nowrap/, "") || "value");
  expect(roles).toEqual(given.roles.filter((role: string) => role !== "scale"));
  if (pair && given.heading) {
    const facts = createFacts({ naming, pair, facts: null, leakage: 1, mirror: 1, output, promise: 1, minCount: 0, busy: false, stale: "" });
    expect(facts.el.querySelector("h3")!.textContent).toBe(given.heading);
  }
});
