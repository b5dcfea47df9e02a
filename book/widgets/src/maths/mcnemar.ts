import { binomialMass, fairTail } from "./binomial";
import { chiSquareTail } from "./normal";

/** Exact McNemar: given the disagreements, b is Bin(b + c, 1/2) when neither system is better. */
export function mcnemarExact(b: number, c: number): number {
  return b === c ? 1 : Math.min(1, 2 * fairTail(Math.min(b, c), b + c));
}

/** Mid-p: the exact test with the observed split counted half. */
export function mcnemarMidP(b: number, c: number): number {
  return b === c ? 1 : mcnemarExact(b, c) - binomialMass(Math.min(b, c), b + c, 0.5);
}

/** McNemar's chi-square without correction; 0 when the systems never disagree. */
export function mcnemarStatistic(b: number, c: number): number {
  return b === c ? 0 : (b - c) ** 2 / (b + c);
}

/** The statistic with the continuity correction, which never goes below 0. */
export function correctedStatistic(b: number, c: number): number {
  return b === c ? 0 : Math.max(0, Math.abs(b - c) - 1) ** 2 / (b + c);
}

export const mcnemarUncorrected = (b: number, c: number): number => chiSquareTail(mcnemarStatistic(b, c));
export const mcnemarCorrected = (b: number, c: number): number => chiSquareTail(correctedStatistic(b, c));
