// The lead in every case that it tells apart.
import { expect, it } from "vitest";
import shared from "./lead-cases.json";
import { about, subject } from "../../src/explorer/words";
import { truth } from "../../src/gaussian/lead";

it.each(shared.cases)("reads: $text", (given) => {
  const { names, noun, target, known, leakage, limit, determined, release, unit, scale, change, promise } = given;
  const naming = { names, labels: names.map(() => []), noun };
  const largest = { value: leakage, limit, determined, target, known };
  const said = truth({ query: `A noisy ${release}`, naming, unit, scale, change, promise, largest, busy: false, disabled: false });
  expect(given.text.startsWith(subject(`A noisy ${release}`))).toBe(true);
  expect(given.text.endsWith(` nats. ${said.before}${said.number}${said.after}`)).toBe(true);
  expect(about(naming, target, known, null)).toBe(given.heading);
});
