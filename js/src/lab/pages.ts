/** The explorers as published pages have them, each loaded when a document needs it. */
import type { AnyRequest, AnyView } from "../ui/session";
import type { Joined } from "../page/page-model";

const of = <V extends AnyView, R extends AnyRequest>(loaded: Promise<{ default: Joined<V, R> }>): Promise<Joined> =>
  loaded.then((module) => module.default as unknown as Joined);

/** By the names of their modules. */
export const PAGES: Record<string, () => Promise<Joined>> = {
  prior_explorer: () => of(import("../page/prior-explorer")),
  gaussian_explorer: () => of(import("../page/gaussian-explorer")),
  local_explorer: () => of(import("../page/local-explorer")),
  dependence_explorer: () => of(import("../page/dependence-explorer")),
  attack_explorer: () => of(import("../page/attack-explorer")),
  anonymity_explorer: () => of(import("../page/anonymity-explorer")),
  network_explorer: () => of(import("../page/network-explorer")),
  stream_simulator: () => of(import("../page/stream-simulator")),
};
