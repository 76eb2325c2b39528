/** The kinds of numbers that a hand sets, checked and refused as in Python: the table is that of pdp_widgets/core/amounts.py. */
import kinds from "./amounts.json";
import { InputFault, pythonFloat, shown } from "./faults";

interface Amount {
  accepted: string;
  least?: number;
  most?: number;
  above?: boolean;
  below?: boolean;
  infinite?: boolean;
  optional?: boolean;
  whole?: boolean;
  subject?: string;
}

/** Why a value is no number of a kind, or null. */
export function amountFault(kind: keyof typeof kinds, value: unknown, name: string): InputFault | null {
  const { accepted, least = -Infinity, most = Infinity, above, below, infinite, optional, whole, subject = name }: Amount = kinds[kind];
  const number = typeof value === "number" ? value : NaN;
  const inside = (above ? number > least : number >= least) && (below ? number < most : number <= most);
  const fits = whole ? Number.isInteger(number) : infinite || Number.isFinite(number);
  if ((inside && fits) || (optional && value === null)) return null;
  const written = whole || typeof value !== "number" ? shown(value) : pythonFloat(value + 0).replace(/\.0$/, "");
  return new InputFault(`${subject} is ${written}; ${accepted}.`, { kind: "parameter", name });
}

/** A number of a kind, or null where that may be; throws for anything else. */
export function amount<T extends number | null>(kind: keyof typeof kinds, value: T, name: string): T {
  const fault = amountFault(kind, value, name);
  if (fault !== null) throw fault;
  return value === 0 ? (0 as T) : value;
}
