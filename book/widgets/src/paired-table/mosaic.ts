import { html, setAttributes, svg, uniqueId } from "../lib/dom";
import { grouped } from "../lib/format";
import { CELLS, rightA, total, type Cell, type Table } from "../maths/table";
import { Handle } from "./handle";
import { NAMES, type Change, type Origin, type View } from "./view";

const SIDE = 320;
const GAP = 2;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Where each cell stands in the square, as in the printed table: rows as high as A is right and wrong, each split by B.
 * Areas are shares of items.
 */
function boxes(table: Table): Record<Cell, Box> {
  const top = (rightA(table) / total(table)) * SIDE;
  const split = (left: number, right: number): number => (left + right === 0 ? 0 : (left / (left + right)) * SIDE);
  const [upper, lower] = [split(table.a, table.b), split(table.c, table.d)];
  return {
    a: { x: 0, y: 0, width: upper, height: top },
    b: { x: upper, y: 0, width: SIDE - upper, height: top },
    c: { x: 0, y: top, width: lower, height: SIDE - top },
    d: { x: lower, y: top, width: SIDE - lower, height: SIDE - top },
  };
}

interface Label {
  readonly lines: readonly string[];
  readonly upright: boolean;
}

/** As much of a cell's name and count as fits into it; in a narrow cell it stands on its end. */
function label(cell: Cell, count: number, { width, height }: Box): Label {
  const name = { a: "both right", b: "only A", c: "only B", d: "neither" }[cell];
  const number = grouped(count);
  if (width > 66 && height > 44) return { lines: [number, name], upright: false };
  const upright = height > width;
  const [long, short] = upright ? [height, width] : [width, height];
  if (short <= 15 || long <= 28) return { lines: [], upright };
  return { lines: [long > 90 ? `${name} ${number}` : number], upright: upright && width <= 28 };
}

/** The table as a square whose inner borders can be moved. */
export class Mosaic implements View {
  readonly element = html("div", { class: "pt-mosaic" });
  private table: Table;
  private splitUpper = 0;
  private splitLower = 0;
  private readonly picture = svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img" });
  private readonly rectangles = {} as Record<Cell, SVGRectElement>;
  private readonly labels = {} as Record<Cell, SVGTextElement>;
  private readonly rowHeads = [html("span", {}, "A right"), html("span", {}, "A wrong")] as const;
  private readonly outer: Handle;
  private readonly upper: Handle;
  private readonly lower: Handle;

  constructor(table: Table, private readonly change: Change) {
    this.table = table;
    this.drawCells();
    const square = html("div", { class: "pt-square" }, this.picture);
    const columns = html("div", { class: "pt-columns", "aria-hidden": "true" }, html("span", {}, "B right"), html("span", {}, "B wrong"));
    const rows = html("div", { class: "pt-rows", "aria-hidden": "true" }, ...this.rowHeads);
    this.outer = new Handle(square, "vertical", "Border between A right and A wrong", (n) => this.moveOuter(n));
    this.upper = new Handle(square, "horizontal", "Border between both right and only A right", (n) => this.moveUpper(n));
    this.lower = new Handle(square, "horizontal", "Border between only B right and neither right", (n) => this.moveLower(n));
    this.element.append(columns, rows, square);
  }

  private drawCells(): void {
    const [rising, falling] = [uniqueId("rising"), uniqueId("falling")];
    this.picture.append(svg("defs", {}, hatching(rising, "M-2,2 l4,-4 M0,10 l10,-10 M8,12 l4,-4"), hatching(falling, "M-2,8 l4,4 M0,0 l10,10 M8,-2 l4,4")));
    for (const cell of CELLS) {
      const rectangle = svg("rect", { class: `pt-cell pt-cell-${cell}`, rx: 2 });
      const hatch = cell === "b" ? rising : cell === "c" ? falling : null;
      if (hatch) rectangle.style.fill = `url(#${hatch})`;
      const words = svg("text", { class: "pt-label", "text-anchor": "middle" });
      this.rectangles[cell] = rectangle;
      this.labels[cell] = words;
      this.picture.append(rectangle, words);
    }
  }

  /** Moves the outer border up to where A is wrong on so many items; on each side the split by B keeps its proportions. */
  private moveOuter(wrong: number): void {
    const right = total(this.table) - wrong;
    const b = Math.round(this.splitUpper * right);
    const c = Math.round(this.splitLower * wrong);
    this.change({ a: right - b, b, c, d: wrong - c }, "outer-border");
  }

  private moveUpper(a: number): void {
    this.change({ ...this.table, a, b: rightA(this.table) - a });
  }

  private moveLower(c: number): void {
    this.change({ ...this.table, c, d: total(this.table) - rightA(this.table) - c });
  }

  update(table: Table, origin: Origin): void {
    this.table = table;
    if (origin === "other") this.rememberSplits();
    const places = boxes(table);
    for (const cell of CELLS) this.placeCell(cell, places[cell]);
    this.placeHandles(places);
    const share = rightA(table) / total(table);
    this.rowHeads[0].style.flexGrow = String(share);
    this.rowHeads[1].style.flexGrow = String(1 - share);
    const counts = CELLS.map((cell) => `${NAMES[cell]} ${grouped(table[cell])}`).join(", ");
    this.picture.setAttribute("aria-label", `Areas of a square: ${counts}.`);
  }

  private rememberSplits(): void {
    const { a, b, c, d } = this.table;
    if (a + b > 0) this.splitUpper = b / (a + b);
    if (c + d > 0) this.splitLower = c / (c + d);
  }

  private placeCell(cell: Cell, box: Box): void {
    const inset = { x: box.x + GAP / 2, y: box.y + GAP / 2, width: Math.max(0, box.width - GAP), height: Math.max(0, box.height - GAP) };
    setAttributes(this.rectangles[cell], inset);
    const { lines, upright } = label(cell, this.table[cell], box);
    const beside = (length: number): number => length * (lines.length === 1 && length > 90 ? 0.25 : 0.5); // the grip
    const [x, y] = [box.x + beside(box.width), box.y + beside(box.height)];
    const top = y + (lines.length === 2 ? -3 : 5);
    setAttributes(this.labels[cell], { transform: upright ? `rotate(-90 ${x} ${y})` : false });
    this.labels[cell].replaceChildren(
      ...lines.map((text, i) => svg("tspan", { x, y: top + 17 * i, class: i === 0 ? "pt-count" : "pt-name" }, text)),
    );
  }

  private placeHandles({ a, c }: Record<Cell, Box>): void {
    const { table } = this;
    const [n, right] = [total(table), rightA(table)];
    const wrong = n - right;
    const page = Math.max(2, Math.round(n / 20));
    this.outer.place({ x: 0, y: c.y / SIDE, length: 1 }, { now: wrong, max: n, page }, `A wrong on ${grouped(wrong)} of ${grouped(n)} items`);
    this.upper.place(
      { x: a.width / SIDE, y: 0, length: a.height / SIDE },
      { now: table.a, max: right, page },
      `${grouped(table.a)} of the ${grouped(right)} items that A has right are right for B too`,
    );
    this.lower.place(
      { x: c.width / SIDE, y: c.y / SIDE, length: c.height / SIDE },
      { now: table.c, max: wrong, page },
      `${grouped(table.c)} of the ${grouped(wrong)} items that A has wrong are right for B`,
    );
  }
}

function hatching(id: string, path: string): SVGPatternElement {
  return svg(
    "pattern",
    { id, width: 10, height: 10, patternUnits: "userSpaceOnUse", class: "pt-hatch" },
    svg("rect", { width: 10, height: 10 }),
    svg("path", { d: path }),
  );
}
