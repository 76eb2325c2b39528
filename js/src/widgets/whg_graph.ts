/** WHGGraph: the leakage of every adversary, one of them chosen. */
import type { DigestState } from "../graph/digest";
import graphCss from "../graph/graph.css";
import { createAnyGraph, sizeOf, type AnyGraphProps } from "../graph/leakage-graph";
import { FIRST_SEARCH, type Search } from "../graph/search";
import { h, setText, type Component } from "../ui/dom";
import { count, leakage } from "../ui/format";
import { createLine, lossLine, silenceLine, type LineProps } from "../ui/lines";
import linesCss from "../ui/lines.css";
import panelCss from "../ui/panel.css";
import { leakageUnit } from "../ui/preferences";
import type { Ack, ChosenEdge, Fault, GraphState } from "../ui/protocol";
import { createRoot, sameVersion, type Host } from "../ui/root";
import { createSession, type Model, type Wish } from "../ui/session";
import { number } from "../ui/wire";
import widgetCss from "./whg_graph.css";
import shape from "shape:./whg_graph#View";

interface View {
  revision: number;
  since: number;
  ack: Ack | null;
  /** All values, or of a larger graph what was asked about it. */
  graph: GraphState | null;
  digest: DigestState | null;
  /** Increments beside the chosen adversary, where the graph does not carry them all (n > 7). */
  edges: ChosenEdge[] | null;
  target: number;
  known: number[];
  show_paper: boolean;
  threshold: number | null;
  disabled: boolean;
  fault: Fault | null;
}

interface Request {
  origin: string;
  seq: number;
  base: number;
  target: number;
  known: number[];
  show_paper: boolean;
  threshold: number | null;
  search: Search;
}

const EMPTY = "No graph yet. Give the widget a graph or an analysis: assign its value in Python.";

function wish({ target, known, show_paper, threshold, digest }: View): Wish<Request> {
  return { target, known, show_paper, threshold, search: digest?.search ?? FIRST_SEARCH };
}

function render({ model, el }: Host<Model>): () => void {
  const session = createSession<View, Request>(model, { request: wish, shape, el });
  const theme = createRoot(el, [panelCss, linesCss, graphCss, widgetCss]);
  const about = h("span", { class: "muted" });
  const line = createLine({ kind: "info", text: "" });
  const frame = h(
    "section",
    { class: "wg", "aria-label": "Weighted hierarchical graph" },
    h("header", { class: "wg-head" }, h("h2", {}, "Weighted hierarchical graph"), about),
    h("div", { class: "wg-line" }, line.el),
  );
  theme.root.append(frame);

  let graph: Component<AnyGraphProps> | null = null;

  function message(fault: Fault | null): LineProps {
    const own: LineProps = fault ? { kind: "error", text: fault.text } : { kind: "info", text: "" };
    return lossLine(session) ?? silenceLine(session) ?? own;
  }

  function draw(): void {
    const view = session.view();
    const asked = session.desired();
    const busy = session.busy();
    const shown = view.digest ?? view.graph;
    const size = sizeOf(view.graph, view.digest);
    setText(
      about,
      shown && size
        ? `${count(size.n, "tuple")}, ${count(size.adversaries, "adversary", "adversaries")}, promise ${leakage(number(shown.promise))} ${leakageUnit()}`
        : "",
    );
    line.update(message(view.fault));
    const props: AnyGraphProps = {
      graph: view.graph,
      digest: view.digest,
      target: asked.target,
      known: asked.known,
      search: asked.search,
      showPaper: asked.show_paper,
      threshold: asked.threshold,
      dark: theme.dark(),
      disabled: view.disabled || !session.connected(),
      edges: view.edges,
      busy,
      // Choosing and the threshold change no number; only the paper's estimate has to be waited for.
      stale: busy && asked.show_paper !== view.show_paper,
      emptyText: EMPTY,
    };
    if (graph) return graph.update(props);
    graph = createAnyGraph(props, {
      onChoose: (target, known) => session.propose({ target, known }, { commit: true }),
      onShowPaper: (show_paper) => session.propose({ show_paper }, { commit: true }),
      onThreshold: (threshold, how) => session.propose({ threshold }, how),
      onSearch: (search) => session.propose({ search }, { commit: true }),
    });
    frame.append(graph.el);
  }

  const release = [session.subscribe(draw), theme.onChange(draw)];
  draw();

  return () => {
    for (const stop of release) stop();
    graph?.destroy();
    session.destroy();
    theme.destroy();
  };
}

export default { render: sameVersion(render) };
