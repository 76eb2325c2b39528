/** What a hand sets in a stream simulator, checked; what is wrong is said in the words of Python. */
import type { MechanismChoice } from "../stream/protocol";
import { InputFault, shown } from "./faults";

const MOST_LANES = 4;

function fault(text: string, name: string): InputFault {
  return new InputFault(text, { kind: "parameter", name });
}

/** One to four different mechanisms that can be chosen. */
export function soundLanes(given: unknown, menu: readonly MechanismChoice[]): string[] {
  const listed: unknown[] = Array.isArray(given) ? given : [given];
  const keys: string[] = [];
  for (const key of listed.slice(0, MOST_LANES + 1)) {
    const known = typeof key === "string" && menu.find((one) => one.key === key.toLowerCase());
    if (!known) throw fault(`The lanes hold ${shown(key)}; give some of ${menu.map((one) => one.key).join(", ")}.`, "lanes");
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
