/** The text of a new document of each explorer, on the example that it opens on: written by scripts/documents.py. */
import { askedOf, preferences } from "../ui/preferences";
import { EXPLORERS, textOf, type LeakageDocument, type Parts } from "./document";

const NEW: Record<string, () => Promise<{ default: unknown }>> = {
  PriorExplorer: () => import("./new/PriorExplorer.leakage.json"),
  GaussianExplorer: () => import("./new/GaussianExplorer.leakage.json"),
  LocalExplorer: () => import("./new/LocalExplorer.leakage.json"),
  DependenceExplorer: () => import("./new/DependenceExplorer.leakage.json"),
  AttackExplorer: () => import("./new/AttackExplorer.leakage.json"),
  AnonymityExplorer: () => import("./new/AnonymityExplorer.leakage.json"),
  StreamSimulator: () => import("./new/StreamSimulator.leakage.json"),
};

export async function newDocument(explorer: string): Promise<string> {
  const load = Object.hasOwn(NEW, explorer) ? NEW[explorer] : undefined;
  if (load === undefined) throw new RangeError(`There is no explorer "${explorer}"; it is one of ${Object.keys(NEW).join(", ")}.`);
  const made = (await load()).default as LeakageDocument;
  const asked = askedOf(EXPLORERS[explorer]?.settings ?? {}, preferences());
  return textOf({ ...made, settings: { ...made.settings, ...(asked as Parts) } });
}
