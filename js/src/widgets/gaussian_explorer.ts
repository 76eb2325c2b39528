/** anywidget module of the explorer of Gaussian data. */
import { createGaussianExplorer } from "../gaussian/gaussian-explorer";
import type { Model } from "../ui/session";

export default {
  render({ model, el }: { model: Model; el: HTMLElement }): () => void {
    const explorer = createGaussianExplorer(model, el);
    return () => explorer.destroy();
  },
};
