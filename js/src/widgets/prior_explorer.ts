/** anywidget module of PriorExplorer. */
import { createPriorExplorer } from "../prior/prior-explorer";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createPriorExplorer(model, el);
    return () => explorer.destroy();
  }),
};
