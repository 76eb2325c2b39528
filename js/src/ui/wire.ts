/**
 * What travels between Python and the browser: numbers as bytes and words, what was not said, and the shape of a view.
 */
import type { Bytes } from "./protocol";
import type { Model } from "./session";

/** Entries of a record by a name that came as data: "constructor" is no entry of it. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

// Numbers on the wire: little-endian bytes for arrays, words for what JSON has no number for.

function octets(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  if (bytes instanceof DataView) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Uint8Array(bytes);
}

/** A float64 array of its own; the source may lie at any byte offset. */
export function floats(bytes: Bytes): Float64Array {
  const source = octets(bytes);
  if (source.byteLength % 8 !== 0) throw new RangeError(`${source.byteLength} bytes are no whole number of float64`);
  return new Float64Array(source.slice().buffer);
}

/** An int32 array of its own. */
export function integers(bytes: Bytes): Int32Array {
  return new Int32Array(octets(bytes).slice().buffer);
}

/** A uint8 array of its own. */
export function flags(bytes: Bytes): Uint8Array {
  return octets(bytes).slice();
}

/** Bytes to send; a copy, so that later changes of the array do not reach the message. */
export function toBytes(values: Float64Array | Uint8Array): DataView {
  const copy = values.slice();
  return new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
}

export function sameBytes(a: Bytes, b: Bytes): boolean {
  const left = octets(a);
  const right = octets(b);
  if (left.byteLength !== right.byteLength) return false;
  for (let k = 0; k < left.byteLength; k++) if (left[k] !== right[k]) return false;
  return true;
}

/** A JSON number, or one of the words "NaN", "Infinity", "-Infinity" that stand for the others. */
export function number(value: unknown): number {
  if (typeof value === "number") return value;
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  throw new TypeError(`${String(value)} is not a number on the wire`);
}

// What Python said, as it said it. Where the kernel runs in a browser (JupyterLite), None is lost on the way, and
// Python names beside it what was None (pdp_widgets/widgets/browser_kernel.py).

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

// Whether what Python said is what a view must be: a saved notebook may be damaged.

/** What a view must look like, written down from its type: see shapes.mjs. */
export type Shape = string | readonly Shape[] | { readonly [name: string]: unknown };

const WORDS: readonly unknown[] = ["NaN", "Infinity", "-Infinity"];

function isSimple(value: unknown, kind: string): boolean {
  if (kind === "n") return typeof value === "number" || WORDS.includes(value);
  if (kind === "s") return typeof value === "string";
  if (kind === "b") return typeof value === "boolean";
  if (kind === "y") return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
  return kind === "?" || value === null;
}

/** The first place where a value is not of this shape, or null. */
export function misfit(value: unknown, shape: Shape, place = ""): string | null {
  if (typeof shape === "string") return isSimple(value, shape) ? null : place;
  const all = (values: readonly unknown[], of: (k: number) => Shape): string | null => {
    for (let k = 0; k < values.length; k++) {
      const found = misfit(values[k], of(k), `${place}.${k}`);
      if (found !== null) return found;
    }
    return null;
  };
  if (Array.isArray(shape)) return Array.isArray(value) ? all(value, () => shape[0] as Shape) : place;
  const { "|": either, "=": words, "()": exactly, "*": any, ...parts } = shape as Record<string, Shape & Shape[]>;
  if (words) return words.includes(value as Shape) ? null : place;
  if (exactly) return Array.isArray(value) && value.length === exactly.length ? all(value, (k) => exactly[k] as Shape) : place;
  if (either) {
    const found = either.map((one) => misfit(value, one, place));
    // Of several that do not fit, the one that came furthest says where.
    return found.includes(null) ? null : (found as string[]).reduce((far, at) => (at.length > far.length ? at : far));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return place;
  const held = value as Record<string, unknown>;
  const names = any ? Object.keys(held) : Object.keys(parts);
  for (const name of names) {
    const key = name.replace(/\?$/, "");
    if (!any && key !== name && held[key] === undefined) continue;
    const found = misfit(held[key], any ?? (parts[name] as Shape), `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
