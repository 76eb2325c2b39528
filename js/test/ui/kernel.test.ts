import { describe, expect, it, vi } from "vitest";
import { onKernel } from "../../src/ui/session";

function signal() {
  const slots = new Set<(sender: unknown, value: unknown) => void>();
  return {
    connect: (slot: (sender: unknown, value: unknown) => void) => slots.add(slot),
    disconnect: (slot: (sender: unknown, value: unknown) => void) => slots.delete(slot),
    emit: (value?: unknown) => [...slots].forEach((slot) => slot(null, value)),
    slots,
  };
}

describe("onKernel", () => {
  const made = () => ({ statusChanged: signal(), connectionStatusChanged: signal(), disposed: signal() });
  const heard = () => ({ ended: vi.fn(), way: vi.fn() });
  const rest = () => new Promise((resolve) => setTimeout(resolve));
  type Made = ReturnType<typeof made>;
  const listeners = (kernel: Made): number => kernel.statusChanged.slots.size + kernel.connectionStatusChanged.slots.size + kernel.disposed.slots.size;

  it.each([
    ["restarting", "restarted"],
    ["autorestarting", "died"],
    ["terminating", "shut down"],
    ["dead", "dead"],
  ])("hears %s once", async (status, how) => {
    const kernel = made();
    const listener = heard();
    onKernel({ widget_manager: { kernel } }, listener);
    for (const alive of ["busy", "idle", "unknown", "starting"]) kernel.statusChanged.emit(alive);
    await rest();
    expect(listener.ended).not.toHaveBeenCalled();
    kernel.statusChanged.emit(status);
    kernel.statusChanged.emit(status);
    await rest();
    kernel.disposed.emit();
    expect(listener.ended.mock.calls).toEqual([[how]]);
    expect(listeners(kernel)).toBe(0);
  });

  it.each([
    [["restarting", "autorestarting"], "died"],
    [["dead"], "dead"],
    [[], "shut down"],
  ])("takes the last word, %s, and what is disposed of has ended", async (said, how) => {
    const kernel = made();
    const listener = heard();
    onKernel({ widget_manager: { kernel } }, listener);
    for (const status of said) kernel.statusChanged.emit(status);
    if (how !== "died") kernel.disposed.emit();
    await rest();
    expect(listener.ended.mock.calls).toEqual([[how]]);
    onKernel({ widget_manager: { kernel } }, listener)();
    expect(listeners(kernel)).toBe(0);
  });

  it("hears of the way to the kernel", () => {
    const kernel = made();
    const listener = heard();
    onKernel({ widget_manager: { kernel } }, listener);
    for (const status of ["connecting", "disconnected", "connected"]) kernel.connectionStatusChanged.emit(status);
    expect(listener.way.mock.calls).toEqual([["tried"], ["given up"], ["open"]]);
    expect(listener.ended).not.toHaveBeenCalled();
  });

  it("is quiet where no kernel is seen", () => {
    for (const model of [null, {}, { widget_manager: {} }, { widget_manager: { kernel: null } }]) {
      expect(onKernel(model, heard())).toBeTypeOf("function");
    }
  });
});
