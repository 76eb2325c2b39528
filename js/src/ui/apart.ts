/** Heights of texts that would overlap, moved apart by at least `gap` and kept inside [low, high]. */
export function apart(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => (wanted[a] as number) - (wanted[b] as number) || a - b);
  const out = wanted.slice();
  let edge = low;
  for (const k of order) {
    out[k] = Math.max(out[k] as number, edge);
    edge = (out[k] as number) + gap;
  }
  edge = high;
  for (const k of order.reverse()) {
    out[k] = Math.min(out[k] as number, edge);
    edge = (out[k] as number) - gap;
  }
  return out;
}
