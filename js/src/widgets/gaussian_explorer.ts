/** anywidget module of the explorer of Gaussian data. */
import { createGaussianExplorer } from "../gaussian/gaussian-explorer";
import type { Model } from "../ui/session";
import { sameVersion } from "../ui/versions";

export default {
  render: sameVersion<Model>(({ model, el }) => {
    const explorer = createGaussianExplorer(model, el);
    return () => explorer.destroy();
  }),
};
