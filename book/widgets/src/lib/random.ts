/** A seeded stream of numbers in [0, 1): mulberry32. The same seed gives the same first picture to every reader. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** How many of n answers are right when each is right with probability p. */
  right(n: number, p: number): number {
    let count = 0;
    for (let i = 0; i < n; i += 1) if (this.next() < p) count += 1;
    return count;
  }
}
