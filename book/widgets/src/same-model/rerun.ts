import { Random } from "../lib/random";

/** A gap of this many points is "at least 2 points". */
export const GAP_POINTS = 2;

export interface Setting {
  readonly accuracy: number;
  readonly items: number;
}

/** One rerun: how many items each copy has right. */
export interface Rerun {
  readonly first: number;
  readonly second: number;
}

export const gapItems = ({ first, second }: Rerun): number => first - second;

/** Gaps are compared in items, where they are whole numbers. */
export const isWide = (rerun: Rerun, items: number): boolean => Math.abs(gapItems(rerun)) * 100 >= GAP_POINTS * items;

/** All reruns of one setting. A new setting starts from the same seed again. */
export class Reruns {
  readonly all: Rerun[] = [];
  private readonly random: Random;

  constructor(readonly setting: Setting, seed: number) {
    this.random = new Random(seed);
  }

  draw(times: number): void {
    const { items, accuracy } = this.setting;
    for (let i = 0; i < times; i += 1) {
      this.all.push({ first: this.random.right(items, accuracy), second: this.random.right(items, accuracy) });
    }
  }

  get latest(): Rerun {
    return this.all[this.all.length - 1] ?? { first: 0, second: 0 };
  }

  get wide(): number {
    return this.all.filter((rerun) => isWide(rerun, this.setting.items)).length;
  }
}
