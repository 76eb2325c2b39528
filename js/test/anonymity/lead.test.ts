/** Sentences, numbers and names by case; those of releases and readings are tested in Python too. */
// @vitest-environment jsdom
import { expect, it } from "vitest";
import shared from "../../../tests/data/anonymity-lead-cases.json";
import { createLead, knows, type LeadCase } from "../../src/anonymity/lead";
import { factorText, percent, readingLabel, releaseLabel, slackText } from "../../src/anonymity/words";
import type { Level } from "../../src/anonymity/protocol";

const events = { onK: () => undefined, onKnown: () => undefined, onNeighbours: () => undefined, onEpsilon: () => undefined };

it.each(shared.cases)("reads like the static picture: $text", ({ text, roles, knows: known, ...given }) => {
  const one = { ...given, epsilon: Number(given.epsilon) } as LeadCase;
  const lead = createLead({ lead: one, k: one.k, known: one.known, neighbours: one.neighbours, epsilon: one.epsilon, records: 100, together: 100, kept: false, busy: false, disabled: false }, events);
  const plain = lead.el.cloneNode(true) as HTMLElement;
  expect(plain.textContent).toBe(text);
  expect(
    [...plain.children]
      .map((el) =>
        el.querySelector("[role=spinbutton]") !== null
          ? "number"
          : el.tagName === "B"
            ? el.className === "over"
              ? "over"
              : "value"
            : "",
      )
      .filter(Boolean),
  ).toEqual(roles.map((role) => (role === "over" || role === "value" ? role : "number")));
  expect(
    knows(one)
      .map(([part]) => part)
      .join(""),
  ).toBe(known);
  lead.destroy();
});

it("writes numbers as Python does", () => {
  for (const { value, up, text } of shared.slack) expect(slackText(Number(value), up), `${value}`).toBe(text);
  for (const { share, text } of shared.percent) expect(percent(share)).toBe(text);
  for (const { epsilon, text } of shared.factor) expect(factorText(epsilon)).toBe(text);
});

it("calls releases and readings what Python calls them", () => {
  for (const { release, secret, text } of shared.releases) expect(releaseLabel(release, secret)).toBe(text);
  for (const { reading, level, text } of shared.readings) expect(readingLabel(reading, level as Level)).toBe(text);
});
