/** What is wrong with an input, in the words of Python: the culprit first, then what would be accepted. */
import type { Fault, TableSpec, Where } from "../ui/protocol";
import kinds from "./amounts.json";

export class InputFault extends Error {
  constructor(
    text: string,
    readonly where: Where | null,
  ) {
    super(text);
  }

  /** As it travels in a view. */
  get fault(): Fault {
    return { text: this.message, where: this.where };
  }
}

const LONGEST = 40;

/** A label or name cut to what fits into a message. */
export function short(text: string): string {
  const signs = [...text];
  return signs.length <= LONGEST ? text : `${signs.slice(0, LONGEST - 1).join("")}…`;
}

/** Names a cell by its labels: "x1 = 0, x2 = 1". */
export function placeOf({ names, labels }: TableSpec, index: readonly number[]): string {
  return index.map((p, j) => `${short(names[j] as string)} = ${short(labels[j]?.[p] as string)}`).join(", ");
}

/** A number with some significant digits, as Python's format ".12g" writes it. */
export function general(value: number, digits = 12): string {
  if (!Number.isFinite(value)) return notFinite(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", power = "0"] = value.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return plain(value.toFixed(digits - 1 - exponent));
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${plain(mantissa)}e${exponent < 0 ? "-" : "+"}${size}`;
}

function plain(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** NaN and the infinities as Python writes them. */
export function notFinite(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

/** A float as Python's repr writes it. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e16)) return Number.isInteger(value) ? `${Object.is(value, -0) ? "-0" : value}.0` : String(value);
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** A value as an expression of Python: all digits of a whole number, up to the length of a message. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return `'${String(value)}'`;
  if (!Number.isInteger(value)) return pythonFloat(value);
  const found = BigInt(value);
  const digits = Math.floor(found.toString(2).replace("-", "").length * Math.log10(2)) + 1;
  return digits <= LONGEST ? String(found) : `an integer of about ${digits} digits`;
}

/** A kind of number that a hand sets, as pdp_widgets/core/amounts.py declares it. */
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

export type AmountKind = keyof typeof kinds;

/** What a number of a kind must be, as the end of a message, and from where on it is one. */
export function amountOf(kind: AmountKind): Amount {
  return kinds[kind];
}

/** Why a value is no number of a kind, or null. */
export function amountFault(kind: AmountKind, value: unknown, name: string): InputFault | null {
  const { accepted, least = -Infinity, most = Infinity, above, below, infinite, optional, whole, subject = name } = amountOf(kind);
  const number = typeof value === "number" ? value : NaN;
  const inside = (above ? number > least : number >= least) && (below ? number < most : number <= most);
  const fits = whole ? Number.isInteger(number) : infinite || Number.isFinite(number);
  if ((inside && fits) || (optional && value === null)) return null;
  const written = whole || typeof value !== "number" ? shown(value) : pythonFloat(value + 0).replace(/\.0$/, "");
  return new InputFault(`${subject} is ${written}; ${accepted}.`, { kind: "parameter", name });
}

/** A number of a kind, or null where that may be; throws for anything else. */
export function amount<T extends number | null>(kind: AmountKind, value: T, name: string): T {
  const fault = amountFault(kind, value, name);
  if (fault !== null) throw fault;
  return value === 0 ? (0 as T) : value;
}

/** A JSON number or a word; NaN for anything else. */
export function wiredNumber(value: unknown): number {
  if (value === "Infinity" || value === "-Infinity") return Number(value);
  return typeof value === "number" ? value : NaN;
}
