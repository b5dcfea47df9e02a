import { html, setAttributes, svg, uniqueId } from "../lib/dom";
import { grouped, percent } from "../lib/format";
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

/** Where each cell stands in the square: columns as wide as A is right and wrong, split by B. Areas are shares of items. */
function boxes(table: Table): Record<Cell, Box> {
  const left = (rightA(table) / total(table)) * SIDE;
  const split = (upper: number, lower: number): number => (upper + lower === 0 ? 0 : (upper / (upper + lower)) * SIDE);
  const [topLeft, topRight] = [split(table.a, table.b), split(table.c, table.d)];
  return {
    a: { x: 0, y: 0, width: left, height: topLeft },
    b: { x: 0, y: topLeft, width: left, height: SIDE - topLeft },
    c: { x: left, y: 0, width: SIDE - left, height: topRight },
    d: { x: left, y: topRight, width: SIDE - left, height: SIDE - topRight },
  };
}

/** As much of a cell's name and count as fits into it. */
function label(cell: Cell, count: number, { width, height }: Box): string[] {
  const name = { a: "both right", b: "only A", c: "only B", d: "neither" }[cell];
  if (width > 66 && height > 44) return [grouped(count), name];
  if (width > 90 && height > 15) return [`${name} ${grouped(count)}`];
  if (width > 28 && height > 15) return [grouped(count)];
  return [];
}

/** The table as a square whose inner borders can be moved. */
export class Mosaic implements View {
  readonly element = html("div", { class: "pt-mosaic" });
  private table: Table;
  private splitLeft = 0;
  private splitRight = 0;
  private readonly picture = svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img" });
  private readonly rectangles = {} as Record<Cell, SVGRectElement>;
  private readonly labels = {} as Record<Cell, SVGTextElement>;
  private readonly heads = [html("span"), html("span")] as const;
  private readonly outer: Handle;
  private readonly left: Handle;
  private readonly right: Handle;

  constructor(table: Table, private readonly change: Change) {
    this.table = table;
    this.drawCells();
    const square = html("div", { class: "pt-square" }, this.picture);
    const heads = html("div", { class: "pt-heads", "aria-hidden": "true" }, ...this.heads);
    this.outer = new Handle(square, "horizontal", "Border between A right and A wrong", (n) => this.moveOuter(n));
    this.left = new Handle(square, "vertical", "Border between both right and only A right", (n) => this.moveLeft(n));
    this.right = new Handle(square, "vertical", "Border between only B right and neither right", (n) => this.moveRight(n));
    this.element.append(heads, square);
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

  /** Moves the outer border; on each side the split by B keeps its proportions. */
  private moveOuter(right: number): void {
    const n = total(this.table);
    const b = Math.round(this.splitLeft * right);
    const c = Math.round(this.splitRight * (n - right));
    this.change({ a: right - b, b, c, d: n - right - c }, "outer-border");
  }

  private moveLeft(b: number): void {
    this.change({ ...this.table, a: rightA(this.table) - b, b });
  }

  private moveRight(d: number): void {
    this.change({ ...this.table, c: total(this.table) - rightA(this.table) - d, d });
  }

  update(table: Table, origin: Origin): void {
    this.table = table;
    if (origin === "other") this.rememberSplits();
    const places = boxes(table);
    for (const cell of CELLS) this.placeCell(cell, places[cell]);
    this.placeHandles(places);
    const share = rightA(table) / total(table);
    this.heads[0].textContent = `A right ${percent(share)}`;
    this.heads[1].textContent = `A wrong ${percent(1 - share)}`;
    const counts = CELLS.map((cell) => `${NAMES[cell]} ${grouped(table[cell])}`).join(", ");
    this.picture.setAttribute("aria-label", `Areas of a square: ${counts}.`);
  }

  private rememberSplits(): void {
    const { a, b, c, d } = this.table;
    if (a + b > 0) this.splitLeft = b / (a + b);
    if (c + d > 0) this.splitRight = c / (c + d);
  }

  private placeCell(cell: Cell, box: Box): void {
    const inset = { x: box.x + GAP / 2, y: box.y + GAP / 2, width: Math.max(0, box.width - GAP), height: Math.max(0, box.height - GAP) };
    setAttributes(this.rectangles[cell], inset);
    const lines = label(cell, this.table[cell], box);
    const x = box.x + box.width * (lines.length === 1 && box.width > 90 ? 0.25 : 0.5); // beside the grip of a flat cell
    const middle = box.y + box.height / 2;
    const top = middle + (lines.length === 2 ? -3 : 5);
    this.labels[cell].replaceChildren(
      ...lines.map((text, i) => svg("tspan", { x, y: top + 17 * i, class: i === 0 ? "pt-count" : "pt-name" }, text)),
    );
  }

  private placeHandles({ a, c }: Record<Cell, Box>): void {
    const { b, d } = this.table;
    const [n, right] = [total(this.table), rightA(this.table)];
    const page = Math.max(2, Math.round(n / 20));
    this.outer.place({ x: a.width / SIDE, y: 0, length: 1 }, { now: right, max: n, page }, `A right on ${grouped(right)} of ${grouped(n)} items`);
    this.left.place(
      { x: 0, y: a.height / SIDE, length: a.width / SIDE },
      { now: b, max: right, page },
      `${grouped(b)} of the ${grouped(right)} items that A has right are wrong for B`,
    );
    this.right.place(
      { x: c.x / SIDE, y: c.height / SIDE, length: c.width / SIDE },
      { now: d, max: n - right, page },
      `${grouped(d)} of the ${grouped(n - right)} items that A has wrong are wrong for B too`,
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
