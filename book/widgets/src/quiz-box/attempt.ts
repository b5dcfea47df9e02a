/** What a learner did with one question. */
export interface Attempt {
  /** fingerprint of the question's text: an answer to an older text is forgotten */
  readonly version: string;
  readonly given: string;
  readonly right: boolean;
  readonly rightAtFirst: boolean;
}

export type Attempts = Readonly<Record<string, Attempt>>;

/** A number as people type it: .5, 0,5, 1e-3, −2; null for anything else. */
export function readNumber(text: string): number | null {
  const plain = text.trim().replace("−", "-").replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

/** Whether a number meets a value within its tolerance, the bounds included. */
export function meets(given: number, value: number, tolerance: number): boolean {
  return Math.abs(given - value) <= tolerance * (1 + 1e-9);
}

/** The state of the quiz in one line. */
export function score(attempts: readonly (Attempt | undefined)[]): string {
  const tried = attempts.filter((attempt) => attempt !== undefined);
  const first = tried.filter((attempt) => attempt.rightAtFirst).length;
  if (tried.length === 0) return `${attempts.length} questions`;
  return `${tried.length} of ${attempts.length} answered, ${first} right at the first try`;
}
