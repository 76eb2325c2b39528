/** What a hand sets in the controls of an explorer: read as Python declares it, see pdp_widgets/widgets/inputs.py. */
import { amount, amountFault, InputFault } from "./faults";
import inputs from "./inputs.json";

type Kind = Parameters<typeof amountFault>[0];

interface Declared {
  /** A number of a kind; a hand may leave another one in its control. */
  number?: string;
  /** A number that results do not depend on: what is not finite is left out. */
  level?: string;
  /** Null may stand in the place of the number. */
  optional?: boolean;
  flag?: boolean;
  words?: readonly string[];
}

/**
 * The declared inputs of a view after a request; what it does not carry stays, and what is no word, no flag or a wrong
 * level is refused. `read` is what becomes of a number.
 */
export function askedInputs<V extends object>(
  widget: keyof typeof inputs,
  view: V,
  request: Partial<Record<string, unknown>>,
  read: (value: unknown) => unknown = (value) => value,
): Partial<V> {
  const all = Object.entries(inputs[widget] as Record<string, Declared>);
  const made = all.map(([name, one]) => {
    // What was saved before there was such an input holds none.
    const now = view[name as keyof V] ?? (one.optional ? null : undefined);
    const asked = request[name];
    if (asked === undefined) return [name, now];
    if (asked === null && one.optional) return [name, null];
    if (one.number !== undefined) return [name, read(asked)];
    if (one.level !== undefined) return [name, Number.isFinite(asked) ? amount(one.level as Kind, asked as number, name) : now];
    if (one.words ? one.words.includes(asked as string) : typeof asked === "boolean") return [name, asked];
    throw new InputFault(`The browser sent something for '${name}' that is not understood; reload the page.`, { kind: "table" });
  });
  return Object.fromEntries(made) as Partial<V>;
}
