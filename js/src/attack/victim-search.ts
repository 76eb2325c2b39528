/** Users that fit what was typed, nearest first: a number that is the whole name, names that begin so, names that hold it. */
import type { VictimChoice } from "./protocol";
import { userName } from "./words";

/** More are not listed: typing on narrows them. */
export const LISTED = 60;

export interface Found {
  /** Positions among the victims. */
  users: number[];
  /** How many fit in all. */
  all: number;
}

export function findUsers(victims: readonly VictimChoice[], typed: string, limit = LISTED): Found {
  const wanted = typed.trim().toLowerCase();
  const ranked: number[][] = [[], [], []];
  victims.forEach(({ label }, k) => {
    const name = label.toLowerCase();
    const said = userName(label).toLowerCase();
    if (wanted === "" || name === wanted || said === wanted) ranked[0]?.push(k);
    else if (name.startsWith(wanted) || said.startsWith(wanted)) ranked[1]?.push(k);
    else if (name.includes(wanted)) ranked[2]?.push(k);
  });
  const fits = ranked.flat();
  return { users: fits.slice(0, limit), all: fits.length };
}
