/** Numbers on the wire: little-endian bytes for arrays, words for what JSON has no number for. */
import type { Bytes } from "./protocol";

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
