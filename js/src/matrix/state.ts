/** A matrix as Python shows it. */
import type { Bytes } from "../ui/protocol";

/** What Python shows of the matrix. */
export interface MatrixState {
  title: string;
  unit: string;
  names: string[];
  /** float64, n x n. What stands in the cells, valid or not. */
  cov: Bytes;
  mean: Bytes;
  weights: Bytes | null;
  loaded_cov: Bytes;
  loaded_mean: Bytes;
  /** The last valid matrix of these tuples; null when there was none. */
  sound: Bytes | null;
  /** Records behind the model when it came from data. */
  records: number | null;
  valid: boolean;
  /** A number, or one of the words for those that JSON has not. */
  smallest: unknown;
}
