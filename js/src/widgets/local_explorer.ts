/** anywidget module of the explorer of local privacy. */
import { createLocalExplorer } from "../local/local-explorer";
import type { Model } from "../ui/session";
import { sameVersion } from "../ui/versions";

export default {
  render: sameVersion<Model>(({ model, el }) => {
    const explorer = createLocalExplorer(model, el);
    return () => explorer.destroy();
  }),
};
