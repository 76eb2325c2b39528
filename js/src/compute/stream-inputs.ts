/** What a hand sets in a stream simulator, checked; what is wrong is said in the words of Python. */
import type { MechanismChoice } from "../stream/protocol";
import { general, InputFault, pythonFloat } from "./faults";

const MOST_LANES = 4;
const LARGEST_SEED = 2 ** 53;
const [SLOWEST, FASTEST] = [0.1, 1000];

function fault(text: string, name: string): InputFault {
  return new InputFault(text, { kind: "parameter", name });
}

/** A number as Python's repr writes it: of a float "1.0", of a whole number on the wire "1". */
function repr(value: unknown, float: boolean): string {
  if (typeof value !== "number") return value === null || value === undefined ? "None" : `'${String(value)}'`;
  return !float && Number.isInteger(value) ? String(value) : pythonFloat(value);
}

/** A JSON number or a word; NaN for anything else. */
export function wiredNumber(value: unknown): number {
  if (value === "Infinity" || value === "-Infinity") return Number(value);
  return typeof value === "number" ? value : NaN;
}

export function soundEpsilon(value: number): number {
  if (value >= 0) return value + 0;
  throw fault(`epsilon is ${general(value)}; it must be a number of nats, 0 or more; infinity is allowed.`, "epsilon");
}

export function soundDelta(value: number): number {
  if (value >= 0 && value < 1) return value + 0;
  throw fault(`delta is ${general(value)}; it must be a number, at least 0 and below 1.`, "delta");
}

export function soundSpeed(value: number): number {
  if (value >= SLOWEST && value <= FASTEST) return value;
  throw fault(`The speed is ${repr(value, true)}; give 0.1 to 1,000 steps a second.`, "speed");
}

export function soundSeed(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= LARGEST_SEED) return value;
  throw fault(`The seed is ${repr(value, false)}; give a whole number from 0 to 9,007,199,254,740,992.`, "seed");
}

/** One to four different mechanisms that can be chosen. */
export function soundLanes(given: unknown, menu: readonly MechanismChoice[]): string[] {
  const listed: unknown[] = Array.isArray(given) ? given : [given];
  const keys: string[] = [];
  for (const key of listed.slice(0, MOST_LANES + 1)) {
    const known = typeof key === "string" && menu.find((one) => one.key === key.toLowerCase());
    if (!known) throw fault(`The lanes hold ${repr(key, false)}; give some of ${menu.map((one) => one.key).join(", ")}.`, "lanes");
    keys.push(known.key);
  }
  if (keys.length === 0) throw fault(`There is no lane; give one to ${MOST_LANES} mechanisms.`, "lanes");
  if (keys.length > MOST_LANES) throw fault(`There are more than ${MOST_LANES} lanes; give one to ${MOST_LANES}.`, "lanes");
  const twice = keys.find((key, k) => keys.indexOf(key) !== k);
  if (twice !== undefined) throw fault(`The lane '${twice}' is there twice; every mechanism releases once.`, "lanes");
  for (const { key, label, why } of menu) {
    if (why !== null && keys.includes(key)) throw fault(`${label} cannot be a lane here. ${why}`, "lanes");
  }
  return keys;
}
