/** Which of all that could be said stands in the one line of an explorer. */
import { describe, expect, it } from "vitest";
import { chooseLine, chooseLineBeside } from "../../src/explorer/top";
import { lossLine, silenceLine, type LineProps } from "../../src/ui/lines";
import type { Loss, Way } from "../../src/ui/session";

const error = (title: string): LineProps => ({ kind: "error", title, text: "" });
const fault = { text: "The scale is 0: give more.", where: null };
const fine = { fault: null, stopped: null, running: null, current: true, results: {}, disabled: false };
const running = { number: 1, paper: false };
const resume = (): void => undefined;

/** Everything at once; each case takes away what stands before it. */
const all = { loss: "restarted" as Loss | null, silent: true, view: { ...fine, fault, stopped: "Cancelled.", current: false } };
type Case = Omit<typeof all, "view"> & { view: Omit<typeof fine, "fault" | "stopped" | "running"> & { fault: typeof fault | null; stopped: string | null; running: typeof running | null } };
const session = ({ loss, silent, view }: Case) => ({ loss: () => loss, silent: () => silent, view: () => view, way: () => "open" as Way, cell: () => "3" });

const there = { ...all, loss: null };
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
    expect(say(all, own, refusal)).toEqual(lossLine(session(all)));
    expect(say(there, own, refusal)).toBe(own);
    expect(say(there, hint, refusal)).toBe(refusal);
    expect(say(there, hint, null)).toEqual({ kind: "error", title: "The scale is 0:", text: "give more. The results belong to the last valid table." });
    expect(say(sound, hint, null)).toEqual(silenceLine(session(all)));
    expect(say(answering, hint, null)).toEqual({ kind: "info", text: "Cancelled.", action: { label: "Compute", run: resume } });
    const dear = { ...answering, view: { ...answering.view, cost: "about 90 s" } };
    expect(say(dear, hint, null).action?.label).toBe("Compute anyway, about 90 s");
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
    expect(say(all, said)).toEqual(lossLine(session(all)));
    expect(say(there, said)).toBe(said);
    expect(say(there).text).toBe("give more. The results belong to the last valid inputs.");
    expect(say({ ...there, view: { ...there.view, results: null as unknown as object } }).text).toBe("give more.");
    expect(say(sound)).toEqual(silenceLine(session(all)));
    expect(say(answering).action?.label).toBe("Compute");
    expect(say(computed).kind).toBe("busy");
  });
});

describe("the line about the other end", () => {
  const end = (loss: Loss | null, way: Way = "open", cell: string | null = "3") => ({ loss: () => loss, way: () => way, silent: () => true, cell: () => cell });

  it.each([
    ["restarted", "The kernel was restarted.", "To edit, run cell [3], after the cells that it needs."],
    ["died", "The kernel died and was started again.", "To edit, run cell [3], after the cells that it needs."],
    ["dead", "The kernel has ended.", "To edit, start one and run cell [3], after the cells that it needs."],
    ["shut down", "The kernel was shut down.", "To edit, start one and run cell [3], after the cells that it needs."],
    ["closed", "This widget was closed in Python.", "To edit, run cell [3]."],
    ["none", "No kernel.", "To edit, open the notebook with a kernel and run cell [3], after the cells that it needs."],
  ] as const)("says of one that is %s what helps", (loss, title, text) => {
    expect(lossLine(end(loss))).toEqual({ kind: "disconnected", title, text: `You see the last state. ${text}` });
    expect(lossLine(end(loss, "open", null))?.text).toContain(" its cell");
  });

  it("says what becomes of what is entered", () => {
    expect(lossLine(end(null))).toBeNull();
    expect(silenceLine(end(null))?.title).toBe("The kernel does not answer.");
    for (const [way, next] of [["tried", "It is being tried again."], ["given up", "“Reconnect to Kernel”"]] as const) {
      const line = silenceLine(end(null, way));
      expect(line?.title).toBe("The connection to the kernel is lost.");
      expect(line?.text).toContain(next);
      expect(line?.text).toContain("What you enter is kept here");
    }
  });
});
