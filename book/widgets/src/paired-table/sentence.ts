import { grouped, percent, sayP } from "../lib/format";
import { mcnemarExact } from "../maths/mcnemar";
import { rightA, rightB, total, type Table } from "../maths/table";
import { unpairedUnpooled } from "../maths/unpaired";

const ALPHA = 0.05;

/** The result as a sentence, for the page and for the live region. */
export function sentence(table: Table): string {
  const { b, c } = table;
  const n = total(table);
  const unpaired = unpairedUnpooled(table).p;
  const exact = mcnemarExact(b, c);
  const says = (p: number): string => (p < ALPHA ? "sees a difference at the 5% level" : "does not");
  const same = unpaired < ALPHA === exact < ALPHA;
  const verdict = same
    ? `At the 5% level both tests say the same: ${exact < ALPHA ? "there is a difference" : "no difference is shown"}`
    : `The paired test ${says(exact)}, the unpaired test ${says(unpaired)}`;
  const gap = `A is right on ${percent(rightA(table) / n)} of items and B on ${percent(rightB(table) / n)}`;
  return `${gap}; they disagree on ${grouped(b + c)}, of which A wins ${grouped(b)} and B ${grouped(c)}. ${verdict} (paired exact ${sayP(exact)}, unpaired ${sayP(unpaired)}).`;
}
