import { afterEach, describe, expect, it, vi } from "vitest";
import { total } from "../../src/table/editing";
import { createJointTable, type JointTableProps } from "../../src/table/joint-table";
import { createRoot } from "../../src/ui/root";

const spec = { title: "Test", names: ["item 1", "item 2", "item 5"], labels: Array.from({ length: 3 }, () => ["wrong", "right"]), records: null };
const LSAT = [0.009, 0.022, 0.003, 0.042, 0.042, 0.218, 0.076, 0.588];

/** A table that takes its own edits, as the widget would. */
function mount(patch: Partial<JointTableProps> = {}) {
  let props: JointTableProps = {
    since: 1, spec, entries: Float64Array.from(LSAT), locks: new Uint8Array(8), loaded: Float64Array.from(LSAT), keepSum: true,
    rows: [0, 1], columns: [2], fit: null, fault: null, disabled: false, ...patch,
  };
  const onEdit = vi.fn();
  const onUndo = vi.fn();
  const messages: (string | null)[] = [];
  const set = (next: Partial<JointTableProps>) => {
    props = { ...props, ...next };
    table.update(props);
  };
  const table = createJointTable(props, {
    onEdit(next, how) {
      onEdit(next, how);
      set(next);
    },
    onKeepSum: (keepSum) => set({ keepSum }),
    onPivot: (rows, columns) => set({ rows, columns }),
    onUndo,
    onMessage: (message) => void messages.push(message && `${message.title} ${message.text}`),
  });
  const theme = createRoot(document.body, []);
  theme.root.append(table.el);
  const cell = (r: number, c: number) => table.el.querySelectorAll("tbody tr:not(.gr-gap)")[r]?.querySelectorAll(".gr-cell")[c] as HTMLElement;
  const key = (name: string, extra: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...extra });
    document.activeElement?.dispatchEvent(event);
    return event;
  };
  const editor = () => table.el.querySelector(".gr-edit") as HTMLInputElement | null;
  const type = (text: string, end = "Enter") => {
    key(text[0] as string);
    (editor() as HTMLInputElement).value = text;
    key(end);
  };
  const clip = (kind: "copy" | "paste", text = "") => {
    let held = text;
    const event = new Event(kind, { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => held, setData: (_: string, value: string) => (held = value) } });
    document.activeElement?.dispatchEvent(event);
    return held;
  };
  return { table, cell, key, type, editor, clip, set, onEdit, onUndo, messages, theme, now: () => props };
}

afterEach(() => document.body.replaceChildren());

