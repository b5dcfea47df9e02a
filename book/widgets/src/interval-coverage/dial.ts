import { html, setAttributes, uniqueId } from "../lib/dom";

interface Range {
  readonly name: string;
  /** what the slider goes through, in order */
  readonly stops: readonly number[];
  /** the number that was typed, or null where it is none that can be used */
  readonly read: (text: string) => number | null;
  readonly show: (value: number) => string;
  /** what can be typed */
  readonly wanted: string;
}

/** A number to slide or to type. The slider has stops; any number in the range can be typed. */
export class Dial {
  readonly element: HTMLElement;
  private value = NaN;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly problem = html("p", { class: "ic-problem", id: uniqueId("ic-problem"), role: "alert" });

  constructor(private readonly range: Range, private readonly change: (value: number) => void) {
    const label = html("label", { for: uniqueId("ic-field"), id: uniqueId("ic-name") }, range.name);
    this.slider = html("input", { type: "range", min: 0, max: range.stops.length - 1, step: 1, "aria-labelledby": label.id });
    this.field = html("input", { type: "text", inputmode: "decimal", autocomplete: "off", id: label.htmlFor, "aria-describedby": this.problem.id });
    this.slider.addEventListener("input", () => this.change(range.stops[Number(this.slider.value)]!));
    this.field.addEventListener("change", () => this.typed());
    this.element = html("div", { class: "ic-dial" }, label, this.field, this.slider, this.problem);
  }

  private typed(): void {
    const value = this.range.read(this.field.value);
    if (value !== null) return this.change(value);
    this.problem.textContent = `${this.range.wanted}; it stays at ${this.range.show(this.value)}.`;
    this.field.value = this.range.show(this.value);
  }

  update(value: number): void {
    this.value = value;
    this.problem.textContent = "";
    const { stops, show } = this.range;
    const nearest = stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best]! - value) ? i : best), 0);
    this.slider.value = String(nearest);
    setAttributes(this.slider, { "aria-valuetext": show(value) });
    this.field.value = show(value);
  }
}
