/** anywidget module of the explorer of inferred locations. */
import { createAttackExplorer } from "../attack/attack-explorer";
import type { Model } from "../ui/session";
import { sameVersion } from "../ui/versions";

export default {
  render: sameVersion<Model>(({ model, el }) => {
    const explorer = createAttackExplorer(model, el);
    return () => explorer.destroy();
  }),
};
