/** anywidget module of the stream simulator. */
import { createStreamSimulator } from "../stream/stream-simulator";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const simulator = createStreamSimulator(model, el);
    return () => simulator.destroy();
  }),
};
