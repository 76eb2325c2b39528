import { afterEach, describe, expect, it, vi } from "vitest";
import { createMatrixEditor, type MatrixEditorProps } from "../../src/matrix/matrix-editor";
import { createRoot } from "../../src/ui/root";

const S = [1.44, 0.6, 0.32, -0.59, 0.6, 1, 0.36, -0.21, 0.32, 0.36, 0.81, 0.13, -0.59, -0.21, 0.13, 1.96];
const names = ["flat A", "flat B", "flat C", "solar"];

/** An editor that takes its own edits, as the widget would. */
function mount(patch: Partial<MatrixEditorProps> = {}) {
  const numbers = () => ({ cov: Float64Array.from(S), mean: Float64Array.from([5, 4, 3, 6]), weights: Float64Array.from([1, 1, 1, -1]) });
  let props: MatrixEditorProps = {
    since: 1, names, unit: "kWh", numbers: numbers(), loaded: numbers(), sound: Float64Array.from(S), kernel: null,
    correlation: false, fault: null, dark: false, disabled: false, ...patch,
  };
  const onEdit = vi.fn();
  const onNearest = vi.fn();
  const onImport = vi.fn();
  const onUndo = vi.fn();
  const messages: (string | null)[] = [];
  const set = (next: Partial<MatrixEditorProps>) => {
    props = { ...props, ...next };
    editor.update(props);
  };
  const editor = createMatrixEditor(props, {
    onEdit(next, how) {
      onEdit(next, how);
      set({ numbers: next });
    },
    onCorrelation: (correlation) => set({ correlation }),
    onNearest, onImport, onUndo,
    onMessage: (message) => void messages.push(message && `${message.title} ${message.text}`),
  });
  const theme = createRoot(document.body, []);
  theme.root.append(editor.el);
  const cell = (r: number, c: number) => editor.el.querySelectorAll("tbody tr:not(.gr-gap)")[r]?.querySelectorAll(".gr-cell")[c] as HTMLElement;
  const key = (name: string, extra: KeyboardEventInit = {}) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...extra }));
  const type = (r: number, c: number, text: string) => {
    cell(r, c).focus();
    key(text[0] as string);
    (editor.el.querySelector(".gr-edit") as HTMLInputElement).value = text;
    key("Enter");
  };
  const paste = (text: string) => {
    const event = new Event("paste", { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => text } });
    document.activeElement?.dispatchEvent(event);
  };
  const handle = () => editor.el.querySelector(".mx-handle") as SVGElement;
  const status = () => editor.el.querySelector(".mx-words")?.textContent;
  const at = (i: number, j: number) => props.numbers.cov[i * 4 + j];
  const button = (label: string) => [...editor.el.querySelectorAll("button")].find((b) => b.textContent === label) as HTMLButtonElement;
  return { editor, cell, key, type, paste, handle, status, at, button, set, onEdit, onNearest, onImport, onUndo, messages, now: () => props };
}

afterEach(() => document.body.replaceChildren());

