import { describe, expect, it, vi } from "vitest";
import { onKernelEnd } from "../../src/ui/kernel";

function signal() {
  const slots = new Set<(sender: unknown, value: unknown) => void>();
  return {
    connect: (slot: (sender: unknown, value: unknown) => void) => slots.add(slot),
    disconnect: (slot: (sender: unknown, value: unknown) => void) => slots.delete(slot),
    emit: (value?: unknown) => [...slots].forEach((slot) => slot(null, value)),
    slots,
  };
}

describe("onKernelEnd", () => {
  it.each(["restarting", "autorestarting", "terminating", "dead"])("hears %s once", (status) => {
    const kernel = { statusChanged: signal(), disposed: signal() };
    const ended = vi.fn();
    onKernelEnd({ widget_manager: { kernel } }, ended);
    for (const alive of ["busy", "idle", "unknown", "starting"]) kernel.statusChanged.emit(alive);
    expect(ended).not.toHaveBeenCalled();
    kernel.statusChanged.emit(status);
    kernel.statusChanged.emit(status);
    kernel.disposed.emit();
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it("hears that the kernel is disposed of, and leaves no listener", () => {
    const kernel = { statusChanged: signal(), disposed: signal() };
    const ended = vi.fn();
    onKernelEnd({ widget_manager: { kernel } }, ended);
    kernel.disposed.emit();
    expect(ended).toHaveBeenCalledTimes(1);
    expect(kernel.statusChanged.slots.size + kernel.disposed.slots.size).toBe(0);
    onKernelEnd({ widget_manager: { kernel } }, ended)();
    expect(kernel.statusChanged.slots.size + kernel.disposed.slots.size).toBe(0);
  });

  it("is quiet where no kernel is seen", () => {
    for (const model of [null, {}, { widget_manager: {} }, { widget_manager: { kernel: null } }]) {
      expect(onKernelEnd(model, () => {})).toBeTypeOf("function");
    }
  });
});
