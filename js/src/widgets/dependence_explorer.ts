/** anywidget module of the explorer of dependent tuples. */
import { createDependenceExplorer } from "../dependence/dependence-explorer";
import type { Model } from "../ui/session";
import { sameVersion } from "../ui/versions";

export default {
  render: sameVersion<Model>(({ model, el }) => {
    const explorer = createDependenceExplorer(model, el);
    return () => explorer.destroy();
  }),
};
