import { html } from "./dom";

/** A polite live region, out of sight, that speaks once the changes have come to rest. */
export class Announcer {
  readonly element = html("div", { class: "el-unseen", role: "status", "aria-live": "polite" });
  private timer = 0;

  constructor(private readonly delay = 600) {}

  say(text: string): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.element.textContent = text;
    }, this.delay);
  }
}
