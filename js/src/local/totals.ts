/** Below the table of pairs: what all reports together say about each secret, and the paper's sum for it. */
import type { Output } from "../compute/local-mechanisms";
import { rule } from "../ui/axes";
import { s, text } from "../ui/dom";
import { bound as upwards, capital, inWords, nats } from "../ui/format";
import { textWidth } from "../ui/lettering";
import { badge } from "../ui/marks";
import type { Totals } from "./results";
import { everything } from "./words";

export interface TotalsProps {
  left: number;
  cw: number;
  n: number;
  output: Output;
  totals: Totals | null;
  late: boolean;
  width: number;
  bottom: number;
}

export const TOTALS_HEIGHT = 64;

/** How the paper's sum stands to the exact number; null where they are the same, or there is none. */
export function sumError({ exact, sum, awaited }: Totals, secret: number): { direction: "low" | "high"; by: number } | null {
  const [truth, said] = [exact?.[secret] ?? NaN, sum[secret] ?? NaN];
  const by = said - truth;
  const alike = Number.isFinite(by) ? Math.abs(by) <= 1e-9 * Math.max(1, truth) : Number.isNaN(by);
  if (awaited || alike) return null;
  return { direction: by < 0 ? "low" : "high", by: Math.abs(by) };
}

function allNaN(values: Float64Array | null): boolean {
  return values === null || values.every(Number.isNaN);
}

export function drawTotals({ left, cw, n, output, totals, late, width, bottom }: TotalsProps): SVGElement[] {
  const who = capital(everything(output, n));
  const y = bottom + 10;
  const size = cw >= 64 ? 14 : cw >= 44 ? 12 : 11;
  const kernel = !late && totals !== null && totals.kernel && allNaN(totals.exact) && allNaN(totals.bound);
  const bounded = !late && !kernel && totals !== null && [...(totals.exact ?? [NaN])].every(Number.isNaN);
  const out: SVGElement[] = [
    rule(0, y, width, y),
    text(0, y + 19, bounded ? `all ${n} ≤` : n === 2 ? "both" : `all ${inWords(n)}`, { "font-size": 12, "font-weight": 600 }),
    text(0, y + 35, "paper’s sum", { class: "lx-muted" }),
  ];
  if (kernel) {
    // One word for all of them rather than a dash for each.
    out.push(text(left + 8, y + 19, "needs a kernel", { class: "lx-muted" }));
    if (allNaN(totals.sum)) {
      out.push(text(left + 8, y + 35, "needs a kernel", { class: "lx-muted" }));
      return [s("g", { role: "img", "aria-label": `${who} together: needs a kernel` }, ...out)];
    }
  }
  const spoken: string[] = [];
  for (let k = 0; k < n; k++) {
    const x = left + (k + 0.5) * cw;
    const exact = totals?.exact?.[k] ?? NaN;
    const most = totals?.bound?.[k] ?? NaN;
    const atMost = Number.isNaN(exact) && !Number.isNaN(most);
    const number = late ? "…" : atMost ? `${bounded ? "" : "≤ "}${upwards(most)}` : Number.isNaN(exact) ? "–" : nats(exact);
    const added = totals?.sum[k] ?? NaN;
    const sum = !Number.isNaN(added) ? nats(added) : late ? "…" : "–";
    const error = totals && !late ? sumError(totals, k) : null;
    if (!kernel)
      out.push(
        text(x, y + 19, number, {
          "text-anchor": "middle",
          "font-size": size,
          "font-weight": 600,
          style: atMost ? "fill:var(--promise)" : null,
        }),
      );
    // A mark stands before its number where both have room, and never on it.
    const half = textWidth(sum, 11) / 2;
    const beside = cw >= 2 * half + 20;
    out.push(text(x + (error && beside ? 7 : 0), y + 35, sum, { "text-anchor": "middle", class: "lx-muted" }));
    if (error) out.push(badge(error.direction, beside ? x - half - 3 : x, beside ? y + 31 : y + 46, 5.5));
    spoken.push(`${kernel ? "needs a kernel" : number} (sum ${sum}${error ? `, too ${error.direction}` : ""})`);
  }
  return [s("g", { role: "img", "aria-label": `${bounded ? `Bounds for ${everything(output, n)}` : who} together, by secret: ${spoken.join("; ")}` }, ...out)];
}
