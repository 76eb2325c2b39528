/** The graph in a page: its values are embedded, and choosing among them needs no computation. */
import { askedAdversary } from "../compute/prior-inputs";
import type { DigestState } from "../graph/digest";
import type { ChosenEdge, Fault, GraphState } from "../ui/protocol";
import type { AnyRequest, AnyView } from "../ui/session";
import widget from "../widgets/whg_graph";
import type { Joined } from "./joined";

interface Choice {
  target: number;
  known: number[];
  show_paper: boolean;
  threshold: number | null;
}

interface GraphView extends AnyView, Choice {
  graph: GraphState | null;
  digest: DigestState | null;
  edges: ChosenEdge[] | null;
  fault: Fault | null;
}

const NO_ESTIMATE = "This page has no kernel: the paper’s estimate was not published with this graph.";

const joined: Joined<GraphView, AnyRequest & Choice> = {
  render: widget.render,
  needsKernel: ({ digest }) => (digest ? "A graph this large is asked for piece by piece." : null),
  answer(view, request) {
    const n = view.graph?.names.length ?? 0;
    const { threshold = view.threshold, show_paper = view.show_paper } = request;
    const estimated = !show_paper || (view.graph?.paper ?? null) !== null;
    const next = { ...view, ...askedAdversary(view, request, n), threshold, show_paper: show_paper && estimated };
    const moved = next.target !== view.target || next.known.join() !== view.known.join();
    return { ...next, edges: moved ? null : view.edges, fault: estimated ? null : { text: NO_ESTIMATE, where: null } };
  },
};

export default joined;
