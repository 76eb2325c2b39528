/** anywidget module of the explorer of k-anonymity. */
import { createAnonymityExplorer } from "../anonymity/anonymity-explorer";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createAnonymityExplorer(model, el);
    return () => explorer.destroy();
  }),
};