describe("keyboard", () => {
  it("has one stop for Tab, and arrows, Home, End and Ctrl walk the cells", () => {
    const { table, cell, key } = mount();
    expect(table.el.querySelectorAll('.gr-cell[tabindex="0"]').length).toBe(1);
    cell(0, 0).focus();
    key("ArrowDown");
    key("ArrowRight");
    expect(document.activeElement).toBe(cell(1, 1));
    key("ArrowRight");
    expect(document.activeElement).toBe(cell(1, 1));
    key("End", { ctrlKey: true });
    expect(document.activeElement).toBe(cell(3, 1));
    key("Home");
    expect(document.activeElement).toBe(cell(3, 0));
    expect(table.el.querySelectorAll('.gr-cell[tabindex="0"]').length).toBe(1);
  });

  it("types to replace, Enter goes down, Tab right, Escape restores, F2 shows every digit", () => {
    const { cell, key, type, editor, onEdit, now } = mount();
    cell(0, 0).focus();
    type("0.123456789012345");
    expect(now().entries[0]).toBe(0.123456789012345);
    expect(document.activeElement).toBe(cell(1, 0));
    key("ArrowUp");
    key("F2");
    expect(editor()?.value).toBe("0.123456789012345");
    key("Tab");
    expect(document.activeElement).toBe(cell(0, 1));
    expect(onEdit).toHaveBeenCalledTimes(1);
    key("5");
    key("Escape");
    expect(editor()).toBeNull();
    expect(document.activeElement).toBe(cell(0, 1));
    expect(onEdit).toHaveBeenCalledTimes(1);
  });

  it("gives up a drag and the editor when another table comes, and says what was typed", () => {
    const { cell, key, editor, set, onEdit, messages } = mount();
    cell(0, 0).focus();
    key("5");
    set({ since: 2, spec: { ...spec, names: ["a", "b", "c"] }, entries: new Float64Array(8).fill(0.125) });
    expect(editor()).toBeNull();
    expect(messages.at(-1)).toContain('"5" was not taken.');
    expect(onEdit).not.toHaveBeenCalled();
    key("6");
    expect(editor()?.value).toBe("6");
  });

  it("shows a refused cell's last good value again on Escape, and refuses Independent and Normalise meanwhile", () => {
    const { table, cell, key, type, now, messages } = mount();
    cell(0, 0).focus();
    type("60");
    const typed = now().entries;
    for (const name of ["Independent", "Normalise"]) {
      [...table.el.querySelectorAll("button")].find((b) => b.textContent === name)?.click();
      expect(messages.at(-1)).toContain("Correct the marked cells first.");
      expect(now().entries).toBe(typed);
    }
    cell(0, 0).focus();
    key("Escape");
    expect([...now().entries]).toEqual(LSAT);
  });

  it("W20: typing 0 is a value, and the sum stays 1", () => {
    const { cell, type, now } = mount();
    cell(3, 1).focus();
    type("0");
    expect(now().entries[7]).toBe(0);
    expect(Math.abs(total(now().entries) - 1)).toBeLessThanOrEqual(1e-12);
    expect(cell(3, 1).textContent).toBe("0");
  });

  it("W35: no key gets out of the root", () => {
    const { cell, key, theme } = mount();
    const outside = vi.fn();
    document.addEventListener("keydown", outside);
    cell(0, 0).focus();
    for (const name of ["a", "d", "x", "Enter", "Escape", "ArrowDown"]) key(name);
    document.removeEventListener("keydown", outside);
    expect(outside).not.toHaveBeenCalled();
    expect(theme.root.getAttribute("data-lm-suppress-shortcuts")).toBe("true");
  });

  it("locks the selected cells, says so, and refuses to edit them", () => {
    const { cell, key, editor, now } = mount();
    cell(0, 0).focus();
    key("ArrowRight", { shiftKey: true });
    key("l", { altKey: true, code: "KeyL" });
    expect([...now().locks]).toEqual([1, 1, 0, 0, 0, 0, 0, 0]);
    expect(cell(0, 0).getAttribute("aria-label")).toBe("item 1 wrong, item 2 wrong, item 5 wrong: 0.009, locked");
    key("5");
    expect(editor()).toBeNull();
  });

  it("hands undo and redo on", () => {
    const { cell, key, onUndo } = mount();
    cell(0, 0).focus();
    key("z", { ctrlKey: true });
    expect(onUndo).toHaveBeenCalledTimes(1);
  });
});

describe("refused entries", () => {
  it.each([["−0.2", "is not a probability"], ["abc", "is not a number"], ["1,234.5", "comma and a point"], ["1.5", "is not a probability"]])(
    "%s stays as typed, is marked and explained, and the next good entry recovers",
    (text, reason) => {
      const { cell, key, type, messages, now } = mount();
      cell(1, 0).focus();
      type(text);
      expect(cell(1, 0).querySelector(".gr-text")?.textContent).toBe(text);
      expect(cell(1, 0).getAttribute("aria-invalid")).toBe("true");
      expect(messages.at(-1)).toContain("Item 1 wrong, item 2 right, item 5 wrong:");
      expect(messages.at(-1)).toContain(reason);
      expect(now().entries[0]).toBe(0.009);
      key("ArrowUp");
      type("0,25");
      expect(now().entries[2]).toBe(0.25);
      expect(messages.at(-1)).toBeNull();
      expect(Math.abs(total(now().entries) - 1)).toBeLessThanOrEqual(1e-12);
    },
  );

  it("shows what was typed again when undo and redo bring the value back", () => {
    const { cell, type, now, set } = mount();
    cell(0, 0).focus();
    type("−0.2");
    const bad = now().entries;
    set({ entries: Float64Array.from(LSAT) });
    expect(cell(0, 0).querySelector(".gr-text")?.textContent).toBe("0.009");
    set({ entries: bad.slice() });
    expect(cell(0, 0).querySelector(".gr-text")?.textContent).toBe("−0.2");
  });

  it("leaves the sum off with the others fixed, and offers Normalise", () => {
    const { cell, type, messages, table, now } = mount({ keepSum: false });
    cell(3, 1).focus();
    type("0.618");
    expect(messages.at(-1)).toContain("The table sums to 1.030.");
    expect(now().entries[0]).toBe(0.009);
    [...table.el.querySelectorAll("button")].find((b) => b.textContent === "Normalise")?.click();
    expect(total(now().entries)).toBe(1);
    expect(messages.at(-1)).toBeNull();
  });
});

