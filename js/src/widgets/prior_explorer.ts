/** anywidget module of PriorExplorer. */
import { createPriorExplorer } from "../explorer/prior-explorer";
import type { Model } from "../ui/session";

export default {
  render({ model, el }: { model: Model; el: HTMLElement }): () => void {
    const explorer = createPriorExplorer(model, el);
    return () => explorer.destroy();
  },
};
