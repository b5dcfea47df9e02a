/** A stretch of numbers, and where each lies on the screen. */
export class Scale {
  constructor(
    readonly from: number,
    readonly to: number,
    private readonly start: number,
    private readonly stop: number,
  ) {}

  place(value: number): number {
    const share = (Math.min(this.to, Math.max(this.from, value)) - this.from) / (this.to - this.from);
    return this.start + share * (this.stop - this.start);
  }

  /** Round numbers, at most so many, and how many decimals they need. */
  ticks(most: number): { values: number[]; decimals: number } {
    const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
    const step = steps.find((s) => (this.to - this.from) / s <= most) ?? 0.5;
    const values: number[] = [];
    for (let i = Math.ceil(this.from / step - 1e-9); i * step <= this.to + 1e-9; i += 1) values.push(i * step);
    return { values, decimals: step < 0.1 ? 2 : 1 };
  }
}

/** Draws into a box of the page, and again when the box gets another width. */
export function redrawn(box: HTMLElement, draw: (width: number) => void): () => void {
  let width = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.floor(entry?.contentRect.width ?? 0);
    if (now === 0 || now === width) return;
    width = now;
    draw(width);
  }).observe(box);
  return () => {
    width ||= Math.floor(box.clientWidth);
    if (width > 0) draw(width);
  };
}
