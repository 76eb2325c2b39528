/** The graph in a page: its values are embedded, and choosing among them needs no computation. */
import { askedInputs } from "../compute/asked-inputs";
import { askedSearch, digestOf, type LargeGraph } from "../compute/graph-digest";
import { askedAdversary } from "../compute/prior-inputs";
import type { DigestState } from "../graph/digest";
import { FIRST_SEARCH, type Search } from "../graph/search";
import type { Bytes, ChosenEdge, Fault, GraphState } from "../ui/protocol";
import type { AnyRequest, AnyView } from "../ui/session";
import { flags, floats, number } from "../ui/wire";
import widget from "../widgets/whg_graph";
import { join, type Embedded, type Joined } from "./page-model";

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

type GraphRequest = AnyRequest & Choice & { search: Search };

const NO_ESTIMATE = "This page has no kernel: the paper’s estimate was not published with this graph.";
const TOO_LARGE = "A graph this large is asked for piece by piece.";

/** The values of one page, read once. */
const values = new WeakMap<Embedded, LargeGraph | null>();

function largeGraph({ digest }: GraphView, embedded: Embedded): LargeGraph | null {
  const known = values.get(embedded);
  if (known !== undefined) return known;
  const { exact, determined, paper } = embedded as Record<string, Bytes | undefined>;
  const numbers = exact === undefined ? null : floats(exact);
  const made = digest && numbers && {
    names: digest.names,
    promise: digest.promise,
    exact: numbers,
    determined: determined === undefined ? new Uint8Array(numbers.length) : flags(determined),
    paper: paper === undefined ? null : floats(paper),
    groupBound: number(digest.group_bound),
  };
  values.set(embedded, made);
  return made;
}

const joined: Joined<GraphView, GraphRequest> = {
  render: widget.render,
  needsKernel: (view, embedded) => (view.digest && !largeGraph(view, embedded) ? TOO_LARGE : null),
  answer(view, request, embedded) {
    const large = largeGraph(view, embedded);
    const names = view.graph?.names ?? view.digest?.names ?? [];
    const estimates = large ? large.paper : (view.graph?.paper ?? null);
    const chosen: Choice = { ...view, ...askedAdversary(view, request, names.length), ...askedInputs("whg_graph", view, request) };
    const estimated = !chosen.show_paper || estimates !== null;
    const next: GraphView = { ...view, ...chosen, show_paper: chosen.show_paper && estimated };
    const moved = next.target !== view.target || next.known.join() !== view.known.join();
    if (large && view.digest) {
      next.digest = digestOf(large, { ...chosen, search: askedSearch(request, view.digest.search ?? FIRST_SEARCH, names.length) });
    }
    return { ...next, edges: moved ? null : view.edges, fault: estimated ? null : { text: NO_ESTIMATE, where: null } };
  },
};

export default join("whg_graph", joined);
