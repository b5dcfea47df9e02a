import { html } from "../lib/dom";
import { formatCorrelation, formatP, grouped, percent, points, signedPoints } from "../lib/format";
import { correctedStatistic, mcnemarCorrected, mcnemarExact, mcnemarMidP, mcnemarStatistic, mcnemarUncorrected } from "../maths/mcnemar";
import { tangoInterval } from "../maths/tango";
import { correlation, rightA, rightB, total, type Table } from "../maths/table";
import { unpairedPooled, unpairedUnpooled } from "../maths/unpaired";
import { IntervalRow, scaleFor } from "./interval";
import { sentence } from "./sentence";
import type { View } from "./view";

/** Both verdicts with their intervals, the facts they rest on, and every other p-value one might have met. */
export class Results implements View {
  readonly element: HTMLElement;
  private readonly unpaired = new IntervalRow("Unpaired", "as if each had its own items", "pt-unpaired");
  private readonly paired = new IntervalRow("Paired", "the same items, McNemar exact", "pt-paired");
  private readonly axis = html("div", { class: "pt-axis", "aria-hidden": "true" });
  private readonly facts = html("dl", { class: "pt-facts" });
  private readonly words = html("p", { class: "pt-sentence" });
  private readonly others = html("tbody");

  constructor() {
    const axis = html("div", { class: "pt-axis-row" }, html("span", { class: "pt-axis-name" }, "A − B in points, 95% intervals; a boxed p is below .05"), this.axis);
    const head = html("tr", {}, ...["Test", "Statistic", "p"].map((text) => html("th", { scope: "col" }, text)));
    const more = html(
      "details",
      { class: "pt-more" },
      html("summary", {}, "Every p-value of this table"),
      html("table", {}, html("thead", {}, head), this.others),
    );
    this.element = html(
      "div",
      { class: "pt-results" },
      html("div", { class: "pt-verdicts" }, this.unpaired.element, this.paired.element, axis),
      this.facts,
      this.words,
      more,
    );
  }

  update(table: Table): void {
    const scale = scaleFor(table);
    const { p, low, high } = unpairedUnpooled(table);
    const difference = (rightA(table) - rightB(table)) / total(table);
    this.unpaired.update({ p, low, high, difference }, scale, "");
    const tango = tangoInterval(table.b, table.c, total(table));
    const midP = `mid-p ${formatP(mcnemarMidP(table.b, table.c))}`;
    this.paired.update({ p: mcnemarExact(table.b, table.c), ...tango, difference }, scale, midP);
    this.axis.replaceChildren(
      ...scale.ticks.map((tick) => {
        const label = html("span", {}, points(tick, scale.decimals));
        label.style.left = `${100 * scale.place(tick)}%`;
        return label;
      }),
    );
    this.updateFacts(table, difference);
    this.words.textContent = sentence(table);
    this.others.replaceChildren(...otherRows(table));
  }

  private updateFacts(table: Table, difference: number): void {
    const n = total(table);
    const facts: [string, string, string][] = [
      ["accuracy-a", "A", percent(rightA(table) / n)],
      ["accuracy-b", "B", percent(rightB(table) / n)],
      ["difference", "A − B", `${signedPoints(difference)} points`],
      ["correlation", "correlation", formatCorrelation(correlation(table))],
    ];
    this.facts.replaceChildren(
      ...facts.map(([key, name, value]) => html("div", {}, html("dt", {}, name), html("dd", { "data-value": key }, value))),
    );
  }
}

function otherRows(table: Table): HTMLTableRowElement[] {
  const { b, c } = table;
  const [pooled, unpooled] = [unpairedPooled(table), unpairedUnpooled(table)];
  const number = (x: number): string => (Number.isNaN(x) ? "undefined" : x.toFixed(3).replace("-", "−"));
  const rows: [string, string, number, string][] = [
    ["Unpaired z, own variances", `z = ${number(unpooled.z)}`, unpooled.p, "unpooled"],
    ["Unpaired z, pooled variance", `z = ${number(pooled.z)}`, pooled.p, "pooled"],
    ["McNemar exact", `${grouped(Math.min(b, c))} of ${grouped(b + c)}`, mcnemarExact(b, c), "exact"],
    ["McNemar mid-p", `${grouped(Math.min(b, c))} of ${grouped(b + c)}`, mcnemarMidP(b, c), "midp"],
    ["McNemar χ²", `χ² = ${number(mcnemarStatistic(b, c))}`, mcnemarUncorrected(b, c), "uncorrected"],
    ["McNemar χ², corrected", `χ² = ${number(correctedStatistic(b, c))}`, mcnemarCorrected(b, c), "corrected"],
  ];
  return rows.map(([name, statistic, p, key]) =>
    html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, statistic), html("td", { "data-p": key }, formatP(p))),
  );
}
