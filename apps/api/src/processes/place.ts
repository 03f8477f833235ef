/** Which of the processes that serve together on this machine a process is, counted from 0, and how many they are. */
export interface Place {
  readonly index: number;
  readonly of: number;
}

/** The place of a process that serves by itself. */
export const alone: Place = { index: 0, of: 1 };

const variable = 'WORKER_PLACE';

/** The variable that gives a process its place. */
export const placeVariable = ({ index, of }: Place): Record<string, string> => ({ [variable]: `${index}/${of}` });

/** The place that the process which started this one has given it. */
export function givenPlace(env: NodeJS.ProcessEnv): Place {
  const [index = 0, of = 1] = (env[variable] ?? '0/1').split('/').map(Number);
  return { index, of };
}

/** The part of a whole number that falls to a place; the parts of all places add up to it. */
export const portion = (whole: number, { index, of }: Place): number =>
  Math.floor(whole / of) + (index < whole % of ? 1 : 0);

/** Bytes of memory that fall to a place: a quarter at least, because less would not serve its purpose. */
export const portionOfMemory = (bytes: number, { of }: Place): number => Math.ceil(bytes / Math.min(of, 4));
