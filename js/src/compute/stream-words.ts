/** What was edited while a stream ran, in few words; see `change_words` in Python. */
import type { ChangeState } from "../stream/protocol";
import { general } from "./faults";
import { type Chain, sameChain, sameNumbers } from "./stream-chain";
import type { Segment } from "./stream-script";

/** The changes between segments that hold up to a position. */
export function changesOf(segments: readonly Segment[], position: number, states: readonly string[]): ChangeState[] {
  const shown = segments.filter(({ first }) => first <= position + 1);
  return shown.slice(1).map((after, k) => {
    const before = shown[k] as Segment;
    const parts: [string, string][] = [];
    if (!sameChain(before.chain, after.chain)) parts.push(chainWords(before.chain, after.chain, states));
    if (before.epsilon !== after.epsilon) parts.push([budget(before.epsilon), budget(after.epsilon)]);
    return { step: after.first, before: parts.map(([was]) => was).join(", "), after: parts.map(([, now]) => now).join(", ") };
  });
}

/** Probabilities of staying, of a chain of first order. */
function stays({ n, transitions }: Chain): number[] {
  return Array.from({ length: n }, (_, k) => transitions[k * n + k] as number);
}

function chainWords(before: Chain, after: Chain, states: readonly string[]): [string, string] {
  const { n, order } = before;
  if (order === 2 || n > 2) {
    const rows = before.transitions.length / n;
    const changed = Array.from({ length: rows }, (_, k) => k * n).filter(
      (row) => !sameNumbers(before.transitions.subarray(row, row + n), after.transitions.subarray(row, row + n)),
    ).length;
    return ["the old chain", `a chain with ${changed || "no"} other row${changed === 1 ? "" : "s"}`];
  }
  const [old, fresh] = [stays(before), stays(after)];
  if (old[0] === old[1] && fresh[0] === fresh[1]) return [`stay ${general(old[0] as number, 4)}`, `stay ${general(fresh[0] as number, 4)}`];
  const moved = [0, 1].filter((k) => old[k] !== fresh[k]);
  const words = (values: readonly number[]): string => moved.map((k) => `${stayAt(states[k] as string)} ${general(values[k] as number, 4)}`).join(", ");
  return [words(old), words(fresh)];
}

/** "Stay at 0 0.7" would be two numbers side by side. */
function stayAt(state: string): string {
  return /[0-9]$/.test(state) ? `stay at state ${state}:` : `stay at ${state}`;
}

function budget(epsilon: number): string {
  return epsilon === Infinity ? "ε ∞" : `ε ${general(epsilon, 4)}`;
}