describe("blocks (W22)", () => {
  it("copies every digit of the selection", () => {
    const { cell, key, clip } = mount();
    cell(2, 0).focus();
    key("End", { ctrlKey: true, shiftKey: true });
    expect(clip("copy")).toBe("0.042\t0.218\n0.076\t0.588");
  });

  it("pastes a block as one edit that keeps the sum", () => {
    const { cell, clip, onEdit, now } = mount();
    cell(1, 0).focus();
    clip("paste", "0,1\t0,2\r\n");
    expect(onEdit).toHaveBeenCalledTimes(1);
    expect([...now().entries.slice(2, 4)]).toEqual([0.1, 0.2]);
    expect(Math.abs(total(now().entries) - 1)).toBeLessThanOrEqual(1e-12);
  });

  it("reads a block over the whole table as weights and says so", () => {
    const { cell, clip, now, messages } = mount();
    cell(0, 0).focus();
    clip("paste", "1\t1\n1\t1\n1\t1\n1\t3");
    expect([...now().entries]).toEqual([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3].map((p) => expect.closeTo(p, 12)));
    expect(messages.at(-1)).toContain("summed to 10");
  });

  it("refuses blocks that do not fit or that meet a locked cell", () => {
    const { cell, clip, onEdit, messages } = mount({ locks: Uint8Array.from([1, 0, 0, 0, 0, 0, 0, 0]) });
    cell(3, 0).focus();
    clip("paste", "0.1\t0.1\n0.1\t0.1");
    expect(messages.at(-1)).toContain("There is room for 1 row × 2 columns here; leave out headings and sums.");
    cell(0, 0).focus();
    clip("paste", "0.1\t0.1");
    expect(messages.at(-1)).toContain("locked cell");
    expect(onEdit).not.toHaveBeenCalled();
  });

  it("marks the bad cells of a block and keeps the good ones", () => {
    const { cell, clip, now } = mount();
    cell(0, 0).focus();
    clip("paste", "0.1\tn/a");
    expect(now().entries[0]).toBe(0.1);
    expect(cell(0, 1).querySelector(".gr-text")?.textContent).toBe("n/a");
    expect(cell(0, 1).getAttribute("aria-invalid")).toBe("true");
  });

  it("sets the whole table from pasted counts, laid out as shown, also with the others kept fixed", () => {
    const { table, now, messages } = mount({ rows: [2], columns: [1, 0], keepSum: false });
    const choose = (text: string) => {
      (table.el.querySelector(".jt-more") as HTMLElement).click();
      [...table.el.querySelectorAll<HTMLElement>('[role^="menuitem"]')].find((item) => item.textContent === "Set from counts…")?.click();
      (table.el.querySelector("textarea") as HTMLTextAreaElement).value = text;
      [...table.el.querySelectorAll("button")].find((b) => b.textContent === "Set table")?.click();
    };
    choose("1 2 3 4\n5 6 7 8");
    expect([...now().entries].map((p) => Math.round(p * 36))).toEqual([1, 5, 3, 7, 2, 6, 4, 8]);
    expect(messages.at(-1)).toContain("summed to 36");
    choose("1\t2\n3\t4\n5\t6");
    expect(messages.at(-1)).toContain("3 rows × 2 columns");
    expect(table.el.querySelector<HTMLElement>(".jt-paste")?.hidden).toBe(true);
  });
});

describe("changes from elsewhere", () => {
  it("W21: a new table from Python does not take the text under the hands, nor does a new pivot", () => {
    const { cell, key, editor, set, now } = mount();
    cell(1, 0).focus();
    key("0");
    (editor() as HTMLInputElement).value = "0.3";
    set({ entries: Float64Array.from([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3]) });
    expect(editor()?.value).toBe("0.3");
    set({ rows: [2], columns: [0, 1] });
    expect(editor()?.value).toBe("0.3");
    key("Enter");
    expect(now().entries[2]).toBe(0.3);
  });

  it("W18: after pivoting the edit reaches the cell that is shown", () => {
    const { cell, type, set, now } = mount();
    set({ rows: [2, 0], columns: [1] });
    expect(cell(1, 1).getAttribute("aria-label")).toContain("item 1 right, item 2 right, item 5 wrong: 0.076");
    cell(1, 1).focus();
    type("0.2");
    expect(now().entries[6]).toBe(0.2);
  });

  it("is read only when disabled", () => {
    const { cell, key, clip, editor, onEdit } = mount({ disabled: true });
    cell(0, 0).focus();
    key("5");
    clip("paste", "0.5");
    expect(editor()).toBeNull();
    expect(onEdit).not.toHaveBeenCalled();
  });
});

