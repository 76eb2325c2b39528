// js/test/gaussian/lead.test.ts: the sentences are those of publish/gaussian_wording.py.
import { expect, it } from "vitest";
import shared from "../../../tests/data/gaussian-lead-cases.json";
import { about, subject } from "../../src/explorer/words";
import { truth } from "../../src/gaussian/lead";
import type { GaussianChosen } from "../../src/gaussian/protocol";

it.each(shared.cases)("reads like the static picture: $text", (given) => {
  const { names, noun, target, known, leakage, limit, determined, release, unit, scale, change, promise } = given;
  const naming = { names, labels: names.map(() => []), noun };
  const chosen = { value: leakage, limit, determined, target, known } as unknown as GaussianChosen;
  const said = truth({ query: `A noisy ${release}`, naming, unit, scale, change, promise, chosen, subject: { target, known }, busy: false, disabled: false });
  expect(given.text.startsWith(subject(`A noisy ${release}`))).toBe(true);
  expect(given.text.endsWith(` nats. ${said.before}${said.number}${said.after}`)).toBe(true);
  expect(about(naming, target, known, null)).toBe(given.heading);
});
