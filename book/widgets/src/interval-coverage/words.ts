import { grouped, percent, withoutZero } from "../lib/format";
import type { Kind } from "../maths/intervals";
import { HUNDRED, type Draws } from "./draws";

export const NAMES: Readonly<Record<Kind, string>> = { wald: "Wald", wilson: "Wilson", "clopper-pearson": "Clopper-Pearson" };

/** A share as the chapter writes it: .85, .9912. */
export function share(x: number): string {
  return withoutZero(x.toFixed(4).replace(/0{1,2}$/, ""));
}

/** An end of a bracket, with three decimals and a true minus. */
export const end = (x: number): string => withoutZero(x.toFixed(3)).replace("-", "−");

/** What was drawn, in one line, for the live region. */
export function summary(draws: Draws): string {
  const { above, below } = draws.missed;
  const exact = `exact coverage ${percent(draws.exact)}`;
  return `${above + below} of ${HUNDRED} missed; ${percent(draws.coverage)} of ${grouped(draws.evals)} so far; ${exact}`;
}
