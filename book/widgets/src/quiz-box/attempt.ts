/** What a learner did with one question. */
export interface Attempt {
  /** fingerprint of the question's text: an answer to an older text is forgotten */
  readonly version: string;
  readonly given: string;
  readonly right: boolean;
  readonly rightAtFirst: boolean;
}

export type Attempts = Readonly<Record<string, Attempt>>;

/** A number that was typed, and how far away what it was rounded from may lie. */
export interface Typed {
  readonly value: number;
  readonly slack: number;
}

const NAME = /^[\p{L}\s]*[=≈]\s*/u;
const FRACTION = /^([-+]?\d+)\s*\/\s*(\d+)$/;
const DECIMAL = /^([-+]?)(\d+\.?\d*|\.\d+)(?:e([-+]?\d+))?\s*(%?)$/i;
const FEWEST_DIGITS = 2;

/** A number as people type it: .5, 0,5, 1e-3, −2, 1/8, 12.5%, p = .125; null for anything else. */
export function readNumber(text: string): Typed | null {
  const plain = text.trim().replace(NAME, "").replace("−", "-").replace(",", ".");
  const fraction = FRACTION.exec(plain);
  if (fraction) return Number(fraction[2]) === 0 ? null : { value: Number(fraction[1]) / Number(fraction[2]), slack: 0 };
  const decimal = DECIMAL.exec(plain);
  if (!decimal) return null;
  const [, sign, digits = "", exponent = "0", percent] = decimal;
  const power = Number(exponent) - (percent ? 2 : 0);
  const decimals = digits.split(".")[1]?.length ?? 0;
  const significant = digits.replace(".", "").replace(/^0+/, "").length;
  return {
    value: Number(`${sign}${digits}e${power}`),
    slack: significant < FEWEST_DIGITS ? 0 : 10 ** (power - decimals) / 2,
  };
}

/** Whether a number meets a value within its tolerance, the bounds included. */
export function meets(given: number, value: number, tolerance: number): boolean {
  return Math.abs(given - value) <= tolerance * (1 + 1e-9);
}

/** The one of the values that a typed number means: within tolerance, or else the only one that rounds to it. */
export function meant<V extends { readonly value: number; readonly tolerance: number }>(given: Typed, values: readonly V[]): V | null {
  const near = values.find(({ value, tolerance }) => meets(given.value, value, tolerance));
  if (near) return near;
  const rounded = values.filter(({ value }) => meets(given.value, value, given.slack));
  return rounded.length === 1 ? rounded[0]! : null;
}

/** The state of the quiz in one line. */
export function score(attempts: readonly (Attempt | undefined)[]): string {
  const tried = attempts.filter((attempt) => attempt !== undefined);
  const first = tried.filter((attempt) => attempt.rightAtFirst).length;
  if (tried.length === 0) return `${attempts.length} questions`;
  return `${tried.length} of ${attempts.length} answered, ${first} right at the first try`;
}
