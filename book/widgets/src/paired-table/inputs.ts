import { html, setAttributes, uniqueId } from "../lib/dom";
import { grouped, percent } from "../lib/format";
import { CELLS, rightA, rightB, total, type Cell, type Table } from "../maths/table";
import { NAMES, type Change, type View } from "./view";

const LARGEST = 99_999;

/** A whole number from 0 to LARGEST, or null. */
function readCount(text: string): number | null {
  const trimmed = text.trim();
  return /^\d{1,5}$/.test(trimmed) ? Number(trimmed) : null;
}

/** The four counts as number fields, laid out like the square, with the totals beside them. */
export class Inputs implements View {
  readonly element = html("div", { class: "pt-inputs" });
  private table: Table;
  private readonly fields = {} as Record<Cell, HTMLInputElement>;
  private readonly totals = { rightA: html("td"), wrongA: html("td"), rightB: html("td"), wrongB: html("td"), n: html("td") };
  private readonly problem = html("p", { class: "pt-problem", id: uniqueId("pt-problem"), role: "alert" });

  constructor(table: Table, private readonly change: Change) {
    this.table = table;
    for (const cell of CELLS) this.fields[cell] = this.field(cell);
    const { totals } = this;
    const head = (text: string, scope: "row" | "col"): HTMLElement => html("th", { scope }, text);
    const body = html(
      "tbody",
      {},
      html("tr", {}, head("A right", "row"), html("td", {}, this.labelled("a")), html("td", {}, this.labelled("b")), totals.rightA),
      html("tr", {}, head("A wrong", "row"), html("td", {}, this.labelled("c")), html("td", {}, this.labelled("d")), totals.wrongA),
      html("tr", { class: "pt-total" }, head("all", "row"), totals.rightB, totals.wrongB, totals.n),
    );
    const corner = html("td", {});
    const top = html("thead", {}, html("tr", {}, corner, head("B right", "col"), head("B wrong", "col"), head("all", "col")));
    const caption = html("caption", { class: "el-unseen" }, "Items by whether A and B have them right");
    this.element.append(html("table", { class: "pt-counts" }, caption, top, body), this.problem);
  }

  private field(cell: Cell): HTMLInputElement {
    const field = html("input", {
      type: "number",
      inputmode: "numeric",
      min: 0,
      max: LARGEST,
      step: 1,
      id: uniqueId(`pt-${cell}`),
      "aria-describedby": this.problem.id,
    });
    field.addEventListener("input", () => this.onInput());
    field.addEventListener("blur", () => this.restore());
    return field;
  }

  private labelled(cell: Cell): HTMLElement {
    const label = html("label", { for: this.fields[cell].id }, html("b", {}, cell), ` ${NAMES[cell].replace(" right", "")}`);
    return html("div", { class: `pt-field pt-field-${cell}` }, label, this.fields[cell]);
  }

  private onInput(): void {
    const counts: Record<Cell, number> = { ...this.table };
    let bad = false;
    for (const cell of CELLS) {
      const count = readCount(this.fields[cell].value);
      setAttributes(this.fields[cell], { "aria-invalid": count === null ? "true" : false });
      if (count === null) bad = true;
      else counts[cell] = count;
    }
    if (bad) this.problem.textContent = `Counts are whole numbers from 0 to ${grouped(LARGEST)}.`;
    else if (total(counts) === 0) this.problem.textContent = "At least one item is needed.";
    else {
      this.problem.textContent = "";
      this.change(counts);
    }
  }

  /** A field left in a state that could not be used goes back to the table that is shown. */
  private restore(): void {
    if (this.problem.textContent === "") return;
    this.problem.textContent = "";
    this.update(this.table);
  }

  update(table: Table): void {
    this.table = table;
    for (const cell of CELLS) {
      const field = this.fields[cell];
      if (readCount(field.value) !== table[cell]) field.value = String(table[cell]);
      setAttributes(field, { "aria-invalid": false });
    }
    const n = total(table);
    const { totals } = this;
    const withShare = (cell: HTMLElement, count: number): void =>
      cell.replaceChildren(grouped(count), html("small", {}, percent(count / n)));
    withShare(totals.rightA, rightA(table));
    withShare(totals.wrongA, n - rightA(table));
    withShare(totals.rightB, rightB(table));
    withShare(totals.wrongB, n - rightB(table));
    totals.n.textContent = grouped(n);
  }
}
