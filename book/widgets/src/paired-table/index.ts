import { Announcer } from "../lib/announce";
import { button, html, setAttributes } from "../lib/dom";
import { agreementRange, CELLS, independentAgreement, withAgreement, type Table } from "../maths/table";
import { Agreement } from "./agreement";
import { Inputs } from "./inputs";
import { Mosaic } from "./mosaic";
import { Results } from "./results";
import { sentence } from "./sentence";
import type { Origin, View } from "./view";

const BOOK: Table = { a: 810, b: 45, c: 25, d: 120 };

const same = (one: Table, other: Table): boolean => CELLS.every((cell) => one[cell] === other[cell]);

/** The 2×2 table of two systems on the same items, to take hold of. What stands inside is its form without scripts and in print. */
class PairedTable extends HTMLElement {
  private readonly announcer = new Announcer();
  private views: View[] = [];
  private presets: [HTMLButtonElement, Table][] = [];

  connectedCallback(): void {
    if (this.hasAttribute("data-ready")) return;
    const start = this.startTable();
    const change = (table: Table, origin: Origin = "other"): void => {
      this.show(table, origin);
      this.announcer.say(sentence(table));
    };
    const [mosaic, inputs, agreement, results] = [new Mosaic(start, change), new Inputs(start, change), new Agreement(start, change), new Results()];
    this.views = [mosaic, inputs, agreement, results];
    const live = html(
      "div",
      { class: "el-live pt", role: "group", "aria-label": "The paired table, to change" },
      this.presetBar(start, change),
      html("div", { class: "pt-table" }, mosaic.element, html("div", { class: "pt-side" }, inputs.element, agreement.element)),
      results.element,
      this.announcer.element,
    );
    this.append(live);
    this.show(start, "other");
    setAttributes(this, { "data-ready": true });
  }

  private startTable(): Table {
    const read = (cell: keyof Table): number => Number(this.dataset[cell] ?? BOOK[cell]);
    return { a: read("a"), b: read("b"), c: read("c"), d: read("d") };
  }

  private presetBar(start: Table, change: (table: Table) => void): HTMLElement {
    const tables: [string, Table][] = [
      ["The chapter’s table", start],
      ["Independent", withAgreement(start, independentAgreement(start))],
      ["Nested", withAgreement(start, agreementRange(start).most)],
    ];
    this.presets = tables.map(([name, table]) => [button(name, "el-chip", () => change(table)), table]);
    return html(
      "div",
      { class: "pt-presets", role: "group", "aria-label": "Tables with the same two accuracies" },
      html("span", { class: "pt-presets-name" }, "Same accuracies:"),
      ...this.presets.map(([chip]) => chip),
      button("Reset", "el-plain", () => change(start)),
    );
  }

  private show(table: Table, origin: Origin): void {
    for (const view of this.views) view.update(table, origin);
    for (const [chip, preset] of this.presets) chip.setAttribute("aria-pressed", String(same(table, preset)));
  }
}

customElements.define("paired-table", PairedTable);
