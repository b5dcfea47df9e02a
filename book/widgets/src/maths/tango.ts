import { Z_975 } from "./normal";

/** Tango's score statistic for the hypothesis that A − B equals `delta`, with the nuisance cell at its likeliest value. */
function score(b: number, c: number, n: number, delta: number): number {
  const linear = (2 * n - b + c) * delta - b - c;
  const product = c * delta * (1 - delta);
  const cell = (Math.sqrt(linear * linear + 8 * n * product) - linear) / (4 * n);
  const variance = n * (2 * cell + delta * (1 - delta));
  const distance = b - c - n * delta;
  return distance === 0 ? 0 : distance / Math.sqrt(Math.max(variance, 0));
}

/** The delta between `inside` and `outside` at which |score| reaches z, by bisection. */
function boundary(b: number, c: number, n: number, inside: number, outside: number): number {
  let [near, far] = [inside, outside];
  for (let i = 0; i < 80; i += 1) {
    const middle = (near + far) / 2;
    if (Math.abs(score(b, c, n, middle)) <= Z_975) near = middle;
    else far = middle;
  }
  return (near + far) / 2;
}

/** Tango's 95 % interval for A − B on the same n items: it leaves out 0 when uncorrected McNemar rejects at 5 %. */
export function tangoInterval(b: number, c: number, n: number): { low: number; high: number } {
  const difference = (b - c) / n;
  return { low: boundary(b, c, n, difference, -1), high: boundary(b, c, n, difference, 1) };
}
