/** anywidget module of the explorer of networks. */
import { createNetworkExplorer } from "../network/network-explorer";
import { sameVersion } from "../ui/root";

export default {
  render: sameVersion(({ model, el }) => {
    const explorer = createNetworkExplorer(model, el);
    return () => explorer.destroy();
  }),
};
