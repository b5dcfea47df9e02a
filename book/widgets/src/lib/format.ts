const MINUS = "−";

const withMinus = (text: string): string => text.replace("-", MINUS);

/** A share as the book prints it: .85 for 0.85. */
export const withoutZero = (text: string): string => text.replace(/^(-?)0\./, "$1.");

/** A p-value as the book prints it: .216, .0225, < .0001. */
export function formatP(p: number): string {
  if (Number.isNaN(p)) return "undefined";
  if (p >= 0.9995) return p === 1 ? "1" : "> .999";
  if (p < 0.0001) return "< .0001";
  return withoutZero(p.toFixed(p >= 0.0995 ? 3 : 4));
}

/** "p = .216", or "p < .0001". */
export function sayP(p: number): string {
  const text = formatP(p);
  if (Number.isNaN(p)) return "p undefined";
  return /^[<>]/.test(text) ? `p ${text}` : `p = ${text}`;
}

/** A share as a percentage with one decimal. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** A difference of shares in points, without a sign on zero. */
export function points(share: number, decimals = 1): string {
  const text = (100 * share).toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : withMinus(text);
}

/** As `points`, with + for a gain. */
export function signedPoints(share: number, decimals = 1): string {
  const text = points(share, decimals);
  return Number(text) > 0 ? `+${text}` : text;
}

/** A correlation with two decimals, or why there is none. */
export function formatCorrelation(r: number): string {
  if (Number.isNaN(r)) return "undefined";
  const text = r.toFixed(2);
  return Number(text) === 0 ? ".00" : withMinus(withoutZero(text));
}

/** A count with a comma at the thousands: 1,000. */
export const grouped = (count: number): string => count.toLocaleString("en-US");

export const plural = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
