/**
 * What Python said, as it said it. Where the kernel runs in a browser (JupyterLite), None is lost on the way, and
 * Python names beside it what was None (pdp_widgets/widgets/browser_kernel.py).
 */
import type { Model } from "./session";

const NONE_KEY = "__none__";

/** Put the lost ones back, in the value itself: a view that was seen stays the same object. */
function restore(value: unknown): void {
  if (Array.isArray(value)) value.forEach(restore);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  const parts = value as Record<string, unknown>;
  const lost = parts[NONE_KEY];
  if (Array.isArray(lost)) {
    for (const key of lost as string[]) parts[key] = null;
    delete parts[NONE_KEY];
  }
  for (const key of Object.keys(parts)) restore(parts[key]);
}

const seen = new WeakSet<object>();

/** A trait of the model, with null wherever Python said None. */
export function heard(model: Model, name: string): unknown {
  const value = model.get(name);
  if (typeof value === "object" && value !== null && !seen.has(value)) {
    seen.add(value);
    restore(value);
  }
  return value;
}
