/**
 * What people prefer in every widget they look at: the unit of leakages, decimals, colours, and whether numbers follow
 * a drag. JupyterLab's settings say it for its page; elsewhere the defaults hold.
 */

export const PALETTES = ["viridis", "cividis", "greys"] as const;

export interface Preferences {
  /** Of leakages and promises that are shown; budgets and goals are typed in nats everywhere. */
  unit: "nats" | "bits";
  /** Of leakages; null for as many as each needs. */
  decimals: number | null;
  palette: (typeof PALETTES)[number];
  /** Whether numbers are asked for while something is dragged, or at its end. */
  refresh: boolean;
  /** Asked of every explorer when it is set: which known values count, and whether the paper's estimates are shown. */
  convention: "" | "instance" | "sup";
  paper: "" | "shown" | "hidden";
}

export const DEFAULTS: Preferences = { unit: "nats", decimals: null, palette: "viridis", refresh: true, convention: "", paper: "" };

/** Modules of widgets are loaded one by one, each with this file in it: what they share stands in the page. */
interface Shared {
  now: Preferences;
  heard: Set<(now: Preferences, before: Preferences) => void>;
}

const KEY = Symbol.for("pdp-widgets:preferences");
const page = globalThis as { [KEY]?: Shared };
const shared = (): Shared => (page[KEY] ??= { now: DEFAULTS, heard: new Set() });

export const preferences = (): Preferences => shared().now;

/** What differs from the defaults by being of another kind counts as not set. */
export function prefer(wanted: Partial<Record<keyof Preferences, unknown>>): void {
  const before = preferences();
  const among = <T>(name: keyof Preferences, choices: readonly T[]): T =>
    choices.includes(wanted[name] as T) ? (wanted[name] as T) : (DEFAULTS[name] as T);
  const now: Preferences = {
    unit: among("unit", ["nats", "bits"]),
    decimals: among("decimals", [1, 2, 3, 4, 5, 6, 7, 8]),
    palette: among("palette", PALETTES),
    refresh: among("refresh", [true, false]),
    convention: among("convention", ["instance", "sup"]),
    paper: among("paper", ["shown", "hidden"]),
  };
  shared().now = now;
  for (const callback of [...shared().heard]) callback(now, before);
}

/** Calls back after each change; returns how to stop. */
export function onPreferences(callback: (now: Preferences, before: Preferences) => void): () => void {
  shared().heard.add(callback);
  return () => void shared().heard.delete(callback);
}

/** Whether what is drawn looks other than before. */
export const looksOther = (now: Preferences, before: Preferences): boolean =>
  now.unit !== before.unit || now.decimals !== before.decimals || now.palette !== before.palette;

/** What is asked of an explorer that has such settings; empty where nothing is. */
export function askedOf(settings: object, now: Preferences, before: Preferences = DEFAULTS): Record<string, unknown> {
  const asked: Record<string, unknown> = {};
  if (now.convention !== "" && now.convention !== before.convention && "convention" in settings) asked["convention"] = now.convention;
  if (now.paper !== "" && now.paper !== before.paper)
    for (const name of ["show_paper", "paper", "printed"]) if (name in settings) asked[name] = now.paper === "shown";
  return asked;
}

/** The unit of leakages that are shown. */
export const leakageUnit = (): string => preferences().unit;

/** How many of them are one nat. */
export const perNat = (): number => (preferences().unit === "bits" ? Math.LOG2E : 1);
