/** Index of a process among those serving on this machine, from 0, and their number. */
export interface ProcessSlot {
  readonly index: number;
  readonly of: number;
}

/** A single process. */
export const onlyProcess: ProcessSlot = { index: 0, of: 1 };

const variable = 'WORKER_PLACE';

/** The environment variable that passes a worker its slot. */
export const slotVariable = ({ index, of }: ProcessSlot): Record<string, string> => ({ [variable]: `${index}/${of}` });

/** The slot assigned by the primary process. */
export function assignedSlot(env: NodeJS.ProcessEnv): ProcessSlot {
  const [index = 0, of = 1] = (env[variable] ?? '0/1').split('/').map(Number);
  return { index, of };
}

/** This slot's share of a whole number; the shares of all slots add up to it. */
export const shareOf = (whole: number, { index, of }: ProcessSlot): number =>
  Math.floor(whole / of) + (index < whole % of ? 1 : 0);

/** This slot's share of memory: at least a quarter, because less would be useless. */
export const memoryShare = (bytes: number, { of }: ProcessSlot): number => Math.ceil(bytes / Math.min(of, 4));
