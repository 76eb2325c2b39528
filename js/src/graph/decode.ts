/** From the state as it travels to the numbers that are drawn. */
import type { GraphState } from "../ui/protocol";
import { flags, floats, number } from "../ui/wire";
import type { LeakageData } from "./data";
import { adversaryCount, columnOf, flatOf } from "./nodes";

export function decodeGraph(state: GraphState): LeakageData {
  const n = state.names.length;
  const total = adversaryCount(n);
  const { target, known } = state.largest;
  return {
    names: state.names,
    n,
    promise: number(state.promise),
    exact: sized(floats(state.exact), total, "exact"),
    paper: state.paper ? sized(floats(state.paper), total, "paper") : null,
    determined: state.determined ? sized(flags(state.determined), total, "determined") : null,
    increments: state.increments ? sized(floats(state.increments), total * n, "increments") : null,
    largest: flatOf(n, target, columnOf(n, target, known)),
    groupBound: number(state.group_bound),
  };
}

function sized<T extends Float64Array | Uint8Array>(values: T, length: number, name: string): T {
  if (values.length !== length) throw new RangeError(`${name} has ${values.length} values, ${length} were expected`);
  return values;
}
