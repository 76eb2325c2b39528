/** anywidget module of PriorExplorer. */
import { createPriorExplorer } from "../explorer/prior-explorer";
import type { Model } from "../ui/session";
import { sameVersion } from "../ui/versions";

export default {
  render: sameVersion<Model>(({ model, el }) => {
    const explorer = createPriorExplorer(model, el);
    return () => explorer.destroy();
  }),
};
