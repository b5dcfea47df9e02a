import { Random } from "../lib/random";
import { brackets, exactCoverage, holds, type Bracket, type Kind } from "../maths/intervals";

/** So many evals are drawn at a time, and shown. */
export const HUNDRED = 100;

export interface Setting {
  /** the share of all tasks that the agent would solve */
  readonly p: number;
  /** tasks in an eval */
  readonly n: number;
  readonly kind: Kind;
}

/** Evals of one setting, counted since it was chosen. A new truth or size starts from the same seed again. */
export class Draws {
  /** tasks solved in each eval of the hundred that is shown */
  shown: readonly number[] = [];
  evals = 0;
  misses = 0;
  /** all misses so far, after each hundred */
  readonly course: number[] = [];
  readonly exact: number;
  private readonly table: readonly Bracket[];
  private readonly caught: readonly boolean[];

  private constructor(readonly setting: Setting, private readonly random: Random) {
    const { p, n, kind } = setting;
    this.table = brackets(kind, n);
    this.caught = this.table.map((bracket) => holds(bracket, p));
    this.exact = exactCoverage(kind, n, p);
  }

  static from(setting: Setting, seed: number): Draws {
    const draws = new Draws(setting, new Random(seed));
    draws.draw();
    return draws;
  }

  /** The shown hundred again, under another interval. */
  under(kind: Kind): Draws {
    const draws = new Draws({ ...this.setting, kind }, this.random);
    draws.shown = this.shown;
    draws.add(this.shown);
    return draws;
  }

  /** A new hundred to show. */
  draw(): void {
    this.shown = this.hundred();
    this.add(this.shown);
  }

  /** Evals that are counted and not shown. */
  count(evals: number): void {
    for (let i = 0; i < evals; i += HUNDRED) this.add(this.hundred());
  }

  private hundred(): number[] {
    const { n, p } = this.setting;
    return Array.from({ length: HUNDRED }, () => this.random.right(n, p));
  }

  private add(counts: readonly number[]): void {
    this.evals += counts.length;
    this.misses += counts.filter((k) => !this.holds(k)).length;
    this.course.push(this.misses);
  }

  bracket(k: number): Bracket {
    return this.table[k]!;
  }

  holds(k: number): boolean {
    return this.caught[k]!;
  }

  /** The brackets of the shown hundred that lie wholly above the truth, and wholly below it. */
  get missed(): { above: number; below: number } {
    const above = this.shown.filter((k) => this.bracket(k).low > this.setting.p).length;
    return { above, below: this.shown.filter((k) => this.bracket(k).high < this.setting.p).length };
  }

  get coverage(): number {
    return 1 - this.misses / this.evals;
  }
}