describe("size and odd labels", () => {
  it("windows long grids and still reaches the last of 1,024 cells", () => {
    const names = Array.from({ length: 10 }, (_, k) => `t${k}`);
    const labels = names.map(() => ["0", "1"]);
    const entries = new Float64Array(1024).fill(1 / 1024);
    const { table, key, cell, type, now } = mount({
      spec: { title: "", names, labels, records: null }, entries, loaded: entries, locks: new Uint8Array(1024),
      rows: [0, 1, 2, 3, 4, 5, 6, 7, 8], columns: [9],
    });
    expect(table.el.querySelectorAll("tbody tr").length).toBeLessThan(70);
    cell(0, 0).focus();
    key("End", { ctrlKey: true });
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/t0 = 1, .*t9 = 1: /);
    type("0.5");
    expect(now().entries[1023]).toBe(0.5);
  });

  it("W36: labels are text", () => {
    const odd = ["<script>window.bad = 1</script>", '"quoted" & <b>'];
    const { table } = mount({ spec: { title: "<i>", names: ["שם", "😀", "x".repeat(10_000)], labels: [odd, ["0", "1"], ["0", "1"]], records: null } });
    expect(table.el.querySelector("script, b b, i i")).toBeNull();
    expect(table.el.textContent).toContain(odd[0]);
    expect((window as unknown as { bad?: number }).bad).toBeUndefined();
  });
});

describe("a narrow grid", () => {
  const five = {
    title: "", records: null, names: [1, 2, 3, 4, 5].map((k) => `item ${k}`), labels: Array.from({ length: 5 }, () => ["0", "1"]),
  };
  const narrow = (entries: number[]) =>
    mount({ spec: five, entries: Float64Array.from(entries), loaded: Float64Array.from(entries), locks: new Uint8Array(32), rows: [0, 1, 2], columns: [3, 4] });

  it("keeps three decimals however small a value is, and its width", () => {
    const even = narrow(new Array<number>(32).fill(1 / 32));
    const width = (m: typeof even) => (m.table.el.querySelector("table") as HTMLElement).style.minWidth;
    const tiny = [2e-8, 0.00012, ...new Array<number>(30).fill((1 - 2e-8 - 0.00012) / 30)];
    const small = narrow(tiny);
    expect(small.cell(0, 0).textContent).toBe("2e−8");
    expect(small.cell(0, 0).title).toBe("2e-8");
    expect(small.cell(0, 1).textContent).toBe("1e−4");
    expect(small.cell(1, 1).textContent).toBe("0.033");
    expect(width(small)).toBe(width(even));
  });
});

describe("pasting", () => {
  const block = (text: string) => {
    const m = mount();
    m.cell(0, 0).focus();
    m.clip("paste", text);
    return m;
  };

  it("takes weights whose sum no number can hold", () => {
    const { now } = block(Array.from({ length: 4 }, () => "1e308\t1e308").join("\n"));
    expect([...now().entries]).toEqual(new Array(8).fill(0.125));
  });
  it("passes over blank lines at the end", () => {
    const { now } = block("1\t1\n1\t1\n1\t1\n1\t1\n\n \n");
    expect([...now().entries]).toEqual(new Array(8).fill(0.125));
  });
  it("refuses lines of different length in words", () => {
    const { now, messages } = block("1\t1\n1\n1\t1\n1\t1");
    expect(messages.at(-1)).toBe("The pasted lines differ in length. Line 2 has fewer than 2 cells.");
    expect([...now().entries]).toEqual(LSAT);
  });
  it("keeps no more of an endless text than can be read", () => {
    const { cell } = block("9".repeat(1_000_000));
    expect(cell(0, 0).textContent?.length).toBeLessThan(1000);
  });
});
