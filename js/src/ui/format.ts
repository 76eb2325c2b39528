/**
 * Numbers as people read them: one rule for each kind of quantity, what rounding makes of them, and words around them.
 */

import { perNat, preferences } from "./preferences";

// What rounding makes of leakages: one rule for verdicts and for the numbers beside them. As in
// models/rounding_rule.py.

/** What rounding makes of a leakage of 0 at most, nats. */
export const NOTHING = 1e-14;
/** What two ways to compute one leakage may differ by, as a share of it. */
export const SHARE = 1e-9;
/** A line is of ordinary size where what counts as nothing is a smaller share of it. */
const SEEN = 1e-6;

/** The largest number that is no more than a line, rounding aside; `precision` is what the number may be off by as it is computed. */
export function atMost(line: number, share = SHARE, precision = 0): number {
  return line + (line === 0 ? Math.max(NOTHING, precision) : share * Math.abs(line) + precision);
}

/** Whether a number is what rounding makes of 0, beside a line of 0 or of ordinary size. */
export function isNothing(size: number, line: number): boolean {
  return Math.abs(size) <= NOTHING && (line === 0 || NOTHING < SEEN * Math.abs(line));
}

// Numbers as people read them: one rule for each kind of quantity.

const MINUS = "−";
/** From here on toFixed gives up on plain digits. */
const HUGE = 1e21;
/** What rounding alone makes of a difference of 0 between numbers of ordinary size. */
const AS_ZERO = 1e-12;

/** Fixed decimals with a true minus sign and thousands separated by commas. */
export function fixed(value: number, decimals: number): string {
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (Math.abs(value) >= HUGE) return scientific(value, 3);
  const digits = Math.abs(value).toFixed(decimals);
  const [whole = "0", fraction] = digits.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = value < 0 && Number(digits) !== 0 ? MINUS : "";
  return sign + grouped + (fraction === undefined ? "" : `.${fraction}`);
}

/** A leakage in nats as it is shown: in the unit that is preferred, with the digits of `amount` or those that are preferred. */
export function leakage(value: number, beside?: number, promise = beside): string {
  const per = perNat();
  const { decimals } = preferences();
  const of = (nats: number | undefined): number | undefined => (nats === undefined ? nats : nats * per);
  // As amounts are: what three decimals would show as zero is written with a power of ten.
  if (decimals === null || value === 0 || Math.abs(value) < 0.0005) return amount(value * per, of(beside), of(promise));
  return fixed(value * per, decimals);
}

/**
 * An amount such as a leakage: four significant digits, at most three decimals. When rounding would put the value on
 * the number beside it although it is not there, digits are added until the two part. What three
 * decimals would show as zero is written 2.1e−5; only what rounding alone makes of 0 reads 0. Beside
 * the promise, unless the promise is given on its own as what the value is small against.
 */
export function amount(value: number, beside?: number, promise = beside): string {
  if (value === 0 || (promise !== undefined && isNothing(value, promise))) return "0";
  const tiny = Math.abs(value) < 0.0005;
  const write = tiny ? scientific : fixed;
  let decimals = tiny ? 1 : leakageDecimals(value);
  const size = Math.abs(value);
  const apart = size < 1e-3 ? 1e-9 * size : 1e-12 * Math.max(1, size);
  if (beside !== undefined && Number.isFinite(value) && Math.abs(value - beside) > apart) {
    while (decimals < 12 && write(value, decimals) === write(beside, decimals)) decimals += 1;
  }
  return write(value, decimals);
}

/** An upper bound of a leakage in nats, rounded up in its last shown digit. */
export const bound = (nats: number): string => amountUp(nats * perNat(), preferences().decimals);

/** An amount that is enough, rounded up in its last shown digit. */
export function amountUp(value: number, wanted: number | null = null): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || size < 0.0005 || size >= HUGE) return amount(value);
  const decimals = wanted ?? leakageDecimals(value);
  let shown = Number(value.toFixed(decimals));
  if (shown < value - 1e-12 * size) shown += 10 ** -decimals;
  return fixed(shown, decimals);
}

export function leakageDecimals(value: number): number {
  const size = Math.abs(value);
  if (!(size >= 1)) return 3;
  const decimals = Math.max(0, Math.min(3, 3 - Math.floor(Math.log10(size))));
  return decimals > 0 && Number(size.toFixed(decimals)) >= 10 ** (4 - decimals) ? decimals - 1 : decimals;
}

