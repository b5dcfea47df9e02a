import { html, setAttributes, uniqueId } from "../lib/dom";
import { formatCorrelation, percent } from "../lib/format";
import { agreementRange, correlation, independentAgreement, total, withAgreement, type Table } from "../maths/table";
import type { Change, View } from "./view";

/** The one slider that the widget is about: how much the systems agree while both accuracies are held. */
export class Agreement implements View {
  readonly element: HTMLElement;
  private table: Table;
  private readonly slider = html("input", { type: "range", step: 1, id: uniqueId("pt-agreement") });
  private readonly output = html("output", { for: this.slider.id });
  private readonly mark = html("span", { class: "pt-mark", "aria-hidden": "true" }, "independent");

  constructor(table: Table, change: Change) {
    this.table = table;
    this.slider.addEventListener("input", () => change(withAgreement(this.table, Number(this.slider.value))));
    this.element = html(
      "div",
      { class: "pt-agreement" },
      html("label", { for: this.slider.id }, "How often the systems agree ", html("em", {}, "with both accuracies held fixed")),
      this.output,
      html("div", { class: "pt-slide" }, html("span", {}, "less"), html("div", {}, this.slider, this.mark), html("span", {}, "more")),
    );
  }

  update(table: Table): void {
    this.table = table;
    const { least, most } = agreementRange(table);
    setAttributes(this.slider, { min: least, max: most });
    this.slider.value = String(table.a);
    this.slider.disabled = least === most;
    const agree = percent((table.a + table.d) / total(table));
    const r = formatCorrelation(correlation(table));
    this.output.textContent = `${agree} of items`;
    this.slider.setAttribute("aria-valuetext", `agree on ${agree} of items, correlation ${r}`);
    const place = most > least ? (independentAgreement(table) - least) / (most - least) : 0.5;
    this.mark.style.setProperty("--place", String(place));
    this.mark.hidden = most === least;
  }
}
