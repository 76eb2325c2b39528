/** Answers are judged in a page as Python judges them: the cases are Python's own. */
import { expect, test } from "vitest";
import { judge, sha256, told, type Answer, type Sealed, type Verdict } from "../../src/compute/seal";
import cases from "../../../tests/data/question-cases.json";

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

test("the digest is that of the standard", () => {
  // FIPS 180-4: the message "abc"; and no message at all.
  expect(hex(sha256(Uint8Array.from([97, 98, 99])))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(hex(sha256(new Uint8Array()))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(hex(sha256(new Uint8Array(200).fill(7)))).toBe(cases.digest);
});

test.each(cases.questions)("$question.name", ({ question, answers, hints }) => {
  const sealed = question as unknown as Sealed;
  for (const [answer, verdict] of answers as [Exclude<Answer, null>, Verdict][]) expect(judge(sealed, answer)).toEqual(verdict);
  expect(told(sealed, 9)).toEqual(hints);
  expect(told(sealed, 0)).toEqual([]);
});

test("no answer and no reply stands in the state", () => {
  const state = JSON.stringify(cases.questions.map(({ question }) => question));
  for (const { answers, hints } of cases.questions) {
    for (const [, { right, text }] of answers as [Answer, Verdict][]) if (right !== false) expect(state).not.toContain(text);
    for (const hint of hints) expect(state).not.toContain(hint);
  }
});
