/** anywidget module of the explorer of local privacy. */
import { createLocalExplorer } from "../local/local-explorer";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createLocalExplorer(model, el);
    return () => explorer.destroy();
  }),
};
