/** Where a card is: its box, and the day from which it is due again. */
export interface Standing {
  readonly box: number;
  readonly due: number;
}

export type Standings = Readonly<Record<string, Standing>>;

/** Days until a card comes back, by the box it has come to. A card that was not known is in box 1 and comes back today. */
export const WAIT = [0, 0, 1, 3, 7, 21] as const;
export const LAST_BOX = WAIT.length - 1;

const DAY = 86_400_000;

/** The number of the calendar day where the learner is. */
export function dayNumber(time: number, minutesBehindUtc: number): number {
  return Math.floor((time - minutesBehindUtc * 60_000) / DAY);
}

/** A new card that is known skips box 1; a card not known goes back to it. */
export function graded(standing: Standing | undefined, known: boolean, today: number): Standing {
  const box = known ? Math.min(LAST_BOX, Math.max(1, standing?.box ?? 1) + 1) : 1;
  return { box, due: today + (WAIT[box] ?? 0) };
}

export function isDue(standing: Standing | undefined, today: number): boolean {
  return standing === undefined || standing.due <= today;
}

/** How many cards stand in each box; box 0 holds those never seen. */
export function boxCounts(standings: readonly (Standing | undefined)[]): number[] {
  const counts = new Array<number>(WAIT.length).fill(0);
  for (const standing of standings) {
    const box = standing?.box ?? 0;
    counts[box] = (counts[box] ?? 0) + 1;
  }
  return counts;
}
