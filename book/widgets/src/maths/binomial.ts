import { logChoose } from "./gamma";

/** P(X = k) for X ~ Bin(n, p). */
export function binomialMass(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0;
  if (p <= 0 || p >= 1) return k === (p <= 0 ? 0 : n) ? 1 : 0;
  return Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

/** P(X ≤ k) for X ~ Bin(n, 1/2), k at most n/2, summed from its largest term so that small terms are not lost. */
export function fairTail(k: number, n: number): number {
  const largest = binomialMass(k, n, 0.5);
  let ratio = 1;
  let sum = 1;
  for (let i = k; i > 0 && ratio > 1e-18; i -= 1) {
    ratio *= i / (n - i + 1);
    sum += ratio;
  }
  return largest * sum;
}

/** P(|X − Y| ≥ gap) for two independent draws X, Y ~ Bin(n, p) and gap ≥ 1: twice the chance that Y lies so far below X. */
export function gapAtLeast(gap: number, n: number, p: number): number {
  let below = 0;
  let oneSide = 0;
  for (let k = gap; k <= n; k += 1) {
    below += binomialMass(k - gap, n, p);
    oneSide += binomialMass(k, n, p) * below;
  }
  return 2 * oneSide;
}
