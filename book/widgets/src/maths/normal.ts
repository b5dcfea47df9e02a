/** The 97.5 % point of the standard normal distribution. */
export const Z_975 = 1.959963984540054;

const density = (z: number): number => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);

/** P(Z > z) for z ≥ 0. A power series near the middle; in the tail, where it would cancel, Laplace's continued fraction. */
function upperTail(z: number): number {
  if (z < 3) {
    let term = z;
    let sum = z;
    for (let i = 3; term > 1e-17 * sum; i += 2) {
      term *= (z * z) / i;
      sum += term;
    }
    return 0.5 - density(z) * sum;
  }
  let fraction = z;
  for (let k = 120; k >= 1; k -= 1) fraction = z + k / fraction;
  return density(z) / fraction;
}

/** P(Z ≤ z). */
export function normalCdf(z: number): number {
  return z > 0 ? 1 - upperTail(z) : upperTail(-z);
}

/** P(|Z| ≥ |z|), the two-sided p-value. */
export function twoSidedNormal(z: number): number {
  return Math.min(1, 2 * upperTail(Math.abs(z)));
}

/** P(χ² ≥ x) with one degree of freedom: the square of a standard normal. */
export function chiSquareTail(x: number): number {
  return twoSidedNormal(Math.sqrt(x));
}
