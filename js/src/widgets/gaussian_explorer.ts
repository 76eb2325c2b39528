/** anywidget module of the explorer of Gaussian data. */
import { createGaussianExplorer } from "../gaussian/gaussian-explorer";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createGaussianExplorer(model, el);
    return () => explorer.destroy();
  }),
};
