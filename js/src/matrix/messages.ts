/** The one message of a covariance editor: what is wrong, where, and what helps. */
import type { LineProps } from "../ui/lines";
import type { Fault } from "../ui/protocol";
import type { Check, Culprit } from "./validity";
import { capital, eigenvalue, verdict } from "./status";

export const KEPT = "The results still belong to the last valid matrix.";

export interface Spoken {
  /** What the hand just tried. */
  note: LineProps | null;
  /** Why a cell that was typed into cannot be read. */
  unread: { name: string; reason: string } | null;
  check: Check;
  culprit: Culprit | null;
  names: readonly string[];
  fault: Fault | null;
}

/** `told` is true when the line about validity says it already. */
export function matrixMessage({ note, unread, check, culprit, names, fault }: Spoken): { line: LineProps | null; told: boolean } {
  if (note?.kind === "error") return { line: note, told: false };
  if (unread) return { line: { kind: "error", title: `${capital(unread.name)}:`, text: `${unread.reason} ${KEPT}` }, told: false };
  if (!check.valid) {
    const title = `${capital(verdict({ check, culprit, names }))}.`;
    const why = Number.isNaN(check.smallest) ? "" : `The smallest eigenvalue is ${eigenvalue(check.smallest)}; it may not be below 0. `;
    return { line: { kind: "error", title, text: why + KEPT }, told: true };
  }
  if (fault && fault.where?.kind !== "parameter") {
    const end = fault.text.search(/[.:] /);
    const [title, text] = end < 0 ? [fault.text, ""] : [fault.text.slice(0, end + 1), fault.text.slice(end + 2)];
    return { line: { kind: "error", title, text }, told: false };
  }
  return { line: note, told: false };
}
