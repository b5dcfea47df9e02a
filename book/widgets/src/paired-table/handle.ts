import { html, setAttributes } from "../lib/dom";

interface Place {
  /** left end and top end of the border, and how long it is: shares of the square's side */
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

interface Value {
  readonly now: number;
  readonly max: number;
  readonly page: number;
}

/**
 * A border of the square as a slider. `direction` is the way it moves.
 * Its value grows to the right, or upwards, as a slider's should.
 */
export class Handle {
  private readonly element: HTMLDivElement;
  private value: Value = { now: 0, max: 0, page: 1 };

  constructor(
    private readonly square: HTMLElement,
    private readonly direction: "horizontal" | "vertical",
    label: string,
    private readonly move: (value: number) => void,
  ) {
    this.element = html(
      "div",
      { class: `pt-handle pt-${direction}`, role: "slider", tabindex: 0, "aria-label": label, "aria-orientation": direction, "aria-valuemin": 0 },
      html("span", { class: "pt-grip" }),
    );
    square.append(this.element);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("pointerdown", (event) => this.onPointer(event));
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) this.follow(event);
    });
  }

  place({ x, y, length }: Place, value: Value, text: string): void {
    this.value = value;
    const side = this.direction === "horizontal" ? "height" : "width";
    Object.assign(this.element.style, { left: `${100 * x}%`, top: `${100 * y}%`, [side]: `${100 * length}%` });
    setAttributes(this.element, { "aria-valuenow": value.now, "aria-valuemax": value.max, "aria-valuetext": text });
  }

  private set(value: number): void {
    const bounded = Math.min(this.value.max, Math.max(0, Math.round(value)));
    if (bounded !== this.value.now) this.move(bounded);
  }

  private onKey(event: KeyboardEvent): void {
    const { now, max, page } = this.value;
    const targets: Record<string, number> = {
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      PageUp: now + page,
      PageDown: now - page,
      Home: 0,
      End: max,
    };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.set(target);
  }

  private onPointer(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.element.focus();
    this.element.setPointerCapture(event.pointerId);
  }

  private follow(event: PointerEvent): void {
    const { left, bottom, width, height } = this.square.getBoundingClientRect();
    const share = this.direction === "horizontal" ? (event.clientX - left) / width : (bottom - event.clientY) / height;
    this.set(share * this.value.max);
  }
}