describe("a covariance matrix", () => {
  it("lets the mirror follow, and marks it", () => {
    const { cell, type, at, onEdit, editor } = mount();
    type(1, 1, "0.7");
    expect([at(0, 1), at(1, 0)]).toEqual([0.7, 0.7]);
    expect(onEdit).toHaveBeenCalledTimes(1);
    expect(onEdit.mock.calls[0]?.[1]).toEqual({ commit: true });
    cell(1, 2).focus();
    expect(cell(1, 2).dataset["kind"]).toContain("chosen");
    expect(cell(3, 0).dataset["kind"]).toContain("twin");
    expect(editor.el.querySelectorAll('[data-kind~="twin"]').length).toBe(1);
  });
  it("keeps covariances when a variance is edited, and takes means and weights", () => {
    const { type, at, now } = mount();
    type(1, 0, "2");
    expect([at(0, 0), at(0, 1)]).toEqual([2, 0.6]);
    type(0, 3, "2,5");
    type(5, 0, "-1");
    expect(now().numbers.weights?.[3]).toBe(2.5);
    expect(now().numbers.mean[0]).toBe(-1);
  });
  it("names every cell, its value and its state", () => {
    const { cell } = mount();
    expect(cell(1, 1).getAttribute("aria-label")).toBe("covariance of flat A and flat B: 0.60");
    expect(cell(1, 0).getAttribute("aria-label")).toBe("variance of flat A: 1.44");
    expect(cell(0, 3).getAttribute("aria-label")).toBe("weight of solar: −1");
    expect(cell(5, 0).getAttribute("aria-label")).toBe("mean of flat A: 5.0");
  });
  it("says what is wrong as soon as the matrix is not valid, and keeps the last summaries", () => {
    const { type, status, cell, messages, button, onNearest, editor } = mount();
    expect(status()).toContain("Valid");
    expect(button("Nearest valid").disabled).toBe(true);
    type(1, 1, "1.4");
    expect(status()).toContain("A, B too large");
    expect(status()).toContain("eigenvalue −0.223");
    expect(cell(1, 1).getAttribute("aria-invalid")).toBe("true");
    expect(messages[messages.length - 1]).toContain("flat A, flat B too large.");
    expect(messages[messages.length - 1]).toContain("The results still belong to the last valid matrix.");
    expect(editor.el.querySelector(".jt-summaries")?.textContent).toContain("Correlation, last valid");
    expect(editor.el.querySelector(".jt-summaries")?.textContent).toContain("+0.50");
    button("Nearest valid").click();
    expect(onNearest).toHaveBeenCalledTimes(1);
  });
  it("takes Python's word over its own", () => {
    const { set, status } = mount();
    set({ kernel: { valid: false, smallest: -1e-7 } });
    expect(status()).toContain("−1.0e−7");
    expect(status()).not.toContain("Valid");
  });
  it("keeps text that is no number as typed; Escape brings the last number back", () => {
    const { type, cell, key, at, status, button } = mount();
    type(1, 1, "0,5,1");
    expect(at(0, 1)).toBeNaN();
    expect(cell(1, 1).textContent).toBe("0,5,1");
    expect(cell(2, 0).textContent).toBe("0,5,1");
    expect(status()).toContain("A, B: no number");
    expect(button("Nearest valid").disabled).toBe(true);
    cell(1, 1).focus();
    key("Escape");
    expect([at(0, 1), at(1, 0)]).toEqual([0.6, 0.6]);
  });
  it("makes the tuples independent", () => {
    const { button, now } = mount();
    button("Independent").click();
    expect([...now().numbers.cov]).toEqual(S.map((x, k) => (k % 5 === 0 ? x : 0)));
  });
  it("undoes and redoes by key, and edits nothing while it is disabled", () => {
    const { cell, key, type, onUndo, onEdit, set, editor, button } = mount();
    cell(1, 1).focus();
    key("z", { ctrlKey: true });
    expect(onUndo).toHaveBeenCalledTimes(1);
    set({ disabled: true });
    key("5");
    expect(editor.el.querySelector(".gr-edit")).toBeNull();
    expect(button("Independent").disabled).toBe(true);
    expect(onEdit).not.toHaveBeenCalled();
    set({ disabled: false });
    type(1, 1, "0.1");
    expect(onEdit).toHaveBeenCalledTimes(1);
  });
});

describe("correlations", () => {
  it("are shown and edited while the variances stay", () => {
    const { cell, type, at } = mount({ correlation: true });
    expect(cell(1, 1).textContent).toBe("0.50");
    expect(cell(1, 0).textContent).toBe("1");
    type(1, 1, "0.25");
    expect(at(0, 1)).toBeCloseTo(0.3, 15);
    expect(at(0, 0)).toBe(1.44);
    cell(1, 1).focus();
    expect(cell(1, 1).getAttribute("aria-label")).toBe("correlation of flat A and flat B: 0.25");
  });
  it("have a diagonal that cannot be edited, and none without a variance", () => {
    const { cell, key, editor, set, now } = mount({ correlation: true });
    expect(cell(1, 0).getAttribute("aria-readonly")).toBe("true");
    cell(1, 0).focus();
    key("5");
    expect(editor.el.querySelector(".gr-edit")).toBeNull();
    set({ numbers: { ...now().numbers, cov: Float64Array.from(S, (x, k) => (k < 4 || k % 4 === 0 ? 0 : x)) } });
    expect(cell(1, 1).textContent).toBe("?");
    expect(cell(1, 1).getAttribute("aria-readonly")).toBe("true");
  });
  it("come back from an edit as they were typed", () => {
    const { cell, type, key, editor } = mount({ correlation: true });
    type(1, 2, "0.1");
    cell(1, 2).focus();
    key("F2");
    expect((editor.el.querySelector(".gr-edit") as HTMLInputElement).value).toBe("0.1");
  });
});

