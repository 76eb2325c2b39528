/** The one message of a joint table: what is wrong, where, and what helps. */
import type { LineProps } from "../ui/lines";
import type { Fault, TableSpec } from "../ui/protocol";
import { isNormalised, isProbability, showSum, total } from "./editing";
import { refusal, type Drafts } from "./entry";
import { capital, cellName } from "./names";
import { positions } from "./pivot";

const KEPT = "The results still belong to the last valid table.";

export interface Spoken {
  spec: TableSpec;
  entries: Float64Array;
  fault: Fault | null;
}

/** First what the hand just tried, then the table itself, then what Python found. */
export function tableMessage(table: Spoken, drafts: Drafts, note: LineProps | null, onNormalise: () => void): LineProps | null {
  if (note?.kind === "error") return note;
  const { spec, entries, fault } = table;
  const bad = entries.findIndex((p) => !isProbability(p));
  if (bad >= 0) {
    const value = entries[bad] as number;
    const shape = spec.labels.map((domain) => domain.length);
    const reason = drafts.at(bad, value)?.reason ?? refusal(value, String(value));
    const others = entries.filter((p) => !isProbability(p)).length - 1;
    const more = others > 0 ? ` ${others} more ${others === 1 ? "cell is" : "cells are"} marked.` : "";
    return { kind: "error", title: `${capital(cellName(spec, positions(bad, shape)))}:`, text: `${reason}${more} ${KEPT}` };
  }
  if (!isNormalised(entries)) {
    return {
      kind: "error",
      title: `The table sums to ${showSum(total(entries))}.`,
      text: `Leakage needs a sum of 1. ${KEPT}`,
      action: { label: "Normalise", run: onNormalise },
    };
  }
  if (fault && fault.where?.kind !== "parameter") {
    const end = fault.text.search(/[.:] /);
    return end < 0
      ? { kind: "error", title: fault.text, text: "" }
      : { kind: "error", title: fault.text.slice(0, end + 1), text: fault.text.slice(end + 2) };
  }
  return note;
}
