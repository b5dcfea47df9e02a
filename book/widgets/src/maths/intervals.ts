import { binomialMass } from "./binomial";
import { Z_975 } from "./normal";

export interface Bracket {
  readonly low: number;
  readonly high: number;
}

export type Kind = "wald" | "wilson" | "clopper-pearson";
export const KINDS: readonly Kind[] = ["wald", "wilson", "clopper-pearson"];

/** The score and 1.96 of its standard errors to either side. It is not cut at 0 and 1: what lies beyond says that something is wrong. */
export function wald(k: number, n: number): Bracket {
  const score = k / n;
  const margin = Z_975 * Math.sqrt((score * (1 - score)) / n);
  return { low: score - margin, high: score + margin };
}

/** The truths that a score test at 5% does not reject. At k = 0 and k = n one end is exactly the score. */
export function wilson(k: number, n: number): Bracket {
  const score = k / n;
  const squared = Z_975 ** 2;
  const middle = score + squared / (2 * n);
  const root = Z_975 * Math.sqrt((score * (1 - score)) / n + squared / (4 * n * n));
  const shrink = 1 + squared / n;
  return { low: k === 0 ? 0 : (middle - root) / shrink, high: k === n ? 1 : (middle + root) / shrink };
}

/** The truths that neither exact one-sided test at 2.5% rejects. */
export function clopperPearson(k: number, n: number): Bracket {
  return { low: lowerEnd(k, n), high: 1 - lowerEnd(n - k, n) };
}

/** The p at which P(X ≥ k) is .025, by bisection: it grows with p, and the end lies below the score. */
function lowerEnd(k: number, n: number): number {
  if (k === 0) return 0;
  let [low, high] = [0, k / n];
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (upperTail(k, n, middle) < 0.025) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(X ≥ k) for X ~ Bin(n, p) and p below k/n, where the terms shrink from the first one on. */
function upperTail(k: number, n: number, p: number): number {
  let ratio = 1;
  let sum = 1;
  for (let i = k; i < n && ratio > 1e-18; i += 1) {
    ratio *= ((n - i) / (i + 1)) * (p / (1 - p));
    sum += ratio;
  }
  return binomialMass(k, n, p) * sum;
}

const FORMULAS: Readonly<Record<Kind, (k: number, n: number) => Bracket>> = { wald, wilson, "clopper-pearson": clopperPearson };
const computed = new Map<string, readonly Bracket[]>();

/** The brackets of all counts from 0 to n. */
export function brackets(kind: Kind, n: number): readonly Bracket[] {
  const key = `${kind} ${n}`;
  const known = computed.get(key) ?? Array.from({ length: n + 1 }, (_, k) => FORMULAS[kind](k, n));
  computed.set(key, known);
  return known;
}

export const holds = ({ low, high }: Bracket, p: number): boolean => low <= p && p <= high;

/** The share of evals whose bracket holds p: the chances of all counts whose bracket does, added up. */
export function exactCoverage(kind: Kind, n: number, p: number): number {
  return brackets(kind, n).reduce((sum, bracket, k) => sum + (holds(bracket, p) ? binomialMass(k, n, p) : 0), 0);
}
