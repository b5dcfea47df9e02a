import { html, setAttributes } from "../lib/dom";
import { formatP, points, sayP } from "../lib/format";
import { rightA, rightB, total, withAgreement, type Table } from "../maths/table";
import { Z_975 } from "../maths/normal";

export interface Scale {
  readonly ticks: readonly number[];
  readonly decimals: number;
  /** where a difference stands, as a share of the axis */
  place(difference: number): number;
}

/** An axis that holds both intervals however much the systems agree, so that it rests while the agreement slides. */
export function scaleFor(table: Table): Scale {
  const n = total(table);
  const widest = withAgreement(table, 0);
  const reach = 1.15 * Z_975 * Math.sqrt((widest.b + widest.c + 4) / n / n);
  const difference = (rightA(table) - rightB(table)) / n;
  const [low, high] = [Math.max(-1, Math.min(0, difference - reach)), Math.min(1, Math.max(0, difference + reach))];
  const steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
  const step = steps.find((s) => (high - low) / s <= 6) ?? 0.5;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high; i += 1) ticks.push(i * step);
  return { ticks, decimals: step < 0.01 ? 1 : 0, place: (x) => Math.min(1, Math.max(0, (x - low) / (high - low))) };
}

interface Verdict {
  readonly p: number;
  readonly low: number;
  readonly high: number;
  readonly difference: number;
}

/** One test: its p-value, and its interval as a bar that does or does not reach over 0. */
export class IntervalRow {
  readonly element: HTMLElement;
  private readonly p = html("span", { class: "pt-p" });
  private readonly note = html("span", { class: "pt-note" });
  private readonly zero = html("span", { class: "pt-zero" });
  private readonly bar = html("span", { class: "pt-bar" });
  private readonly dot = html("span", { class: "pt-dot" });
  private readonly track = html("div", { class: "pt-track", role: "img" }, this.zero, this.bar, this.dot);

  constructor(private readonly name: string, explanation: string, className: string) {
    this.element = html(
      "div",
      { class: `pt-verdict ${className}` },
      html("div", { class: "pt-verdict-name" }, html("strong", {}, name), html("span", {}, explanation)),
      html("div", { class: "pt-verdict-p" }, this.p, this.note),
      this.track,
    );
  }

  update({ p, low, high, difference }: Verdict, scale: Scale, note: string): void {
    this.p.replaceChildren(html("i", {}, "p"), ` ${sayP(p).slice(2)}`);
    setAttributes(this.p, { "data-p": formatP(p), "data-clear": p < 0.05 });
    this.note.textContent = note;
    const defined = !Number.isNaN(low) && !Number.isNaN(high);
    this.bar.hidden = !defined;
    const [from, to] = defined ? [scale.place(low), scale.place(high)] : [0, 0];
    Object.assign(this.bar.style, { left: `${100 * from}%`, width: `${100 * (to - from)}%` });
    this.dot.style.left = `${100 * scale.place(difference)}%`;
    this.zero.style.left = `${100 * scale.place(0)}%`;
    const where = low > 0 || high < 0 ? "leaves out 0" : "contains 0";
    const range = `from ${points(low, 2)} to ${points(high, 2)} points; it ${where}`;
    this.track.setAttribute("aria-label", `${this.name} 95% interval ${defined ? range : "is undefined"}.`);
  }
}
