/** What a revision, a draft or a promotion counts besides its texts, in bytes; storage that keeps a tally adds as much. */
export const bytesPerRow = 200;

/** The part of its quota up to which an organization writes without taking turns. */
const roomyPart = 0.9;

/** How many bytes an organization may store for another write to need no turn. */
export const roomyBytes = (limit: number): number => Math.floor(limit * roomyPart);
