/** The time `seconds` later. */
export const secondsAfter = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);