/** A difference, an increment or a correlation, signed: what would read +0.000 has the digits that it needs, or is 0. */
export function signed(value: number, decimals = 3): string {
  const size = Math.abs(value);
  if (size <= AS_ZERO) return "0";
  let digits = decimals;
  while (digits < 4 && Number(size.toFixed(digits)) === 0) digits += 1;
  return (value < 0 ? MINUS : "+") + (Number(size.toFixed(digits)) === 0 ? scientific(size, 1) : fixed(size, digits));
}

/** A difference of two leakages in nats, always signed: what three decimals would show as zero is written +2.1e−5. */
export function change(nats: number, promise = 1): string {
  const value = nats * perNat();
  const size = Math.abs(value);
  const rounding = size === 0 || isNothing(size, promise);
  return size < 0.0005 && !rounding ? `${value < 0 ? MINUS : "+"}${scientific(size, 1)}` : signed(value, preferences().decimals ?? 3);
}

/** Decimals that let the smallest non-zero probability of a table show one digit: 3 to 6. */
export function probabilityDecimals(entries: ArrayLike<number>): number {
  let smallest = Infinity;
  for (let k = 0; k < entries.length; k++) {
    const p = entries[k] as number;
    if (p > 0 && p < smallest) smallest = p;
  }
  if (!Number.isFinite(smallest)) return 3;
  return Math.min(6, Math.max(3, Math.ceil(-Math.log10(smallest) - 1e-9)));
}

/** A probability; exact 0 and 1 have no decimals, what is too small for them is written 2.1e−8. */
export function probability(value: number, decimals = 3, digits = 1): string {
  if (value === 0) return "0";
  if (value === 1) return "1";
  if (Math.abs(value) < 0.5 * 10 ** -decimals) return scientific(value, digits);
  return fixed(value, decimals);
}

export function scientific(value: number, digits = 1): string {
  const [mantissa = "", exponent = "0"] = value.toExponential(digits).split("e");
  const power = Number(exponent);
  return `${mantissa.replace("-", MINUS)}e${power < 0 ? MINUS : ""}${Math.abs(power)}`;
}

/** The same without zeros at the end of the digits. */
export function trimmed(value: number, digits: number): string {
  return scientific(value, digits).replace(/\.?0+(?=e)/, "");
}

/** From here on a number is written with a power of ten. */
const LONG = 1e15;

/**
 * A number with so many significant digits and no zeros at its end; whole and large ones to the unit: no zeros stand
 * in the place of digits that were left out. As core/chart.py has it.
 */
export function number(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  const whole = Math.abs(value) < LONG && (Number.isInteger(value) || size >= 10 ** digits);
  if (whole) return fixed(value, 0);
  if (size >= 10 ** digits || size < 1e-4) return trimmed(value, digits - 1);
  const decimals = Math.max(1, digits - 1 - Math.floor(Math.log10(size)));
  return fixed(rounded, decimals).replace(/\.?0+$/, "");
}

/** A tick label: as short as it can be, of at most three digits where it has a power of ten. */
export function tick(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3) return trimmed(value, 2);
  return fixed(value, 6).replace(/\.?0+$/, "");
}

/** A parameter such as the scale: two decimals where they suffice, more where they do not. */
export function parameter(value: number): string {
  if (value !== 0 && (Math.abs(value) < 0.01 || Math.abs(value) >= 1e6)) return scientific(value, 2);
  for (let decimals = 2; decimals < 6; decimals++) {
    if (Math.abs(Number(value.toFixed(decimals)) - value) <= 1e-9 * Math.abs(value)) return fixed(value, decimals);
  }
  return fixed(value, 4);
}

/** "1 tuple", "2 tuples". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${fixed(n, 0)} ${n === 1 ? one : many}`;
}

/** "a", "a and b", "a, b and c". */
export function list(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

// Numbers and words that sentences of several explorers share.

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** "four": as words up to twelve. */
export function inWords(n: number): string {
  return NUMBERS[n] ?? fixed(n, 0);
}

/** With a capital where the name begins a sentence, in quotation marks or not. */
export function capital(text: string): string {
  return text.replace(/^(“?)(.)/su, (_, mark: string, first: string) => mark + first.toUpperCase());
}

/** A number of an axis of leakages, given in nats. */
export const leakageTick = (nats: number): string => tick(Number((nats * perNat()).toPrecision(6)));

/** A leakage beside the budget; infinite where nothing bounds it. */
export function nats(value: number, beside?: number): string {
  return Number.isFinite(value) ? leakage(value, beside !== undefined && Number.isFinite(beside) ? beside : undefined) : fixed(value, 3);
}