describe("the handle below", () => {
  it("tells the value and what keeps the matrix valid, rounded inwards", () => {
    const { handle, cell } = mount();
    expect(handle().getAttribute("aria-label")).toBe("Covariance of flat A and flat B");
    expect(handle().getAttribute("aria-valuetext")).toBe("0.60, valid from −0.70 to 1.17");
    cell(1, 0).focus();
    expect(handle().getAttribute("aria-valuetext")).toBe("1.44, valid from 0.51");
    cell(0, 0).focus();
    expect(handle().getAttribute("display")).toBe("none");
  });
  it("moves by keys; Home and End reach the ends of what is valid", () => {
    const { handle, at, status } = mount();
    const press = (key: string, shiftKey = false) => handle().dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
    press("ArrowRight");
    expect(at(0, 1)).toBeCloseTo(0.64, 12);
    expect(at(1, 0)).toBe(at(0, 1));
    press("End");
    expect(at(0, 1)).toBe(1.17);
    expect(status()).toContain("Valid");
    press("Home");
    expect(at(0, 1)).toBe(-0.7);
    expect(status()).toContain("Valid");
    press("ArrowLeft", true);
    expect(status()).toContain("A, B too small");
    expect(handle().hasAttribute("data-wrong")).toBe(true);
  });
});

describe("a block", () => {
  it("of the whole matrix is one edit", () => {
    const { cell, paste, now, onEdit } = mount();
    cell(1, 0).focus();
    paste("1\t0\t0\t0\n0\t1\t0\t0\n0\t0\t1\t0,5\n0\t0\t0,5\t1\n");
    expect([...now().numbers.cov]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5, 0, 0, 0.5, 1]);
    expect(onEdit).toHaveBeenCalledTimes(1);
  });
  it("that is not symmetric is refused with the first cell that differs", () => {
    const { cell, paste, onEdit, messages } = mount();
    cell(1, 0).focus();
    paste("1\t0.5\n0.4\t1");
    expect(onEdit).not.toHaveBeenCalled();
    expect(messages[messages.length - 1]).toContain("flat A, flat B is 0.5 and flat B, flat A is 0.4.");
  });
  it("with names and of another size becomes another matrix", () => {
    const { cell, paste, onImport, editor, button } = mount();
    cell(1, 0).focus();
    paste("\tx\ty\nx\t1\t0.5\ny\t0.5\t2");
    expect(onImport).toHaveBeenLastCalledWith(["x", "y"], Float64Array.from([1, 0.5, 0.5, 2]));
    button("Import…").click();
    (editor.el.querySelector("textarea") as HTMLTextAreaElement).value = "3";
    button("Set matrix").click();
    expect(onImport).toHaveBeenLastCalledWith(null, Float64Array.from([3]));
  });
});

describe("another matrix", () => {
  it("gives up what was typed for the old one and says so", () => {
    const { cell, key, editor, set, messages } = mount();
    cell(1, 1).focus();
    key("7");
    (editor.el.querySelector(".gr-edit") as HTMLInputElement).value = "7";
    const cov = Float64Array.from([1, 0, 0, 1]);
    const numbers = { cov, mean: Float64Array.from([0, 0]), weights: null };
    set({ since: 2, names: ["p", "q"], numbers, loaded: numbers, sound: cov });
    expect(editor.el.querySelector(".gr-edit")).toBeNull();
    expect(messages[messages.length - 1]).toContain('"7" was not taken.');
    expect(editor.el.querySelectorAll(".gr-cell").length).toBe(6);
  });
  it("that was never valid has no spreads and correlations, of itself or of the one before", () => {
    const { editor, set } = mount();
    const summaries = editor.el.querySelector(".jt-summaries") as HTMLElement;
    expect(summaries.textContent).toContain("flat A, flat B".replaceAll("flat ", ""));
    for (const [since, names] of [[2, ["p", "q", "r", "s"]], [3, ["p", "q"]]] as const) {
      const n = names.length;
      const cov = Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 2));
      const numbers = { cov, mean: new Float64Array(n), weights: null };
      set({ since, names: [...names], numbers, loaded: numbers, sound: null });
      expect(summaries.textContent).toBe("");
      expect([summaries.hidden, summaries.style.display]).toEqual([true, "none"]);
    }
    const numbers = { cov: Float64Array.from([1, 0.5, 0.5, 1]), mean: new Float64Array(2), weights: null };
    set({ numbers, sound: numbers.cov });
    expect([summaries.hidden, summaries.style.display]).toEqual([false, ""]);
    expect(summaries.textContent).toContain("+0.50");
  });
  it("may have a single tuple, and no weights", () => {
    const cov = Float64Array.from([2]);
    const numbers = { cov, mean: Float64Array.from([0]), weights: null };
    const { cell, status, handle } = mount({ names: ["x"], numbers, loaded: numbers, sound: cov });
    expect(cell(0, 0).textContent).toBe("2.00");
    expect(status()).toContain("Valid");
    expect(handle().getAttribute("aria-valuetext")).toBe("2.00, valid from 0");
  });
});
