/** The state of a widget as Python embeds it in a page: JSON in which bytes stand as base64. */
import { version as own } from "../../package.json";

export interface PageState {
  /** Name of the widget's module. */
  module: string;
  /** What a model holds, `_view` among it. */
  traits: Record<string, unknown>;
  /** What the page needs to compute and the view does not say. */
  embedded: Record<string, unknown>;
}

/** Counts changes that this reader could not follow; Python's is the same. */
export const STATE_VERSION = 1;

/** Reads a state, or throws what is wrong with it. */
export function readState(text: string): PageState {
  const { version, package: saved, module, traits, embedded } = JSON.parse(text) as Record<string, unknown>;
  if (version !== STATE_VERSION) {
    throw new Error(
      `It was saved by pdp_widgets ${String(saved)} (state ${String(version)}); this page is of pdp_widgets ${own} and reads state ${STATE_VERSION}.`,
    );
  }
  if (typeof module !== "string" || !isRecord(traits)) throw new Error("The state names no module or no traits.");
  return { module, traits: decoded(traits) as Record<string, unknown>, embedded: decoded(embedded ?? {}) as Record<string, unknown> };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (!isRecord(value)) return value;
  const { base64, ...others } = value;
  if (typeof base64 === "string" && Object.keys(others).length === 0) return bytesOf(base64);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decoded(item)]));
}

function bytesOf(base64: string): DataView {
  const raw = atob(base64);
  return new DataView(Uint8Array.from(raw, (sign) => sign.charCodeAt(0)).buffer);
}
