/** The 2×2 table of two systems on the same items. */
export interface Table {
  /** both right */
  readonly a: number;
  /** A right, B wrong */
  readonly b: number;
  /** A wrong, B right */
  readonly c: number;
  /** neither right */
  readonly d: number;
}

export type Cell = keyof Table;
export const CELLS: readonly Cell[] = ["a", "b", "c", "d"];

export const total = ({ a, b, c, d }: Table): number => a + b + c + d;
export const rightA = ({ a, b }: Table): number => a + b;
export const rightB = ({ a, c }: Table): number => a + c;

/** Correlation of the two 0/1 columns (φ); NaN when a system is all right or all wrong. */
export function correlation(table: Table): number {
  const { a, b, c, d } = table;
  return (a * d - b * c) / Math.sqrt((a + b) * (c + d) * (a + c) * (b + d));
}

/** Fewest and most items both systems can have right when each keeps its accuracy. */
export function agreementRange(table: Table): { least: number; most: number } {
  return {
    least: Math.max(0, rightA(table) + rightB(table) - total(table)),
    most: Math.min(rightA(table), rightB(table)),
  };
}

/** The table with the same two accuracies in which both systems are right on `both` items. */
export function withAgreement(table: Table, both: number): Table {
  const { least, most } = agreementRange(table);
  const a = Math.min(most, Math.max(least, Math.round(both)));
  return { a, b: rightA(table) - a, c: rightB(table) - a, d: total(table) - rightA(table) - rightB(table) + a };
}

/** How many items both would have right if the systems were independent and kept their accuracies. */
export function independentAgreement(table: Table): number {
  return Math.round((rightA(table) * rightB(table)) / total(table));
}
