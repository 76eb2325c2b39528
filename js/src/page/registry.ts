/** The widgets that live in a page without a kernel, by the name of their module. */
import covarianceEditor from "./covariance-editor";
import gaussianExplorer from "./gaussian-explorer";
import type { Joined } from "./joined";
import jointTable from "./joint-table";
import localExplorer from "./local-explorer";
import priorExplorer from "./prior-explorer";
import whgGraph from "./whg-graph";

// Each reads and writes views of its own kind only: the state says which module it belongs to.
export const JOINED = {
  covariance_editor: covarianceEditor,
  gaussian_explorer: gaussianExplorer,
  joint_table: jointTable,
  local_explorer: localExplorer,
  prior_explorer: priorExplorer,
  whg_graph: whgGraph,
} as unknown as Readonly<Record<string, Joined>>;
