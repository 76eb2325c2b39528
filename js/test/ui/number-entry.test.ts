import { describe, expect, it, vi } from "vitest";
import { createNumberEntry, parseNumber } from "../../src/ui/number-entry";
import { readBlock, writeBlock } from "../../src/ui/grid";
import { History } from "../../src/ui/undo";

describe("reading numbers (W24)", () => {
  it.each([
    ["0,25", 0.25], ["0.25", 0.25], [" .5 ", 0.5], ["5.", 5], ["1e-8", 1e-8], ["1e−8", 1e-8], ["0", 0], ["−0.2", -0.2],
    ["1/3", 1 / 3], ["25 %", 0.25], ["12,5%", 0.125], ["+3", 3], ["1,234", 1.234],
  ])("%s", (text, value) => expect(parseNumber(text)).toEqual({ ok: true, value }));

  it.each([
    ["1,234.5", "comma and a point"], ["1.234,5", "comma and a point"], ["1,2,3", "several commas"], ["abc", "not a number"],
    ["", "empty"], ["1/0", "divides by zero"], ["0x10", "not a number"], ["Infinity", "not a number"], ["1e999", "too large"], ["1/1e-320", "too large"], ["1 2", "not a number"],
  ])("refuses %s", (text, reason) => {
    const parsed = parseNumber(text);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? "" : parsed.reason).toContain(reason);
  });

  it("quotes long entries briefly", () => {
    const parsed = parseNumber("x".repeat(10_000));
    expect(parsed.ok ? "" : parsed.reason.length).toBeLessThan(90);
  });
});

describe("the number field", () => {
  const props = { label: "scale", value: 1, format: (v: number) => v.toFixed(2), refuse: (v: number) => (v > 0 ? null : "The scale is above 0.") };

  it("keeps a refused entry as typed, keeps the last value, and recovers", () => {
    const onCommit = vi.fn();
    const onRefused = vi.fn();
    const entry = createNumberEntry(props, { onCommit, onRefused });
    const input = entry.el.querySelector("input") as HTMLInputElement;
    const type = (text: string) => {
      input.value = text;
      input.dispatchEvent(new Event("input"));
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    };
    type("−1");
    expect(input.value).toBe("−1");
    expect(input.getAttribute("aria-invalid")).toBe("true");
    expect(onCommit).not.toHaveBeenCalled();
    expect(onRefused).toHaveBeenLastCalledWith("The scale is above 0.");
    type("0,25");
    expect(onCommit).toHaveBeenCalledWith(0.25);
    expect(input.hasAttribute("aria-invalid")).toBe(false);
    expect(onRefused).toHaveBeenLastCalledWith(null);
  });

  it("says how a number was read that may be a thousand times as large", () => {
    const entry = createNumberEntry(props, { onCommit: vi.fn() });
    const input = entry.el.querySelector("input") as HTMLInputElement;
    const type = (text: string): string => {
      input.value = text;
      input.dispatchEvent(new Event("input"));
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
      return entry.el.querySelector(".ne-note")?.textContent ?? "";
    };
    expect(type("1,234")).toBe("Read as 1.234: a comma is the decimal sign.");
    expect(["1.234", "0,123", "1,23", "1234", "1,2345"].map(type)).toEqual(["", "", "", "", ""]);
  });

  it("does not lose what is being typed when the value changes from elsewhere (W21)", () => {
    const entry = createNumberEntry(props, { onCommit: vi.fn() });
    const input = entry.el.querySelector("input") as HTMLInputElement;
    input.value = "2.";
    input.dispatchEvent(new Event("input"));
    entry.update({ ...props, value: 7 });
    expect(input.value).toBe("2.");
  });
});

describe("blocks (W22)", () => {
  it("reads what spreadsheets copy and writes what they read", () => {
    expect(readBlock("1\t2\r\n3\t4\r\n")).toEqual([["1", "2"], ["3", "4"]]);
    expect(readBlock('"0,1"\t2\n1\t')).toEqual([["0,1", "2"], ["1", ""]]);
    expect(readBlock(writeBlock([["0.1", "n/a"], ["2", ""]]))).toEqual([["0.1", "n/a"], ["2", ""]]);
  });
});

describe("history (W23)", () => {
  it("gives back the very states", () => {
    const history = new History<number[]>([0.1 + 0.2]);
    const first = history.current;
    history.record([1 / 3]);
    history.record([2 / 3]);
    expect(history.undo()).toEqual([1 / 3]);
    expect(history.undo()).toBe(first);
    expect(history.undo()).toBeNull();
    expect(history.redo()).toEqual([1 / 3]);
    history.record([9]);
    expect(history.canRedo).toBe(false);
  });

  it("takes no step for an equal state and none for changes from elsewhere", () => {
    const history = new History(1);
    history.record(1);
    expect(history.canUndo).toBe(false);
    history.record(2);
    history.amend(5);
    expect(history.undo()).toBe(1);
    expect(history.redo()).toBe(5);
  });
});
