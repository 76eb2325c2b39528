/** anywidget module of the explorer of inferred locations. */
import { createAttackExplorer } from "../attack/attack-explorer";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createAttackExplorer(model, el);
    return () => explorer.destroy();
  }),
};
