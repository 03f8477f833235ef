/** The time so many seconds after another. */
export const later = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);
