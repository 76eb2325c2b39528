/** Views of the local explorer as Python sends them, written by scripts/local_view_cases.py. */
import shared from "../../../tests/data/local-view-cases.json";
import type { LocalView } from "../../src/local/protocol";

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== "object" || value === null) return value;
  const { base64 } = value as { base64?: unknown };
  if (typeof base64 === "string") return new DataView(Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)).buffer);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decoded(part)]));
}

export const NAMES = (shared as unknown as { name: string }[]).map(({ name }) => name);

/** A fresh view of that name. */
export function viewOf(name: string): LocalView {
  const found = (shared as unknown as { name: string; view: unknown }[]).find((one) => one.name === name);
  if (!found) throw new Error(`There is no view ${name}; there are ${NAMES.join(", ")}.`);
  return { revision: 1, since: 1, ack: null, fault: null, disabled: false, ...(decoded(found.view) as object) } as LocalView;
}
