// @vitest-environment jsdom
/** The top of an explorer: what it says first, and where a hand that ends a computation goes on. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTop, type Top } from "../../src/explorer/top";
import type { LineProps } from "../../src/ui/lines";
import type { Running } from "../../src/ui/protocol";
import type { AnyRequest } from "../../src/ui/session";
import { OtherEnd } from "../other-end";

const hand = { canUndo: true, canRedo: false, travel: vi.fn() };
const desk = { share: () => 0.25, cancel: vi.fn() };
const running: Running = { number: 3, paper: false };
let connected = true;
let disabled = false;
/** What the explorer says of itself. */
let own: LineProps = { kind: "info", text: "" };
let other: OtherEnd<object, AnyRequest>;
let top: Top;
const q = <E extends HTMLElement>(selector: string): E => document.body.querySelector<E>(selector)!;
const line = (): string => (top.line.el.hidden ? "" : top.line.el.textContent!);

beforeEach(() => {
  [connected, disabled, own] = [true, false, { kind: "info", text: "" }];
  other = new OtherEnd({});
  top = createTop({
    model: other,
    about: { name: "Two numbers", about: [], legend: [], paper: "", equation: "concepts#leakage" },
    session: { canSave: () => true, connected: () => connected },
    desk,
    hand,
    title: () => "made up",
    disabled: () => disabled,
    choose: (said) => said ?? own,
  });
  const slot = document.createElement("div");
  slot.append(top.line.el, top.running.el);
  document.body.append(top.header.el, slot);
});

afterEach(() => {
  top.destroy();
  document.body.replaceChildren();
  vi.clearAllMocks();
});

describe("the top of an explorer", () => {
  it("leads to undo and redo, as far as there are steps and controls are on", () => {
    top.update(null);
    const [undo, redo] = [q<HTMLButtonElement>('[aria-label^="Undo"]'), q<HTMLButtonElement>('[aria-label^="Redo"]')];
    expect([q(".px-title").textContent, undo.disabled, redo.disabled]).toEqual(["made up", false, true]);
    undo.click();
    expect(hand.travel.mock.calls).toEqual([["undo"]]);
    disabled = true;
    top.update(null);
    expect(undo.disabled).toBe(true);
  });

  it("says what was refused before why there is no picture, and that before all else", () => {
    own = { kind: "info", text: "All is well." };
    top.update(null);
    expect(line()).toBe("All is well.");
    q('[aria-label^="Save the picture"]').click();
    const { picture } = other.messages[0] as { picture: string };
    other.emit("msg:custom", { picture: { asked: picture, fault: "The font is gone." } });
    expect(line()).toBe("There is no picture: The font is gone.");
    top.onRefused("Too large: give less than 1.");
    expect(line()).toBe("Too large: give less than 1.");
    top.onRefused(null);
    expect(line()).toContain("The font is gone.");
  });

  it("shows a computation with its share, and none without a kernel", () => {
    top.update(running);
    expect(top.running.el.hidden).toBe(false);
    expect(top.running.el.textContent).toContain("25 %");
    connected = false;
    top.update(running);
    expect(top.running.el.hidden).toBe(true);
  });

  it("goes on at what takes the place of a computation that was cancelled", () => {
    top.update(running);
    const cancel = top.running.el.querySelector("button")!;
    cancel.focus();
    cancel.click();
    expect(desk.cancel).toHaveBeenCalledWith(running);
    own = { kind: "info", text: "Cancelled.", action: { label: "Compute", run: () => undefined } };
    top.update(null);
    expect(document.activeElement?.textContent).toBe("Compute");
  });
});
