/** Which of all that could be said stands in the one line of an explorer. */
import { describe, expect, it } from "vitest";
import { chooseLine, chooseLineBeside } from "../../src/explorer/line";
import { NO_KERNEL, SILENT_KERNEL, type LineProps } from "../../src/ui/lines";

const error = (title: string): LineProps => ({ kind: "error", title, text: "" });
const fault = { text: "The scale is 0: give more.", where: null };
const fine = { fault: null, stopped: null, running: null, current: true, results: {}, disabled: false };
const running = { number: 1, paper: false };
const resume = (): void => undefined;

/** Everything at once; each case takes away what stands before it. */
const all = { connected: false, silent: true, view: { ...fine, fault, stopped: "Cancelled.", current: false } };
type Case = Omit<typeof all, "view"> & { view: Omit<typeof fine, "fault" | "stopped" | "running"> & { fault: typeof fault | null; stopped: string | null; running: typeof running | null } };
const session = ({ connected, silent, view }: Case) => ({ connected: () => connected, silent: () => silent, view: () => view });

const there = { ...all, connected: true };
const sound = { ...there, view: { ...there.view, fault: null } };
const answering = { ...sound, silent: false };
const computed = { ...answering, view: { ...answering.view, stopped: null } };
const settled = { ...computed, view: { ...computed.view, current: true } };

describe("the line beside a table", () => {
  const own = error("own");
  const hint: LineProps = { kind: "info", text: "Pasted." };
  const refusal = error("refused");
  const say = (state: Case, mine: LineProps | null, refused: LineProps | null): LineProps => chooseLineBeside("table", session(state), mine, refused, true, resume);

  it("says what matters most", () => {
    expect(say(all, own, refusal)).toBe(NO_KERNEL);
    expect(say(there, own, refusal)).toBe(own);
    expect(say(there, hint, refusal)).toBe(refusal);
    expect(say(there, hint, null)).toEqual({ kind: "error", title: "The scale is 0:", text: "give more. The results belong to the last valid table." });
    expect(say(sound, hint, null)).toBe(SILENT_KERNEL);
    expect(say(answering, hint, null)).toEqual({ kind: "info", text: "Cancelled.", action: { label: "Compute", run: resume } });
    expect(say(computed, hint, null)).toEqual({ kind: "info", text: "The results belong to the last valid table." });
    expect(say(settled, hint, null)).toBe(hint);
    expect(say(settled, null, null).kind).toBe("busy");
    expect(say({ ...settled, view: { ...settled.view, running } }, null, null)).toEqual({ kind: "info", text: "" });
  });

  it("does not say twice what is shown, nor offer what is off", () => {
    const text = "The scale is 0: give more. Shown is the last valid one.";
    expect(say({ ...there, view: { ...there.view, fault: { text, where: null } } }, null, null).text).toBe("give more. Shown is the last valid one.");
    expect(say({ ...answering, view: { ...answering.view, disabled: true } }, null, null).action).toBeNull();
    expect(chooseLineBeside("matrix", session(computed), null, null, false, resume).text).toContain("the last valid matrix");
  });
});

describe("the line of an explorer of inputs", () => {
  const said: LineProps = { kind: "info", text: "Pasted." };
  const say = (state: Case, more: LineProps | null = null): LineProps => chooseLine(session(state), more, true, resume);

  it("says what matters most", () => {
    expect(say(all, said)).toBe(NO_KERNEL);
    expect(say(there, said)).toBe(said);
    expect(say(there).text).toBe("give more. The results belong to the last valid inputs.");
    expect(say({ ...there, view: { ...there.view, results: null as unknown as object } }).text).toBe("give more.");
    expect(say(sound)).toBe(SILENT_KERNEL);
    expect(say(answering).action?.label).toBe("Compute");
    expect(say(computed).kind).toBe("busy");
  });
});
