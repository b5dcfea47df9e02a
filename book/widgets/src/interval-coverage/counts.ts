import { html } from "../lib/dom";
import { withoutZero } from "../lib/format";
import { binomialMass } from "../maths/binomial";
import type { Draws } from "./draws";
import { end } from "./words";

/** Counts with a smaller chance are left out, unless one was drawn. */
const RARE = 0.0005;

/** The same in a table: each count with its bracket, its chance, and how many of the hundred evals had it. */
export class Counts {
  readonly element: HTMLElement;
  private readonly body = html("tbody");
  private readonly head = html("th", { scope: "col" });

  constructor() {
    const heads = ["Bracket", "Truth", "Drawn", "Chance"].map((text) => html("th", { scope: "col" }, text));
    this.element = html(
      "details",
      { class: "ic-more" },
      html("summary", {}, "The hundred as a table"),
      html("table", {}, html("thead", {}, html("tr", {}, this.head, ...heads)), this.body),
      html("p", { class: "ic-note" }, "The exact coverage is the sum of the chances of all counts that hold the truth, those too rare for the table included."),
    );
  }

  update(draws: Draws): void {
    const { n, p } = draws.setting;
    this.head.textContent = `Of ${n}`;
    const rows: HTMLElement[] = [];
    for (let k = n; k >= 0; k -= 1) {
      const chance = binomialMass(k, n, p);
      const drawn = draws.shown.filter((count) => count === k).length;
      if (chance < RARE && drawn === 0) continue;
      const { low, high } = draws.bracket(k);
      const cells = [`${end(low)} to ${end(high)}`, draws.holds(k) ? "holds" : "× misses", String(drawn), withoutZero(chance.toFixed(4))];
      const row = html("tr", {}, html("th", { scope: "row" }, String(k)), ...cells.map((text) => html("td", {}, text)));
      row.classList.toggle("ic-missing", !draws.holds(k));
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
  }
}
