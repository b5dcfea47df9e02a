import type { Table } from "../maths/table";

/** Who changed the table: the border between "A right" and "A wrong" keeps the splits on its two sides. */
export type Origin = "outer-border" | "other";

export type Change = (table: Table, origin?: Origin) => void;

/** A part of the element that draws the table it is given. */
export interface View {
  readonly element: HTMLElement;
  update(table: Table, origin: Origin): void;
}

export const NAMES = { a: "both right", b: "only A right", c: "only B right", d: "neither right" } as const;
