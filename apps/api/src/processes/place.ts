/** Index of a process among those serving on this machine, from 0, and their number. */
export interface Place {
  readonly index: number;
  readonly of: number;
}

/** A single process. */
export const alone: Place = { index: 0, of: 1 };

const variable = 'WORKER_PLACE';

/** The environment variable that passes a worker its place. */
export const placeVariable = ({ index, of }: Place): Record<string, string> => ({ [variable]: `${index}/${of}` });

/** The place assigned by the primary process. */
export function assignedPlace(env: NodeJS.ProcessEnv): Place {
  const [index = 0, of = 1] = (env[variable] ?? '0/1').split('/').map(Number);
  return { index, of };
}

/** This place's share of a whole number; the shares of all places add up to it. */
export const portion = (whole: number, { index, of }: Place): number =>
  Math.floor(whole / of) + (index < whole % of ? 1 : 0);

/** This place's share of memory: at least a quarter, because less would be useless. */
export const portionOfMemory = (bytes: number, { of }: Place): number => Math.ceil(bytes / Math.min(of, 4));
