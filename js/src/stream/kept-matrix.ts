/** The matrix of a chain that is shown and not edited: read once for each view. */
import type { StreamView } from "./protocol";

let readOnly: { view: StreamView; numbers: Float64Array } | null = null;

/** A matrix that can be read and not edited. */
export function kept(view: StreamView): Float64Array {
  if (readOnly?.view !== view) {
    const { buffer, byteOffset, byteLength } = view.chain.transitions as DataView;
    readOnly = { view, numbers: new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
  }
  return readOnly.numbers;
}
