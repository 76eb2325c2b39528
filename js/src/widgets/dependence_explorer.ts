/** anywidget module of the explorer of dependent tuples. */
import { createDependenceExplorer } from "../dependence/dependence-explorer";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createDependenceExplorer(model, el);
    return () => explorer.destroy();
  }),
};
