/** The table of a source and a secret, read both ways, and what follows from it for one mechanism. */
import { guessOf, hasBudget, namesSymbol, ownLeakage, readingOf, type Mechanism, type Output, type Reading } from "./local-mechanisms";
import { leakageOfPair, valueOfRows } from "./local-pair";
import { rowsOf, transposed, type Rows } from "./local-rows";

export interface PairTable {
  /** What the secret says about the source, whose report leaks. */
  forward: Rows;
  /** The other way round: the mirror. */
  mirror: Rows;
}

/** All that the screen says about one pair. */
export interface PairNumbers {
  leakage: number;
  mirror: number;
  worst: { secret: [number, number]; symbols: number[]; probability: [number, number] | null } | null;
  /** P(source symbol | secret) for the two labels of the worst pair. */
  rows: [Float64Array, Float64Array] | null;
  supports: [number, number] | null;
  generic: number;
  limit: number | null;
  mirrorLimit: number | null;
}

const made = new WeakMap<Float64Array, { minCount: number; symbols: number; table: PairTable }>();

/** Read once for each table: the points of its rows are found once too. */
export function pairTable(table: Float64Array, symbols: number, minCount: number): PairTable {
  const known = made.get(table);
  if (known && known.minCount === minCount && known.symbols === symbols) return known.table;
  const read = { forward: rowsOf(table, symbols, minCount), mirror: rowsOf(transposed(table, symbols), table.length / symbols, minCount) };
  made.set(table, { minCount, symbols, table: read });
  return read;
}

/** The reading of any mechanism with the budget of this one. */
export function anyReading(mechanism: Mechanism, k: number): Reading {
  const level = hasBudget(mechanism.key) ? mechanism.epsilon : ownLeakage(mechanism, k, "raw");
  return { kind: "subsets", level, size: 0 };
}

/** The numbers of a pair; `counts` is its table where it holds records. null where the mechanism cannot be read so. */
export function pairNumbers({ forward, mirror }: PairTable, mechanism: Mechanism, output: Output, counts: Float64Array | null): PairNumbers | null {
  const found = leakageOfPair(forward, mechanism, output);
  const back = leakageOfPair(mirror, mechanism, output);
  if (!found || !back) return null;
  const { symbols: k } = forward;
  const records = (x: number): number => (counts as Float64Array).subarray(x * k, (x + 1) * k).reduce((sum, count) => sum + count, 0);
  const row = (x: number): Float64Array => forward.rows[forward.kept.indexOf(x)] as Float64Array;
  const { secret, symbols } = found;
  const limit = (rows: Rows): number | null => {
    const reading = hasBudget(mechanism.key) ? readingOf({ ...mechanism, epsilon: Infinity }, rows.symbols, output) : null;
    return reading && valueOfRows(rows, reading);
  };
  return {
    leakage: found.value,
    mirror: back.value,
    worst: secret && {
      secret,
      symbols,
      probability: chances(
        mechanism,
        output,
        k,
        secret.map((x) => symbols.reduce((sum, u) => sum + (row(x)[u] as number), 0)) as [number, number],
      ),
    },
    rows: secret && [row(secret[0]), row(secret[1])],
    supports: secret && counts && [records(secret[0]), records(secret[1])],
    generic: valueOfRows(forward, anyReading(mechanism, k)),
    limit: limit(forward),
    mirrorLimit: limit(mirror),
  };
}

/** The chance of a report or guess that names the favoured symbol; null for reports that name none. */
function chances(mechanism: Mechanism, output: Output, k: number, masses: [number, number]): [number, number] | null {
  const guess = output === "inferred" || namesSymbol(mechanism.key) ? guessOf(mechanism, k) : null;
  return guess && (masses.map((mass) => guess.keep * mass + guess.other * Math.max(0, 1 - mass)) as [number, number]);
}
