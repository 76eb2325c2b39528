/** anywidget module of the stream simulator. */
import { createStreamSimulator } from "../stream/stream-simulator";
import type { Model } from "../ui/session";
import { sameVersion } from "../ui/versions";

export default {
  render: sameVersion<Model>(({ model, el }) => {
    const simulator = createStreamSimulator(model, el);
    return () => simulator.destroy();
  }),
};
