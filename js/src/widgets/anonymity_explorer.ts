/** anywidget module of the explorer of k-anonymity. */
import { createAnonymityExplorer } from "../anonymity/anonymity-explorer";
import { sameVersion } from "../ui/versions";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createAnonymityExplorer(model, el);
    return () => explorer.destroy();
  }),
};
