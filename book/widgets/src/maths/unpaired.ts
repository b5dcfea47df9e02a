import { twoSidedNormal, Z_975 } from "./normal";
import { rightA, rightB, total, type Table } from "./table";

export interface Unpaired {
  readonly z: number;
  readonly p: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The difference of two accuracies as if each system had met its own items.
 * All answers alike are no evidence (p = 1) and give no interval; one system all right and the other all wrong is beyond
 * the unpooled formula, whose answer is then NaN.
 */
function compare(table: Table, standardError: number): Unpaired {
  const difference = (rightA(table) - rightB(table)) / total(table);
  if (standardError === 0) {
    const alike = difference === 0;
    return { z: alike ? 0 : NaN, p: alike ? 1 : NaN, low: NaN, high: NaN };
  }
  const z = difference / standardError;
  const reach = Z_975 * standardError;
  return { z, p: twoSidedNormal(z), low: Math.max(-1, difference - reach), high: Math.min(1, difference + reach) };
}

/** Each accuracy with its own variance: the standard error whose interval is usually printed. */
export function unpairedUnpooled(table: Table): Unpaired {
  const n = total(table);
  const [pA, pB] = [rightA(table) / n, rightB(table) / n];
  return compare(table, Math.sqrt((pA * (1 - pA) + pB * (1 - pB)) / n));
}

/** Both accuracies share one variance, as the null hypothesis says: the textbook test. */
export function unpairedPooled(table: Table): Unpaired {
  const n = total(table);
  const p = (rightA(table) + rightB(table)) / (2 * n);
  return compare(table, Math.sqrt((2 * p * (1 - p)) / n));
}
